"""Seeded randomness for games: one secret seed per table and one stream per turn, equal on every CPython."""

from __future__ import annotations

import random
from collections.abc import MutableSequence, Sequence
from typing import TypeVar

T = TypeVar("T")

_ID_SIGNS = "bcdfghjkmnpqrstvwxz23456789"
_ID_LENGTH = 8


class Rng:
    """Random choices of one turn. Only ``random.Random.random`` is used underneath: its numbers never changed."""

    __slots__ = ("_next",)

    def __init__(self, seed: str, turn: int) -> None:
        self._next = random.Random(f"{seed}:{turn}").random

    def random(self) -> float:
        """A float in [0, 1)."""
        return self._next()

    def below(self, limit: int) -> int:
        """An int in [0, limit)."""
        return int(self._next() * limit)

    def between(self, low: int, high: int) -> int:
        """An int in [low, high]."""
        return low + self.below(high - low + 1)

    def chance(self, probability: float) -> bool:
        return self._next() < probability

    def choice(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def weighted(self, items: Sequence[T], cumulative: Sequence[float]) -> T:
        """One of ``items`` by their cumulative weights (ascending, same length)."""
        goal = self._next() * cumulative[-1]
        low, high = 0, len(items) - 1
        while low < high:
            middle = (low + high) // 2
            if cumulative[middle] > goal:
                high = middle
            else:
                low = middle + 1
        return items[low]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Fisher-Yates, in place."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]

    def card_id(self) -> str:
        """An id that tells nothing about its card (X-15); 27^8 values, vowel-free so that it spells no word."""
        return "".join(self.choice(_ID_SIGNS) for _ in range(_ID_LENGTH))
