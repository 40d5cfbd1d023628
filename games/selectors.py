"""The one reader of table state, and the questions that the floor above asks about tables."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from games import access, store
from games.engine.contract import IllegalMove, Outcome, SeatOptions
from games.engine.replay import Replay
from games.engine.replay import replay as fold
from games.match import LAG_MS, state_of
from games.models import Seat, Table, TableEvent
from games.rules import game as game_of
from games.store import SeatRow, TableRow
from wordlists.refusals import Conflict, Missing
from wordlists.selectors import lexicon
from wordlists.viewer import Viewer


class Reading(NamedTuple):
    """A table as it stood at one moment."""

    table: TableRow
    seats: list[SeatRow]

    @property
    def overdue(self) -> bool:
        """Whether something should have been played here already (X-03)."""
        if self.table.status != "active":
            return False
        if self.table.deadline is not None and self.table.deadline + LAG_MS <= self.table.wall:
            return True
        return any(seat.robot_due is not None and seat.robot_due <= self.table.wall for seat in self.seats)


def reading(table_id: UUID) -> Reading:
    """Raises Missing."""
    found = store.read(table_id)
    if found is None:
        raise Missing("not_found")
    return Reading(*found)


def table_view(table_id: UUID, viewer: Viewer) -> dict[str, Any]:
    """What the viewer may see of the table. Raises Missing. ``services.view`` settles first what is due."""
    table, seats = reading(table_id)
    return view_of(table, seats, access.see(viewer, table, seats))


def view_of(table: TableRow, seats: list[SeatRow], own: SeatRow | None, state: Any = None) -> dict[str, Any]:
    """The view of one seat (None: what everybody sees), built field by field; times are match milliseconds."""
    view: dict[str, Any] = {
        "table": str(table.id),
        "session": str(table.session),
        "game": table.game,
        "band": table.band,
        "language": table.language,
        "status": table.status,
        "version": table.version,
        "seat": None if own is None else own.number,
        "now": table.now,
        "seats": [seat_view(seat) for seat in seats],
        "public": None,
        "private": None,
        "actions": [],
        "draft": None,
        "draft_number": 0 if own is None else own.draft_number,
        "scores": [0] * len(seats),
        "outcome": None if table.result is None else msgspec.json.decode(table.result),
    }
    if table.state is None:
        return view
    game = game_of(table.game)
    state = state_of(table) if state is None else state
    view["public"] = game.public(state)
    view["scores"] = list(game.scores(state))
    if own is not None:
        view["private"] = game.private(state, own.number)
        view["actions"] = list(game.actions(state, own.number)) if table.status == "active" else []
        view["draft"] = draft_view(own)
    return view


def seat_view(seat: SeatRow) -> dict[str, Any]:
    """What everybody may know of a seat: never its time factor, hints or draft."""
    return {
        "seat": seat.number,
        "participant": None if seat.participant is None else str(seat.participant),
        "robot": seat.robot_level,
        "left": seat.left_at is not None,
    }


def draft_view(seat: SeatRow) -> dict[str, Any] | None:
    if seat.draft is None:
        return None
    return {"round": seat.draft_round, "number": seat.draft_number, "move": seat.draft}


def etag(table: TableRow, own: SeatRow | None) -> str:
    """Equal for equal views of one viewer; only the match clock may differ."""
    return f'"{table.version}.{0 if own is None else own.draft_number}.{"-" if own is None else own.number}"'


def events(table_id: UUID, viewer: Viewer, *, after: int, limit: int) -> list[dict[str, Any]]:
    """The log after turn ``after``, once the table has ended. Seats see neither other seats' private facts nor
    what the teacher gave to one seat alone (T5). Raises Missing, Conflict."""
    own = ended_for(table_id, viewer)
    rows = TableEvent.objects.filter(table_id=table_id, turn__gt=after).order_by("turn")[:limit]
    return [_event_view(row, own, everything=viewer.is_teacher) for row in rows]


def ended_for(table_id: UUID, viewer: Viewer) -> SeatRow | None:
    """The viewer's seat at a table that has ended; log and replay are closed before. Raises Missing, Conflict."""
    table, seats = reading(table_id)
    own = access.read_log(viewer, table, seats)
    if not table.ended:
        raise Conflict("not_over")
    return own


def result(table_id: UUID, viewer: Viewer) -> dict[str, Any]:
    """Scores so far, and the outcome once there is one. Raises Missing."""
    view = table_view(table_id, viewer)
    return {name: view[name] for name in ("table", "status", "version", "seats", "scores", "outcome")}


def facts_after(table_id: UUID, turn: int) -> list[tuple[int, dict[str, Any], list[dict[str, Any]], datetime]]:
    """(turn, move, facts, at) of every line of the log after ``turn``; progress is a projection of these."""
    rows = TableEvent.objects.filter(table_id=table_id, turn__gt=turn).order_by("turn")
    return list(rows.values_list("turn", "move", "facts", "at"))


def seats_of(table_ids: Iterable[UUID]) -> dict[UUID, list[Seat]]:
    """The seats of many tables, in one query."""
    found: dict[UUID, list[Seat]] = {table_id: [] for table_id in table_ids}
    for seat in Seat.objects.filter(table_id__in=list(found)).order_by("table_id", "number"):
        found[seat.table_id].append(seat)
    return found


def statuses_of(table_ids: Iterable[UUID]) -> dict[UUID, str]:
    """Status of each table, in one query."""
    return dict(Table.objects.filter(id__in=list(table_ids)).values_list("id", "status"))


class Standing(NamedTuple):
    """How a table stands: what a live grid or a report shows of it."""

    table: UUID
    status: str
    version: int
    now: int
    public: dict[str, Any] | None
    scores: tuple[int, ...]
    outcome: Outcome | None


def standings(table_ids: Iterable[UUID]) -> dict[UUID, Standing]:
    """Status, public view and scores of many tables, in one query."""
    return {table.id: _standing(table) for table in store.read_many(list(table_ids))}


def _standing(table: TableRow) -> Standing:
    outcome = None if table.result is None else msgspec.json.decode(table.result, type=Outcome)
    if table.state is None:
        return Standing(table.id, table.status, table.version, table.now, None, (), outcome)
    game, state = game_of(table.game), state_of(table)
    public, scores = game.public(state), game.scores(state)
    return Standing(table.id, table.status, table.version, table.now, public, scores, outcome)


_PERSONAL = {"extend", "grant_hint", "occupy", "table.started", "table.upgraded"}


def _event_view(row: TableEvent, own: SeatRow | None, *, everything: bool) -> dict[str, Any]:
    shown = {"turn": row.turn, "seat": row.seat, "move": row.move, "facts": row.facts, "now": row.now}
    if everything:
        return shown if row.move["type"] != "table.upgraded" else shown | {"move": {"type": "table.upgraded"}}
    if row.move["type"] in _PERSONAL:
        shown["move"] = {"type": row.move["type"]}
    shown["facts"] = [fact for fact in row.facts if own is not None and fact["seat"] == own.number]
    return shown


def replay(table_id: UUID, viewer: Viewer) -> dict[str, Any]:
    """What everybody could see after each turn, folded anew from seed and log. Raises Missing, Conflict."""
    ended_for(table_id, viewer)
    table, _ = reading(table_id)
    game = game_of(table.game)
    events = list(TableEvent.objects.filter(table_id=table_id).order_by("turn"))
    folded = refold(table, events)
    lines = zip(events, folded.turns, strict=True)
    frames = [
        {"turn": event.turn, "seat": event.seat, "type": event.move["type"], "public": game.public(turn.state)}
        for event, turn in lines
    ]
    return {"table": str(table.id), "agrees": folded.differs_at is None, "frames": frames}


def refold(table: TableRow, events: list[TableEvent]) -> Replay:
    """The log folded from its deal; the seats as they were dealt stand in its first line."""
    game = game_of(table.game)
    started = events[0].move
    dealt = msgspec.convert(started["seats"], tuple[SeatOptions, ...])
    words = lexicon(table.words_hash, game.lexicon)
    return fold(game, game.options_from(started["options"]), words, dealt, table.seed, events)


def ended_since(moment: datetime) -> list[UUID]:
    """Tables that have ended since then."""
    return list(Table.objects.filter(ended_at__gte=moment).order_by("ended_at").values_list("id", flat=True))


def differs_at(table_id: UUID) -> int | None:
    """The first turn whose state, folded anew by today's rules, is not the logged one; None where all agree.

    Only for tables that ended under today's rules: others are as they were (their snapshot is the truth).
    """
    table, _ = reading(table_id)
    if table.rules_version != game_of(table.game).rules_version:
        return None
    events = list(TableEvent.objects.filter(table_id=table_id).order_by("turn"))
    try:
        return refold(table, events).differs_at
    except IllegalMove:
        return _first_refused(table, events)


def _first_refused(table: TableRow, events: list[TableEvent]) -> int:
    """The first turn that today's rules refuse: folding just so far raises nothing."""
    for last in range(1, len(events)):
        try:
            refold(table, events[: last + 1])
        except IllegalMove:
            return events[last].turn
    raise AssertionError("the whole log folds")
