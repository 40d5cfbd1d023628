"""The report of a session: screen, file and API are the same cells."""

from __future__ import annotations

import csv
import io
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.utils import timezone, translation

from classrooms.models import Participant, Session, WordEvidence
from classrooms.progress import selectors
from classrooms.sessions import services as sessions
from games.models import Table
from tests import factories
from tests.classrooms.people import Pupil, Tutor, code_of
from tests.classrooms.playing import play_out
from tests.classrooms.test_joining import student_key
from tests.classrooms.test_sessions import begun, come


def report(tutor: Tutor, session: Session) -> dict[str, Any]:
    answer = tutor.get(f"sessions/{session.id}/report/")
    assert answer.status_code == 200
    return dict(answer.json())


def sheet(tutor: Tutor, session: Session, which: str, separator: str = ",") -> list[list[str]]:
    answer = tutor.get(f"sessions/{session.id}/report.csv?table={which}&separator={separator}")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Cache-Control"] == "no-store"
    assert answer.content.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig")), delimiter=separator))


def told(pupil_or_id: Any, kind: str, word: str, at: datetime, round: int = 1, **more: Any) -> WordEvidence:
    """One row of evidence, as the projection would write it."""
    session = pupil_or_id.session
    row = session.tables.first()
    turn = WordEvidence.objects.count() + 1
    return WordEvidence.objects.create(
        participant=pupil_or_id, table=row.table, turn=turn, place=0, round=round, kind=kind, word=word, at=at, **more
    )


@pytest.mark.parametrize("which", ["people", "words"])
@pytest.mark.parametrize("language", ["fr", "en"])
def test_report_file_and_api_agree_cell_by_cell(session: Session, tutor: Tutor, which: str, language: str) -> None:
    listed = Pupil()
    listed.join(session, student=student_key(session))
    pupils = [listed, *begun(session, tutor, 4)]
    play_out(session, pupils, rounds=2)
    tutor.post(f"sessions/{session.id}/end/")
    api = report(tutor, session)[which]
    with translation.override(language):
        screen = selectors.session_report(session)
        columns, cells = selectors.table(screen, which)
    header, *rows = sheet(tutor, session, which)
    assert len(rows) == len(api) == len(cells) > 4
    assert len(header) == len(columns)
    for line, listed_row, shown in zip(rows, api, cells, strict=True):
        for place, column in enumerate(columns):
            value = listed_row[column.key]
            assert line[place] == ("" if value is None else str(value))
            own = shown[place]
            assert value == (own.isoformat() if isinstance(own, date) else own)


def test_the_report_tells_each_word_made_or_missed_per_pupil(session: Session, tutor: Tutor) -> None:
    pupils = begun(session, tutor, 4)
    play_out(session, pupils)
    found = report(tutor, session)
    assert found["complete"] is True
    for pupil in pupils:
        for kind in ("made", "missed"):
            expected = WordEvidence.objects.filter(participant=pupil.participant, kind=kind)
            rows = [row for row in found["words"] if row["name"] == pupil.seat["name"] and row[kind]]
            assert {row["word"]: row[kind] for row in rows} == {
                word: expected.filter(word=word).count() for word in expected.values_list("word", flat=True)
            }
    totals = {row["name"]: row for row in found["people"]}
    assert totals[pupils[0].seat["name"]]["made"] == 8
    assert totals[pupils[0].seat["name"]]["success"] == 100
    assert totals[pupils[2].seat["name"]]["made"] == 0
    assert totals[pupils[2].seat["name"]]["failed"] == 8
    assert totals[pupils[3].seat["name"]]["success"] is None


def test_the_report_is_never_behind_the_last_round(session: Session, tutor: Tutor) -> None:
    (pupil,) = begun(session, tutor, 1)
    play_out(session, [pupil], rounds=1)
    assert not WordEvidence.objects.exists()
    (row,) = [row for row in report(tutor, session)["people"] if row["table"]]
    assert row["made"] == 1


def test_case_43_unfinished_work_is_not_in_the_mean_and_shown_apart(ana: Any, tutor: Tutor) -> None:
    listed = factories.school_class(ana)
    session = factories.session(ana, school_class=listed, robots=None)
    pupils = [Pupil() for _ in range(2)]
    for place, pupil in enumerate(pupils):
        pupil.join(session, student=student_key(session, place))
    tutor.post(f"sessions/{session.id}/start/")
    one, two = (Participant.objects.get(id=pupil.participant) for pupil in pupils)
    for number in range(1, 6):
        told(one, "made", f"mot{number}", timezone.now(), number)
    told(two, "made", "mot1", timezone.now())
    told(two, "not_in_list", "motx", timezone.now(), 2)
    pupils[1].post("me/leave/")
    Table.objects.filter(session=session.id).exclude(result=None).update(status="over")
    from classrooms.progress import services as progress

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(progress, "catch_up", lambda _session: None)
        found = report(tutor, session)
        rows = sheet(tutor, session, "people")
    assert (found["success"], found["finished"], len(found["people"])) == (100, 1, 4)
    assert sorted(row["state"] for row in found["people"]) == ["absent", "absent", "finished", "unfinished"]
    place = rows[0].index(str(selectors.people_columns(selectors.session_report(session))[3].title))
    assert sorted(row[place] for row in rows[1:]) == ["absent", "absent", "finished", "unfinished"]


def test_case_45_days_are_those_of_the_schools_time_zone(session: Session, tutor: Tutor) -> None:
    pupils = begun(session, tutor, 2)
    late, early = (Participant.objects.get(id=pupil.participant) for pupil in pupils)
    told(late, "made", "soirée", datetime(2026, 6, 15, 21, 59, tzinfo=UTC))
    told(early, "made", "matin", datetime(2026, 6, 15, 22, 0, tzinfo=UTC))
    with timezone.override("America/New_York"):
        found = report(tutor, session)
        header, *rows = sheet(tutor, session, "words")
    days = {row["word"]: row["last_on"] for row in found["words"]}
    assert days == {"soirée": "2026-06-15", "matin": "2026-06-16"}
    assert found["zone"] == "Europe/Paris"
    assert "Europe/Paris" in header[-1]
    assert {row[3]: row[-1] for row in rows} == days


def test_case_47_whoever_never_answered_is_empty_and_comes_last(session: Session, tutor: Tutor) -> None:
    idle = Pupil()
    idle.join(session, student=student_key(session))
    pupils = [idle, *come(session, 2)]
    tutor.post(f"sessions/{session.id}/start/")
    play_out(session, pupils[1:], rounds=1)
    late = Pupil()
    late.join(session, guest="9-9")
    found = report(tutor, session)["people"]
    assert found[-1]["state"] in ("absent", "not_begun")
    assert {row["state"] for row in found[-4:]} == {"absent", "not_begun"}
    assert found[-1]["last_on"] is None
    assert found[-1]["success"] is None
    last = sheet(tutor, session, "people")[-1]
    assert last[4:] == [""] * len(last[4:])


def test_case_51_names_never_run_as_formulas_and_numbers_stay_numbers(ana: Any, tutor: Tutor) -> None:
    typed = ["=1+1", "+33 6", "-5", "@x"]
    session = factories.session(ana, school_class=factories.school_class(ana, *typed))
    for place in range(4):
        Pupil().join(session, student=student_key(session, place))
    tutor.post(f"sessions/{session.id}/start/")
    header, *rows = sheet(tutor, session, "people", ";")
    assert sorted(row[0] for row in rows) == sorted(f"'{name}" for name in typed)
    stars = [column.key for column in selectors.people_columns(selectors.session_report(session))].index("stars")
    assert {row[stars] for row in rows} == {"0"}
    assert len(header) == len(rows[0])


def test_the_report_takes_the_same_queries_whatever_the_size_of_the_class(
    session: Session, tutor: Tutor, django_assert_max_num_queries: Any
) -> None:
    pupils = begun(session, tutor, 9)
    play_out(session, pupils[:1], rounds=1)
    with django_assert_max_num_queries(9):
        selectors.session_report(Session.objects.select_related("teacher__school", "school_class").get(id=session.id))


def test_stars_and_rank_are_those_of_the_tables_ranking(session: Session, tutor: Tutor) -> None:
    pupils = begun(session, tutor, 4)
    play_out(session, pupils)
    rows = {row["name"]: row for row in report(tutor, session)["people"]}
    ranking = {row["seat"]: row for row in pupils[0].table()["public"]["ranking"]}
    for pupil in pupils:
        row, shown = rows[pupil.seat["name"]], ranking[pupil.me()["seat"]]
        assert (row["stars"], row["rank"]) == (shown["stars"], shown["rank"])
    assert rows[pupils[3].seat["name"]]["stars"] == 0


@pytest.mark.parametrize("query", ["table=secrets", "separator=x", "table="])
def test_an_unknown_table_or_separator_is_refused(session: Session, tutor: Tutor, query: str) -> None:
    assert code_of(tutor.get(f"sessions/{session.id}/report.csv?{query}"))[0] == 400


def test_a_child_takes_own_and_missed_words_along(session: Session, tutor: Tutor) -> None:
    pupils = begun(session, tutor, 4)
    play_out(session, pupils, rounds=2)
    tutor.post(f"sessions/{session.id}/end/")
    took = pupils[0].get("me/closing/").json()
    made = WordEvidence.objects.filter(participant=pupils[0].participant, kind="made").values_list("word", flat=True)
    assert {row["word"] for row in took["made"]} == set(made)
    missing = pupils[3].get("me/closing/").json()
    assert missing["made"] == []
    assert missing["missed"]
    assert not {row["word"] for row in took["missed"]} & {row["word"] for row in took["made"]}
    assert took["stars"] >= missing["stars"]


def test_a_session_that_nobody_joined_has_an_empty_report(session: Session, tutor: Tutor) -> None:
    sessions.end(session)
    found = report(tutor, session)
    assert found["words"] == []
    assert {row["state"] for row in found["people"]} == {"absent"}
    assert found["success"] is None
