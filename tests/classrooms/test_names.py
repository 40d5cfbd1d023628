"""Names of pupils: what is taken, how a pasted list is read, what comes back out of a spreadsheet."""

from __future__ import annotations

import csv
import io
import unicodedata

import pytest

from classrooms import names, spreadsheet
from tests import factories
from tests.classrooms.people import Pupil, Tutor, code_of
from wordlists.refusals import Invalid

FAMILY = "👨‍👩‍👧‍👦"
THUMB = "👍🏽"
FLAG = "🇷🇴"


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Zoë", "Zoë"),
        ("Zoe\u0308", "Zoë"),
        ("  Anne   Lise ", "Anne Lise"),
        ("d'Alba", "d'Alba"),
        ("O’Neil", "O’Neil"),
        ("Ștefan", "Ștefan"),
        ("محمد", "محمد"),
        ("李小龙", "李小龙"),
        (FLAG, FLAG),
    ],
)
def test_a_name_is_kept_as_written_in_its_composed_form(typed: str, kept: str) -> None:
    assert names.clean_name(typed) == kept


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("", "name_empty"),
        ("   ", "name_empty"),
        ("\u0301", "name_empty"),
        ("\u202eihsaM", "name_unseen_character"),
        ("Ma\u200bshi", "name_unseen_character"),
        ("Ma\u2066shi\u2069", "name_unseen_character"),
        ("Ma\x00shi", "name_unseen_character"),
        ("Ma\nshi", "name_unseen_character"),
        ("a" * 21, "name_too_long"),
        (FAMILY * 21, "name_too_long"),
    ],
)
def test_b6_a_name_that_hides_something_or_is_too_long_is_refused(typed: str, code: str) -> None:
    with pytest.raises(Invalid) as refusal:
        names.clean_name(typed)
    assert refusal.value.code == code


def test_case_73_a_name_that_turns_the_page_round_is_refused_and_its_neighbours_stay(tutor: Tutor) -> None:
    answer = tutor.post("classes/", {"name": "6b", "names": ["Aïcha", "\u202eihsaM"]})
    assert code_of(answer) == (400, "name_unseen_character")
    listed = names.read_names("Aïcha\n\u202eihsaM\nZoë")
    assert listed.names == ("Aïcha", "Zoë")
    assert [(fault.line, fault.code) for fault in listed.faults] == [(2, "name_unseen_character")]


@pytest.mark.parametrize("sign", [FAMILY, THUMB, FLAG])
def test_case_75_twenty_emoji_are_twenty_signs_and_stored_whole(tutor: Tutor, sign: str) -> None:
    answer = tutor.post("classes/", {"name": "6b", "names": [sign * 20]})
    assert answer.status_code == 201
    stored = tutor.get(f"classes/{answer.json()['id']}/").json()["students"][0]["name"]
    assert stored == sign * 20
    assert names.graphemes(stored) == [sign] * 20
    assert code_of(tutor.post("classes/", {"name": "6b", "names": [sign * 21]})) == (400, "name_too_long")


def test_case_77_markup_in_a_name_is_text_like_any_other(tutor: Tutor) -> None:
    typed = ["<<a>b>Zoe", "<img src=x>", "&lt;b&gt;"]
    made = tutor.post("classes/", {"name": "6b", "names": typed}).json()
    session = tutor.post("sessions/", {"game": "syllables", "band": "8-10", "school_class": made["id"]}).json()
    entrance = Pupil().open_door(session["code"])
    assert [choice["name"] for choice in entrance.json()["students"]] == typed
    assert entrance["Content-Type"] == "application/json"
    assert entrance["X-Content-Type-Options"] == "nosniff"
    assert [row["name"] for row in tutor.get(f"sessions/{session['id']}/report/").json()["people"]] == sorted(
        typed, key=names.same_name
    )


def test_case_65_two_pupils_of_one_name_are_told_apart_and_nothing_is_keyed_by_name(tutor: Tutor) -> None:
    made = tutor.post("classes/", {"name": "6b", "names": ["Emma Martin", "Luc", "emma martin"]}).json()
    assert [row["mark"] for row in made["students"]] == ["1", "", "2"]
    session = tutor.post("sessions/", {"game": "syllables", "band": "8-10", "school_class": made["id"]}).json()
    choices = Pupil().open_door(session["code"]).json()["students"]
    assert len({choice["key"] for choice in choices}) == 3
    assert [choice["number"] for choice in choices] == [1, None, 3]
    assert "mark" not in choices[0]


def test_a_mark_that_the_teacher_chose_stays(tutor: Tutor) -> None:
    made = tutor.post("classes/", {"name": "6b", "names": ["Emma", "Emma"]}).json()
    first = made["students"][0]["id"]
    changed = tutor.patch(f"students/{first}/", {"name": "Emma", "mark": "M."}).json()
    assert changed["mark"] == "M."
    more = tutor.post(f"classes/{made['id']}/students/", {"names": ["Emma"]}).json()
    assert [row["mark"] for row in more["students"]] == ["M.", "2", "1"]


def test_a_pasted_list_keeps_its_good_lines() -> None:
    listed = names.read_names("Aïcha\r\n\r\n" + "x" * 30 + "\r\nZoë\tCarron\r\nZoë Carron")
    assert listed.names == ("Aïcha", "Zoë Carron", "Zoë Carron")
    assert [row.mark for row in listed.rows] == ["", "1", "2"]
    assert [(fault.line, fault.code) for fault in listed.faults] == [(3, "name_too_long")]


def test_more_than_a_class_is_refused_line_by_line() -> None:
    listed = names.read_names("\n".join(f"Pupil {number}" for number in range(names.MOST_LINES + 2)))
    assert len(listed.rows) == names.MOST_LINES
    assert {fault.code for fault in listed.faults} == {"too_many_names"}


def test_case_49_a_list_saved_by_a_spreadsheet_in_its_own_code_page_keeps_its_accents() -> None:
    data = "Nom;Prénom\r\nŒuvrard;Zoë\r\nMuñoz;François\r\n".encode("cp1252")
    listed = names.read_name_file(data)
    assert listed.names == ("Zoë Œuvrard", "François Muñoz")
    assert listed.encoding == "cp1252"


def test_case_53_the_mark_of_a_utf8_file_is_no_part_of_its_header() -> None:
    listed = names.read_name_file(b"\xef\xbb\xbf" + "nom;prénom\nCarron;Noé\n".encode())
    assert listed.names == ("Noé Carron",)


def test_bytes_of_no_known_encoding_are_refused_rather_than_damaged() -> None:
    with pytest.raises(Invalid) as refusal:
        names.read_name_file(b"Zo\x81\x8d\x9d")
    assert refusal.value.code == "unknown_encoding"


@pytest.mark.parametrize("typed", ["=1+1", "+33 6", "-5", "@x", '=HYPERLINK("x")', "'already", "＝1"])
def test_case_51_text_never_runs_as_a_formula_and_comes_back_as_it_was(typed: str) -> None:
    written = spreadsheet.write(["name", "stars"], [[typed, -5]]).decode("utf-8-sig")
    (_, row) = list(csv.reader(io.StringIO(written)))
    assert row[0].startswith("'")
    assert row[1] == "-5"
    assert spreadsheet.plain(row[0]) == typed


def test_case_51_a_class_list_that_went_out_comes_in_again_unchanged() -> None:
    typed = ["=1+1", "+33 6", "-5", "@x"]
    lines = [spreadsheet.cell(name) for name in typed]
    assert list(names.read_names("\n".join(lines)).names) == typed


def test_no_name_is_stored_in_any_other_form_than_nfc(tutor: Tutor) -> None:
    owner = tutor.teacher
    listed = factories.school_class(owner, "Zoe\u0308", "E\u0301lise")
    for student in listed.students.select_related("name_row"):
        assert unicodedata.is_normalized("NFC", student.name_row.shown)
