"""The report: three sentences, people, words against people, the moves behind a number; screen, file and API agree."""

from __future__ import annotations

import csv
import html
import io
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from classrooms.models import Participant, ProgressMark, Session, Teacher, WordEvidence
from classrooms.sessions import services as sessions
from games.models import Table
from tests import factories
from tests.classrooms.desk import Desk, words_of
from tests.classrooms.people import Tutor
from tests.classrooms.test_web_teacher_sessions import come

NAMES = ("=1+1", "Emma Martin", "Emma Martin", "Noé", "Luc")
_ROW = re.compile(r"<tr[^>]*>(.*?)</tr>", re.S)
_VALUE = re.compile(r'data-value="([^"]*)"')


@pytest.fixture
def ana(db: None) -> Teacher:
    return factories.teacher(language="en")


@pytest.fixture
def desk(ana: Teacher) -> Desk:
    return Desk(ana)


@pytest.fixture
def over(ana: Teacher) -> Session:
    """Three students and a guest sat at one table; a fourth student did not come; then the teacher ended it."""
    session = factories.session(ana, school_class=factories.school_class(ana, *NAMES))
    come(session, students=4, guests=1)
    sessions.start(session)
    return sessions.end(session)


def did(person: Participant, kind: str, word: str, *, turn: int, **fields: Any) -> WordEvidence:
    """One line of evidence, as the projection writes it; the table is marked as wholly projected."""
    assert person.table is not None
    version = Table.objects.values_list("version", flat=True).get(id=person.table.table)
    ProgressMark.objects.update_or_create(table=person.table.table, defaults={"turn": version})
    values: dict[str, Any] = {"round": 1, "at": datetime(2026, 6, 15, 21, 59, tzinfo=UTC)} | fields
    return WordEvidence.objects.create(
        participant=person, table=person.table.table, turn=1000 + turn, place=0, kind=kind, word=word, **values
    )


def seated(session: Session) -> list[Participant]:
    return list(session.participants.select_related("table").order_by("joined_at", "id"))


def screen(page: Any) -> list[list[str]]:
    """The values behind the cells of the table of people, row by row."""
    table = page.content.decode().split('id="people-table"')[1].split("</table>")[0]
    rows = [[html.unescape(value) for value in _VALUE.findall(row)] for row in _ROW.findall(table)]
    return [row for row in rows if row]


def titles(page: Any) -> list[str]:
    table = page.content.decode().split('id="people-table"')[1].split("</thead>")[0]
    return [html.unescape(title) for title in re.findall(r"<th scope[^>]*>(.*?)</th>", table)]


def test_screen_and_file_agree_cell_by_cell(desk: Desk, over: Session) -> None:
    first, second, *_ = seated(over)
    did(first, "made", "magie", turn=1)
    did(first, "wrong_split", "tomate", turn=2, tried="tom-ate")
    did(second, "missed", "camion", turn=3)
    page = desk.get("session", over.id)
    link = html.unescape(re.findall(r'id="csv" href="([^"]+)"', page.content.decode())[0])
    file = desk.client.get(link)
    assert file.status_code == 200, file.content
    text = file.content.decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text), delimiter=";" if ";" in text.splitlines()[0] else ","))
    assert titles(page) == rows[0]
    assert screen(page) == rows[1:]
    assert len(rows) == 1 + 6


def test_screen_and_api_agree_cell_by_cell(desk: Desk, ana: Teacher, over: Session) -> None:
    did(seated(over)[0], "made", "magie", turn=1)
    told = Tutor(ana).get(f"sessions/{over.id}/report/").json()
    api = [["" if value is None else str(value) for value in row.values()] for row in told["people"]]
    shown = [[value.removeprefix("'") for value in row] for row in screen(desk.get("session", over.id))]
    assert shown == api


def test_case_51_a_name_like_a_formula_is_text_in_the_file_and_itself_on_the_page(desk: Desk, over: Session) -> None:
    page = desk.get("session", over.id)
    assert "<bdi>=1+1</bdi>" in page.content.decode()
    assert "'=1+1" in desk.client.get(f"/api/v1/sessions/{over.id}/report.csv?table=people").content.decode()


def test_three_sentences_say_it_in_plain_words(desk: Desk, over: Session) -> None:
    first, second, *_ = seated(over)
    did(first, "made", "magie", turn=1)
    did(second, "made", "magie", turn=2)
    did(first, "missed", "camion", turn=3)
    did(second, "missed", "camion", turn=4)
    did(second, "not_in_list", "cabla", turn=5, tried="ca-bla")
    text = words_of(desk.get("session", over.id)).split("In short")[1].split("Students")[0]
    assert "5 students played on" in text
    assert "They made 2 words that count, 1 different one" in text
    assert "missed: camion (2)." in text
    assert "cabla" not in text


def test_case_43_unfinished_work_is_told_apart(desk: Desk, over: Session) -> None:
    page = desk.get("session", over.id)
    assert "0 of them finished" in words_of(page)
    assert [row[3] for row in screen(page)] == ["unfinished"] * 5 + ["absent"]
    assert words_of(page).count("not finished") == 5


def test_case_45_evening_and_midnight_are_told_in_the_schools_zone(desk: Desk, over: Session) -> None:
    first, second, *_ = seated(over)
    did(first, "made", "magie", turn=1, at=datetime(2026, 6, 15, 21, 59, tzinfo=UTC))
    did(second, "made", "magie", turn=2, at=datetime(2026, 6, 15, 22, 0, tzinfo=UTC))
    page = desk.get("session", over.id)
    days = {row[-1] for row in screen(page)}
    assert days == {"2026-06-15", "2026-06-16", ""}
    assert "Days as in Europe/Paris" in words_of(page)
    moves = words_of(desk.get("person_moves", over.id, first.id))
    assert "23:59:00" in moves
    assert "Time (Europe/Paris)" in moves


def test_case_47_who_never_played_has_dashes_on_the_page_and_nothing_in_the_file(desk: Desk, over: Session) -> None:
    page = desk.get("session", over.id)
    last = page.content.decode().split("</tbody>")[0].split("<tr")[-1]
    assert "Luc" in last
    assert screen(page)[-1][4:6] == ["", ""]
    assert re.findall(r'data-value=""[^>]*>\s*([^<]*?)\s*<', last) == ["–"] * 11
    assert "years ago" not in words_of(page)


def test_case_65_namesakes_keep_their_own_words(desk: Desk, over: Session) -> None:
    _, one, two, *_ = seated(over)
    did(one, "made", "magie", turn=1)
    did(two, "missed", "camion", turn=2)
    rows = [row for row in screen(desk.get("session", over.id)) if row[0] == "Emma Martin"]
    assert [(row[1], row[6], row[10]) for row in rows] == [("1", "1", "0"), ("2", "0", "1")]


def test_words_against_people_tell_each_kind_in_words_too(desk: Desk, over: Session) -> None:
    first = seated(over)[0]
    did(first, "made", "magie", turn=1, assisted=True)
    did(first, "hinted", "magie", turn=2)
    did(first, "wrong_split", "tomate", turn=3, tried="tom-ate")
    did(first, "missed", "camion", turn=4)
    did(first, "not_in_list", "cabla", turn=5, tried="ca-bla")
    did(first, "shown", "route", turn=6)
    matrix = desk.get("session", over.id).content.decode().split('id="matrix"')[1]
    listed, unlisted = matrix.split('class="apart"')
    rows = [re.findall(r'<th scope="row" class="word">(.*?)</th>', part) for part in (listed, unlisted)]
    assert rows == [["camion", "magie", "tomate"], ["cabla"]]
    spoken = re.findall(r'<span class="visually-hidden">\s*(.*?)\s*</span>', matrix)
    assert spoken == ["could have been made", "made with a hint", "other syllables", "not in this list"]


def test_a_number_leads_to_the_moves_behind_it(desk: Desk, over: Session) -> None:
    first = seated(over)[0]
    did(first, "made", "magie", turn=1)
    did(first, "wrong_split", "tomate", turn=2, tried="tom-ate")
    did(first, "not_in_list", "cabla", turn=3, tried="ca-bla")
    page = desk.get("session", over.id).content.decode()
    assert f"/people/{first.id}/moves/?column=failed" in page
    behind = words_of(desk.get("person_moves", over.id, first.id, query="?column=failed"))
    assert "tom-ate" in behind
    assert "cabla" in behind
    assert "magie" not in behind
    word = words_of(desk.get("person_moves", over.id, first.id, query="?word=magie"))
    assert "magie" in word
    assert "cabla" not in word
    assert "Show all moves" in word


def test_p8_each_opening_of_a_record_is_noted_without_a_name(
    desk: Desk, ana: Teacher, over: Session, caplog: pytest.LogCaptureFixture
) -> None:
    first = seated(over)[0]
    with caplog.at_level("INFO", logger="wordtable.records"):
        desk.get("session", over.id)
        desk.get("person_moves", over.id, first.id)
    lines = [record.getMessage() for record in caplog.records if record.name == "wordtable.records"]
    assert len(lines) == 2
    assert all(str(ana.id) in line for line in lines)
    assert str(first.id) in lines[1]
    assert not any(name in line for line in lines for name in ("Emma", "=1+1"))


def test_a_guest_is_linked_in_the_report_and_the_words_go_along(desk: Desk, over: Session) -> None:
    guest = seated(over)[4]
    did(guest, "made", "magie", turn=1)
    page = desk.get("session", over.id)
    assert "1 guest: who was it?" in words_of(page)
    luc = re.findall(r'<option value="([0-9a-f-]{36})">Luc</option>', page.content.decode())[0]
    after = desk.post("person_link", {"student": luc}, over.id, guest.id)
    assert [row[6] for row in screen(after) if row[0] == "Luc"] == ["1"]


def test_a2_moves_of_a_foreign_session_are_missing(over: Session) -> None:
    first = seated(over)[0]
    other = Desk(factories.teacher())
    assert other.get("person_moves", over.id, first.id).status_code == 404
    assert other.client.get(f"/api/v1/sessions/{over.id}/report.csv").status_code == 404


def test_the_report_asks_as_much_for_many_words_as_for_one(desk: Desk, over: Session) -> None:
    first, second, *_ = seated(over)
    did(first, "made", "magie", turn=0)
    desk.get("session", over.id)
    one = _queries(desk, over)
    for turn in range(1, 40):
        did(second if turn % 2 else first, "made", f"mot{turn}", turn=turn)
    assert _queries(desk, over) == one


def _queries(desk: Desk, session: Session) -> int:
    with CaptureQueriesContext(connection) as asked:
        assert desk.get("session", session.id).status_code == 200
    return len(asked)
