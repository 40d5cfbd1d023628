"""Somebody in a session as the teacher's pages show them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from classrooms.selectors import Pupil
from classrooms.sessions.selectors import Person


@dataclass(frozen=True, slots=True)
class Face:
    """``guest``: came with a picked name; ``linked``: the student of the class that the guest turned out to be."""

    id: UUID
    name: str
    mark: str
    guest: bool
    linked: str
    linked_id: UUID | None
    away: bool


def face(person: Person, students: Sequence[Pupil]) -> Face:
    """A person with the student behind it, where a guest was linked to one."""
    student = next((row for row in students if row.id == person.student), None) if person.was_guest else None
    return Face(
        id=person.participant,
        name=person.name,
        mark=person.mark,
        guest=person.was_guest,
        linked=student.label if student else "",
        linked_id=student.id if student else None,
        away=not person.heard,
    )


def linkable(students: Sequence[Pupil], people: Iterable[Person]) -> list[Pupil]:
    """Students that a guest may turn out to be: those who did not come under their own name."""
    here = {person.student for person in people if not person.was_guest}
    return [row for row in students if row.id not in here]
