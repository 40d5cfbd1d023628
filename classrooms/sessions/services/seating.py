"""From the lobby to the tables, and late comers onto robots' seats.

A start writes its whole plan first, in one transaction, and then deals table after table, each in its own; whatever a
crash leaves undealt is dealt by the sweep, because a table's uuid stands in the plan.
"""

from __future__ import annotations

import logging
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from classrooms.models import Participant, Session, SessionTable
from classrooms.sessions import seating_plan
from classrooms.sessions.services.rows import Status, living_session, touch
from games import selectors as tables
from games import services as games
from games.services import SeatPlan
from wordlists.refusals import Conflict

log = logging.getLogger(__name__)

DEAL_AGAIN_AFTER = timedelta(seconds=10)


def start(session: Session, *, fewest: int = seating_plan.FEWEST) -> Session:
    """Seats everybody and deals. Raises Conflict: ``already_started``, ``too_few_people``; Gone: ``session_over``."""
    session = _plan(session, fewest=fewest)
    for table in session.tables.filter(dealt_at=None):
        deal(table)
    _tell(session)
    return session


def deal(table: SessionTable) -> None:
    """Creates and starts the table of a plan's row. Safe to run twice and at once: its uuid is known before.

    Nothing is dealt in a session that was ended meanwhile; a table dealt just then is stopped by the sweep.
    """
    session = table.session
    session.refresh_from_db(fields=["status"])
    if session.status == Status.OVER:
        return
    people = [SeatPlan(participant=row.id, robot_level=None) for row in table.participants.order_by("joined_at", "id")]
    robots = [SeatPlan(participant=None, robot_level=session.robots) for _ in range(table.robots)]
    games.create_table(
        table_id=table.table,
        owner=session.teacher_id,
        session=session.id,
        game=session.game,
        band=session.band,
        language=session.language,
        words_hash=session.words_hash,
        options=session.options,
        seats=[*people, *robots],
    )
    games.start(table.table)
    SessionTable.objects.filter(id=table.id, dealt_at=None).update(dealt_at=timezone.now())


def finish_starts() -> int:
    """Deals what a crash left; how many tables. One table's fault is logged and stops no other."""
    late = timezone.now() - DEAL_AGAIN_AFTER
    left = SessionTable.objects.select_related("session").filter(
        dealt_at=None, session__started_at__lt=late, session__status__in=[Status.ACTIVE, Status.PAUSED]
    )
    for table in left:
        try:
            deal(table)
        except Exception:
            log.exception("Table %s cannot be dealt", table.table)
    return len(left)


def seat_late_comer(participant: Participant, *, table: int | None = None) -> Participant:
    """Gives a waiting participant a robot's seat: at table number ``table``, else where fewest people sit.

    Raises Conflict: ``already_seated``, ``no_robot_seat``, ``not_started``; Gone: ``session_over``.
    """
    with transaction.atomic():
        session = living_session(participant.session_id)
        participant = Participant.objects.select_related("session").get(id=participant.id)
        if participant.removed_at or participant.left_at:
            raise Conflict("left")
        if participant.table_id is not None:
            raise Conflict("already_seated")
        if session.status == Status.LOBBY:
            raise Conflict("not_started")
        chosen, number = _robot_seat(session, table)
        participant.table = chosen
        participant.save(update_fields=["table"])
    try:
        games.take_seat(chosen.table, number=number, participant=participant.id)
    except Exception:
        Participant.objects.filter(id=participant.id).update(table=None)
        raise
    _tell(session)
    return participant


@transaction.atomic
def _plan(session: Session, *, fewest: int) -> Session:
    session = living_session(session.id)
    if session.status != Status.LOBBY:
        raise Conflict("already_started")
    people = list(session.participants.filter(removed_at=None, left_at=None).order_by("joined_at", "id"))
    places = seating_plan.spread(len(people), robots=session.robots is not None, fewest=fewest)
    if not places:
        raise Conflict("too_few_people")
    queue = iter(people)
    for number, place in enumerate(places, start=1):
        table = SessionTable.objects.create(session=session, number=number, robots=place.robots)
        seated = [next(queue) for _ in range(place.people)]
        Participant.objects.filter(id__in=[row.id for row in seated]).update(table=table)
    session.status = Status.ACTIVE
    session.started_at = timezone.now()
    session.save(update_fields=["status", "started_at"])
    touch(session)
    return session


@transaction.atomic
def _tell(session: Session) -> None:
    touch(session)


def _robot_seat(session: Session, number: int | None) -> tuple[SessionTable, int]:
    """A table of the session and the robot's seat there; the one with the fewest people unless a number is asked."""
    rows = {row.table: row for row in session.tables.all() if number is None or row.number == number}
    seats = tables.seats_of(rows)
    people = {uuid: sum(1 for seat in row if seat.participant) for uuid, row in seats.items()}
    free = [seat for row in seats.values() for seat in row if seat.robot_level is not None and seat.left_at is None]
    if not free:
        raise Conflict("no_robot_seat")
    best = min(free, key=lambda seat: (people[seat.table_id], rows[seat.table_id].number, seat.number))
    return rows[best.table_id], best.number
