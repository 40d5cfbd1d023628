"""Who may do what on the top floor: every address, every kind of person; foreign answers as missing does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest

from classrooms.api.urls import urlpatterns
from classrooms.models import Session
from tests import factories
from tests.classrooms.people import Answering, Pupil, Tutor, code_of
from tests.classrooms.test_joining import student_key
from tests.classrooms.test_sessions import begun

TEACHERS_OWN = [
    ("get", "classes/{school_class}/"),
    ("patch", "classes/{school_class}/"),
    ("post", "classes/{school_class}/students/"),
    ("patch", "students/{student}/"),
    ("delete", "students/{student}/"),
    ("get", "sessions/{session}/"),
    ("delete", "sessions/{session}/"),
    ("post", "sessions/{session}/start/"),
    ("post", "sessions/{session}/pause/"),
    ("post", "sessions/{session}/resume/"),
    ("post", "sessions/{session}/extend/"),
    ("post", "sessions/{session}/next-round/"),
    ("post", "sessions/{session}/end/"),
    ("post", "sessions/{session}/lock/"),
    ("post", "sessions/{session}/unlock/"),
    ("post", "sessions/{session}/again/"),
    ("get", "sessions/{session}/people/"),
    ("get", "sessions/{session}/report/"),
    ("get", "sessions/{session}/report.csv"),
    ("post", "sessions/{session}/participants/{participant}/remove/"),
    ("post", "sessions/{session}/participants/{participant}/link/"),
    ("post", "sessions/{session}/participants/{participant}/reentry/"),
    ("post", "sessions/{session}/participants/{participant}/seat/"),
]
ANY_TEACHERS = [
    ("get", "classes/"),
    ("post", "classes/"),
    ("get", "sessions/"),
    ("post", "sessions/"),
    ("delete", "teacher-tokens/"),
]
PARTICIPANTS = [("get", "me/"), ("post", "me/leave/"), ("get", "me/closing/")]
EVERYBODYS = [
    ("post", "teacher-tokens/"),
    ("get", "join/{code}/"),
    ("post", "join/"),
    ("post", "reentry/"),
    ("post", "solo/"),
]


@dataclass(frozen=True)
class Scene:
    """A teacher's things, and who might reach for them."""

    ids: dict[str, str]
    missing: dict[str, str]
    owner: Tutor
    stranger: Tutor
    pupil: Pupil
    other_pupil: Pupil

    def call(self, who: Answering, method: str, path: str, ids: dict[str, str] | None = None) -> Any:
        return getattr(who, method)(path.format(**(ids or self.ids)))


@pytest.fixture
def scene(session: Session, tutor: Tutor) -> Scene:
    (pupil,) = begun(session, tutor, 1)
    stranger = Tutor(factories.teacher())
    foreign = factories.session(stranger.teacher)
    other_pupil = Pupil()
    other_pupil.join(foreign)
    names = ("school_class", "student", "session", "participant", "code")
    values = (session.school_class_id, student_key(session), session.id, pupil.participant, session.code)
    ids = {name: str(value) for name, value in zip(names, values, strict=True)}
    return Scene(ids, {name: str(uuid4()) for name in ids}, tutor, stranger, pupil, other_pupil)


def test_a1_every_address_of_this_floor_has_a_row_here() -> None:
    listed = {path for _method, path in [*TEACHERS_OWN, *ANY_TEACHERS, *PARTICIPANTS, *EVERYBODYS]}
    holders = {"class_id": "school_class", "student_id": "student", "session_id": "session"}
    holders |= {"participant_id": "participant", "code": "code"}
    addresses = set()
    for pattern in urlpatterns:
        path = str(pattern.pattern)
        for name, holder in holders.items():
            path = path.replace(f"<uuid:{name}>", f"{{{holder}}}").replace(f"<str:{name}>", f"{{{holder}}}")
        addresses.add(path)
    assert addresses == listed


@pytest.mark.parametrize(("method", "path"), [*TEACHERS_OWN, *ANY_TEACHERS])
def test_a1_what_is_a_teachers_is_closed_to_everybody_else(scene: Scene, method: str, path: str) -> None:
    assert code_of(scene.call(Answering(), method, path)) == (401, "sign_in")
    if path.endswith("people/"):
        assert code_of(scene.call(scene.other_pupil, method, path)) == (404, "not_found")
        return
    for pupil in (scene.pupil, scene.other_pupil):
        assert code_of(scene.call(pupil, method, path)) == (403, "teachers_only")


@pytest.mark.parametrize(("method", "path"), TEACHERS_OWN)
def test_a1_a_foreign_thing_answers_as_a_missing_one(scene: Scene, method: str, path: str) -> None:
    foreign = scene.call(scene.stranger, method, path)
    missing = scene.call(scene.owner, method, path, scene.missing)
    assert code_of(foreign) == code_of(missing) == (404, "not_found")
    assert foreign.content == missing.content


@pytest.mark.parametrize(("method", "path"), PARTICIPANTS)
def test_a1_what_is_a_participants_is_closed_to_everybody_else(scene: Scene, method: str, path: str) -> None:
    for who in (Answering(), scene.owner):
        assert code_of(scene.call(who, method, path)) == (401, "join_first")


@pytest.mark.parametrize("verb", ["remove", "link", "reentry", "seat"])
def test_a4_ids_that_do_not_belong_together_are_missing(scene: Scene, verb: str) -> None:
    mixed = f"sessions/{scene.ids['session']}/participants/{scene.other_pupil.participant}/{verb}/"
    assert code_of(scene.owner.post(mixed)) == (404, "not_found")
    turned = f"sessions/{scene.other_pupil.seat['session']}/participants/{scene.ids['participant']}/{verb}/"
    assert code_of(scene.owner.post(turned)) == (404, "not_found")
    assert code_of(scene.stranger.post(turned)) == (404, "not_found")


def test_a4_a_session_cannot_be_made_with_a_foreign_class(scene: Scene) -> None:
    body = {"game": "syllables", "band": "8-10", "school_class": scene.ids["school_class"]}
    assert code_of(scene.stranger.post("sessions/", body)) == (404, "not_found")


def test_a2_lists_hold_nothing_of_another_teacher(scene: Scene) -> None:
    for path in ("classes/", "sessions/"):
        shown = scene.stranger.get(path).content.decode()
        assert not any(value in shown for value in scene.ids.values())


def test_a_participant_sees_no_mark_and_nobody_of_another_table(scene: Scene) -> None:
    rows = scene.pupil.get(f"sessions/{scene.ids['session']}/people/").json()
    assert [row["participant"] for row in rows] == [scene.ids["participant"]]
    assert {row["mark"] for row in rows} == {""}


@pytest.mark.parametrize("method", ["put", "patch", "delete"])
def test_a_method_that_an_address_does_not_know_is_refused(scene: Scene, method: str) -> None:
    answer = getattr(scene.owner.client, method)("/api/v1/join/", headers={"Authorization": "Bearer x"})
    assert code_of(answer) == (405, "method_not_allowed")
