"""Coming into a session and going, over HTTP."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from classrooms import limits
from classrooms.models import Participant, Session, Tries, UsedCode
from classrooms.sessions import codes, tasks
from classrooms.sessions import services as sessions
from classrooms.sessions.services import joining
from games import passes
from games import services as games
from games.models import Seat
from tests import factories
from tests.classrooms.people import Pupil, Tutor, code_of


def student_key(session: Session, place: int = 0) -> str:
    assert session.school_class is not None
    return str(session.school_class.students.order_by("number")[place].id)


def absent(pupil: Pupil) -> None:
    """Nothing was heard of the pupil's tablet for a while."""
    long_ago = timezone.now() - joining.ABSENT_AFTER - timedelta(seconds=1)
    Participant.objects.filter(id=pupil.participant).update(seen_at=long_ago)


def in_parallel(number: int, act: Any) -> list[Any]:
    """``act(index)`` by ``number`` threads that begin together."""
    gate = threading.Barrier(number)

    def run(index: int) -> Any:
        try:
            gate.wait(10)
            return act(index)
        finally:
            connection.close()

    with ThreadPoolExecutor(number) as pool:
        return list(pool.map(run, range(number)))


def test_a_code_opens_the_door_in_any_case_with_blanks_and_hyphens(session: Session) -> None:
    typed = f" {session.code[:3].lower()}-{session.code[3:].lower()} "
    entrance = Pupil().open_door(typed).json()
    assert [choice["name"] for choice in entrance["students"]] == ["Aïcha", "Noé", "Zoë", "Luc"]
    assert len(entrance["guests"]) == 6
    assert entrance["class_name"] == "6b"


def test_a_pupil_takes_the_own_name_and_a_guest_a_picked_one(session: Session, tutor: Tutor) -> None:
    zoe, guest = Pupil(), Pupil()
    assert zoe.join(session, student=student_key(session, 2)).status_code == 201
    assert guest.join(session).status_code == 201
    people = tutor.get(f"sessions/{session.id}/people/").json()
    assert [(row["name"], row["guest"]) for row in people] == [("Zoë", False), (guest.seat["name"], True)]
    assert len(guest.seat["name"].split()) >= 2
    assert zoe.me()["status"] == "lobby"


@pytest.mark.parametrize(
    ("who", "code"),
    [
        ({}, (400, "who_are_you")),
        ({"student": str(uuid4()), "guest": "1-1"}, (400, "who_are_you")),
        ({"student": str(uuid4())}, (404, "unknown_student")),
        ({"guest": "999-1"}, (400, "unknown_guest_name")),
        ({"guest": "Zoë"}, (400, "unknown_guest_name")),
        ({"guest": "١-١"}, (400, "unknown_guest_name")),
        ({"guest": "-1-2"}, (400, "unknown_guest_name")),
    ],
)
def test_who_cannot_be_told_is_refused(session: Session, who: dict[str, str], code: tuple[int, str]) -> None:
    assert code_of(Pupil().post("join/", {"code": session.code, **who})) == code
    assert session.participants.count() == 0


def test_a_pupil_of_another_class_is_unknown_here(session: Session) -> None:
    other = factories.school_class(factories.teacher())
    stranger = str(other.students.all()[0].id)
    assert code_of(Pupil().post("join/", {"code": session.code, "student": stranger})) == (404, "unknown_student")


def test_case_27_ten_joins_at_once_by_one_pupil_are_one_seat(session: Session, tutor: Tutor) -> None:
    pupil = Pupil()
    pupil.open_door(session.code)
    body = {"code": session.code, "student": student_key(session)}
    cookies = {name: morsel.value for name, morsel in pupil.client.cookies.items()}

    def join(_index: int) -> Any:
        tab = Pupil()
        tab.client.cookies.load(cookies)
        return tab.post("join/", body)

    answers = in_parallel(10, join)
    assert [answer.status_code for answer in answers] == [201] * 10
    assert len({answer.json()["participant"] for answer in answers}) == 1
    assert session.participants.count() == 1
    assert tutor.post(f"sessions/{session.id}/start/").status_code == 200


def test_case_27_ten_joins_at_once_by_one_guest_are_one_seat(session: Session) -> None:
    pupil = Pupil()
    choices = pupil.open_door(session.code).json()["guests"]
    cookies = {name: morsel.value for name, morsel in pupil.client.cookies.items()}

    def join(index: int) -> Any:
        tab = Pupil()
        tab.client.cookies.load(cookies)
        return tab.post("join/", {"code": session.code, "guest": choices[index % 2]["key"]})

    answers = in_parallel(10, join)
    assert {answer.status_code for answer in answers} == {201}
    assert session.participants.count() == 1


def test_one_key_has_one_seat_however_often_it_is_sent(session: Session) -> None:
    body = {"code": session.code, "guest": "3-4"}
    answers = [Pupil().post("join/", body, Idempotency_Key="k") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201] * 3
    assert len({answer.content for answer in answers}) == 1
    assert session.participants.count() == 1


def test_two_guests_cannot_bear_one_name(session: Session) -> None:
    first, second = Pupil(), Pupil()
    assert first.join(session, guest="3-4").status_code == 201
    assert code_of(second.join(session, guest="3-4")) == (409, "name_taken")
    assert second.join(session, guest="3-5").status_code == 201


def test_a_guest_may_think_again_in_the_lobby(session: Session) -> None:
    pupil = Pupil()
    pupil.join(session, guest="3-4")
    name = pupil.seat["name"]
    pupil.join(session, guest="5-6")
    assert session.participants.count() == 1
    assert pupil.seat["name"] != name


def test_another_tablet_needs_the_teacher_while_the_first_is_heard(session: Session) -> None:
    first, second = Pupil(), Pupil()
    first.join(session, student=student_key(session))
    assert code_of(second.join(session, student=student_key(session))) == (409, "already_here")
    assert first.me()["participant"] == str(first.participant)


def test_another_tablet_takes_over_when_nothing_was_heard_of_the_first(session: Session) -> None:
    first, second = Pupil(), Pupil()
    first.join(session, student=student_key(session))
    absent(first)
    assert second.join(session, student=student_key(session)).status_code == 201
    assert second.participant == first.participant
    assert code_of(first.get("me/")) == (401, "join_first")


def test_a_request_of_the_first_tablet_counts_as_heard(session: Session) -> None:
    first, second = Pupil(), Pupil()
    first.join(session, student=student_key(session))
    absent(first)
    first.me()
    assert code_of(second.join(session, student=student_key(session))) == (409, "already_here")


def test_a_re_entry_code_moves_the_seat_once_and_the_old_token_is_dead(session: Session, tutor: Tutor) -> None:
    first, second, third = Pupil(), Pupil(), Pupil()
    first.join(session, student=student_key(session))
    person = f"sessions/{session.id}/participants/{first.participant}"
    code = tutor.post(f"{person}/reentry/").json()["code"]
    assert len(code) == codes.RE_ENTRY_LENGTH
    moved = second.post("reentry/", {"code": code.lower()})
    assert moved.status_code == 201
    second.take(moved)
    assert second.participant == first.participant
    assert code_of(first.get("me/")) == (401, "join_first")
    assert code_of(third.post("reentry/", {"code": code})) == (404, "unknown_code")


def test_a_newer_re_entry_code_ends_the_older(session: Session, tutor: Tutor) -> None:
    first = Pupil()
    first.join(session)
    person = f"sessions/{session.id}/participants/{first.participant}"
    older, newer = (tutor.post(f"{person}/reentry/").json()["code"] for _ in range(2))
    assert code_of(Pupil().post("reentry/", {"code": older})) == (404, "unknown_code")
    assert Pupil().post("reentry/", {"code": newer}).status_code == 201


def test_a_re_entry_code_is_over_after_ten_minutes(session: Session, tutor: Tutor) -> None:
    first = Pupil()
    first.join(session)
    code = tutor.post(f"sessions/{session.id}/participants/{first.participant}/reentry/").json()["code"]
    row = session.participants.get().re_entries.get()
    assert timedelta(minutes=9) < row.expires - timezone.now() <= timedelta(minutes=10)
    session.participants.get().re_entries.update(expires=timezone.now())
    assert code_of(Pupil().post("reentry/", {"code": code})) == (404, "unknown_code")


def test_ten_tablets_with_one_re_entry_code_are_one_that_gets_in(session: Session, tutor: Tutor) -> None:
    first = Pupil()
    first.join(session)
    code = tutor.post(f"sessions/{session.id}/participants/{first.participant}/reentry/").json()["code"]
    answers = in_parallel(10, lambda _index: Pupil().post("reentry/", {"code": code}).status_code)
    assert sorted(answers) == [201] + [404] * 9


def test_a5_whoever_was_removed_is_refused_at_once_and_stays_out(session: Session, tutor: Tutor) -> None:
    pupil, guest = Pupil(), Pupil()
    pupil.join(session, student=student_key(session))
    guest.join(session, guest="3-4")
    for one in (pupil, guest):
        assert tutor.post(f"sessions/{session.id}/participants/{one.participant}/remove/").status_code == 204
        assert code_of(one.get("me/")) == (401, "join_first")
    assert code_of(pupil.join(session, student=student_key(session))) == (403, "removed")
    assert code_of(Pupil().join(session, student=student_key(session))) == (403, "removed")
    assert code_of(guest.join(session, guest="7-7")) == (403, "removed")


def test_whoever_leaves_is_gone_even_where_the_table_cannot_be_told(
    session: Session, tutor: Tutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    pupil = Pupil()
    pupil.join(session, guest="1-1")
    assert tutor.post(f"sessions/{session.id}/start/").status_code == 200

    def broken(*args: Any, **kwargs: Any) -> None:
        raise OperationalError

    with monkeypatch.context() as patch:
        patch.setattr(games, "move_out", broken)
        left = pupil.post("me/leave/")
    assert (left.status_code, left.cookies[passes.SEAT_COOKIE].value) == (204, "")
    assert code_of(pupil.get("me/")) == (401, "join_first")
    tasks.sweep()
    assert not Seat.objects.filter(participant=pupil.participant).exists()


def test_whoever_leaves_the_lobby_may_come_again(session: Session) -> None:
    pupil = Pupil()
    pupil.join(session, student=student_key(session))
    assert pupil.post("me/leave/").status_code == 204
    assert code_of(pupil.get("me/")) == (401, "join_first")
    assert pupil.join(session, student=student_key(session)).status_code == 201


def test_case_67_the_next_pupil_on_a_tablet_is_somebody_else(session: Session) -> None:
    tablet = Pupil()
    tablet.join(session, student=student_key(session, 0))
    before = tablet.token
    left = tablet.post("me/leave/")
    assert left.cookies[passes.SEAT_COOKIE].value == ""
    assert left["Cache-Control"] == "no-store"
    tablet.join(session, student=student_key(session, 1))
    assert tablet.me()["name"] == "Noé"
    old = Pupil()
    old.token = before
    assert code_of(old.get("me/")) == (401, "join_first")


def test_a_locked_lobby_lets_nobody_new_in_but_everybody_back(session: Session, tutor: Tutor) -> None:
    inside = Pupil()
    inside.join(session, student=student_key(session))
    assert tutor.post(f"sessions/{session.id}/lock/").json()["locked"] is True
    assert code_of(Pupil().join(session, student=student_key(session, 1))) == (409, "session_locked")
    assert code_of(Pupil().join(session, guest="1-1")) == (409, "session_locked")
    assert inside.join(session, student=student_key(session)).status_code == 201
    tutor.post(f"sessions/{session.id}/unlock/")
    assert Pupil().join(session, guest="1-1").status_code == 201


def test_b5_a_session_has_room_for_forty(session: Session) -> None:
    Participant.objects.bulk_create(
        Participant(session=session, adjective=number // 10, animal=number % 10)
        for number in range(joining.MOST_PEOPLE)
    )
    assert code_of(Pupil().join(session, guest="9-9")) == (409, "session_full")


def test_case_69_thirty_five_pupils_come_in_by_one_address_within_a_minute(ana: Any) -> None:
    listed = factories.school_class(ana, *(f"Pupil {number}" for number in range(35)))
    session = factories.session(ana, school_class=listed)
    keys = [str(student.id) for student in listed.students.all()]
    began = timezone.now()
    answers = [Pupil().join(session, student=key).status_code for key in keys]
    assert answers == [201] * 35
    assert timezone.now() - began < timedelta(seconds=60)


def test_b2_ten_wrong_codes_a_minute_close_the_door_for_this_tablet_only(session: Session) -> None:
    tablet, other = Pupil(), Pupil()
    for pupil in (tablet, other):
        pupil.open_door(session.code)
    answers = [code_of(tablet.open_door(f"BBBBBB{sign}")) for sign in "BCDFGHJKMN"]
    assert answers == [(404, "unknown_code")] * 10
    assert code_of(tablet.open_door("CCCCCCC")) == (429, "too_many_tries")
    assert code_of(tablet.join(session, student=student_key(session))) == (429, "too_many_tries")
    assert other.join(session, student=student_key(session)).status_code == 201


def test_b2_right_codes_never_count(session: Session) -> None:
    tablet = Pupil()
    assert {tablet.open_door(session.code).status_code for _ in range(30)} == {200}
    assert Tries.objects.count() == 0


def test_b3_a_hundred_wrong_codes_at_once_get_ten_answers_at_most(session: Session) -> None:
    tablet = Pupil()
    tablet.open_door(session.code)
    cookies = {name: morsel.value for name, morsel in tablet.client.cookies.items()}

    def guess(index: int) -> int:
        tab = Pupil()
        tab.client.cookies.load(cookies)
        return [tab.open_door(f"{sign}CCCC{index % 10}C").status_code for sign in "BCDFG"].count(404)

    assert sum(in_parallel(20, guess)) <= 20  # ten in each of two windows, should a minute begin in between


def test_b2_a_client_without_cookies_is_limited_too(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WRONG_CODES_WITHOUT_COOKIE", (limits.Limit("code-open-hour", 3600, 5),))
    answers = [Pupil().open_door(f"BBBBB{number:02}").status_code for number in range(15)]
    assert answers.count(404) <= 2 * 5  # should an hour begin in between
    assert 429 in answers


def test_b1_codes_have_thirty_bits_and_no_sign_that_may_be_mixed_up() -> None:
    assert len(codes.ALPHABET) == len(set(codes.ALPHABET)) == 20
    assert len(codes.ALPHABET) ** codes.JOIN_LENGTH >= 2**30
    assert not set(codes.ALPHABET) & set("AEIOUY01358OILSZ")


def test_case_21_ten_thousand_codes_hold_no_blocked_word() -> None:
    made = [codes.join_code() for _ in range(10_000)]
    assert not any(codes.is_blocked(code) for code in made)
    assert len(set(made)) > 9_990


def test_case_21_the_generator_stops_when_everything_is_blocked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codes, "BLOCKED", tuple(codes.ALPHABET))
    with pytest.raises(RuntimeError, match="block list"):
        codes.join_code()


def test_b5_a_code_dies_with_its_session_and_after_a_day(session: Session, tutor: Tutor) -> None:
    aged = factories.session(tutor.teacher)
    assert aged.expires - aged.created_at <= timedelta(hours=24, seconds=1)
    Session.objects.filter(id=aged.id).update(expires=timezone.now())
    assert code_of(Pupil().open_door(aged.code)) == (410, "session_over")
    tutor.post(f"sessions/{session.id}/end/")
    assert code_of(Pupil().open_door(session.code)) == (410, "session_over")
    assert tutor.get(f"sessions/{session.id}/").json()["code"] == ""


def test_b5_a_code_is_not_given_out_again_for_thirty_days(ana: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["BCDFGHJ", "BCDFGHJ", "KMNPQRT", "BCDFGHJ"])
    monkeypatch.setattr(codes, "join_code", lambda: next(drawn))
    first = factories.session(ana)
    sessions.delete(first)
    second = factories.session(ana)
    assert (first.code, second.code) == ("BCDFGHJ", "KMNPQRT")
    assert UsedCode.objects.get(code="BCDFGHJ").free_after >= timezone.now() + timedelta(days=30)
    UsedCode.objects.filter(code="BCDFGHJ").update(free_after=timezone.now() - timedelta(seconds=1))
    assert factories.session(ana).code == "BCDFGHJ"


def test_a_guest_is_linked_to_a_pupil_and_back(session: Session, tutor: Tutor) -> None:
    guest = Pupil()
    guest.join(session)
    person = f"sessions/{session.id}/participants/{guest.participant}"
    assert tutor.post(f"{person}/link/", {"student": student_key(session, 3)}).status_code == 204
    assert tutor.get(f"sessions/{session.id}/people/").json()[0]["name"] == "Luc"
    assert tutor.post(f"{person}/link/", {"student": None}).status_code == 204
    assert tutor.get(f"sessions/{session.id}/people/").json()[0]["name"] == guest.seat["name"]


def test_a_guest_cannot_be_a_pupil_who_is_here_already_nor_a_foreign_one(session: Session, tutor: Tutor) -> None:
    guest, pupil = Pupil(), Pupil()
    guest.join(session)
    pupil.join(session, student=student_key(session))
    person = f"sessions/{session.id}/participants/{guest.participant}"
    taken = tutor.post(f"{person}/link/", {"student": student_key(session)})
    assert code_of(taken) == (409, "student_already_here")
    foreign = str(factories.school_class(factories.teacher()).students.all()[0].id)
    assert code_of(tutor.post(f"{person}/link/", {"student": foreign})) == (404, "not_found")
    own = f"sessions/{session.id}/participants/{pupil.participant}"
    assert code_of(tutor.post(f"{own}/link/", {"student": student_key(session, 1)})) == (409, "not_a_guest")


def test_a_cookie_request_needs_the_csrf_token_and_a_bearer_request_does_not(session: Session) -> None:
    pupil = Pupil()
    pupil.join(session)
    token, pupil.token = pupil.token, ""
    pupil.client.cookies[passes.SEAT_COOKIE] = token
    assert pupil.get("me/").status_code == 200
    assert code_of(pupil.post("me/leave/")) == (403, "csrf")
    pupil.token = token
    assert pupil.post("me/leave/").status_code == 204


def test_the_seat_cookie_is_out_of_reach_of_scripts_and_plain_on_plain_http(session: Session) -> None:
    pupil = Pupil()
    guest = pupil.open_door(session.code).json()["guests"][0]["key"]
    cookie = pupil.post("join/", {"code": session.code, "guest": guest}).cookies[passes.SEAT_COOKIE]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert not cookie["secure"]


def test_a_forged_or_foreign_token_is_nobody(session: Session) -> None:
    pupil = Pupil()
    pupil.join(session)
    for token in ("x", pupil.token[:-1], passes.seat_token(participant=uuid4(), session=session.id, epoch=1)):
        stranger = Pupil()
        stranger.token = token
        assert code_of(stranger.get("me/")) == (401, "join_first")


@pytest.mark.parametrize("code", ["%00", "x" * 200, "é", "'; DROP TABLE", "..", "BCDFGHJ"])
def test_a_code_that_nobody_gave_out_is_unknown_whatever_it_looks_like(transactional_db: None, code: str) -> None:
    answer = Pupil().open_door(code)
    assert code_of(answer)[0] in (400, 404)


@pytest.mark.parametrize("body", [b"{", b"\xff", b"[]", b'{"code": "\\u0000"}', b"x" * 1_000_001, b'{"code": 1e999}'])
def test_a_body_that_makes_no_sense_gets_a_clear_answer(transactional_db: None, body: bytes) -> None:
    answer = Pupil().client.post("/api/v1/join/", data=body, content_type="application/json")
    assert 400 <= answer.status_code < 500
    assert answer.json()["code"]
