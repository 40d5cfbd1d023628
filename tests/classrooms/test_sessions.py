"""A session from its four choices to its end, over HTTP."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from classrooms.models import Participant, ProgressMark, Session, SessionTable, WordEvidence
from classrooms.sessions import seating_plan, tasks
from classrooms.sessions import services as sessions
from classrooms.sessions.services import running, seating
from games import services as games
from games.models import Request, Seat, Table, TableEvent
from tests import factories
from tests.classrooms.people import Pupil, Tutor, code_of
from tests.classrooms.test_joining import in_parallel, student_key

CHOICES = {"game": "syllables", "band": "8-10", "robots": "easy"}


def come(session: Session, number: int) -> list[Pupil]:
    """So many guests."""
    pupils = [Pupil() for _ in range(number)]
    for place, pupil in enumerate(pupils):
        assert pupil.join(session, guest=f"{place // 10}-{place % 10}").status_code == 201
    return pupils


def begun(session: Session, tutor: Tutor, number: int = 4) -> list[Pupil]:
    """So many guests, and the session started."""
    pupils = come(session, number)
    answer = tutor.post(f"sessions/{session.id}/start/")
    assert answer.status_code == 200, answer.content
    return pupils


def statuses(session: Session) -> set[str]:
    tables = [row.table for row in session.tables.all()]
    return set(Table.objects.filter(id__in=tables).values_list("status", flat=True))


def test_four_choices_make_a_session_with_a_code(tutor: Tutor) -> None:
    listed = factories.school_class(tutor.teacher)
    made = tutor.post("sessions/", {**CHOICES, "school_class": str(listed.id)})
    assert made.status_code == 201
    body = made.json()
    assert (body["status"], body["language"], body["robots"]) == ("lobby", "fr", "easy")
    assert body["school_class"] == str(listed.id)
    assert len(body["code"]) == 7
    assert tutor.get(f"sessions/{body['id']}/").json() == body


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"game": "chess"}, "unknown_game"),
        ({"band": "3-4"}, "invalid"),
        ({"language": "xx"}, "unknown_language"),
        ({"robots": "godlike"}, "invalid"),
        ({"options": {"cheat": True}}, "unknown_option"),
        ({"options": {"round_seconds": "soon"}}, "unknown_option"),
        ({"options": []}, "invalid"),
        ({"school_class": "x"}, "invalid"),
    ],
)
def test_a_choice_that_does_not_exist_is_refused(tutor: Tutor, change: dict[str, Any], code: str) -> None:
    assert code_of(tutor.post("sessions/", CHOICES | change)) == (400, code)
    assert Session.objects.count() == 0


def test_a3_nobody_sets_code_owner_or_status(tutor: Tutor) -> None:
    other = factories.teacher()
    extra = {"code": "BBBBBBB", "teacher": str(other.id), "status": "over", "version": 99, "id": str(uuid4())}
    row = Session.objects.get(id=tutor.post("sessions/", CHOICES | extra).json()["id"])
    assert (row.teacher_id, row.status) == (tutor.teacher.id, "lobby")
    assert row.code != "BBBBBBB"
    assert str(row.id) != extra["id"]


@pytest.mark.parametrize("people", range(1, 41))
def test_everybody_sits_at_tables_of_three_or_four_with_a_robot_each(people: int) -> None:
    places = seating_plan.spread(people, robots=True)
    sizes = [place.people for place in places]
    assert sum(sizes) == people
    assert max(sizes) - min(sizes) <= 1
    assert all(3 <= place.people + place.robots <= 5 for place in places)
    assert all(place.robots == 1 for place in places if place.people >= 2)


@pytest.mark.parametrize("people", range(2, 41))
def test_without_robots_nobody_sits_alone_and_no_table_is_overfull(people: int) -> None:
    places = seating_plan.spread(people, robots=False)
    assert sum(place.people for place in places) == people
    assert all(seating_plan.SMALLEST_TABLE <= place.people <= seating_plan.LARGEST_TABLE for place in places)
    assert all(place.robots == 0 for place in places)


def test_one_alone_without_robots_cannot_play() -> None:
    assert seating_plan.spread(1, robots=False) == ()
    assert seating_plan.spread(0, robots=True) == ()


def test_a_start_seats_nine_at_three_tables_and_each_sees_the_own(session: Session, tutor: Tutor) -> None:
    pupils = begun(session, tutor, 9)
    assert [row.participants.count() for row in session.tables.all()] == [3, 3, 3]
    assert statuses(session) == {"active"}
    places = [pupil.me() for pupil in pupils]
    assert len({(place["table"], place["seat"]) for place in places}) == 9
    view = pupils[0].table()
    assert len(view["private"]["hand"]) == 3
    others = pupils[0].get(f"sessions/{session.id}/people/").json()
    assert {row["participant"] for row in others} == {str(pupil.participant) for pupil in pupils[:3]}


def test_one_pupil_plays_with_two_robots(session: Session, tutor: Tutor) -> None:
    (pupil,) = begun(session, tutor, 1)
    assert [seat["robot"] for seat in pupil.table()["seats"]] == [None, "easy", "easy"]


def test_nobody_there_is_no_game(session: Session, tutor: Tutor) -> None:
    assert code_of(tutor.post(f"sessions/{session.id}/start/")) == (409, "too_few_people")
    session.refresh_from_db()
    assert session.status == "lobby"


def test_two_starts_at_once_deal_once(session: Session, tutor: Tutor) -> None:
    come(session, 5)
    answers = in_parallel(4, lambda _index: Tutor(tutor.teacher).post(f"sessions/{session.id}/start/").status_code)
    assert sorted(answers) == [200, 409, 409, 409]
    assert Table.objects.count() == session.tables.count() == 2
    assert TableEvent.objects.filter(move__type="table.started").count() == 2


def test_a_repeated_start_with_its_key_gets_the_first_answer(session: Session, tutor: Tutor) -> None:
    come(session, 3)
    answers = [tutor.post(f"sessions/{session.id}/start/", Idempotency_Key="s") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200] * 3
    assert len({answer.content for answer in answers}) == 1
    assert code_of(tutor.post(f"sessions/{session.id}/start/")) == (409, "already_started")


def test_a_start_that_crashed_half_way_is_finished_by_the_sweep(
    session: Session, tutor: Tutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    pupils = come(session, 8)
    real = seating.deal
    dealt: list[SessionTable] = []

    def crash_at_the_second(table: SessionTable) -> None:
        if dealt:
            raise SystemExit("killed")
        dealt.append(table)
        real(table)

    with monkeypatch.context() as patch:
        patch.setattr(seating, "deal", crash_at_the_second)
        with pytest.raises(SystemExit):
            sessions.start(session)
    assert Table.objects.count() == 1
    assert pupils[7].me()["table"] is None
    Session.objects.filter(id=session.id).update(started_at=timezone.now() - timedelta(seconds=11))
    tasks.sweep()
    tasks.sweep()
    assert Table.objects.filter(status="active").count() == 2
    assert pupils[7].me()["seat"] == 3


def test_pause_and_resume_reach_every_table(session: Session, tutor: Tutor) -> None:
    begun(session, tutor, 8)
    for _ in range(2):
        assert tutor.post(f"sessions/{session.id}/pause/").json()["status"] == "paused"
        assert statuses(session) == {"paused"}
    assert tutor.post(f"sessions/{session.id}/resume/").json()["status"] == "active"
    assert statuses(session) == {"active"}


def test_more_time_reaches_every_seat_once_per_key(session: Session, tutor: Tutor) -> None:
    pupils = begun(session, tutor, 8)
    before = [pupil.table()["private"]["deadline"] for pupil in pupils]
    for _ in range(2):
        answer = tutor.post(f"sessions/{session.id}/extend/", {"ms": 30_000}, Idempotency_Key="e")
        assert answer.status_code == 200
    after = [pupil.table()["private"]["deadline"] for pupil in pupils]
    assert [late - early for early, late in zip(before, after, strict=True)] == [30_000] * 8


@pytest.mark.parametrize("ms", [0, -1, 10**12, "soon", None, True])
def test_an_absurd_extension_is_refused(session: Session, tutor: Tutor, ms: object) -> None:
    begun(session, tutor, 3)
    assert tutor.post(f"sessions/{session.id}/extend/", {"ms": ms}).status_code == 400


@pytest.mark.parametrize("verb", ["pause", "resume", "next-round"])
def test_a_lobby_can_be_started_or_ended_but_not_played(session: Session, tutor: Tutor, verb: str) -> None:
    assert code_of(tutor.post(f"sessions/{session.id}/{verb}/")) == (409, "not_started")


def test_the_end_stops_every_table_and_closes_the_door(session: Session, tutor: Tutor) -> None:
    pupils = begun(session, tutor, 8)
    assert tutor.post(f"sessions/{session.id}/end/").json()["status"] == "over"
    assert statuses(session) == {"stopped"}
    assert pupils[0].me()["status"] == "over"
    assert code_of(pupils[0].move("ready", round=1, cards=[]))[0] == 409
    for verb in ("start", "pause", "resume", "lock", "extend"):
        body = {"ms": 1000} if verb == "extend" else {}
        assert code_of(tutor.post(f"sessions/{session.id}/{verb}/", body)) == (410, "session_over")
    assert tutor.post(f"sessions/{session.id}/end/").status_code == 200


def test_a_seat_opens_nothing_two_hours_after_the_end(session: Session, tutor: Tutor) -> None:
    (pupil,) = begun(session, tutor, 1)
    tutor.post(f"sessions/{session.id}/end/")
    assert pupil.me()["status"] == "over"
    Session.objects.filter(id=session.id).update(ended_at=timezone.now() - timedelta(hours=2, seconds=1))
    assert code_of(pupil.get("me/")) == (401, "join_first")


def test_a_removed_pupil_leaves_the_seat_to_a_robot(session: Session, tutor: Tutor) -> None:
    pupils = begun(session, tutor, 4)
    gone = pupils[1]
    table = gone.me()["table"]
    assert tutor.post(f"sessions/{session.id}/participants/{gone.participant}/remove/").status_code == 204
    assert code_of(gone.get("me/")) == (401, "join_first")
    assert code_of(gone.get(f"tables/{table}/")) == (404, "not_found")
    assert pupils[0].table()["seats"][1] == {"seat": 1, "participant": None, "robot": "easy", "left": False}


def test_a_pupil_who_leaves_a_game_is_gone_for_good(session: Session, tutor: Tutor) -> None:
    listed = student_key(session)
    pupil, other = Pupil(), Pupil()
    pupil.join(session, student=listed)
    other.join(session)
    tutor.post(f"sessions/{session.id}/start/")
    assert pupil.post("me/leave/").status_code == 204
    assert other.table()["seats"][0]["robot"] == "easy"
    assert code_of(pupil.join(session, student=listed)) == (409, "left")


def test_without_robots_a_leavers_seat_stays_empty(ana: Any, tutor: Tutor) -> None:
    session = factories.session(ana, robots=None)
    pupils = begun(session, tutor, 3)
    pupils[2].post("me/leave/")
    assert pupils[0].table()["seats"][2]["left"] is True


def test_a_leaver_whom_no_table_was_told_of_is_moved_out_by_the_sweep(session: Session, tutor: Tutor) -> None:
    pupils = begun(session, tutor, 4)
    Participant.objects.filter(id=pupils[0].participant).update(removed_at=timezone.now())
    tasks.sweep()
    assert not Seat.objects.filter(participant=pupils[0].participant).exists()


def test_an_end_that_crashed_half_way_is_finished_by_the_sweep(session: Session, tutor: Tutor) -> None:
    begun(session, tutor, 5)
    Session.objects.filter(id=session.id).update(status="over", ended_at=timezone.now())
    for _ in range(2):
        tasks.sweep()
        assert statuses(session) == {"stopped"}
    assert not session.tables.filter(over_at=None).exists()


@pytest.mark.parametrize("crash", ["before the seat", "after the seat"])
def test_a_late_comers_way_to_a_seat_is_mended_by_the_sweep(session: Session, tutor: Tutor, crash: str) -> None:
    begun(session, tutor, 2)
    late = Pupil()
    late.join(session, guest="9-9")
    table = session.tables.get()
    if crash == "before the seat":
        Participant.objects.filter(id=late.participant).update(table=table)
    else:
        games.take_seat(table.table, number=2, participant=late.participant)
    tasks.sweep()
    tasks.sweep()
    assert (late.me()["seat"], late.me()["table"]) == (
        (None, None) if crash == "before the seat" else (2, str(table.table))
    )
    person = f"sessions/{session.id}/participants/{late.participant}"
    assert tutor.post(f"{person}/seat/").status_code == (204 if crash == "before the seat" else 409)


def test_one_faulty_session_stops_the_sweep_of_no_other(
    session: Session, tutor: Tutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun(session, tutor, 2)
    faulty = factories.session(tutor.teacher)
    long_ago = timezone.now() - timedelta(seconds=1)
    Session.objects.update(expires=long_ago)
    real = running.end

    def end(row: Session) -> Session:
        if row.id == faulty.id:
            raise RuntimeError("broken")
        return real(row)

    monkeypatch.setattr(running, "end", end)
    tasks.sweep()
    session.refresh_from_db()
    faulty.refresh_from_db()
    assert (session.status, faulty.status) == ("over", "lobby")


def test_m2_one_key_sent_in_parallel_starts_once_and_pauses_once(session: Session, tutor: Tutor) -> None:
    come(session, 4)

    def start(_index: int) -> Any:
        return Tutor(tutor.teacher).post(f"sessions/{session.id}/start/", Idempotency_Key="s")

    answers = in_parallel(8, start)
    done = [answer for answer in answers if answer.status_code == 200]
    assert len({answer.content for answer in done}) == 1
    assert {code_of(answer) for answer in answers if answer not in done} <= {(409, "in_flight")}
    assert start(0).content == done[0].content
    assert Table.objects.count() == 1


def test_a_late_comer_waits_and_takes_a_robots_seat(session: Session, tutor: Tutor) -> None:
    pupils = begun(session, tutor, 2)
    late, later = Pupil(), Pupil()
    late.join(session, guest="9-9")
    later.join(session, guest="9-8")
    assert late.me()["table"] is None
    person = f"sessions/{session.id}/participants"
    assert tutor.post(f"{person}/{late.participant}/seat/").status_code == 204
    assert late.me()["table"] == pupils[0].me()["table"]
    assert len(late.table()["private"]["hand"]) == 3
    assert code_of(tutor.post(f"{person}/{late.participant}/seat/")) == (409, "already_seated")
    assert code_of(tutor.post(f"{person}/{later.participant}/seat/")) == (409, "no_robot_seat")
    assert later.me()["table"] is None


def test_two_late_comers_at_once_do_not_share_a_robots_seat(session: Session, tutor: Tutor) -> None:
    begun(session, tutor, 2)
    late = [Pupil() for _ in range(3)]
    for place, pupil in enumerate(late):
        pupil.join(session, guest=f"9-{place}")
    path = f"sessions/{session.id}/participants/{{}}/seat/"
    answers = in_parallel(3, lambda index: Tutor(tutor.teacher).post(path.format(late[index].participant)).status_code)
    assert sorted(answers) == [204, 409, 409]
    assert Seat.objects.filter(participant__in=[pupil.participant for pupil in late]).count() == 1
    assert session.participants.filter(table=None).count() == 2


def test_a_late_comer_may_be_sent_to_a_table_by_number(session: Session, tutor: Tutor) -> None:
    begun(session, tutor, 5)
    first, second = Pupil(), Pupil()
    first.join(session, guest="9-9")
    second.join(session, guest="9-8")
    people = f"sessions/{session.id}/participants"
    assert tutor.post(f"{people}/{first.participant}/seat/", {"table": 1}).status_code == 204
    assert session.participants.get(table__number=1, id=first.participant)
    for table in (1, 3):
        refused = tutor.post(f"{people}/{second.participant}/seat/", {"table": table})
        assert code_of(refused) == (409, "no_robot_seat")
    assert tutor.post(f"{people}/{second.participant}/seat/").status_code == 204
    assert session.participants.get(table__number=2, id=second.participant)


def test_case_29_coming_back_keeps_seat_and_hand(session: Session, tutor: Tutor) -> None:
    begun(session, tutor, 2)
    session.refresh_from_db()
    pupil = Pupil()
    first = session.participants.order_by("joined_at")[0]
    code = tutor.post(f"sessions/{session.id}/participants/{first.id}/reentry/").json()["code"]
    pupil.take(pupil.post("reentry/", {"code": code}))
    views = [pupil.table() for _ in range(3)]
    for one, two in pairwise(views):
        assert one["private"]["hand"] == two["private"]["hand"]
        assert one["seat"] == two["seat"] == 0
    assert pupil.move("ready", round=1, cards=[]).status_code == 200
    again = Pupil()
    again.token = pupil.token
    assert again.table()["public"]["seats"][0]["ready"] is True


def test_a_new_tablet_plays_on_where_the_old_one_was(session: Session, tutor: Tutor) -> None:
    pupils = begun(session, tutor, 3)
    hand = pupils[0].table()["private"]["hand"]
    code = tutor.post(f"sessions/{session.id}/participants/{pupils[0].participant}/reentry/").json()["code"]
    tablet = Pupil()
    tablet.take(tablet.post("reentry/", {"code": code}))
    assert tablet.table()["private"]["hand"] == hand
    table = tablet.me()["table"]
    assert code_of(pupils[0].get(f"tables/{table}/")) == (404, "not_found")
    refused = pupils[0].post(f"tables/{table}/moves/", {"type": "syllables.ready", "round": 1, "cards": []})
    assert refused.status_code in (401, 404)


def test_play_again_keeps_the_settings_and_gets_a_new_code(session: Session, tutor: Tutor) -> None:
    begun(session, tutor, 3)
    tutor.post(f"sessions/{session.id}/end/")
    again = tutor.post(f"sessions/{session.id}/again/", Idempotency_Key="a")
    assert again.status_code == 201
    body = again.json()
    assert tutor.post(f"sessions/{session.id}/again/", Idempotency_Key="a").json() == body
    assert (body["band"], body["robots"], body["status"]) == ("8-10", "easy", "lobby")
    assert body["school_class"] == str(session.school_class_id)
    assert body["code"] != session.code
    assert Session.objects.count() == 2


def test_deleting_a_session_leaves_nothing_of_it(session: Session, tutor: Tutor) -> None:
    (pupil, *_) = begun(session, tutor, 5)
    Pupil().post("join/", {"code": session.code, "guest": "8-8"}, Idempotency_Key="j")
    answers = Request.objects.filter(answer__contains=str(session.id))
    assert answers.exists()
    assert tutor.delete(f"sessions/{session.id}/").status_code == 204
    assert not answers.all().exists()
    for model in (Session, SessionTable, Participant, Table, Seat, TableEvent, WordEvidence, ProgressMark):
        assert model.objects.count() == 0, model
    assert code_of(pupil.get("me/")) == (401, "join_first")
    assert code_of(tutor.delete(f"sessions/{session.id}/")) == (404, "not_found")


def test_past_sessions_are_listed_running_ones_first(tutor: Tutor) -> None:
    made = [factories.session(tutor.teacher) for _ in range(3)]
    tutor.post(f"sessions/{made[2].id}/end/")
    listed = tutor.get("sessions/").json()["results"]
    assert [row["id"] for row in listed] == [str(made[1].id), str(made[0].id), str(made[2].id)]


def test_a2_the_list_of_sessions_takes_the_same_queries_whatever_its_length(
    tutor: Tutor, django_assert_num_queries: Any
) -> None:
    for _ in range(4):
        factories.session(tutor.teacher)
    with django_assert_num_queries(3):
        assert len(tutor.get("sessions/").json()["results"]) == 4


def test_sessions_come_in_pages(tutor: Tutor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("classrooms.api.sessions.PAGE", 2)
    for _ in range(3):
        factories.session(tutor.teacher)
    first = tutor.get("sessions/").json()
    second = tutor.get(f"sessions/?offset={first['next']}").json()
    assert (len(first["results"]), len(second["results"]), second["next"]) == (2, 1, None)
    assert code_of(tutor.get("sessions/?offset=-1")) == (400, "offset")


def test_every_change_raises_the_sessions_version(session: Session, tutor: Tutor) -> None:
    def version() -> int:
        return int(tutor.get(f"sessions/{session.id}/").json()["version"])

    seen = [version()]
    (pupil,) = come(session, 1)
    seen.append(version())
    for verb in ("lock", "unlock", "start", "pause", "resume", "end"):
        tutor.post(f"sessions/{session.id}/{verb}/")
        seen.append(version())
    assert all(earlier < later for earlier, later in pairwise(seen))
    assert pupil.me()["version"] == seen[-1]


def test_a_session_out_of_time_is_ended_by_the_sweep(session: Session, tutor: Tutor) -> None:
    begun(session, tutor, 3)
    Session.objects.filter(id=session.id).update(expires=timezone.now() - timedelta(seconds=1))
    tasks.sweep()
    tasks.sweep()
    session.refresh_from_db()
    assert session.status == "over"
    assert statuses(session) == {"stopped"}


def test_a_solo_game_starts_at_once_against_one_robot(transactional_db: None) -> None:
    pupil = Pupil()
    answer = pupil.post("solo/", {"band": "8-10", "language": "fr"})
    assert answer.status_code == 201
    pupil.take(answer)
    assert pupil.me()["solo"] is True
    assert [seat["robot"] for seat in pupil.table()["seats"]] == [None, "easy"]
    assert pupil.move("ready", round=1, cards=[]).status_code == 200
    assert Session.objects.get().code == ""


def test_nobody_owns_a_solo_game(tutor: Tutor) -> None:
    pupil = Pupil()
    pupil.take(pupil.post("solo/", {"band": "8-10"}))
    assert code_of(tutor.get(f"sessions/{pupil.seat['session']}/")) == (404, "not_found")
    assert code_of(tutor.get(f"tables/{pupil.me()['table']}/")) == (404, "not_found")


def test_p4_what_was_kept_long_enough_is_forgotten_by_itself(session: Session, tutor: Tutor) -> None:
    solo, guest, pupil = Pupil(), Pupil(), Pupil()
    solo.take(solo.post("solo/", {"band": "8-10"}))
    guest.join(session)
    pupil.join(session, student=student_key(session))
    tutor.post(f"sessions/{session.id}/start/")
    tutor.post(f"sessions/{session.id}/end/")
    tasks.purge()
    assert Participant.objects.count() == 3
    Session.objects.filter(teacher=None).update(created_at=timezone.now() - timedelta(hours=25))
    Session.objects.filter(id=session.id).update(ended_at=timezone.now() - timedelta(days=31))
    for _ in range(2):
        tasks.purge()
        assert [row.id for row in Participant.objects.all()] == [pupil.participant]
        assert not Seat.objects.filter(participant=guest.participant).exists()
