"""A teacher and a class come together through the API, as a client other than our own pages would do it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.test import Client as Browser

from classrooms.models import School, Teacher
from games import passes
from tests.proof.recording import Client, Reader, Recorder

PASSWORD = "sept-cartes-au-centre"


@dataclass
class Classroom:
    """One session with its teacher and its people, in order of joining."""

    base: str
    teacher: Client
    session: str
    code: str
    people: list[Client]
    participants: list[str]
    recorder: Recorder | None = None

    def start(self) -> None:
        answer = self.teacher.post(f"/api/v1/sessions/{self.session}/start/")
        assert answer.status == 200, answer.text

    def tables(self) -> dict[str, list[Client]]:
        """Clients by table, in the order of their seats; each client's reader then says where it sits."""
        found: dict[str, dict[int, Client]] = {}
        for client in self.people:
            me = client.get("/api/v1/me/").body
            client.reader = Reader(client.reader.name, me["table"], me["seat"])
            found.setdefault(me["table"], {})[me["seat"]] = client
        return {table: [seats[number] for number in sorted(seats)] for table, seats in found.items()}


def new_teacher(name: str = "Ana Moreau", *, password: str | None = PASSWORD) -> Teacher:
    school = School.objects.create(name="École des Tilleuls", language="fr", time_zone="Europe/Paris")
    email = f"{name.lower().replace(' ', '.')}.{str(school.id)[:8]}@ecole.example"
    return Teacher.objects.create_user(email, password, name=name, school=school)


def in_browser(base: str, teacher: Teacher, recorder: Recorder | None = None) -> Client:
    """The teacher as a browser shows him pages: with a cookie."""
    browser = Browser()
    browser.force_login(teacher)
    key = browser.cookies[settings.SESSION_COOKIE_NAME].value
    return Client(
        base, Reader("teacher's browser", reads_reports=True), recorder, cookie=f"{settings.SESSION_COOKIE_NAME}={key}"
    )


def with_token(base: str, teacher: Teacher, recorder: Recorder | None = None) -> Client:
    """The teacher with a token that was got at another time; a password takes a third of a second to check."""
    token = passes.teacher_token(teacher=teacher.id, school=teacher.school_id, epoch=teacher.tokens_epoch)
    return Client(base, Reader("teacher", reads_reports=True), recorder, token=token)


def signed_in(base: str, teacher: Teacher, recorder: Recorder | None = None) -> Client:
    client = Client(base, Reader("teacher", reads_reports=True), recorder)
    answer = client.post("/api/v1/teacher-tokens/", {"email": teacher.email, "password": PASSWORD})
    assert answer.status in (200, 201), answer.text
    client.token = answer.body["token"]
    return client


def gathered(
    base: str,
    *,
    people: int,
    recorder: Recorder | None = None,
    versions: Callable[[], dict[str, int]] = dict,
    options: dict[str, Any] | None = None,
    robots: str | None = None,
    teacher: Client | None = None,
) -> Classroom:
    """A class of ``people`` in the lobby of a session of theirs."""
    teacher = teacher or signed_in(base, new_teacher(), recorder)
    names = [f"Élève {number:02}" for number in range(1, people + 1)]
    made = teacher.post("/api/v1/classes/", {"name": "6b", "names": names})
    assert made.status == 201, made.text
    plan = {"game": "syllables", "band": "8-10", "language": "fr", "school_class": made.body["id"]}
    opened = teacher.post("/api/v1/sessions/", {**plan, "robots": robots, "options": options or {}})
    assert opened.status == 201, opened.text
    session, code = opened.body["id"], opened.body["code"]
    room = Classroom(base, teacher, session, code, [], [], recorder)
    listed = Client(base, Reader("stranger"), recorder).get(f"/api/v1/join/{code}/")
    assert listed.status == 200, listed.text
    for choice in listed.body["students"]:
        client = Client(base, Reader(choice["name"]), recorder, versions=versions)
        joined = client.post("/api/v1/join/", {"code": code, "student": choice["key"]})
        assert joined.status in (200, 201), joined.text
        client.token = joined.body["token"]
        room.people.append(client)
        room.participants.append(joined.body["participant"])
    return room
