"""What a teacher may tell a table to do, and how each is carried out on a locked table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Union

import msgspec

from games.engine.contract import (
    TEACHER,
    Extend,
    GrantHint,
    IllegalMove,
    Leave,
    Move,
    NextRound,
    Occupy,
    Verdict,
    VoidRound,
)
from games.match import Match
from games.store import SeatRow

ROBOT_LEVELS = ("easy", "medium", "hard")


class Pause(Move, frozen=True, tag="pause"):
    """Stop the match clock."""


class Resume(Move, frozen=True, tag="resume"):
    """Let the match clock go on; every deadline moves by the length of the pause."""


class Stop(Move, frozen=True, tag="stop"):
    """End the table now, with the scores as they are."""


class RobotFor(Move, frozen=True, tag="robot_for"):
    """Let a robot play ``seat`` from here on."""

    seat: int
    level: str


Command = Union[Pause, Resume, Stop, RobotFor, Leave, NextRound, Extend, GrantHint, Verdict, VoidRound]
COMMANDS: tuple[type[Move], ...] = Command.__args__  # type: ignore[attr-defined]


def command_from(raw: Any) -> Command:
    """A command out of JSON data; raises ``msgspec.ValidationError``."""
    return msgspec.convert(raw, Command)


def carry_out(match: Match, command: Command) -> None:
    """Raises IllegalMove, and then nothing has changed."""
    own = _LIFECYCLE.get(type(command))
    if own is not None:
        own(match, command)
        return
    if not match.lasts and not (match.table.ended and isinstance(command, Verdict)):
        raise IllegalMove("not_started" if match.table.status == "lobby" else "game_over")
    match.play(TEACHER, command, now=match.table.now)
    if match.table.status == "stopped":
        match.end("stopped", result_now(match))


def pause(match: Match, command: Any = None) -> None:
    _expect(match, "active")
    match.record(TEACHER, {"type": "table.paused"})
    match.table.status = "paused"
    match.table.paused_at = match.table.wall


def resume(match: Match, command: Any = None) -> None:
    _expect(match, "paused")
    assert match.table.paused_at is not None
    match.record(TEACHER, {"type": "table.resumed"})
    match.shift(match.table.wall - match.table.paused_at)
    match.table.status = "active"
    match.table.paused_at = None


def stop(match: Match, command: Any = None) -> None:
    _expect(match, "active", "paused")
    match.record(TEACHER, {"type": "table.stopped"})
    match.end("stopped", result_now(match))


def result_now(match: Match) -> dict[str, Any]:
    """The outcome of a table that is ended from outside: always a score, ties shared (X-10)."""
    scores = match.game.scores(match.state)
    best = max(scores, default=0)
    winners = [seat for seat, score in enumerate(scores) if score == best and match.seats[seat].left_at is None]
    return {"scores": list(scores), "winners": winners, "reason": "stopped"}


def robot_for(match: Match, seat: SeatRow, *, level: str) -> None:
    """X-08: a robot goes on with the seat as it stands."""
    _expect(match, "active", "paused")
    if level not in ROBOT_LEVELS:
        raise IllegalMove("unknown_level")
    if seat.robot_level is not None:
        raise IllegalMove("robot_already")
    match.play(TEACHER, Occupy(seat=seat.number, robot_level=level), now=match.table.now)
    match.record(TEACHER, {"type": "table.robot", "seat": seat.number, "level": level})
    seat.participant, seat.robot_level = None, level
    match.hand_over(seat)


def person_for(match: Match, seat: SeatRow, *, participant: Any, time_factor: int) -> None:
    """A late comer takes a robot's seat as it stands."""
    _expect(match, "active", "paused")
    if seat.robot_level is None:
        raise IllegalMove("seat_taken")
    match.play(TEACHER, Occupy(seat=seat.number, robot_level=None, time_factor=time_factor), now=match.table.now)
    match.record(TEACHER, {"type": "table.taken", "seat": seat.number, "participant": str(participant)})
    seat.participant, seat.robot_level = participant, None
    match.hand_over(seat)


def _robot_for(match: Match, command: RobotFor) -> None:
    if not 0 <= command.seat < len(match.seats):
        raise IllegalMove("no_such_seat")
    robot_for(match, match.seats[command.seat], level=command.level)


def _expect(match: Match, *statuses: str) -> None:
    if match.table.status not in statuses:
        codes = {"lobby": "not_started", "active": "not_paused", "paused": "paused"}
        raise IllegalMove(codes.get(match.table.status, "game_over"))


_LIFECYCLE: dict[type[Move], Callable[[Match, Any], None]] = {
    Pause: pause,
    Resume: resume,
    Stop: stop,
    RobotFor: _robot_for,
}
