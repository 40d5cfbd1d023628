"""What may be told apart or read by whom: the checks behind *sealed* and *secrets*, and games with planted faults."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from games.engine.contract import CLOCK, TimeUp
from games.engine.rng import Rng
from tests.games import walks
from tests.games.walks import AnyGame, Walk, words_of


def seen_by_others(game: AnyGame, state: Any, seat: int) -> Any:
    others = [other for other in range(len(game.scores(state))) if other != seat]
    views = [(game.private(state, other), game.actions(state, other)) for other in others]
    deadlines = {other: at for other, at in game.deadlines(state).items() if other != seat}
    return game.public(state), views, game.scores(state), deadlines, game.outcome(state)


def sealed_differences(game: AnyGame, walk: Walk) -> tuple[int, int]:
    """(pairs of answers compared, pairs that somebody else could tell apart)."""
    chance = random.Random(walk.header.seed)
    compared = told_apart = 0
    for step in walk.taken[::3]:
        for seat in sorted(game.active(step.before)):
            for tag in sorted(set(game.actions(step.before, seat)) & set(game.sealed)):
                for one, other in pairwise(answered(game, walk, step, seat, tag, chance)):
                    compared += 1
                    told_apart += seen_by_others(game, one, seat) != seen_by_others(game, other, seat)
    return compared, told_apart


def answered(game: AnyGame, walk: Walk, step: walks.Taken, seat: int, tag: str, chance: random.Random) -> Iterator[Any]:
    """The states after different accepted answers, bad and good ones, that did not close the phase."""
    state = step.before
    raws = [walks.random_raw(game, state, seat, chance, tag) for _ in range(3)]
    if seat in game.deadlines(state):
        views = game.public(state), game.private(state, seat)
        raws.append(game.dump(game.robot(*views, words_of(game.slug), Rng(str(chance.random()), 0), "medium")))
    now = min(game.deadlines(state).values())
    for move in (game.move_from(raw) for raw in raws if raw["type"] == tag):
        after, _ = walks.played(game, words_of(game.slug), walk.header, state, seat, move, step.turn, now)
        if after is not None and game.phase(after.state) == game.phase(state):
            yield after.state


def with_live_scores(game: AnyGame) -> AnyGame:
    """The game with the fault of the first prototype: the scores as they would be if the round closed now."""

    class Live(type(game)):  # type: ignore[misc]
        def public(self, state: Any) -> dict[str, Any]:
            at = max(self.deadlines(state).values(), default=0)
            closed = self.apply(state, CLOCK, TimeUp(self.phase(state)), words_of(self.slug), Rng("", 0), at)
            return {**super().public(state), "live": self.scores(closed.state)}

    return Live()


def leaked(game: AnyGame, state: Any) -> set[str]:
    """Secrets that somebody can read who may not: each seat, and the public."""
    found: set[str] = set()
    seats = range(len(game.scores(state)))
    for seat in (None, *seats):
        shown: list[Any] = [game.public(state)]
        if seat is not None:
            shown += [game.private(state, seat), game.actions(state, seat)]
        text = json.dumps(shown, ensure_ascii=False)
        found |= {secret for secret in game.secrets(state, seat) if secret in text}
    return found


def leaking(game: AnyGame, leak: str) -> AnyGame:
    """The game with a deliberate leak: a neighbour's private part, or the whole state."""

    class Leaking(type(game)):  # type: ignore[misc]
        def public(self, state: Any) -> dict[str, Any]:
            return {**super().public(state), "leak": self.dump(state) if leak == "state" else None}

        def private(self, state: Any, seat: int) -> dict[str, Any]:
            neighbour = (seat + 1) % len(self.scores(state))
            more = super().private(state, neighbour) if leak == "neighbour" else None
            return {**super().private(state, seat), "leak": more}

    return Leaking()
