"""Locking a session's row and telling of its changes; every other module of this package begins here."""

from __future__ import annotations

from uuid import UUID

from django.db.models import F

from classrooms.models import Session
from classrooms.sessions import push
from wordlists.refusals import Gone, Missing

Status = Session.Status


def locked_session(session_id: UUID) -> Session:
    """The row under its lock; the one lock of a session comes before any row of its people."""
    session = Session.objects.select_for_update(of=("self",)).filter(id=session_id).first()
    if session is None:
        raise Missing("not_found")
    return session


def living_session(session_id: UUID) -> Session:
    """The same, refused once it is over."""
    session = locked_session(session_id)
    if session.status == Status.OVER:
        raise Gone("session_over")
    return session


def touch(session: Session) -> None:
    """A new version, told after the commit."""
    Session.objects.filter(id=session.id).update(version=F("version") + 1)
    session.refresh_from_db(fields=["version"])
    push.changed(session)
