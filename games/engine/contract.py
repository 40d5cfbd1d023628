"""The one contract that every game obeys: frozen state in, frozen state out, nothing fetched.

A game is a folder ``games/rules/<slug>/`` whose ``rules.py`` holds ``GAME``, an instance of a ``Game``. Beside it lie
what pages show it with: ``templates/games/<slug>/`` {board, projector, rules_body}.html and ``static/games/<slug>/``
{board.js, board.css, projector.css}.
State, Options and Moves are frozen ``msgspec.Struct``s of structs, tuples, ints, strs, bools and None only.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from typing import Any, ClassVar, Generic, TypeVar, Union

import msgspec

from games.engine.rng import Rng

Seat = int
Millis = int

CLOCK: Seat = -1
TEACHER: Seat = -2

GRACE_MS: Millis = 1_000
"""A move counts when it was received by its deadline plus this (X-03)."""
CLOCK_LAG_MS: Millis = 500
"""CLOCK acts this long after the grace, so that a move in flight is judged first."""
MAX_EXTENSION_MS: Millis = 3_600_000


class IllegalMove(Exception):
    """A refused move; nothing has changed (X-05). ``code`` is stable and part of the API."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Move(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """Parent of every move; the tag is ``<slug>.<move>``, or a bare verb for a house move."""


class TimeUp(Move, frozen=True, tag="time_up"):
    """CLOCK: the time of ``phase`` is over for every seat whose deadline has come; no effect if resolved."""

    phase: str


class Leave(Move, frozen=True, tag="leave"):
    """The seat itself or TEACHER: ``seat`` leaves for good (X-07)."""

    seat: int


class NextRound(Move, frozen=True, tag="next_round"):
    """TEACHER: end the reveal now."""


class Extend(Move, frozen=True, tag="extend"):
    """TEACHER: ``ms`` more time for one seat, or for all (None)."""

    seat: int | None
    ms: int


class GrantHint(Move, frozen=True, tag="grant_hint"):
    """TEACHER: one more hint for ``seat``."""

    seat: int


class Verdict(Move, frozen=True, tag="verdict"):
    """TEACHER: ``word`` as played in ``round`` counts, or does not; rescores, in a finished table too."""

    round: int
    word: str
    valid: bool


class VoidRound(Move, frozen=True, tag="void_round"):
    """TEACHER: the running round gives nothing to anybody."""


class Occupy(Move, frozen=True, tag="occupy"):
    """TEACHER: another player takes over ``seat`` as it stands: a robot of that level, or a person (None) (X-08)."""

    seat: int
    robot_level: str | None
    time_factor: int = 100


HouseMove = TimeUp | Leave | NextRound | Extend | GrantHint | Verdict | VoidRound | Occupy
TEACHER_MOVES: tuple[type[Move], ...] = (Leave, NextRound, Extend, GrantHint, Verdict, VoidRound, Occupy)


class SeatOptions(msgspec.Struct, frozen=True):
    """What is personal about a seat: time factor in percent (100 = the table's), hints, robot level or None."""

    time_factor: int = 100
    hints: int | None = None
    robot_level: str | None = None


class Fact(msgspec.Struct, frozen=True):
    """Something that a seat did or met with a word; the raw stuff of progress (X-14). ``kind`` is listed per game."""

    kind: str
    seat: int
    word: str
    round: int = 0
    assisted: bool = False
    tried: str = ""
    """For a refused try: what was really built, syllables joined by hyphens."""


S = TypeVar("S", bound=msgspec.Struct)
O = TypeVar("O", bound=msgspec.Struct)  # noqa: E741
W = TypeVar("W")


class Step(msgspec.Struct, Generic[S], frozen=True):
    """A new state and the facts that the move brought about."""

    state: S
    facts: tuple[Fact, ...] = ()


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended. ``winners`` may be several (X-10); ``reason`` is 'finished' or 'abandoned'."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str


class Game(ABC, Generic[S, O, W]):
    """Rules of one game. Instances hold no state of a table."""

    slug: ClassVar[str]
    code: ClassVar[str]
    title: ClassVar[str]
    """Its name for people, in English; the page translates it."""
    rules_version: ClassVar[int]
    seats: ClassVar[tuple[int, int]]
    """Fewest and most seats of a table, robots counted."""
    lexicon: ClassVar[str]
    """Kind of word structure that the game receives as ``words``: 'syllables', …"""
    languages: ClassVar[tuple[str, ...]]
    """Languages that it can be played in, its default first."""
    State: ClassVar[type[msgspec.Struct]]
    Options: ClassVar[type[msgspec.Struct]]
    Moves: ClassVar[Any]
    """The tagged union of the moves that a seat may make."""
    fact_kinds: ClassVar[tuple[str, ...]]
    sealed: ClassVar[tuple[str, ...]] = ()
    """Tags of the moves whose content nobody else may learn before the phase ends; for tests."""

    @abstractmethod
    def setup(self, options: O, words: W, seats: tuple[SeatOptions, ...], rng: Rng, now: Millis) -> S:
        """Deal. Raises IllegalMove (``list_too_small``, ``seat_count``) when the table cannot be dealt."""

    @abstractmethod
    def active(self, state: S) -> frozenset[Seat]:
        """Seats that may move now; empty = over."""

    @abstractmethod
    def actions(self, state: S, seat: Seat) -> tuple[str, ...]:
        """Tags of the moves open to the seat now; may not depend on what the seat cannot see."""

    @abstractmethod
    def apply(self, state: S, seat: Seat, move: Move, words: W, rng: Rng, now: Millis) -> Step[S]:
        """Play a move. Pure; raises IllegalMove and then nothing has changed."""

    @abstractmethod
    def phase(self, state: S) -> str:
        """Name of the running phase, new for every phase ('play:3', 'reveal:3', 'over'); TimeUp names it.

        A seat may keep a draft while the name ends in a number and does not begin with 'reveal': the draft names it.
        """

    @abstractmethod
    def deadlines(self, state: S) -> dict[Seat, Millis]:
        """Deadline of every seat that is still awaited (X-06: each has one); a robot is due while its seat is here."""

    @abstractmethod
    def scores(self, state: S) -> tuple[int, ...]:
        """Always a score for every seat, so that a stopped table has a result."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """None while the game goes on."""

    @abstractmethod
    def public(self, state: S) -> dict[str, Any]:
        """What everybody, the projector and every push may show. Built up field by field.

        Besides the game's own: ``phase``, ``round``, ``rounds``, ``deadline`` (match time or None) and ``seats``, each
        with ``ready`` and ``left``. Live grid, projector and report read these of every game.
        """

    @abstractmethod
    def private(self, state: S, seat: Seat) -> dict[str, Any]:
        """What this seat sees besides."""

    @abstractmethod
    def robot(self, public: dict[str, Any], private: dict[str, Any], words: W, rng: Rng, level: str) -> Move:
        """A move for a robot, from what a person in that seat sees (X-11)."""

    @abstractmethod
    def robot_wait(self, public: dict[str, Any], private: dict[str, Any], rng: Rng, level: str) -> Millis:
        """How long a robot 'thinks' before ``robot``; asked once when its seat becomes active in a phase."""

    @abstractmethod
    def secrets(self, state: S, seat: Seat | None) -> frozenset[str]:
        """Strings that must not occur in anything the seat (None: the public) is shown now; for tests."""

    # What follows is the same for every game.

    def deadline(self, state: S) -> Millis | None:
        """The earliest moment for CLOCK; it acts at this + GRACE_MS + CLOCK_LAG_MS."""
        return min(self.deadlines(state).values(), default=None)

    def due(self, state: S, now: Millis) -> tuple[Seat, ...]:
        """Seats whose deadline has come at ``now``, in seat order."""
        return tuple(sorted(seat for seat, at in self.deadlines(state).items() if at <= now))

    def options_from(self, raw: Any) -> O:
        """Options out of JSON data; raises ``msgspec.ValidationError``."""
        return msgspec.convert(raw, self.Options)  # type: ignore[return-value]

    def move_from(self, raw: Any) -> Move:
        """A seat's move out of JSON data; raises ``msgspec.ValidationError``."""
        return msgspec.convert(raw, Union[self.Moves, Leave])  # type: ignore[no-any-return]

    def any_move_from(self, raw: Any) -> Move:
        """A logged move, house moves included."""
        return msgspec.convert(raw, Union[self.Moves, HouseMove])  # type: ignore[no-any-return]

    def state_from(self, raw: Any) -> S:
        """A state out of the JSON data of a snapshot."""
        return msgspec.convert(raw, self.State)  # type: ignore[return-value]

    @staticmethod
    def dump(value: msgspec.Struct) -> Any:
        """JSON data of a state, a move or a fact."""
        return msgspec.to_builtins(value)

    @staticmethod
    def digest(state: msgspec.Struct) -> str:
        """SHA-256 of the state's msgspec bytes, hex; never of database text, where keys change places."""
        return hashlib.sha256(msgspec.json.encode(state)).hexdigest()
