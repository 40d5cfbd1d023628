"""Tells the hub, after the commit, that a session or a pass changed; lost messages are healed by the next ping."""

from __future__ import annotations

import json
from typing import Any

from django.db import connection, transaction

from classrooms.models import Participant, Session

CHANNEL = "wordtable"


def changed(session: Session) -> None:
    """Session-level news: somebody came or went, it started, it ended. Carries the version only."""
    _notify(
        {
            "topic": f"session:{session.id}",
            "session": str(session.id),
            "owner": str(session.teacher_id) if session.teacher_id else None,
            "version": session.version,
        }
    )


def closed(participant: Participant) -> None:
    """Streams of this participant's passes below its present epoch are dropped and refused."""
    _notify(
        {
            "topic": f"close:{participant.id}",
            "session": str(participant.session_id),
            "epoch": participant.epoch,
        }
    )


def _notify(payload: dict[str, Any]) -> None:
    transaction.on_commit(lambda: _send(json.dumps(payload)), robust=True)


def _send(payload: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, payload])
