"""Folding a table's log back to its state: the same seed and moves give the same game, byte for byte (X-04)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, Protocol

import msgspec

from games.engine.contract import Fact, Game, SeatOptions
from games.engine.rng import Rng

LIFECYCLE = "table."
"""Log lines of this type are no moves: start, pause, resume, stop, and who sits where."""
UPGRADED = "table.upgraded"
"""A running table went on under new rules; the line holds the state that they started from."""


class Logged(Protocol):
    """A line of a table's log. ``move`` is JSON data; ``digest`` is that of the state after it, or empty."""

    @property
    def turn(self) -> int: ...

    @property
    def seat(self) -> int: ...

    @property
    def move(self) -> Any: ...

    @property
    def now(self) -> int: ...

    @property
    def digest(self) -> str: ...


class Line(NamedTuple):
    """A log line outside the database."""

    turn: int
    seat: int
    move: Mapping[str, Any]
    now: int
    digest: str = ""


class Turn(NamedTuple):
    """The game after one line of its log."""

    turn: int
    state: Any
    facts: tuple[Fact, ...]
    digest: str
    agrees: bool
    """Whether the log has the same digest, or none."""


class Replay(NamedTuple):
    """A whole log, folded. ``differs_at`` is the first turn whose digest is not the logged one."""

    state: Any
    turns: tuple[Turn, ...]
    differs_at: int | None


def replay(
    game: Game[Any, Any, Any],
    options: msgspec.Struct,
    words: Any,
    seats: tuple[SeatOptions, ...],
    seed: str,
    events: Iterable[Logged],
) -> Replay:
    """Deal by ``seed`` at match time 0, play ``events``. Raises what ``apply`` raises for a logged move it refuses."""
    state = game.setup(options, words, seats, Rng(seed, 0), 0)
    turns = tuple(_turns(game, words, seed, state, events))
    differs_at = next((turn.turn for turn in turns if not turn.agrees), None)
    return Replay(turns[-1].state if turns else state, turns, differs_at)


def _turns(
    game: Game[Any, Any, Any], words: Any, seed: str, state: msgspec.Struct, lines: Iterable[Logged]
) -> Iterator[Turn]:
    for line in lines:
        facts: tuple[Fact, ...] = ()
        kind = line.move["type"]
        if kind == UPGRADED:
            state = game.state_from(line.move["state"])
        elif not kind.startswith(LIFECYCLE):
            move = game.any_move_from(line.move)
            state, facts = _stepped(game, words, Rng(seed, line.turn), state, line, move)
        digest = game.digest(state)
        yield Turn(line.turn, state, facts, digest, line.digest in ("", digest))


def _stepped(
    game: Game[Any, Any, Any], words: Any, rng: Rng, state: msgspec.Struct, line: Logged, move: Any
) -> tuple[msgspec.Struct, tuple[Fact, ...]]:
    step = game.apply(state, line.seat, move, words, rng, line.now)
    return step.state, step.facts
