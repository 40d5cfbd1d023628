"""A table while its row is locked: the rules are applied here, and what came of it is written once, at the end."""

from __future__ import annotations

import hashlib
import logging
import math
from functools import cache
from typing import Any

import msgspec

from games import store
from games.engine.contract import (
    CLOCK,
    CLOCK_LAG_MS,
    GRACE_MS,
    TEACHER,
    Game,
    IllegalMove,
    Leave,
    Move,
    Seat,
    SeatOptions,
    TimeUp,
)
from games.engine.rng import Rng
from games.rules import game as game_of
from games.store import EventRow, SeatChange, SeatRow, TableRow
from wordlists.selectors import lexicon

log = logging.getLogger(__name__)

MOST_STEPS = 64
"""No settling goes on for longer; what is left is done by the next."""
LAG_MS = GRACE_MS + CLOCK_LAG_MS
AnyGame = Game[Any, Any, Any]


@cache
def _state_decoder(slug: str) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(game_of(slug).State)


def state_of(table: TableRow) -> Any:
    """The engine's state out of the row's text."""
    assert table.state is not None, "a table in the lobby has no state"
    return _state_decoder(table.game).decode(table.state)


class Match:
    """One locked table. Its methods change it in memory only; ``save`` writes all of it in one statement."""

    def __init__(self, table: TableRow, seats: list[SeatRow], state: Any) -> None:
        self.table = table
        self.seats = seats
        self.state = state
        self.game: AnyGame = game_of(table.game)
        self.events: list[EventRow] = []
        self._cleared: set[int] = set()
        self._before = {seat.number: _change(seat) for seat in seats}
        self._phase = "" if state is None else self.game.phase(state)
        self._bytes: bytes = b""

    @property
    def words(self) -> Any:
        return lexicon(self.table.words_hash, self.game.lexicon)

    @property
    def lasts(self) -> bool:
        """Whether something may still be played here."""
        return self.table.status in ("active", "paused")

    def match_time(self, wall: float) -> int:
        """Match time of a moment of the wall clock, while the table is not paused; a part of a ms counts whole."""
        return math.ceil(wall - self.table.clock_offset)

    def upgrade(self) -> None:
        """A running table goes on under new rules from its snapshot; replay starts from there."""
        if self.table.rules_version == self.game.rules_version or not self.lasts:
            return
        old, self.table.rules_version = self.table.rules_version, self.game.rules_version
        snapshot = {"from": old, "to": self.table.rules_version, "state": self.game.dump(self.state)}
        self.record(TEACHER, {"type": "table.upgraded", **snapshot})

    def play(self, seat: Seat, move: Move, *, now: int) -> None:
        """Apply one move and log it. Raises IllegalMove, and then nothing has changed."""
        rng = Rng(self.table.seed, self.table.version + 1)
        step = self.game.apply(self.state, seat, move, self.words, rng, now)
        if seat == CLOCK and step.state == self.state:
            return
        self.state = step.state
        self._bytes = b""
        if isinstance(move, Leave):
            self.seats[move.seat].left_at = self.table.wall
        self.record(seat, self.game.dump(move), facts=[self.game.dump(fact) for fact in step.facts], now=now)
        self._follow(seat)

    def record(self, seat: Seat, move: dict[str, Any], *, facts: Any = (), now: int | None = None) -> None:
        """Give ``move`` the next gapless turn of the log."""
        self.table.version += 1
        at = self.table.now if now is None else now
        digest = hashlib.sha256(self._encoded()).hexdigest()
        self.events.append(EventRow(self.table.version, seat, move, list(facts), at, digest))

    def settle(self, *, wall: float | None = None) -> None:
        """Play what is due at ``wall`` (default: now): robots, then drafts of seats out of time, then CLOCK."""
        for _ in range(MOST_STEPS):
            if self.table.status != "active" or not self._settle_one(self.table.wall if wall is None else wall):
                return

    def deal(self) -> None:
        """Set a table of the lobby up and start its clock."""
        options = self.game.options_from(msgspec.json.decode(self.table.options))
        self.table.clock_offset = self.table.wall
        self.table.rules_version = self.game.rules_version
        self.state = self.game.setup(options, self.words, seat_options(self.seats), Rng(self.table.seed, 0), 0)
        self.table.status = "active"
        started = {"options": self.game.dump(options), "seats": [self.game.dump(s) for s in seat_options(self.seats)]}
        people = [None if seat.participant is None else str(seat.participant) for seat in self.seats]
        self.record(TEACHER, {"type": "table.started", **started, "participants": people}, now=0)
        self._follow(TEACHER)

    def shift(self, ms: int) -> None:
        """Move all that is set to a wall time by a pause of ``ms``."""
        self.table.clock_offset += ms
        for seat in self.seats:
            if seat.robot_due is not None:
                seat.robot_due += ms

    def wake_robot(self, seat: SeatRow) -> None:
        """Ask a robot how long it will think, if its seat is awaited; else it has nothing due."""
        seat.robot_due = None
        if seat.robot_level is None or not self.lasts or seat.number not in self.game.deadlines(self.state):
            return
        rng = Rng(f"{self.table.seed}/wait/{seat.number}", self.table.version)
        wait = self.game.robot_wait(*self._views(seat.number), rng, seat.robot_level)
        seat.robot_due = wait + (self.table.wall if self.table.paused_at is None else self.table.paused_at)

    def hand_over(self, seat: SeatRow) -> None:
        """Another player sits there now: the draft was the other's, and a robot has to be woken."""
        seat.draft = None
        self._cleared.add(seat.number)
        self.wake_robot(seat)

    def save(self) -> bool:
        """Write what changed. False when nothing was played."""
        if not self.events and not self._changes():
            return False
        self._close()
        store.write(self.table, state=self._encoded(), events=self.events, changes=self._changes())
        return bool(self.events)

    def end(self, status: str, result: dict[str, Any]) -> None:
        """The table is over, with that result; nothing is due any more."""
        self.table.status = status
        self.table.paused_at = None
        self.table.result = msgspec.json.encode(result).decode()
        for seat in self.seats:
            seat.robot_due = None

    def _settle_one(self, wall: float) -> bool:
        robots = [seat for seat in self.seats if seat.robot_due is not None and seat.robot_due <= wall]
        if robots:
            self._play_robot(min(robots, key=lambda seat: (seat.robot_due, seat.number)), wall)
            return True
        clock = self.match_time(wall) - LAG_MS
        due = self.game.due(self.state, clock)
        if not due:
            return False
        turns = self.table.version
        self._play_drafts(due, clock)
        if self.lasts and self.game.due(self.state, clock):
            self.play(CLOCK, TimeUp(phase=self.game.phase(self.state)), now=clock)
        return self.table.version > turns

    def _play_robot(self, seat: SeatRow, wall: float) -> None:
        """A robot with a fault spoils nobody's table: its seat then waits for the clock like anybody absent."""
        seat.robot_due = None
        rng = Rng(f"{self.table.seed}/robot/{seat.number}", self.table.version)
        level = seat.robot_level or ""
        try:
            move = self.game.robot(*self._views(seat.number), self.words, rng, level)
        except Exception:
            log.exception("Robot of %s failed at table %s", self.table.game, self.table.id)
            return
        try:
            self.play(seat.number, move, now=self.match_time(wall))
        except IllegalMove as refused:
            log.error("Robot of %s refused at table %s: %s", self.table.game, self.table.id, refused.code)

    def _play_drafts(self, due: tuple[Seat, ...], clock: int) -> None:
        """X-03: the drafts of seats out of time, in seat order; one that the rules refuse counts as none."""
        deadlines = self.game.deadlines(self.state)
        phase = self.game.phase(self.state)
        for fresh in store.lock_seats(self.table.id, list(due)):
            seat = self.seats[fresh.number]
            seat.draft, seat.draft_number = fresh.draft, fresh.draft_number
            if fresh.number not in due or fresh.draft is None or fresh.draft_round != draft_round(phase):
                continue
            now = min(clock, deadlines[fresh.number] + GRACE_MS)
            try:
                self.play(fresh.number, self.game.move_from(fresh.draft), now=now)
            except (IllegalMove, msgspec.ValidationError):
                continue

    def _follow(self, seat: Seat) -> None:
        """After a move: its seat's draft is used up, a new phase empties all, robots see what awaits them."""
        phase = self.game.phase(self.state)
        new_phase = phase != self._phase
        self._phase = phase
        for row in self.seats:
            if new_phase or row.number == seat:
                row.draft, row.draft_round = None, draft_round(phase)
                self._cleared.add(row.number)
            if new_phase or row.number == seat or row.number not in self.game.deadlines(self.state):
                self.wake_robot(row)
        outcome = self.game.outcome(self.state)
        if outcome is not None and (self.lasts or self.table.ended):
            self.end("abandoned" if outcome.reason == "abandoned" else "over", self.game.dump(outcome))

    def _close(self) -> None:
        """Derive from the state what the rows keep so that others can find what is due."""
        deadlines = self.game.deadlines(self.state) if self.table.status == "active" else {}
        offset = self.table.clock_offset
        self.table.deadline = min(deadlines.values()) + offset if deadlines else None
        for seat in self.seats:
            at = deadlines.get(seat.number)
            seat.closes_at = None if at is None else at + offset + GRACE_MS
            if not self.lasts:
                seat.draft_round = None

    def _changes(self) -> list[SeatChange]:
        now = [_change(seat, clear=seat.number in self._cleared) for seat in self.seats]
        return [change for change in now if change.clear or change != self._before[change.number]]

    def _encoded(self) -> bytes:
        if not self._bytes:
            self._bytes = msgspec.json.encode(self.state)
        return self._bytes

    def _views(self, seat: Seat) -> tuple[dict[str, Any], dict[str, Any]]:
        return self.game.public(self.state), self.game.private(self.state, seat)


def draft_round(phase: str) -> int | None:
    """The round that a draft may name in this phase: that of 'play:3', none in a reveal or after the end."""
    name, _, number = phase.partition(":")
    return int(number) if number.isdigit() and name != "reveal" else None


def seat_options(seats: list[SeatRow]) -> tuple[Any, ...]:
    """What the rules are told about each seat."""
    return tuple(SeatOptions(seat.time_factor, seat.hints, seat.robot_level) for seat in seats)


def _change(seat: SeatRow, *, clear: bool = False) -> SeatChange:
    return SeatChange(
        number=seat.number,
        participant=seat.participant,
        robot_level=seat.robot_level,
        robot_due=seat.robot_due,
        draft_round=seat.draft_round,
        closes_at=seat.closes_at,
        left_at=seat.left_at,
        clear=clear,
    )
