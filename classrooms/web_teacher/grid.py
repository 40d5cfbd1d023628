"""The live grid: tables and their seats with a state told by icon, word and colour."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from classrooms.models import Session
from classrooms.selectors import Pupil
from classrooms.sessions.selectors import GridSeat, GridTable, Person
from classrooms.web_teacher import labels
from classrooms.web_teacher.people import Face, face

GLANCE = ("thinking", "ready", "away", "looking", "left", "robot")


@dataclass(frozen=True, slots=True)
class SeatTile:
    """One seat. ``state``: thinking, ready, looking, away, left, robot; also the name of its icon and colour."""

    number: int
    name: str
    person: Face | None
    robot: bool
    state: str
    word: str
    stars: int
    gone: bool


@dataclass(frozen=True, slots=True)
class TableCard:
    """One table with its round and clock; ``left_ms`` counts down unless ``standing``."""

    id: UUID
    number: int
    tone: str
    phase_text: str
    left_ms: int | None
    clock: str
    at: int
    standing: bool
    seats: tuple[SeatTile, ...]


def table(row: GridTable, session: Session, people: Mapping[UUID, Person], students: Sequence[Pupil]) -> TableCard:
    """A card of the grid."""
    running = row.status == "active"
    return TableCard(
        id=row.table,
        number=row.number,
        tone=row.phase if running else row.status,
        phase_text=_phase_text(row),
        left_ms=row.left_ms if row.status in ("active", "paused") else None,
        clock=clock(row.left_ms),
        at=time.monotonic_ns(),
        standing=not running,
        seats=tuple(_tile(seat, row, people, students) for seat in row.seats),
    )


def counts(tables: Sequence[TableCard]) -> list[dict[str, Any]]:
    """How many seats are in each state, all tables together."""
    found = Counter(seat.state for card in tables for seat in card.seats)
    words = _words()
    return [{"state": state, "word": words[state], "n": found[state]} for state in GLANCE if found[state]]


def robot_tables(tables: Sequence[TableCard]) -> list[dict[str, Any]]:
    """Tables where a late comer may take a robot's seat."""
    free = [(card.number, sum(1 for seat in card.seats if seat.robot and not seat.gone)) for card in tables]
    return [{"value": number, "label": _("Table %(n)s") % {"n": number}} for number, robots in free if robots]


def clock(left_ms: int | None) -> str:
    """Minutes and seconds, as the page shows them before its script counts on."""
    seconds = -(-(left_ms or 0) // 1000)
    return f"{seconds // 60}:{seconds % 60:02d}"


def _phase_text(row: GridTable) -> str:
    if row.status in ("over", "stopped", "abandoned"):
        return _("over")
    text = _("round %(round)s of %(rounds)s") % {"round": row.round, "rounds": row.rounds}
    shown = _("words shown")
    return f"{text} · {shown}" if row.phase == "reveal" else text


def _tile(seat: GridSeat, row: GridTable, people: Mapping[UUID, Person], students: Sequence[Pupil]) -> SeatTile:
    person = people.get(seat.participant) if seat.participant else None
    state = _state(seat, row.phase)
    return SeatTile(
        number=seat.seat,
        name=_("Robot %(n)s") % {"n": seat.seat + 1} if seat.robot else _("Nobody"),
        person=face(person, students) if person and not seat.robot else None,
        robot=seat.robot is not None,
        state=state,
        word=_word(seat, state),
        stars=seat.stars,
        gone=seat.state == "left",
    )


def _state(seat: GridSeat, phase: str) -> str:
    """While words are shown, nobody thinks and nobody is ready."""
    if phase != "play" and seat.state in ("thinking", "ready"):
        return "robot" if seat.robot else "looking"
    return seat.state


def _word(seat: GridSeat, state: str) -> str:
    if seat.robot is None or state == "ready":
        return _words()[state]
    return dict(labels.robots()).get(seat.robot, seat.robot).lower()


def _words() -> dict[str, str]:
    return {
        "thinking": _("thinking"),
        "ready": _("ready"),
        "looking": _("looking"),
        "away": _("away"),
        "left": _("left"),
        "robot": _("robot"),
    }
