"""The only writers of tables. Each service is one transaction: the row lock first, side effects after the commit."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

import msgspec
from django.db import transaction
from django.db.models import Q

from games import access, commands, push, requests, selectors, store
from games.engine.contract import TEACHER, IllegalMove, Leave
from games.match import LAG_MS, Match, state_of
from games.models import Allowance, Request, Seat, Table, TableEvent
from games.requests import Answer
from games.rules import games
from games.store import Counter, SeatRow
from wordlists.refusals import Conflict, Invalid, Missing
from wordlists.viewer import Viewer

log = logging.getLogger(__name__)

SWEEP_LIMIT = 200
LARGEST_DRAFT = 8_000
announce = push.announce


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """Who will sit there: a participant, or a robot of a level."""

    participant: UUID | None = None
    robot_level: str | None = None
    time_factor: int = 100
    hints: int | None = None


class Draft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An autosaved move: the round that it is for, and a number that only rises."""

    round: int
    number: int
    move: dict[str, Any] | None = None


def create_table(
    *,
    owner: UUID | None,
    session: UUID,
    game: str,
    band: str,
    language: str,
    words_hash: str,
    options: dict[str, Any],
    seats: Sequence[SeatPlan],
    table_id: UUID | None = None,
) -> Table:
    """A table in the lobby; the one of that id if it exists already. Raises Invalid."""
    if game not in games():
        raise Invalid("unknown_game")
    rules = games()[game]
    least, most = rules.seats
    if not least <= len(seats) <= most:
        raise Invalid("seat_count")
    rules.options_from(options)
    with transaction.atomic():
        values: dict[str, Any] = {"owner": owner, "session": session, "game": game, "options": options}
        values |= {"rules_version": rules.rules_version, "band": band, "language": language, "words_hash": words_hash}
        table, is_new = (
            Table.objects.get_or_create(id=table_id, defaults=values)
            if table_id
            else (
                Table.objects.create(**values),
                True,
            )
        )
        if is_new:
            Seat.objects.bulk_create(
                Seat(
                    table=table,
                    number=number,
                    participant=plan.participant,
                    robot_level=plan.robot_level,
                    time_factor=plan.time_factor,
                    hints=plan.hints,
                )
                for number, plan in enumerate(seats)
            )
    return table


def start(table_id: UUID) -> None:
    """Deal and let the match clock run; nothing happens where it runs already. Raises IllegalMove."""
    with transaction.atomic(durable=True):
        match = _locked(table_id)
        if match.table.status != "lobby":
            return
        match.deal()
        _save(match)


def play(
    table_id: UUID,
    viewer: Viewer,
    raw_move: Any,
    *,
    received: float | None = None,
    key: str | None = None,
    body_hash: str = "",
) -> Answer:
    """Play a move for the viewer's seat; the answer holds the seat's new view.

    ``received`` is the monotonic moment of receipt: by it the move is judged (X-03), however long the lock took.
    Raises IllegalMove, Missing, Forbidden, Unprocessable, TooMany, msgspec.ValidationError.
    """
    began = time.monotonic() if received is None else received
    malformed: msgspec.ValidationError | None = None
    with transaction.atomic(durable=True):
        match = _locked(table_id, requests.counter(requests.actor_of(viewer), "move"))
        seat = access.seat_of(viewer, match.table, match.seats)
        receipt = match.table.wall - (time.monotonic() - began) * 1000

        def act() -> None:
            match.settle(wall=receipt)
            _refuse_unless_playing(match, seat)
            match.play(seat.number, match.game.move_from(raw_move), now=match.match_time(receipt))

        try:
            answer = _answered(match, viewer, seat, f"moves:{table_id}", key, body_hash, act)
        except msgspec.ValidationError as error:  # no rollback: nonsense counts as a try
            malformed = error
    if malformed is not None:
        raise malformed
    return answer.checked()


def save_draft(table_id: UUID, viewer: Viewer, raw: Any, *, received: float | None = None) -> int:
    """Keep a draft in the viewer's own seat, without touching the table; its number. Raises Conflict
    ``too_late`` (its round is over) or ``stale_draft`` (a newer one is kept), Missing, Forbidden."""
    began = time.monotonic() if received is None else received
    draft = msgspec.convert(raw, Draft)
    body = msgspec.json.encode(draft.move)
    if len(body) > LARGEST_DRAFT or not 0 <= draft.number < 2**53 or not 0 <= draft.round < 2**15:
        raise Invalid("invalid")
    elapsed = (time.monotonic() - began) * 1000
    if viewer.is_participant and viewer.id is not None and viewer.session is not None:
        values: dict[str, Any] = {"round": draft.round, "number": draft.number, "draft": body, "elapsed_ms": elapsed}
        if store.save_draft(table_id, viewer.id, viewer.session, **values):
            return draft.number
    table, seats = selectors.reading(table_id)
    seat = access.seat_of(viewer, table, seats)
    too_late = seat.draft_round != draft.round or seat.draft_number < draft.number
    raise Conflict("too_late" if too_late else "stale_draft")


def command(table_id: UUID, viewer: Viewer, raw: Any, *, key: str | None = None, body_hash: str = "") -> Answer:
    """Carry out a command of the table's teacher; the answer holds the new view.

    Raises IllegalMove, Missing, Forbidden, Unprocessable, msgspec.ValidationError.
    """
    order = commands.command_from(raw)
    with transaction.atomic(durable=True):
        match = _locked(table_id)
        access.direct(viewer, match.table)

        def act() -> None:
            match.settle()
            commands.carry_out(match, order)

        answer = _answered(match, viewer, None, f"commands:{table_id}", key, body_hash, act)
    return answer.checked()


def take_seat(table_id: UUID, *, number: int, participant: UUID, time_factor: int = 100) -> None:
    """A late comer takes a robot's seat; nothing happens when he sits at this table already. Raises IllegalMove."""
    with transaction.atomic(durable=True):
        match = _locked(table_id)
        if any(seat.participant == participant for seat in match.seats):
            return
        if not 0 <= number < len(match.seats):
            raise IllegalMove("no_such_seat")
        if match.table.status == "lobby":
            _seat_before_start(match, number, participant, time_factor)
            return
        match.settle()
        commands.person_for(match, match.seats[number], participant=participant, time_factor=time_factor)
        _save(match)


def move_out(table_id: UUID, participant: UUID, *, robot_level: str | None = None) -> None:
    """A participant is gone for good: a robot goes on with the seat, or it has left (X-07, X-08)."""
    with transaction.atomic(durable=True):
        match = _locked(table_id)
        seat = next((seat for seat in match.seats if seat.participant == participant), None)
        if seat is None or match.table.ended or seat.left_at is not None:
            return
        if match.table.status == "lobby":
            _leave_before_start(match, seat, robot_level)
            return
        match.settle()
        if match.lasts:
            _vacate(match, seat, robot_level)
        _save(match)


def settle(table_id: UUID) -> bool:
    """Play what is due at a table, unless somebody else is at it just now. True when something was played."""
    with transaction.atomic(durable=True):
        match = _lock(table_id, skip_locked=True)
        if match is None:
            return False
        match.settle()
        return _save(match)


def sweep() -> int:
    """Settle every table with something due; how many were. One table's fault is logged and stops no other."""
    settled = 0
    for table_id in store.due_tables(lag_ms=LAG_MS, limit=SWEEP_LIMIT):
        try:
            settled += settle(table_id)
        except Exception:
            log.exception("Table %s cannot be settled", table_id)
    return settled


def view(table_id: UUID, viewer: Viewer, *, known: str | None = None) -> tuple[dict[str, Any] | None, str]:
    """The viewer's view and its ETag, after what is due has been played (X-03); no view where ``known`` is the ETag.

    Raises Missing.
    """
    reading = selectors.reading(table_id)
    own = access.see(viewer, *reading)
    if reading.overdue and settle(table_id):
        reading = selectors.reading(table_id)
        own = access.see(viewer, *reading)
    tag = selectors.etag(reading.table, own)
    return (None if known == tag else selectors.view_of(*reading, own)), tag


def forget(participant: UUID) -> None:
    """Erase a participant from every table: seat, drafts, kept answers, and the uuid in the log's lifecycle lines."""
    for table_id in Seat.objects.filter(participant=participant).values_list("table_id", flat=True):
        move_out(table_id, participant)
        _erase(table_id, participant)
    for table_id in _named_in_log(participant):
        _erase(table_id, participant)
    actor = requests.actor_of(Viewer(kind="participant", id=participant))
    Request.objects.filter(actor=actor).delete()
    Allowance.objects.filter(actor=actor).delete()


def delete(table_id: UUID) -> None:
    """Remove a table with its seats, log and kept answers; nothing happens where there is none."""
    with transaction.atomic():
        store.lock(table_id)
        Table.objects.filter(id=table_id).delete()
        Request.objects.filter(scope__endswith=f":{table_id}").delete()


def _locked(table_id: UUID, counter: Counter | None = None) -> Match:
    match = _lock(table_id, counter=counter)
    if match is None:
        raise Missing("not_found")
    return match


def _lock(table_id: UUID, *, skip_locked: bool = False, counter: Counter | None = None) -> Match | None:
    locked = store.lock(table_id, skip_locked=skip_locked, counter=counter)
    if locked is None:
        return None
    if counter is not None:
        requests.check(locked.counted, counter.scope)
    match = Match(locked.table, locked.seats, None if locked.table.state is None else state_of(locked.table))
    match.upgrade()
    return match


def _answered(
    match: Match,
    viewer: Viewer,
    own: SeatRow | None,
    scope: str,
    key: str | None,
    hashed: str,
    act: Callable[[], None],
) -> Answer:
    """Run ``act`` on the locked table, or find what was answered to its key. A refusal is an answer and is kept."""
    actor = requests.actor_of(viewer)
    found = requests.earlier(actor, scope, key, hashed)
    if found is not None:
        return found
    try:
        act()
    except IllegalMove as refused:
        answer = Answer.refusal(refused.code)
    else:
        answer = Answer.of(selectors.view_of(match.table, match.seats, own, match.state))
    _save(match)
    requests.keep(actor, scope, key, hashed, answer)
    return answer


def _save(match: Match) -> bool:
    if not match.save():
        return False
    transaction.on_commit(partial(_tell, match), robust=True)
    return True


def _tell(match: Match) -> None:
    """After the commit: the public view to the hubs, and a task where there is something for it (facts, lifecycle)."""
    table = match.table
    more = {"now": table.now, "status": table.status, "public": match.game.public(match.state)}
    push.announce(f"table:{table.id}", version=table.version, session=table.session, owner=table.owner, **more)
    if table.ended or any(event.facts or event.move["type"].startswith("table.") for event in match.events):
        push.enqueue("table_changed", str(table.id))


def _refuse_unless_playing(match: Match, seat: SeatRow) -> None:
    if match.table.status == "lobby":
        raise IllegalMove("not_started")
    if match.table.status == "paused":
        raise IllegalMove("paused")
    if match.table.ended:
        raise IllegalMove("game_over")
    if seat.left_at is not None:
        raise IllegalMove("seat_left")


def _vacate(match: Match, seat: SeatRow, robot_level: str | None) -> None:
    if robot_level is not None:
        commands.robot_for(match, seat, level=robot_level)
        return
    match.play(TEACHER, Leave(seat=seat.number), now=match.table.now)


def _seat_before_start(match: Match, number: int, participant: UUID, time_factor: int) -> None:
    if match.seats[number].robot_level is None:
        raise IllegalMove("seat_taken")
    seat = Seat.objects.filter(table_id=match.table.id, number=number)
    seat.update(participant=participant, robot_level=None, time_factor=time_factor)


def _leave_before_start(match: Match, seat: SeatRow, robot_level: str | None) -> None:
    seats = Seat.objects.filter(table_id=match.table.id)
    if robot_level is not None:
        seats.filter(number=seat.number).update(participant=None, robot_level=robot_level)
        return
    seats.filter(number=seat.number).delete()
    for later in seats.filter(number__gt=seat.number).order_by("number"):
        seats.filter(id=later.id).update(number=later.number - 1)


def _named_in_log(participant: UUID) -> list[UUID]:
    """Tables whose log names the participant; a robot may sit there since."""
    name = str(participant)
    dealt = Q(move__type="table.started", move__participants__contains=[name])
    taken = Q(move__type="table.taken", move__participant=name)
    return list(TableEvent.objects.filter(dealt | taken).values_list("table_id", flat=True).distinct())


def _without(name: str, move: dict[str, Any]) -> dict[str, Any]:
    """The parts of a lifecycle line that name people, without that one."""
    if "participants" in move:
        return {"participants": [None if person == name else person for person in move["participants"]]}
    return {"participant": None} if move.get("participant") == name else {}


def _erase(table_id: UUID, participant: UUID) -> None:
    name = str(participant)
    with transaction.atomic(durable=True):
        store.lock(table_id)
        Seat.objects.filter(table_id=table_id, participant=participant).update(participant=None, draft=None)
        for event in TableEvent.objects.filter(table_id=table_id, move__type__in=["table.started", "table.taken"]):
            event.move |= _without(name, event.move)
            event.save(update_fields=["move"])
        Request.objects.filter(scope__endswith=f":{table_id}").delete()
