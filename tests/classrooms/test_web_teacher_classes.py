"""Classes by pasting names: preview, good rows kept, undo, archive; nobody else's class exists."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape

from classrooms import selectors
from classrooms.models import SchoolClass, Teacher
from tests import factories
from tests.classrooms.desk import Desk, hidden, words_of
from wordlists.viewer import Viewer


@pytest.fixture
def ana(db: None) -> Teacher:
    return factories.teacher(language="en")


@pytest.fixture
def desk(ana: Teacher) -> Desk:
    return Desk(ana)


def made(ana: Teacher) -> SchoolClass:
    return SchoolClass.objects.get(teacher=ana)


def names(school_class: SchoolClass) -> list[str]:
    return [pupil.name for pupil in selectors.pupils(school_class)]


def checked(desk: Desk, text: str, name: str = "6b") -> tuple[Any, dict[str, str]]:
    """The preview, and what its button sends."""
    page = desk.post("class_new", {"name": name, "names": text, "do": "check"})
    return page, {"name": name, "names": text, "do": "save", **hidden(page)}


def test_pasted_names_are_shown_before_they_are_saved(desk: Desk, ana: Teacher) -> None:
    page, fields = checked(desk, "Aïcha\nNoé\n\n  Zoë  \n")
    assert "3 names" in words_of(page)
    assert not SchoolClass.objects.exists()
    desk.post("class_new", fields)
    assert names(made(ana)) == ["Aïcha", "Noé", "Zoë"]
    assert made(ana).name == "6b"


def test_a_bad_line_is_named_and_the_good_ones_are_kept(desk: Desk, ana: Teacher) -> None:
    page, fields = checked(desk, "Aïcha\nQuelqu’un au nom bien trop long\nNoé")
    text = words_of(page)
    assert "1 line is left out" in text
    assert "Line 2" in text
    assert "name_too_long" in text
    desk.post("class_new", fields)
    assert names(made(ana)) == ["Aïcha", "Noé"]


def test_lines_left_out_are_shown_before_anything_is_saved(desk: Desk) -> None:
    answer = desk.post("class_new", {"name": "6b", "names": "Aïcha\n\u202eihsaM", "do": "save"})
    assert "name_unseen_character" in words_of(answer)
    assert not SchoolClass.objects.exists()


def test_a_class_without_a_name_keeps_what_was_typed(desk: Desk) -> None:
    answer = desk.post("class_new", {"name": "", "names": "Aïcha\nNoé", "do": "save"})
    assert "Aïcha\nNoé" in answer.content.decode()
    assert not SchoolClass.objects.exists()


def test_m8_the_same_form_sent_three_times_makes_one_class(desk: Desk) -> None:
    _, fields = checked(desk, "Aïcha\nNoé")
    answers = [desk.post("class_new", fields) for _ in range(3)]
    assert SchoolClass.objects.count() == 1
    assert len({answer.redirect_chain[-1][0] for answer in answers}) == 1


def test_going_back_and_changing_the_names_makes_another_class(desk: Desk) -> None:
    _, fields = checked(desk, "Aïcha\nNoé")
    desk.post("class_new", fields)
    desk.post("class_new", {**fields, "name": "6c"})
    assert sorted(SchoolClass.objects.values_list("name", flat=True)) == ["6b", "6c"]


def test_case_49_a_file_in_the_code_page_of_a_spreadsheet_is_read_and_its_encoding_named(
    desk: Desk, ana: Teacher
) -> None:
    data = "Nom;Prénom\r\nŒuvrard;Zoë\r\nMuñoz;François\r\n".encode("cp1252")
    file = SimpleUploadedFile("classe.csv", data, content_type="text/csv")
    page = desk.post("class_new", {"name": "6b", "file": file, "do": "check"})
    assert "cp1252" in words_of(page)
    assert "Zoë Œuvrard\nFrançois Muñoz" in page.content.decode()
    desk.post("class_new", {"name": "6b", "names": "Zoë Œuvrard\nFrançois Muñoz", "do": "save", **hidden(page)})
    assert names(made(ana)) == ["Zoë Œuvrard", "François Muñoz"]


def test_case_53_a_mark_at_the_start_of_a_file_is_no_part_of_the_first_name(desk: Desk) -> None:
    file = SimpleUploadedFile("classe.csv", b"\xef\xbb\xbfnom\r\nZo\xc3\xab\r\n", content_type="text/csv")
    page = desk.post("class_new", {"name": "6b", "file": file, "do": "check"})
    assert "1 name" in words_of(page)
    assert "\ufeff" not in page.content.decode()


def test_a_file_that_is_no_text_is_refused_with_what_to_do(desk: Desk) -> None:
    file = SimpleUploadedFile("classe.xlsx", bytes(range(256)), content_type="application/octet-stream")
    page = desk.post("class_new", {"name": "6b", "file": file, "do": "check"})
    assert "unknown_encoding" in words_of(page) or "name_unseen_character" in words_of(page)
    assert not SchoolClass.objects.exists()


def test_htmx_gets_the_preview_alone(desk: Desk) -> None:
    page = desk.post("class_new", {"name": "", "names": "Aïcha"}, htmx=True)
    assert page.content.decode().lstrip().startswith('<div class="card sunk preview" id="preview"')


def test_case_65_namesakes_stand_apart_by_a_mark_for_the_teacher(desk: Desk, ana: Teacher) -> None:
    page, fields = checked(desk, "Emma Martin\nLuc\nEmma Martin")
    assert "Two students share a name" in words_of(page)
    desk.post("class_new", fields)
    assert [(pupil.name, pupil.mark) for pupil in selectors.pupils(made(ana))] == [
        ("Emma Martin", "1"),
        ("Luc", ""),
        ("Emma Martin", "2"),
    ]


FAMILY = "👨‍👩‍👧‍👦"


@pytest.mark.parametrize("name", ["<<a>b>Zoe", "&lt;b&gt;", '"><i>Max', FAMILY * 20, "🇫🇷👍🏽"])
def test_cases_75_and_77_a_name_is_shown_as_it_was_typed(desk: Desk, ana: Teacher, name: str) -> None:
    _, fields = checked(desk, name)
    desk.post("class_new", fields)
    page = desk.get("class", made(ana).id)
    assert f"<bdi>{escape(name)}</bdi>" in page.content.decode()
    assert names(made(ana)) == [name]


def test_case_73_a_name_that_turns_the_page_round_is_refused(desk: Desk, ana: Teacher) -> None:
    listed = factories.school_class(ana)
    page = desk.post("class", {"names": "\u202eihsaM", "do": "check"}, listed.id)
    assert "name_unseen_character" in words_of(page)
    desk.post("class", {"names": "\u202eihsaM", "do": "save", **hidden(page)}, listed.id)
    assert all("\u202e" not in name for name in names(listed))


def test_students_are_added_at_the_end(desk: Desk, ana: Teacher) -> None:
    listed = factories.school_class(ana, "Aïcha", "Noé")
    page = desk.post("class", {"names": "Zoë", "do": "check"}, listed.id)
    desk.post("class", {"names": "Zoë", "do": "save", **hidden(page)}, listed.id)
    assert names(listed) == ["Aïcha", "Noé", "Zoë"]


def test_taking_a_student_out_can_be_undone_on_the_next_page(desk: Desk, ana: Teacher) -> None:
    listed = factories.school_class(ana, "Aïcha", "Noé")
    gone = selectors.pupils(listed)[0]
    page = desk.post("student_remove", {}, listed.id, gone.id)
    assert names(listed) == ["Noé"]
    assert "Undo" in words_of(page)
    desk.post("student_restore", {}, listed.id, gone.id)
    assert names(listed) == ["Aïcha", "Noé"]


def test_a_student_gets_another_name_and_mark(desk: Desk, ana: Teacher) -> None:
    listed = factories.school_class(ana, "Aïcha")
    student = selectors.pupils(listed)[0]
    desk.post("student_rename", {"name": "Aïcha B.", "mark": "grande"}, listed.id, student.id)
    assert [(pupil.name, pupil.mark) for pupil in selectors.pupils(listed)] == [("Aïcha B.", "grande")]
    answer = desk.post("student_rename", {"name": " ", "mark": ""}, listed.id, student.id)
    assert "name_empty" in words_of(answer)
    assert names(listed) == ["Aïcha B."]


def test_a_class_is_renamed_archived_and_brought_back(desk: Desk, ana: Teacher) -> None:
    listed = factories.school_class(ana)
    desk.post("class_rename", {"name": "5b"}, listed.id)
    desk.post("class_archive", {}, listed.id)
    listed.refresh_from_db()
    assert listed.name == "5b"
    assert listed.archived_at is not None
    assert selectors.classes(_viewer(ana)) == []
    desk.post("class_restore", {}, listed.id)
    assert [row.name for row in selectors.classes(_viewer(ana))] == ["5b"]


@pytest.mark.parametrize(
    ("page", "posts"),
    [
        ("class", False),
        ("class_rename", True),
        ("class_archive", True),
        ("class_restore", True),
    ],
)
def test_a2_a4_the_class_of_another_teacher_is_as_missing_as_none(desk: Desk, page: str, posts: bool) -> None:
    foreign = factories.school_class(factories.teacher(), name="theirs")
    answers = [
        desk.post(page, {"name": "mine"}, ident) if posts else desk.get(page, ident) for ident in (foreign.id, uuid4())
    ]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert words_of(answers[0]) == words_of(answers[1])
    foreign.refresh_from_db()
    assert (foreign.name, foreign.archived_at) == ("theirs", None)


@pytest.mark.parametrize("page", ["student_rename", "student_remove", "student_restore"])
def test_a4_a_student_is_reached_through_the_own_class_only(desk: Desk, ana: Teacher, page: str) -> None:
    own, other = factories.school_class(ana, name="6a"), factories.school_class(ana, name="6b")
    foreign = factories.school_class(factories.teacher())
    stranger, neighbour = selectors.pupils(foreign)[0], selectors.pupils(other)[0]
    assert desk.post(page, {"name": "x"}, own.id, stranger.id).status_code == 404
    assert desk.post(page, {"name": "x"}, foreign.id, stranger.id).status_code == 404
    assert desk.post(page, {"name": "x"}, own.id, neighbour.id).status_code == 404
    assert names(foreign) == ["Aïcha", "Noé", "Zoë", "Luc"]


def test_the_list_of_classes_asks_as_much_for_thirty_as_for_one(desk: Desk, ana: Teacher) -> None:
    factories.school_class(ana)
    one = _queries(desk, "classes")
    for number in range(29):
        factories.school_class(ana, name=f"class {number}")
    assert _queries(desk, "classes") == one


def _queries(desk: Desk, page: str) -> int:
    with CaptureQueriesContext(connection) as asked:
        assert desk.get(page).status_code == 200
    return len(asked)


def _viewer(teacher: Teacher) -> Viewer:
    return Viewer(kind="teacher", id=teacher.id, school=teacher.school_id)
