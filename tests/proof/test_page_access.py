"""Every page of the teacher × everybody else: the addresses are read from the site, so a new one is walked too (A1)."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse

from classrooms.models import Participant, Session, Student, Teacher
from games import passes
from tests import factories
from tests.classrooms.people import Pupil
from tests.proof.routes import filled

OPEN = ("/teacher/sign-in/", "/teacher/sign-out/", "/teacher/language/")
"""Pages for whoever is not signed in yet."""


@pytest.fixture
def ids(transactional_db: None) -> dict[str, str]:
    """A teacher's class, session and people, by the names of the routes' parameters."""
    ana = factories.teacher()
    session = factories.session(ana, school_class=factories.school_class(ana))
    pupil = Pupil()
    pupil.join(session, guest="1-1")
    student = Student.objects.filter(school_class=session.school_class).first()
    assert student is not None
    return {
        "class": str(session.school_class_id),
        "session": str(session.id),
        "participant": str(pupil.participant),
        "student": str(student.id),
        "number": "1",
    }


def pages(ids: Mapping[str, str]) -> list[str]:
    found = [path for path in filled(ids) if path.startswith("/teacher/") and path not in OPEN]
    assert len(found) > 30
    return found


def state(ids: Mapping[str, str]) -> list[object]:
    """What a stranger's press of a button could have changed."""
    return [
        *Session.objects.filter(id=ids["session"]).values(),
        *Participant.objects.filter(id=ids["participant"]).values("student", "epoch", "left_at", "removed_at"),
        *Student.objects.filter(id=ids["student"]).values("left_class_at", "name_row__shown"),
    ]


@pytest.mark.parametrize("who", ["anonymous", "pupil"])
def test_a1_no_page_of_the_teacher_opens_to_who_is_none(ids: dict[str, str], who: str) -> None:
    client = Client()
    if who == "pupil":
        seat = Participant.objects.get(id=ids["participant"])
        client.cookies[passes.SEAT_COOKIE] = passes.seat_token(
            participant=seat.id, session=seat.session_id, epoch=seat.epoch
        )
    before = state(ids)
    for path in pages(ids):
        for answer in (client.get(path), client.post(path, {"name": "mine", "do": "save"})):
            sent_to_sign_in = answer.status_code == 302 and answer["Location"].startswith(reverse("teacher:sign_in"))
            assert sent_to_sign_in or answer.status_code == 405, path
    assert state(ids) == before


def test_a1_a_foreign_page_answers_as_a_missing_one(ids: dict[str, str]) -> None:
    client = Client()
    client.force_login(factories.teacher())
    before = state(ids)
    for path in pages(ids):
        nowhere = path
        for value in ids.values():
            nowhere = nowhere.replace(value, str(uuid4())) if len(value) > 30 else nowhere
        if nowhere == path:
            continue
        for method in (client.get, client.post):
            foreign, missing = method(path), method(nowhere)
            assert foreign.status_code in (404, 405), path
            assert foreign.status_code == missing.status_code, path
            assert foreign.content == missing.content, path
    assert state(ids) == before


def test_a1_a_colleague_of_the_same_school_is_a_stranger_too(ids: dict[str, str]) -> None:
    owner = Teacher.objects.get(sessions=UUID(ids["session"]))
    client = Client()
    client.force_login(factories.teacher(school=owner.school))
    answers = {path: client.get(path).status_code for path in pages(ids) if ids["session"] in path}
    assert set(answers.values()) <= {404, 405}
