"""Random games for the contract tests: robots, random legal and illegal moves and the house, over any game."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, get_args

import msgspec

import games.rules
from games.engine import playthrough
from games.engine.contract import (
    CLOCK,
    TEACHER,
    Extend,
    Fact,
    Game,
    GrantHint,
    HouseMove,
    IllegalMove,
    Leave,
    Move,
    NextRound,
    Occupy,
    SeatOptions,
    TimeUp,
    Verdict,
    VoidRound,
)
from games.engine.playthrough import LEVELS, Header
from games.engine.rng import Rng

AnyGame = Game[Any, Any, Any]
CARD_ID = re.compile(r"^[b-z2-9]{8}$")
LONGEST = 600
"""Moves after which a walk is given up; a game that does not end by then has a fault."""


class Taken(NamedTuple):
    """One move of a walk: ``after`` is None and ``code`` set where it was refused."""

    turn: int
    before: Any
    seat: int
    move: Move
    now: int
    after: Any
    facts: tuple[Fact, ...]
    code: str


class Walk(NamedTuple):
    """A random game."""

    header: Header
    first: Any
    taken: tuple[Taken, ...]

    @property
    def states(self) -> tuple[Any, ...]:
        return (self.first, *(taken.after for taken in self.taken if taken.after is not None))


def folder(slug: str) -> Path:
    """Where the playthroughs of a game lie."""
    return Path(games.rules.__path__[0]) / slug / "playthroughs"


def tags(game: AnyGame) -> dict[str, type[Move]]:
    """The seat moves of a game by tag."""
    return {str(move.__struct_config__.tag): move for move in get_args(game.Moves) or (game.Moves,)}


def leaves(value: Any) -> Iterator[str]:
    """All strings and keys in JSON data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from leaves(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from leaves(item)


def words_shown(value: Any) -> list[str]:
    """The words in a public view."""
    if isinstance(value, list):
        return [word for item in value for word in words_shown(item)]
    if not isinstance(value, dict):
        return []
    own = [value["word"]] if value.get("word") else []
    return own + [word for item in value.values() for word in words_shown(item)]


def random_raw(game: AnyGame, state: Any, seat: int, chance: random.Random, tag: str | None = None) -> dict[str, Any]:
    """JSON of a move that is well formed and now and then legal, out of ids that the seat sees, or that it may not."""
    tag = tag or chance.choice(sorted(tags(game)))
    seen = [game.public(state), game.private(state, seat)]
    if chance.random() < 0.1:
        seen += [game.private(state, other) for other in range(len(game.scores(state)))]
    ids = sorted({text for text in leaves(seen) if CARD_ID.match(text)}) or ["bbbbbbbb"]
    move: dict[str, Any] = {"type": tag}
    for field in msgspec.structs.fields(tags(game)[tag]):
        move[field.name] = _random_field(field, game.public(state), ids, chance)
    return move


def _random_field(
    field: msgspec.structs.FieldInfo, public: dict[str, Any], ids: list[str], chance: random.Random
) -> Any:
    if field.name == "round":
        return public["round"] if chance.random() < 0.95 else max(1, public["round"] + chance.choice((-1, 1)))
    if field.name == "top" and chance.random() < 0.8:
        return public["exchange"]["top"]["id"]
    if "tuple" in str(field.type):
        return chance.sample(ids, k=min(len(ids), chance.choice((0, 1, 2, 2, 2, 3, 3, 4))))
    return chance.choice(ids)


def random_house(game: AnyGame, state: Any, chance: random.Random) -> Move:
    """A teacher's move, mostly harmless."""
    seat = chance.randrange(len(game.scores(state)))
    public = game.public(state)
    played = public["round"] if game.phase(state).startswith("reveal") else max(1, public["round"] - 1)
    return chance.choice(
        [
            Extend(seat, 5_000),
            Extend(None, 5_000),
            GrantHint(seat),
            NextRound(),
            VoidRound(),
            Verdict(played, chance.choice(["papa", *words_shown(public)]), chance.random() < 0.5),
            Occupy(seat, chance.choice((None, *LEVELS))),
        ]
    )


def every_house_move(game: AnyGame, state: Any) -> Iterable[Move]:
    """At least one of each kind of house move, good and bad arguments."""
    seats = range(-1, len(game.scores(state)) + 1)
    yield from (TimeUp(phase) for phase in (game.phase(state), "another:7", ""))
    yield from (Leave(seat) for seat in seats)
    yield NextRound()
    yield from (Extend(seat, ms) for seat in (None, *seats) for ms in (1, 60_000, 0, -5, 10**12))
    yield from (GrantHint(seat) for seat in seats)
    yield from (
        Verdict(number, word, valid)
        for number in (0, 1, 99)
        for word in ("papa", "", "\x00")
        for valid in (True, False)
    )
    yield VoidRound()
    yield from (Occupy(seat, level) for seat in seats for level in (None, "easy"))


HOUSE_KINDS = frozenset(get_args(HouseMove))


def walk(game: AnyGame, words: Any, seed: str, *, seats: int, options: Any = None, wild: float = 0.3) -> Walk:
    """A game of robots and people, in which a share of the moves is random and the teacher meddles."""
    chance = random.Random(seed)
    who = tuple(SeatOptions(chance.choice((100, 150)), None, chance.choice((None, *LEVELS))) for _ in range(seats))
    header = Header(game.slug, game.rules_version, seed, options or {}, who)
    first = state = game.setup(game.options_from(header.options), words, who, Rng(seed, 0), 0)
    taken: list[Taken] = []
    now = 0
    while game.active(state) and len(taken) < LONGEST:
        turn = len(taken) + 1
        now += chance.randrange(4_000)
        seat, move = _next(game, words, state, now, chance, wild)
        step, code = played(game, words, header, state, seat, move, turn, now)
        after, facts = (step.state, step.facts) if step else (None, ())
        taken.append(Taken(turn, state, seat, move, now, after, facts, code))
        state = state if after is None else after
    return Walk(header, first, tuple(taken))


def played(
    game: AnyGame, words: Any, header: Header, state: Any, seat: int, move: Move, turn: int, now: int
) -> tuple[Any, str]:
    """(step, '') or (None, code)."""
    try:
        return game.apply(state, seat, move, words, Rng(header.seed, turn), now), ""
    except IllegalMove as refused:
        return None, refused.code


def _next(game: AnyGame, words: Any, state: Any, now: int, chance: random.Random, wild: float) -> tuple[int, Move]:
    if game.due(state, now):
        return CLOCK, TimeUp(game.phase(state))
    waiting = sorted(game.deadlines(state))
    if chance.random() < wild:
        if chance.random() < 0.2:
            return TEACHER, random_house(game, state, chance)
        seat = chance.randrange(len(game.scores(state)))
        tag = chance.choice(game.actions(state, seat) or (None,)) if chance.random() < 0.7 else None
        return seat, game.move_from(random_raw(game, state, seat, chance, tag))
    seat = chance.choice(waiting)
    thought = Rng(str(chance.random()), 0)
    return seat, game.robot(game.public(state), game.private(state, seat), words, thought, chance.choice(LEVELS))


WALKS = 6


@cache
def words_of(slug: str) -> Any:
    return playthrough.words_of(games.rules.game(slug), folder(slug))


@cache
def option_sets(slug: str) -> tuple[Any, ...]:
    """The default options and those that the playthroughs use."""
    used = [playthrough.read(text)[0].options for text in transcripts(slug).values()]
    return ({}, *(options for options in used if options))


@cache
def transcripts(slug: str) -> dict[str, str]:
    files = sorted(folder(slug).glob("*.txt"))
    return {file.name: file.read_text(encoding="utf-8") for file in files if file.name != playthrough.WORDS_FILE}


@cache
def walks_of(slug: str) -> tuple[Walk, ...]:
    """Random games over all seat counts and the options in use, played once for all tests."""
    game = games.rules.game(slug)
    least, most = game.seats
    options = option_sets(slug)
    return tuple(
        walk(
            game,
            words_of(slug),
            f"walk {number}",
            seats=least + number % (min(most, 6) - least + 1),
            options=options[number % len(options)],
        )
        for number in range(WALKS)
    )


@cache
def a_state_of_each_phase(slug: str) -> dict[str, Any]:
    """By kind of phase ('play', 'reveal', 'over'), one state with its walk's header."""
    found: dict[str, Any] = {}
    for walk in walks_of(slug):
        for state in walk.states:
            found.setdefault(games.rules.game(slug).phase(state).partition(":")[0], (walk.header, state))
    return found
