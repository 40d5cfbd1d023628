"""Tells the hubs, after the commit, that a session or a pass changed; lost messages are healed by the next ping."""

from __future__ import annotations

from functools import partial

from django.db import transaction

from classrooms.models import Participant, Session
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
    tell = partial(
        push.announce,
        f"close:{participant.id}",
        version=participant.epoch,
        session=participant.session_id,
        owner=None,
        epoch=participant.epoch,
    )
    transaction.on_commit(tell, robust=True)
