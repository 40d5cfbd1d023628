"""PURE: lines of a table's log read as evidence of people. Robots learn nothing (X-14).

Who sat where is read from the log too (started, taken, robot), so that a leaver's words stay the leaver's and the
whole can be read again from nothing. A verdict's facts replace what the same seat's round had brought before, and are
those of whoever sat there in that round: a log with a verdict has to be read from its beginning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

RESULTS = ("made", "wrong_split", "not_in_list", "missed")
"""Kinds that say how a round went for a seat."""
LONGEST_WORD = 120
LONGEST_TRY = 200


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a log."""

    turn: int
    move: dict[str, Any]
    facts: list[dict[str, Any]]
    at: datetime


@dataclass(frozen=True, slots=True)
class Entry:
    """A fact with its person."""

    person: UUID
    turn: int
    place: int
    round: int
    kind: str
    word: str
    tried: str
    assisted: bool
    at: datetime


@dataclass(slots=True)
class Reading:
    """What some lines tell, who sits where after them, and which earlier results no longer hold."""

    seating: list[UUID | None]
    entries: list[Entry] = field(default_factory=list)
    seated_in: dict[int, list[UUID | None]] = field(default_factory=dict)
    """Who sat where when a round was resolved."""
    replaced: list[tuple[UUID, int, tuple[str, ...], int]] = field(default_factory=list)
    """(person, round, kinds, turn): results of before that turn are void."""

    def standing(self) -> list[Entry]:
        """The entries that no later verdict has replaced."""
        return [entry for entry in self.entries if not any(_voids(order, entry) for order in self.replaced)]


def read(lines: Sequence[Line], *, seating: list[UUID | None]) -> Reading:
    """The reading of ``lines``, where ``seating`` is who sat where before them."""
    reading = Reading(seating=list(seating))
    for line in lines:
        _seat_people(reading, line.move)
        if is_verdict(line):
            _replace(reading, line)
        else:
            _note_rounds(reading, line)
        reading.entries += _entries(reading, line)
    return reading


def is_verdict(line: Line) -> bool:
    return bool(line.move["type"] == "verdict")


def _seat_people(reading: Reading, move: dict[str, Any]) -> None:
    if move["type"] == "table.started":
        reading.seating = [None if person is None else UUID(person) for person in move["participants"]]
    elif move["type"] == "table.taken":
        person = move.get("participant")
        reading.seating[move["seat"]] = None if person is None else UUID(person)
    elif move["type"] == "table.robot":
        reading.seating[move["seat"]] = None


def _note_rounds(reading: Reading, line: Line) -> None:
    for number in {fact.get("round", 0) for fact in line.facts if fact["kind"] in RESULTS}:
        reading.seated_in[number] = list(reading.seating)


def _replace(reading: Reading, line: Line) -> None:
    concerned = {(fact["seat"], fact.get("round", 0)) for fact in line.facts}
    for seat, number in sorted(concerned):
        person = _person(reading, line, seat, number)
        if person is not None:
            reading.replaced.append((person, number, RESULTS, line.turn))


def _entries(reading: Reading, line: Line) -> list[Entry]:
    return [
        Entry(
            person=person,
            turn=line.turn,
            place=place,
            round=fact.get("round", 0),
            kind=fact["kind"],
            word=fact["word"][:LONGEST_WORD],
            tried=fact.get("tried", "")[:LONGEST_TRY],
            assisted=fact.get("assisted", False),
            at=line.at,
        )
        for place, fact in enumerate(line.facts)
        if (person := _person(reading, line, fact["seat"], fact.get("round", 0))) is not None
    ]


def _person(reading: Reading, line: Line, seat: int, number: int) -> UUID | None:
    """Whose fact it is: a verdict speaks of the round that it names, everything else of now."""
    seating = reading.seated_in.get(number, reading.seating) if is_verdict(line) else reading.seating
    return seating[seat]


def _voids(order: tuple[UUID, int, tuple[str, ...], int], entry: Entry) -> bool:
    person, number, kinds, before = order
    return entry.person == person and entry.round == number and entry.kind in kinds and entry.turn < before
