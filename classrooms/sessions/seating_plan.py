"""PURE: how a group is spread over tables."""

from __future__ import annotations

from dataclasses import dataclass

BEST = 4
FEWEST = 3
SMALLEST_TABLE = 2
LARGEST_TABLE = 6


@dataclass(frozen=True, slots=True)
class Places:
    """The people and the robots of one table."""

    people: int
    robots: int


def spread(people: int, *, robots: bool, fewest: int = FEWEST) -> tuple[Places, ...]:
    """Tables of 3-4 people as even as can be, where there are enough. Without robots five stay at one table.

    With robots each table has one at least, so that a late comer finds a chair, and as many as ``fewest`` asks for.

    Empty where nobody can play: no people, or one without a robot.
    """
    if people < 1 or (not robots and people < SMALLEST_TABLE):
        return ()
    tables = 1 if not robots and people <= BEST + 1 else -(-people // BEST)
    small, larger = divmod(people, tables)
    sizes = [small + 1] * larger + [small] * (tables - larger)
    return tuple(Places(size, max(1, fewest - size) if robots else 0) for size in sizes)
