"""Commands over all tables of a session, its end, and the sweep of what nobody ended.

Never two tables in one transaction: the session's row says first what is wanted, then each table is told in its own
transaction. A table that cannot follow (it is over, it is paused already) is passed over.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from classrooms.models import Participant, Session, SessionTable
from classrooms.sessions.services.rows import Status, living_session, locked_session, touch
from games import selectors as tables
from games import services as games
from games.engine.contract import IllegalMove
from wordlists.refusals import Conflict, Gone, Missing, Refused
from wordlists.viewer import Viewer

log = logging.getLogger(__name__)

LONGEST_EXTENSION_MS = 3_600_000
ENDED = ("over", "stopped", "abandoned")


def pause(session: Session) -> Session:
    """All tables stand still. Again on a paused session: the same. Raises Conflict (``not_started``)."""
    session = _turn(session, to=Status.PAUSED)
    _tell_tables(session, {"type": "pause"})
    return session


def resume(session: Session) -> Session:
    """All tables go on. Raises Conflict (``not_started``)."""
    session = _turn(session, to=Status.ACTIVE)
    _tell_tables(session, {"type": "resume"})
    return session


def extend(session: Session, *, ms: int) -> Session:
    """``ms`` more for every seat at every table. Raises Invalid for an absurd ``ms``, Conflict (``not_started``)."""
    _check_running(session)
    _tell_tables(session, {"type": "extend", "seat": None, "ms": max(1, min(ms, LONGEST_EXTENSION_MS))})
    return session


def next_round(session: Session) -> Session:
    """Ends the reveal wherever one is shown. Raises Conflict (``not_started``)."""
    _check_running(session)
    _tell_tables(session, {"type": "next_round"})
    return session


def end(session: Session) -> Session:
    """Stops every table that still runs and closes the session; its code is dead. Again: the same."""
    session = _close(session)
    _stop_tables(session)
    return session


def command_table(session: Session, *, table: UUID, command: dict[str, Any]) -> None:
    """One command at one table of the session; the table refuses what it cannot do. Raises Missing, IllegalMove."""
    if not session.tables.filter(table=table).exists():
        raise Missing("not_found")
    games.command(table, owner_of(session), command)


def settle(session_id: UUID) -> None:
    """Closes the session when all its tables are over. Safe to repeat."""
    session = Session.objects.filter(id=session_id, status__in=[Status.ACTIVE, Status.PAUSED]).first()
    if session is None:
        return
    _note_ended(session)
    rows = list(session.tables.all())
    if rows and all(row.over_at is not None for row in rows):
        _close(session)


def sweep() -> None:
    """Ends what is out of time, and finishes what a crash left between a session's row and its tables."""
    living = Session.objects.exclude(status=Status.OVER)
    for session in living.filter(expires__lte=timezone.now()):
        by_itself(session, end)
    for session in living.exclude(status=Status.LOBBY):
        by_itself(session, _look_after)
    for session in _half_ended():
        by_itself(session, _stop_tables)


def by_itself(session: Session, act: Callable[[Session], object]) -> None:
    """One session's fault is logged and stops no other."""
    try:
        act(session)
    except Exception:
        log.exception("Session %s cannot be looked after", session.id)


def _look_after(session: Session) -> None:
    settle(session.id)
    _mend(session)


def _stop_tables(session: Session) -> None:
    _tell_tables(session, {"type": "stop"})


def owner_of(session: Session) -> Viewer:
    """The session's teacher as the tables know him."""
    return Viewer(kind="teacher", id=session.teacher_id or session.id)


@transaction.atomic
def _turn(session: Session, *, to: str) -> Session:
    session = living_session(session.id)
    if session.status == Status.LOBBY:
        raise Conflict("not_started")
    if session.status != to:
        session.status = to
        session.save(update_fields=["status"])
        touch(session)
    return session


@transaction.atomic
def _close(session: Session) -> Session:
    session = locked_session(session.id)
    if session.status == Status.OVER:
        return session
    session.status = Status.OVER
    session.ended_at = timezone.now()
    session.save(update_fields=["status", "ended_at"])
    touch(session)
    return session


def _check_running(session: Session) -> None:
    session.refresh_from_db()
    if session.status == Status.LOBBY:
        raise Conflict("not_started")
    if session.status == Status.OVER:
        raise Gone("session_over")


def _tell_tables(session: Session, command: dict[str, Any]) -> None:
    for row in session.tables.exclude(dealt_at=None).filter(over_at=None):
        try:
            games.command(row.table, owner_of(session), command)
        except (IllegalMove, Refused) as refusal:
            log.debug("Table %s did not follow %s: %s", row.table, command["type"], refusal)
    _note_ended(session)


def _note_ended(session: Session) -> None:
    open_rows = list(session.tables.filter(over_at=None).exclude(dealt_at=None))
    states = tables.statuses_of([row.table for row in open_rows])
    ended = [row.id for row in open_rows if states.get(row.table) in ENDED]
    SessionTable.objects.filter(id__in=ended, over_at=None).update(over_at=timezone.now())


def _half_ended() -> QuerySet[Session]:
    """Sessions that are over while a table of theirs may still run."""
    open_tables = SessionTable.objects.filter(session=OuterRef("id"), over_at=None).exclude(dealt_at=None)
    return Session.objects.filter(Exists(open_tables), status=Status.OVER).exclude(teacher=None)


def _mend(session: Session) -> None:
    """Brings people and seats together again: the seats are right, and whoever left has none."""
    tables_by_id = {row.table: row for row in session.tables.exclude(dealt_at=None)}
    seats = [seat for row in tables.seats_of(tables_by_id).values() for seat in row]
    seated = {seat.participant: seat for seat in seats if seat.participant is not None and seat.left_at is None}
    for person in session.participants.select_related("table"):
        seat = seated.get(person.id)
        if seat is not None and (person.left_at or person.removed_at):
            games.move_out(seat.table_id, person.id, robot_level=session.robots)
        elif seat is not None and person.table_id is None:
            Participant.objects.filter(id=person.id).update(table=tables_by_id[seat.table_id])
        elif seat is None and _came_late(person, session):
            Participant.objects.filter(id=person.id, table=person.table_id).update(table=None)


def _came_late(person: Participant, session: Session) -> bool:
    """Is down for a table without having been in the plan of the start."""
    started = session.started_at
    return person.table_id is not None and started is not None and person.joined_at > started and not person.left_at
