"""Speed of the syllable rules on the real lists: deal, refill, robot, hint, move, view."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from typing import Any

import msgspec

from games.engine.contract import TEACHER, NextRound, SeatOptions
from games.engine.rng import Rng
from games.rules import game
from games.rules.syllables.moves import AskHint, Ready
from games.rules.syllables.state import State
from tests.load.rows import Row
from wordlists import builtin
from wordlists.lexicon.syllables import SyllableLexicon

GAME = game("syllables")
BANDS = ("8-10", "11-15", "16+")
ROUNDS = 60


def milliseconds(act: Callable[[int], Any], rounds: int = ROUNDS) -> list[float]:
    """CPU time of each call, garbage collection apart: rules only compute, so other work on the machine is left out."""
    times = []
    gc.collect()
    gc.disable()
    try:
        for number in range(rounds):
            start = time.thread_time()
            act(number)
            times.append((time.thread_time() - start) * 1e3)
    finally:
        gc.enable()
    return times


def rows(name: str, times: list[float], aim: str = "") -> Iterator[Row]:
    """Median and 95th percentile."""
    yield Row(f"{name}, median", median(times), "ms", aim)
    yield Row(f"{name}, p95", sorted(times)[int(0.95 * len(times))], "ms", aim)


def table(words: SyllableLexicon, number: int, *, seats: int) -> State:
    who = (SeatOptions(),) * seats
    state: State = GAME.setup(GAME.Options(), words, who, Rng(f"bench {number}", 0), 0)
    return state


def played(words: SyllableLexicon, state: State, seed: str) -> State:
    """The table after every seat has played a word: its reveal."""
    for seat in range(len(state.players)):
        views = GAME.public(state), GAME.private(state, seat)
        move = GAME.robot(*views, words, Rng(seed, seat), "easy")
        state = GAME.apply(state, seat, move, words, Rng(seed, seat), 0).state
    return state


def measure() -> Iterator[Row]:
    for band in BANDS:
        words = SyllableLexicon.from_bytes(builtin.blob("fr", band))
        table(words, 0, seats=2)
        yield from of_deals(words, band)
        yield from of_refills(words, band)
    yield from of_moves(words)


def of_deals(words: SyllableLexicon, band: str) -> Iterator[Row]:
    for seats in (2, 3, 4, 5, 6):
        times = milliseconds(partial(table, words, seats=seats))
        yield from rows(f"deal {band}, {seats} seats", times, "≤ 5")


def of_refills(words: SyllableLexicon, band: str) -> Iterator[Row]:
    for seats in (2, 4, 6):
        states = [played(words, table(words, number, seats=seats), f"words {number}") for number in range(ROUNDS)]
        times = milliseconds(partial(gone_on, words, states))
        yield from rows(f"refill {band}, {seats} seats", times, "≤ 5")


def gone_on(words: SyllableLexicon, states: list[State], number: int) -> State:
    return GAME.apply(states[number], TEACHER, NextRound(), words, Rng("refill", number), 0).state


def of_moves(words: SyllableLexicon) -> Iterator[Row]:
    """On the largest list, six seats, after seven rounds: the largest state."""
    state = table(words, 0, seats=6)
    while state.round < 8:
        state = gone_on(words, [played(words, state, f"round {state.round}")], 0)
    views = GAME.public(state), GAME.private(state, 0)
    acts: list[tuple[str, Callable[[int], Any], str]] = [
        ("robot", lambda turn: GAME.robot(*views, words, Rng("robot", turn), "hard"), "≤ 2"),
        ("hint", lambda turn: GAME.apply(state, 0, AskHint(8), words, Rng("hint", turn), 0), "≤ 2"),
        ("ready", lambda turn: GAME.apply(state, 0, Ready(8), words, Rng("ready", turn), 0), ""),
        ("view", lambda turn: (GAME.public(state), GAME.private(state, 0), GAME.actions(state, 0)), "≤ 3"),
        ("state to JSON and back", lambda turn: msgspec.json.decode(msgspec.json.encode(state), type=State), ""),
    ]
    for name, act, aim in acts:
        yield from rows(name, milliseconds(act, 200), aim)
    yield Row("state, 6 seats, round 8", len(msgspec.json.encode(state)) / 1e3, "kB")
