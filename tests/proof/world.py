"""A small school in a chosen moment, and its whole state in a form that two runs can be compared by."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from classrooms.models import Participant, ReEntry, SchoolClass, Session, Student, Teacher
from games.models import Seat, Table
from tests.proof.classroom import Classroom, gathered, new_teacher, with_token
from tests.proof.recording import Client, Reader

SLOW = {"round_seconds": 600, "reveal_seconds": 120}
Row = tuple[Any, ...]


@dataclass
class World:
    """A teacher with a class of three in a session, and the ids that addresses ask for."""

    account: Teacher
    room: Classroom
    ids: dict[str, str]
    stage: str
    reentry: str = ""
    spare_student: str = ""

    @property
    def teacher(self) -> Client:
        return self.room.teacher

    @property
    def seat(self) -> Client:
        return self.room.people[0]

    @property
    def stranger(self) -> Client:
        return Client(self.room.base, Reader("stranger"))

    def view(self, client: Client | None = None) -> dict[str, Any]:
        answer = (client or self.seat).get(f"/api/v1/tables/{self.ids['table']}/")
        assert answer.status == 200, answer.text
        body: dict[str, Any] = answer.body
        return body

    def move(self, body: Any, client: Client | None = None) -> Any:
        return (client or self.seat).post(f"/api/v1/tables/{self.ids['table']}/moves/", body)


def world(
    base: str,
    stage: str = "playing",
    *,
    people: int = 3,
    options: dict[str, Any] | None = None,
    robots: str | None = None,
) -> World:
    """Somewhere between the lobby and a reveal; a guest waits beside the class in the lobby."""
    account = new_teacher(password=None)
    chosen = SLOW | (options or {})
    room = gathered(base, people=people, options=chosen, teacher=with_token(base, account), robots=robots)
    made = World(account, room, {"session": room.session, "code": room.code, "table": ""}, stage)
    made.ids["participant"] = room.participants[-1]
    students = Student.objects.filter(school_class__teacher=account).order_by("number")
    made.ids["class"] = str(students[0].school_class_id)
    made.ids["student"] = str(students[0].id)
    if stage == "lobby":
        return made
    room.start()
    (table,) = room.tables()
    made.ids["table"] = table
    if stage == "paused":
        assert room.teacher.post(f"/api/v1/sessions/{room.session}/pause/").status == 200
    if stage == "reveal":
        reveal(made)
    return made


def reveal(made: World) -> None:
    """Everybody is ready without a word."""
    number = made.view()["public"]["round"]
    for client in made.room.people:
        answer = made.move({"type": "syllables.ready", "round": number, "cards": []}, client)
        assert answer.status == 200, answer.text


def next_round(made: World) -> None:
    """Everybody taps on."""
    number = made.view()["public"]["round"]
    for client in made.room.people:
        assert made.move({"type": "syllables.seen", "round": number}, client).status == 200


def everything(account: Teacher) -> Counter[Row]:
    """All that belongs to a teacher, without ids, times and secrets: equal where the same happened."""
    sessions = Session.objects.filter(teacher=account)
    tables = Table.objects.filter(session__in=sessions.values("id"))
    people = Participant.objects.filter(session__in=sessions)
    found: Counter[Row] = Counter()
    found["tokens", Teacher.objects.get(id=account.id).tokens_epoch] += 1
    found.update(("session", *row) for row in sessions.values_list("status", "locked", "version", "robots"))
    found.update(("table", *row) for row in tables.values_list("status", "version"))
    found.update(
        ("seat", number, participant is not None, robot, draft is not None, draft_number, left is not None)
        for number, participant, robot, draft, draft_number, left in Seat.objects.filter(table__in=tables).values_list(
            "number", "participant", "robot_level", "draft", "draft_number", "left_at"
        )
    )
    found.update(
        ("person", epoch, student is not None, table is not None, left is not None, removed is not None)
        for epoch, student, table, left, removed in people.values_list(
            "epoch", "student", "table", "left_at", "removed_at"
        )
    )
    found.update(
        ("class", name, archived is not None)
        for name, archived in SchoolClass.objects.filter(teacher=account).values_list("name", "archived_at")
    )
    found.update(
        ("student", number, name, mark, left is not None)
        for number, name, mark, left in Student.objects.filter(school_class__teacher=account).values_list(
            "number", "name_row__shown", "name_row__mark", "left_class_at"
        )
    )
    found.update(
        ("re-entry", used is not None)
        for used in ReEntry.objects.filter(participant__in=people).values_list("used_at", flat=True)
    )
    found["solo sessions",] = Session.objects.filter(teacher=None).count()
    return found
