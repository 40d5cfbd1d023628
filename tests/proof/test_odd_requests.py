"""Every address of the site with what no browser would send: a clear answer, never a 500."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client

from classrooms.models import Participant, Session, SessionTable, Student, Teacher
from classrooms.sessions import services as sessions
from games import passes
from tests import factories
from tests.proof import routes

FIELDS = (
    "again", "band", "code", "column", "do", "email", "file", "game", "guest", "key", "language", "lock", "mark",
    "name", "names", "new", "next", "number", "offset", "old", "password", "robots", "school_class", "seat",
    "seen_faults", "student", "students", "table", "topics", "username", "word", "separator", "after",
    "limit", "q", "page", "class",
)  # fmt: skip
ODD = ("\x00", "", "x" * 5_000, "\u202eabc", "-1", "9" * 40, "%s%n{}", "٣")
ODD_PATHS = ("/j/%00/", "/j/" + "X" * 500 + "/", "/rules/%2e%2e/", "/api/v1/join/%00/", "/api/v1/tables/1/", "/%ff/",
             "/teacher/%00")  # fmt: skip
ODD_HEADERS: dict[str, tuple[str, ...]] = {
    "AUTHORIZATION": ("Bearer", "Bearer x", "Bearer \x00", "Basic eDp4", "Bearer " + "a" * 9_000),
    "IF_NONE_MATCH": ('"', "*", "W/", "x" * 5_000),
    "IDEMPOTENCY_KEY": ("", "\x00", "k" * 500, "clé"),
    "COOKIE": ("wt_seat=x", "wt_seat=:::", "sessionid=\x00", "wt_device=x; wt_teacher=y", "=;=;", "a" * 9_000),
    "WORDTABLE_VIEWER": ("seat", "teacher", "root"),
    "ACCEPT": ("text/html", "image/png", "x", "*/*;q=z"),
    "ACCEPT_LANGUAGE": ("xx", "fr;q=z", "\x00", "de-" * 300),
    "X_FORWARDED_FOR": ("1.2.3.4", "x", "::1, " * 400),
    "HX_REQUEST": ("true", "x"),
}  # fmt: skip
LAST = ("delete", "end", "leave", "remove", "sign-out", "archive", "password")


@dataclass(frozen=True, slots=True)
class Place:
    """A running session with all ids that addresses ask for, and the three who ask."""

    teacher: Teacher
    paths: list[str]
    readers: dict[str, Client]


@pytest.fixture
def place(transactional_db: None) -> Place:
    teacher = factories.teacher()
    session = factories.session(teacher, school_class=factories.school_class(teacher), robots="easy")
    for student in Student.objects.filter(school_class=session.school_class)[:3]:
        sessions.join(session.code, student=student.id)
    sessions.start(Session.objects.get(id=session.id))
    participant = Participant.objects.filter(session=session).first()
    assert participant is not None
    ids = {
        "session": str(session.id),
        "table": str(SessionTable.objects.get(session=session).table),
        "code": session.code,
        "class": str(session.school_class_id),
        "student": str(participant.student_id),
        "participant": str(participant.id),
        "slug": "syllables",
        "number": "1",
    }
    paths = sorted(routes.filled(ids), key=lambda path: (any(word in path for word in LAST), path))
    return Place(teacher, paths, _readers(teacher, participant))


def _readers(teacher: Teacher, participant: Participant) -> dict[str, Client]:
    browser, tablet = (Client(raise_request_exception=False) for _ in range(2))
    browser.force_login(teacher)
    token = passes.seat_token(participant=participant.id, session=participant.session_id, epoch=participant.epoch)
    tablet.cookies[passes.SEAT_COOKIE] = token
    return {"teacher": browser, "seat": tablet, "stranger": Client(raise_request_exception=False)}


def odd_forms() -> Iterator[dict[str, str]]:
    for value in ODD:
        yield dict.fromkeys(FIELDS, value)


def test_no_address_breaks_on_odd_questions(place: Place) -> None:
    for path in place.paths:
        for name, client in place.readers.items():
            for form in odd_forms():
                assert_clear(client.get(path, form), f"{name} GET {path} {form['name']!r}"[:300])


def test_no_address_breaks_on_odd_forms(place: Place) -> None:
    for path in place.paths:
        for name, client in place.readers.items():
            for form in odd_forms():
                assert_clear(client.post(path, form), f"{name} POST {path} {form['name']!r}"[:300])


def test_no_address_breaks_on_odd_headers_and_methods(place: Place) -> None:
    """Each address meets every seventh header in turn, so that each header meets many addresses of every kind."""
    odd = [(header, value) for header, values in ODD_HEADERS.items() for value in values]
    readers = list(place.readers.values())
    for index, path in enumerate([*place.paths, *ODD_PATHS]):
        for method in ("HEAD", "OPTIONS", "PUT", "PATCH", "TRACE"):
            client = readers[index % len(readers)]
            assert_clear(client.generic(method, path, b"x", "text/plain"), f"{method} {path}")
        for header, value in odd[index % 7 :: 7]:
            answer = Client(raise_request_exception=False).get(path, headers={_name(header): value})
            assert_clear(answer, f"{header} {value[:40]!r} {path}")


def _name(header: str) -> str:
    return header.replace("_", "-")


def assert_clear(answer: Any, what: str) -> None:
    assert answer.status_code < 500, what
    if answer.wsgi_request.path.startswith("/api/") and answer.status_code >= 400:
        assert answer["Content-Type"] == "application/problem+json", what
        assert answer.wsgi_request.method == "HEAD" or answer.json()["code"], what
