"""What is shown of sessions: the lobby, the people, the live grid, a participant's own place, the list of past ones."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Case, Count, IntegerField, Q, QuerySet, Value, When
from django.utils import timezone

from classrooms import access, names
from classrooms.models import Participant, Session, Student
from games import selectors as tables
from games.models import Seat
from wordlists import guest_names
from wordlists.viewer import Viewer

OFFERED = 6
HEARD_WITHIN = timedelta(seconds=45)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in a session. ``mark`` is empty for whoever is not the teacher."""

    participant: UUID
    name: str
    mark: str
    guest: bool
    """Picked a name and is not linked to a pupil."""
    was_guest: bool
    """Picked a name, linked or not: the link may be changed."""
    student: UUID | None
    table: int | None
    """Number of the table in the session."""
    table_id: UUID | None
    seat: int | None
    joined_at: datetime
    heard: bool
    """Something was heard of the device within 45 s."""
    left: bool
    removed: bool

    @property
    def waiting(self) -> bool:
        """Came late and has no seat yet."""
        return self.table is None and not self.left and not self.removed

    @property
    def label(self) -> str:
        """Name with its mark: for the teacher's eyes."""
        return f"{self.name} ({self.mark})" if self.mark else self.name


@dataclass(frozen=True, slots=True)
class Lobby:
    """A session before and while it runs, as its teacher sees it."""

    session: Session
    people: tuple[Person, ...]
    """Who is in, in order of coming; neither left nor removed."""
    missing: tuple[str, ...]
    """Labels of the pupils of the class who have not come."""


@dataclass(frozen=True, slots=True)
class NameChoice:
    """A name that may be tapped when joining: a pupil's of the class, or one offered to a guest."""

    key: str
    """The student's uuid, or '<adjective>-<animal>'."""
    name: str
    number: int | None
    """Place in the class list, given only where two pupils share a name."""
    here: bool
    """Already in the session."""


@dataclass(frozen=True, slots=True)
class Entrance:
    """What somebody with the code sees before joining."""

    session: UUID
    game: str
    band: str
    language: str
    status: str
    locked: bool
    class_name: str
    students: tuple[NameChoice, ...]
    guests: tuple[NameChoice, ...]


@dataclass(frozen=True, slots=True)
class GridSeat:
    """A tile of the live grid. ``state``: ready, thinking, away, left, robot."""

    seat: int
    participant: UUID | None
    name: str
    mark: str
    robot: str | None
    state: str
    stars: int


@dataclass(frozen=True, slots=True)
class GridTable:
    """A table of the live grid; ``left_ms`` is what remains of the round for all, None where there is no limit."""

    number: int
    table: UUID
    status: str
    version: int
    phase: str
    round: int
    rounds: int
    left_ms: int | None
    seats: tuple[GridSeat, ...]
    public: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Grid:
    """All tables of a running session, and who waits for a seat."""

    session: Session
    tables: tuple[GridTable, ...]
    waiting: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a participant is: what a student's page opens with."""

    participant: UUID
    name: str
    session: UUID
    status: str
    version: int
    game: str
    band: str
    language: str
    table: UUID | None
    seat: int | None
    solo: bool


def sessions(viewer: Viewer) -> QuerySet[Session]:
    """The teacher's sessions, running ones first, newest first; each with ``people`` and ``table_count``."""
    teacher = access.teachers_only(viewer)
    over_last = Case(When(status="over", then=Value(1)), default=Value(0), output_field=IntegerField())
    present = Q(participants__removed_at=None)
    return (
        Session.objects.filter(teacher=teacher)
        .select_related("school_class")
        .annotate(
            people=Count("participants", filter=present & Q(participants__isnull=False), distinct=True),
            table_count=Count("tables", distinct=True),
        )
        .order_by(over_last, "-created_at", "id")
    )


def entrance(session: Session, *, offered: int = OFFERED) -> Entrance:
    """Names to tap and names offered to guests; never marks."""
    return Entrance(
        session=session.id,
        game=session.game,
        band=session.band,
        language=session.language,
        status=session.status,
        locked=session.locked,
        class_name=session.school_class.name if session.school_class else "",
        students=_student_choices(session),
        guests=guest_choices(session, offered=offered),
    )


def guest_choices(session: Session, *, offered: int = OFFERED) -> tuple[NameChoice, ...]:
    """A few free two-word names, others at each call."""
    words = guest_names.names(session.language)
    taken = set(session.participants.exclude(adjective=None).values_list("adjective", "animal"))
    free = [
        (adjective, animal)
        for adjective in range(len(words.adjectives))
        for animal in range(len(words.nouns))
        if (adjective, animal) not in taken
    ]
    picked = secrets.SystemRandom().sample(free, min(offered, len(free)))
    return tuple(NameChoice(f"{first}-{second}", words.name(first, second), None, False) for first, second in picked)


def people(session: Session, *, marks: bool, everybody: bool = False) -> list[Person]:
    """Who is in the session, in order of coming; ``everybody``: those who left or were removed too. Two queries."""
    rows = session.participants.select_related("student__name_row", "table").order_by("joined_at", "id")
    if not everybody:
        rows = rows.filter(left_at=None, removed_at=None)
    seats = _seats_by_participant(session)
    return [_person(row, session, seats.get(row.id), marks=marks) for row in rows]


def people_for(viewer: Viewer, session: Session) -> list[Person]:
    """The teacher sees all with marks; a participant sees its own table, without; nobody else anything."""
    if viewer.kind == "teacher":
        return people(session, marks=True, everybody=True)
    found = people(session, marks=False, everybody=True)
    own = next((row.table_id for row in found if row.participant == viewer.id), None)
    return [row for row in found if row.participant == viewer.id or (own is not None and row.table_id == own)]


def lobby(session: Session) -> Lobby:
    """The lobby of the teacher's page."""
    found = people(session, marks=True)
    return Lobby(session=session, people=tuple(found), missing=_missing(session, found))


def grid(session: Session) -> Grid:
    """Every table as it stands now. A fixed number of queries, however many tables."""
    rows = list(session.tables.all())
    standings = tables.standings([row.table for row in rows])
    seats = tables.seats_of([row.table for row in rows])
    found = {row.participant: row for row in people(session, marks=True, everybody=True)}
    return Grid(
        session=session,
        tables=tuple(
            _grid_table(row.number, standings[row.table], seats[row.table], found)
            for row in rows
            if row.table in standings
        ),
        waiting=tuple(row for row in found.values() if row.waiting),
    )


def place(participant: Participant) -> Place:
    """Where the participant sits."""
    session = participant.session
    table = participant.table.table if participant.table and participant.table.dealt_at else None
    seats = tables.seats_of([table])[table] if table else []
    return Place(
        participant=participant.id,
        name=shown_name(participant, session.language),
        session=session.id,
        status=session.status,
        version=session.version,
        game=session.game,
        band=session.band,
        language=session.language,
        table=table,
        seat=next((seat.number for seat in seats if seat.participant == participant.id), None),
        solo=session.teacher_id is None,
    )


def shown_name(participant: Participant, language: str) -> str:
    """The pupil's name, else the picked one, else nothing (erased)."""
    row = getattr(participant.student, "name_row", None) if participant.student else None
    if row is not None:
        return str(row.shown)
    if participant.adjective is None or participant.animal is None:
        return ""
    return guest_names.names(language).name(participant.adjective, participant.animal)


def _person(row: Participant, session: Session, seat: Seat | None, *, marks: bool) -> Person:
    name_row = getattr(row.student, "name_row", None) if row.student else None
    return Person(
        participant=row.id,
        name=shown_name(row, session.language),
        mark=name_row.mark if name_row and marks else "",
        guest=row.student_id is None,
        was_guest=row.adjective is not None,
        student=row.student_id,
        table=row.table.number if row.table else None,
        table_id=row.table.table if row.table else None,
        seat=seat.number if seat else None,
        joined_at=row.joined_at,
        heard=row.seen_at > timezone.now() - HEARD_WITHIN,
        left=row.left_at is not None,
        removed=row.removed_at is not None,
    )


def _seats_by_participant(session: Session) -> dict[UUID, Seat]:
    rows = Seat.objects.filter(table__session=session.id, participant__isnull=False)
    return {row.participant: row for row in rows if row.participant is not None}


def _student_choices(session: Session) -> tuple[NameChoice, ...]:
    if session.school_class_id is None:
        return ()
    rows = list(
        Student.objects.filter(school_class=session.school_class_id, left_class_at=None, name_row__isnull=False)
        .select_related("name_row")
        .order_by("number")
    )
    here = set(session.participants.filter(left_at=None).values_list("student_id", flat=True))
    shared = _shared(row.name_row.shown for row in rows)
    return tuple(
        NameChoice(
            key=str(row.id),
            name=row.name_row.shown,
            number=row.number if names.same_name(row.name_row.shown) in shared else None,
            here=row.id in here,
        )
        for row in rows
    )


def _shared(shown: Iterable[str]) -> set[str]:
    seen: set[str] = set()
    twice: set[str] = set()
    for name in map(names.same_name, shown):
        (twice if name in seen else seen).add(name)
    return twice


def _missing(session: Session, found: list[Person]) -> tuple[str, ...]:
    if session.school_class_id is None:
        return ()
    here = {row.student for row in found}
    rows = Student.objects.filter(school_class=session.school_class_id, left_class_at=None, name_row__isnull=False)
    labels = [(row.id, row.name_row) for row in rows.select_related("name_row").order_by("number")]
    return tuple(f"{row.shown} ({row.mark})" if row.mark else row.shown for key, row in labels if key not in here)


def _grid_table(number: int, standing: tables.Standing, seats: list[Seat], found: dict[UUID, Person]) -> GridTable:
    public = standing.public or {}
    deadline = public.get("deadline")
    shown = public.get("seats") or [{} for _ in seats]
    return GridTable(
        number=number,
        table=standing.table,
        status=standing.status,
        version=standing.version,
        phase=str(public.get("phase", "")),
        round=int(public.get("round", 0)),
        rounds=int(public.get("rounds", 0)),
        left_ms=None if deadline is None else max(0, deadline - standing.now),
        seats=tuple(
            _grid_seat(seat, shown[seat.number], standing, found.get(seat.participant) if seat.participant else None)
            for seat in seats
        ),
        public=standing.public,
    )


def _grid_seat(seat: Seat, shown: dict[str, Any], standing: tables.Standing, person: Person | None) -> GridSeat:
    return GridSeat(
        seat=seat.number,
        participant=seat.participant,
        name=person.name if person else "",
        mark=person.mark if person else "",
        robot=seat.robot_level,
        state=_seat_state(seat, shown, person),
        stars=standing.scores[seat.number] if seat.number < len(standing.scores) else 0,
    )


def _seat_state(seat: Seat, shown: dict[str, Any], person: Person | None) -> str:
    if seat.left_at is not None:
        return "left"
    if shown.get("ready"):
        return "ready"
    if seat.robot_level is not None:
        return "robot"
    return "thinking" if person is None or person.heard else "away"
