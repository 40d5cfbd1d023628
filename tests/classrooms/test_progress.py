"""Facts of the log become evidence of people: once, whatever is lost, repeated or raced, and again from nothing."""

from __future__ import annotations

from collections import Counter
from typing import Any
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command

from classrooms.models import Participant, ProgressMark, Session, SessionTable, Teacher, WordEvidence
from classrooms.progress import services, tasks
from games import selectors as tables
from games import services as games
from games.models import Seat, TableEvent
from tests import factories
from tests.classrooms.people import Pupil, Tutor
from tests.classrooms.playing import finish_round, play_out
from tests.classrooms.test_joining import in_parallel, student_key
from tests.classrooms.test_sessions import begun
from wordlists.viewer import Viewer


def recount(session: Session) -> Counter[tuple[Any, ...]]:
    """What the logs tell of the people who sit at the tables now; written apart from the product's projection."""
    found: Counter[tuple[Any, ...]] = Counter()
    for row in session.tables.all():
        people = {seat.number: seat.participant for seat in Seat.objects.filter(table_id=row.table)}
        for event in TableEvent.objects.filter(table_id=row.table):
            for fact in event.facts:
                if people[fact["seat"]] is not None:
                    found[people[fact["seat"]], fact["kind"], fact["word"], fact["round"], fact["assisted"]] += 1
    return found


def stored(session: Session) -> Counter[tuple[Any, ...]]:
    rows = WordEvidence.objects.filter(participant__session=session)
    return Counter(rows.values_list("participant", "kind", "word", "round", "assisted"))


def projected(session: Session) -> None:
    for row in session.tables.all():
        tasks.project(str(row.table))


def only_table(session: Session) -> UUID:
    return session.tables.get().table


def test_every_fact_of_a_person_becomes_evidence_and_none_of_a_robot(session: Session, tutor: Tutor) -> None:
    pupils = begun(session, tutor, 5)
    play_out(session, pupils, rounds=2)
    projected(session)
    assert stored(session) == recount(session)
    kinds = {kind for _who, kind, *_rest in stored(session)}
    assert {"made", "not_in_list", "missed", "shown"} <= kinds


def test_a_hint_and_the_word_made_with_it_are_evidence(session: Session, tutor: Tutor) -> None:
    (pupil,) = begun(session, tutor, 1)
    hinted = pupil.move("hint", round=1).json()["private"]["hint"]
    assert pupil.move("ready", round=1, cards=hinted["cards"]).status_code == 200
    finish_round(only_table(session))
    projected(session)
    rows = WordEvidence.objects.filter(participant=pupil.participant, word=hinted["word"])
    assert set(rows.values_list("kind", "assisted")) >= {("hinted", False), ("made", True)}


def test_w3_projecting_twice_and_in_parallel_is_projecting_once(session: Session, tutor: Tutor) -> None:
    pupils = begun(session, tutor, 4)
    play_out(session, pupils, rounds=1)
    table = str(only_table(session))
    in_parallel(8, lambda _index: tasks.project(table))
    once = stored(session)
    tasks.project(table)
    assert stored(session) == once == recount(session)


def test_the_projection_takes_up_where_it_was(session: Session, tutor: Tutor) -> None:
    pupils = begun(session, tutor, 4)
    play_out(session, pupils, rounds=1)
    projected(session)
    first = ProgressMark.objects.get().turn
    ids = set(WordEvidence.objects.values_list("id", flat=True))
    play_out_from(session, pupils, 2)
    projected(session)
    assert ProgressMark.objects.get().turn > first
    assert ids < set(WordEvidence.objects.values_list("id", flat=True))
    assert stored(session) == recount(session)


def play_out_from(session: Session, pupils: list[Pupil], number: int) -> None:
    from tests.classrooms.playing import play_round
    from wordlists.selectors import lexicon

    for pupil in pupils:
        play_round(lexicon(session.words_hash, "syllables"), pupil, number)
    for row in session.tables.all():
        finish_round(row.table)


def test_a_lost_task_is_made_good_by_the_sweep(session: Session, tutor: Tutor) -> None:
    pupils = begun(session, tutor, 5)
    play_out(session, pupils, rounds=1)
    assert not WordEvidence.objects.exists()
    tasks.sweep()
    assert stored(session) == recount(session)
    assert services.sweep() == 0


def test_a_linked_guests_evidence_goes_along(session: Session, tutor: Tutor) -> None:
    (guest,) = begun(session, tutor, 1)
    play_out(session, [guest], rounds=1)
    tutor.post(f"sessions/{session.id}/end/")
    projected(session)
    student = UUID(student_key(session))
    assert not WordEvidence.objects.filter(participant__student=student).exists()
    link = f"sessions/{session.id}/participants/{guest.participant}/link/"
    assert tutor.post(link, {"student": str(student)}).status_code == 204
    assert WordEvidence.objects.filter(participant__student=student).count() == sum(stored(session).values()) > 0
    assert services.verify(only_table(session)) is None


def test_a_leavers_words_stay_the_leavers_when_a_robot_takes_over(session: Session, tutor: Tutor) -> None:
    pupils = begun(session, tutor, 4)
    play_out(session, pupils, rounds=1)
    assert pupils[0].post("me/leave/").status_code == 204
    projected(session)
    own = WordEvidence.objects.filter(participant=pupils[0].participant)
    assert own.filter(kind="made").count() == 1
    before = stored(session)
    finish_round(only_table(session))
    call_command("recompute_progress")
    assert own.filter(round=1).count() == sum(
        number for (who, *_rest), number in before.items() if who == pupils[0].participant
    )
    assert not own.filter(round=2).exists()


def test_a_late_comer_has_evidence_from_the_own_rounds_on(session: Session, tutor: Tutor) -> None:
    pupils = begun(session, tutor, 2)
    play_out(session, pupils, rounds=1)
    late = Pupil()
    late.join(session, guest="9-9")
    assert tutor.post(f"sessions/{session.id}/participants/{late.participant}/seat/").status_code == 204
    play_out_from(session, [*pupils, late], 2)
    projected(session)
    rounds = set(WordEvidence.objects.filter(participant=late.participant).values_list("round", flat=True))
    assert rounds == {2}
    call_command("recompute_progress", "--verify")


def test_a_verdict_replaces_what_the_round_had_brought(session: Session, tutor: Tutor) -> None:
    pupils = begun(session, tutor, 3)
    play_out(session, pupils, rounds=1)
    projected(session)
    table = only_table(session)
    refused = WordEvidence.objects.get(participant=pupils[2].participant, kind="not_in_list")
    teacher = Viewer(kind="teacher", id=tutor.teacher.id)
    games.command(table, teacher, {"type": "verdict", "round": 1, "word": refused.word, "valid": True})
    projected(session)
    own = WordEvidence.objects.filter(participant=pupils[2].participant, round=1)
    assert own.filter(kind="made", word=refused.word).count() == 1
    assert not own.filter(kind="not_in_list").exists()
    assert services.verify(table) is None
    games.command(table, teacher, {"type": "verdict", "round": 1, "word": refused.word, "valid": False})
    projected(session)
    assert own.filter(kind="not_in_list").count() == 1
    assert not own.filter(kind="made").exists()
    incremental = set(WordEvidence.objects.values_list("participant", "turn", "place", "kind", "word"))
    call_command("recompute_progress")
    assert set(WordEvidence.objects.values_list("participant", "turn", "place", "kind", "word")) == incremental


def test_a_verdict_is_about_whoever_sat_there_in_its_round(session: Session, tutor: Tutor) -> None:
    pupils = begun(session, tutor, 3)
    play_out(session, pupils, rounds=1)
    refused = next(row for row in tables.facts_after(only_table(session), 0) if "not_in_list" in str(row))
    (fact,) = [fact for fact in refused[2] if fact["kind"] == "not_in_list"]
    assert pupils[2].post("me/leave/").status_code == 204
    late = Pupil()
    late.join(session, guest="9-9")
    assert tutor.post(f"sessions/{session.id}/participants/{late.participant}/seat/").status_code == 204
    assert Seat.objects.get(participant=late.participant).number == fact["seat"]
    projected(session)
    teacher = Viewer(kind="teacher", id=tutor.teacher.id)
    games.command(only_table(session), teacher, {"type": "verdict", "round": 1, "word": fact["word"], "valid": True})
    projected(session)
    of_leaver = WordEvidence.objects.filter(participant=pupils[2].participant, round=1)
    assert set(of_leaver.filter(word=fact["word"]).values_list("kind", flat=True)) == {"made"}
    assert not WordEvidence.objects.filter(participant=late.participant).exists()
    assert services.verify(only_table(session)) is None


def test_one_table_that_cannot_be_projected_stops_no_other(
    session: Session, tutor: Tutor, ana: Teacher, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    other = factories.session(ana)
    for each in (session, other):
        play_out(each, begun(each, tutor, 1), rounds=1)
    broken, whole = sorted(SessionTable.objects.order_by("id"), key=lambda row: row.id)
    project = services.project

    def faulty(table_id: UUID) -> int:
        if table_id == broken.table:
            raise KeyError("seat")
        return project(table_id)

    monkeypatch.setattr(services, "project", faulty)
    services.sweep()
    assert set(WordEvidence.objects.values_list("table", flat=True)) == {whole.table}
    assert str(broken.table) in caplog.text


def test_recompute_verify_finds_every_kind_of_difference(
    session: Session, tutor: Tutor, capsys: pytest.CaptureFixture[str]
) -> None:
    pupils = begun(session, tutor, 4)
    play_out(session, pupils, rounds=1)
    projected(session)
    call_command("recompute_progress", "--verify")
    assert "1 tables, 0 differences" in capsys.readouterr().out
    gone = WordEvidence.objects.filter(kind="made").first()
    changed = WordEvidence.objects.filter(kind="not_in_list").first()
    assert gone is not None
    assert changed is not None
    gone.delete()
    WordEvidence.objects.filter(id=changed.id).update(assisted=True)
    with pytest.raises(CommandError):
        call_command("recompute_progress", "--verify")
    assert "2 missing, 1 too many" in capsys.readouterr().out
    call_command("recompute_progress")
    call_command("recompute_progress", "--verify")
    assert stored(session) == recount(session)


def test_an_erased_participant_leaves_no_evidence_and_no_difference(session: Session, tutor: Tutor) -> None:
    pupils = begun(session, tutor, 4)
    play_out(session, pupils, rounds=1)
    projected(session)
    gone = pupils[1].participant
    games.forget(gone)
    Participant.objects.filter(id=gone).delete()
    call_command("recompute_progress", "--verify")
    assert stored(session) == recount(session)


def test_a_session_is_over_by_itself_when_its_tables_are(session: Session, tutor: Tutor) -> None:
    pupils = begun(session, tutor, 5)
    play_out(session, pupils)
    projected(session)
    session.refresh_from_db()
    assert session.status == "over"
    assert session.ended_at is not None
    assert {row["state"] for row in tutor.get(f"sessions/{session.id}/report/").json()["people"] if row["table"]} == {
        "finished"
    }


def test_a_table_of_no_session_is_nobodys_progress(transactional_db: None) -> None:
    from tests.games.tables import started

    tasks.project(str(started(people=2).id))
    assert not ProgressMark.objects.exists()
