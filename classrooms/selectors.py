"""What a teacher's pages and the API read of classes."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Q

from classrooms import access
from classrooms.models import SchoolClass, Student
from wordlists.viewer import Viewer


@dataclass(frozen=True, slots=True)
class Pupil:
    """A pupil of a class as its teacher sees it; ``mark`` tells namesakes apart."""

    id: UUID
    number: int
    name: str
    mark: str
    gone: bool

    @property
    def label(self) -> str:
        return f"{self.name} ({self.mark})" if self.mark else self.name


def classes(viewer: Viewer, *, archived: bool = False) -> list[SchoolClass]:
    """The teacher's classes by name, each with ``pupils``, its number of pupils. One query."""
    teacher = access.teachers_only(viewer)
    rows = SchoolClass.objects.filter(teacher=teacher, archived_at__isnull=not archived)
    counted = rows.annotate(pupils=Count("students", filter=Q(students__left_class_at=None)))
    return sorted(counted, key=lambda row: row.name.casefold())


def pupils(school_class: SchoolClass, *, gone: bool = False) -> list[Pupil]:
    """The class list by number; ``gone``: those who left instead. One query."""
    rows = Student.objects.filter(school_class=school_class, left_class_at__isnull=not gone)
    return [pupil(row) for row in rows.select_related("name_row").order_by("number")]


def pupil(student: Student) -> Pupil:
    """One row of the class list."""
    row = getattr(student, "name_row", None)
    return Pupil(
        id=student.id,
        number=student.number,
        name=row.shown if row else "",
        mark=row.mark if row else "",
        gone=student.left_class_at is not None,
    )
