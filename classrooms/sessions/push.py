"""Tells the hubs, after the commit, that a session or a pass changed; lost messages are healed by the next ping."""

from __future__ import annotations

from functools import partial
from uuid import UUID

from django.db import transaction

from classrooms.models import Participant, Session, Teacher
from games import push


def changed(session: Session) -> None:
    """Session-level news: somebody came or went, it started, it ended. Carries the version only."""
    tell = partial(
        push.announce,
        f"session:{session.id}",
        version=session.version,
        session=session.id,
        owner=session.teacher_id,
    )
    transaction.on_commit(tell, robust=True)


def closed(participant: Participant) -> None:
    """Streams of this participant's passes below its present epoch are dropped and refused."""
    _close(participant.id, epoch=participant.epoch, session=participant.session_id)


def signed_out(teacher: Teacher) -> None:
    """The same for a teacher's passes."""
    _close(teacher.id, epoch=teacher.tokens_epoch, session=None)


def _close(holder: UUID, *, epoch: int, session: UUID | None) -> None:
    tell = partial(push.announce, f"close:{holder}", version=epoch, session=session, owner=None, epoch=epoch)
    transaction.on_commit(tell, robust=True)
