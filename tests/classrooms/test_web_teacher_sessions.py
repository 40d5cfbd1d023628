"""A session at the teacher's desk: four choices, lobby, live grid, wall; nobody else's session exists."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from classrooms import selectors
from classrooms.models import Participant, Session, Teacher
from classrooms.sessions import services as sessions
from games.models import Seat, Table
from games.rules import game
from tests import factories
from tests.classrooms.desk import Desk, hidden, words_of
from tests.classrooms.people import Pupil

CHOICES = {"game": "syllables", "band": "11-15", "school_class": "open", "robots": "hard"}
NAMES = ("Emma Martin", "Noé", "Emma Martin", "<<a>b>Zoe", "Luc")


@pytest.fixture
def ana(db: None) -> Teacher:
    return factories.teacher(language="en")


@pytest.fixture
def desk(ana: Teacher) -> Desk:
    return Desk(ana)


@pytest.fixture
def lobby(ana: Teacher) -> Session:
    return factories.session(ana, school_class=factories.school_class(ana, *NAMES))


@pytest.fixture
def running(lobby: Session) -> Session:
    """Three students and a guest at one table."""
    come(lobby, students=3, guests=1)
    return sessions.start(lobby)


def come(session: Session, *, students: int = 0, guests: int = 0) -> list[Participant]:
    listed = selectors.pupils(session.school_class) if session.school_class else []
    taken = session.participants.exclude(adjective=None).count()
    joined = [sessions.join(session.code, student=pupil.id) for pupil in listed[:students]]
    joined += [sessions.join(session.code, guest=f"{taken + number}-1") for number in range(guests)]
    return [row.participant for row in joined]


def queries(desk: Desk, page: str, *ids: Any) -> int:
    with CaptureQueriesContext(connection) as asked:
        assert desk.get(page, *ids).status_code == 200
    return len(asked)


def sole_table(session: Session) -> Table:
    return Table.objects.get(session=session.id)


# --- four choices -------------------------------------------------------------------------------------------------


def test_four_choices_open_a_lobby(desk: Desk, ana: Teacher) -> None:
    listed = factories.school_class(ana)
    page = desk.get("session_new")
    answer = desk.post("session_new", {**CHOICES, "school_class": str(listed.id), **hidden(page)})
    session = Session.objects.get()
    assert answer.redirect_chain == [(f"/teacher/sessions/{session.id}/", 302)]
    assert (session.band, session.robots, session.school_class, session.language) == ("11-15", "hard", listed, "fr")
    assert session.status == "lobby"


def test_an_open_session_without_robots_has_neither_class_nor_level(desk: Desk) -> None:
    desk.post("session_new", {**CHOICES, "robots": "none"})
    session = Session.objects.get()
    assert session.school_class is None
    assert session.robots is None


def test_the_page_sums_the_choices_up_in_a_sentence(desk: Desk, ana: Teacher) -> None:
    listed = factories.school_class(ana, name="6b")
    text = words_of(desk.get("session_new", query=f"?class={listed.id}"))
    assert (
        "8 rounds of Syllables, French words, 8 to 10 years, class 6b, "
        "tables of 3 or 4, one medium robot at every table" in text
    )


def test_the_class_that_played_last_is_chosen_already(desk: Desk, ana: Teacher) -> None:
    factories.school_class(ana, name="6a")
    last = factories.school_class(ana, name="6b")
    factories.session(ana, school_class=last)
    assert re.search(rf'value="{last.id}" checked', desk.get("session_new").content.decode())


@pytest.mark.parametrize("field", ["game", "band", "school_class", "robots"])
def test_a_choice_that_is_not_offered_is_refused(desk: Desk, field: str) -> None:
    answer = desk.post("session_new", {**CHOICES, field: "nonsense"})
    assert answer.redirect_chain == []
    assert not Session.objects.exists()


def test_a2_the_class_of_another_teacher_cannot_be_chosen(desk: Desk) -> None:
    foreign = factories.school_class(factories.teacher(), name="their class")
    assert "their class" not in words_of(desk.get("session_new"))
    desk.post("session_new", {**CHOICES, "school_class": str(foreign.id)})
    assert not Session.objects.exists()


def test_m8_the_same_choices_sent_three_times_open_one_session(desk: Desk) -> None:
    fields = CHOICES | hidden(desk.get("session_new"))
    answers = [desk.post("session_new", fields) for _ in range(3)]
    assert Session.objects.count() == 1
    assert len({answer.redirect_chain[-1][0] for answer in answers}) == 1


# --- lobby --------------------------------------------------------------------------------------------------------


def test_the_lobby_shows_code_address_and_qr(desk: Desk, lobby: Session) -> None:
    page = desk.get("session", lobby.id)
    body = page.content.decode()
    assert f"{lobby.code[:3]}" in body
    assert " ".join(lobby.code) in words_of(page)
    assert "testserver" in words_of(page)
    assert "<svg" in body
    assert "data:" not in body


def test_names_drop_in_and_who_is_missing_is_told(desk: Desk, lobby: Session) -> None:
    come(lobby, students=4, guests=1)
    text = words_of(desk.get("session", lobby.id))
    assert "5 students are in" in text
    assert "4 of 5 of the class" in text
    assert "1 is not here yet" in text


def test_case_65_two_students_of_one_name_carry_marks_for_the_teacher_only(desk: Desk, lobby: Session) -> None:
    come(lobby, students=3)
    assert desk.get("session", lobby.id).content.decode().count('class="mark"') == 2
    assert 'class="mark"' not in desk.get("projector", lobby.id).content.decode()


@pytest.mark.parametrize("page", ["session", "projector"])
def test_case_77_a_name_like_markup_is_shown_as_typed(desk: Desk, lobby: Session, page: str) -> None:
    come(lobby, students=4)
    assert "<bdi>&lt;&lt;a&gt;b&gt;Zoe</bdi>" in desk.get(page, lobby.id).content.decode()


def test_the_door_is_shut_and_opened(desk: Desk, lobby: Session) -> None:
    assert "nobody new comes in" in words_of(desk.post("session_lock", {"lock": "1"}, lobby.id))
    lobby.refresh_from_db()
    assert lobby.locked
    desk.post("session_lock", {"lock": ""}, lobby.id)
    lobby.refresh_from_db()
    assert not lobby.locked


def test_nobody_is_removed_without_being_asked_first(desk: Desk, lobby: Session) -> None:
    person = come(lobby, students=1)[0]
    assert "Remove Emma Martin?" in words_of(desk.get("person_remove", lobby.id, person.id))
    person.refresh_from_db()
    assert person.removed_at is None
    desk.post("person_remove", {"sure": "yes"}, lobby.id, person.id)
    person.refresh_from_db()
    assert person.removed_at is not None
    assert "0 students are in" in words_of(desk.get("session", lobby.id))


def test_a_guest_is_linked_to_a_student_and_that_can_be_taken_back(desk: Desk, lobby: Session) -> None:
    guest = come(lobby, guests=1)[0]
    assert lobby.school_class is not None
    luc = selectors.pupils(lobby.school_class)[4]
    desk.post("person_link", {"student": str(luc.id)}, lobby.id, guest.id)
    guest.refresh_from_db()
    assert guest.student_id == luc.id
    assert "= Luc" in words_of(desk.get("session", lobby.id))
    desk.post("person_link", {"student": ""}, lobby.id, guest.id)
    guest.refresh_from_db()
    assert guest.student_id is None


def test_a4_a_guest_is_not_linked_to_another_teachers_student(desk: Desk, lobby: Session) -> None:
    guest = come(lobby, guests=1)[0]
    stranger = selectors.pupils(factories.school_class(factories.teacher()))[0]
    assert desk.post("person_link", {"student": str(stranger.id)}, lobby.id, guest.id).status_code == 404
    assert desk.post("person_link", {"student": "no uuid"}, lobby.id, guest.id).status_code == 404
    guest.refresh_from_db()
    assert guest.student_id is None


def test_start_waits_for_somebody(desk: Desk, lobby: Session) -> None:
    assert "The game starts when somebody is in" in words_of(desk.get("session", lobby.id))
    assert "too_few_people" in words_of(desk.post("session_start", {}, lobby.id))
    come(lobby, students=1)
    text = words_of(desk.post("session_start", {}, lobby.id))
    assert "Pause all" in text
    assert "already_started" in words_of(desk.post("session_start", {}, lobby.id))


# --- live ---------------------------------------------------------------------------------------------------------


def test_each_seat_has_a_tile_with_its_state_in_words(desk: Desk, running: Session) -> None:
    page = desk.get("session", running.id)
    text = words_of(page)
    assert "Table 1 round 1 of 8" in text
    assert page.content.decode().count('<li class="seat thinking"') == 4
    assert "thinking 4" in text


def test_all_pause_and_go_on_by_one_button(desk: Desk, running: Session) -> None:
    assert "Everything is paused" in words_of(desk.post("session_pause", {}, running.id))
    assert sole_table(running).status == "paused"
    assert "Pause all" in words_of(desk.post("session_resume", {}, running.id))
    assert sole_table(running).status == "active"


def test_thirty_seconds_more_for_everybody(desk: Desk, running: Session) -> None:
    before = sole_table(running).deadline
    desk.post("session_extend", {}, running.id)
    after = sole_table(running).deadline
    assert before is not None
    assert after is not None
    assert after - before == timedelta(seconds=30)


def test_a_button_answers_htmx_with_the_region_alone(desk: Desk, running: Session) -> None:
    answer = desk.post("session_pause", {}, running.id, htmx=True, follow=False)
    assert answer.status_code == 200
    assert "<html" not in answer.content.decode()
    assert "Everything is paused" in words_of(answer)
    assert 'id="messages" hx-swap-oob="true"' in answer.content.decode()


def test_a_refused_button_tells_why_in_place(desk: Desk, lobby: Session) -> None:
    answer = desk.post("session_pause", {}, lobby.id, htmx=True, follow=False)
    assert "not_started" in words_of(answer)


@pytest.mark.django_db(transaction=True)
def test_a_removed_student_leaves_the_seat_to_a_robot(transactional_db: None) -> None:
    ana = factories.teacher(language="en")
    session = factories.session(ana, school_class=factories.school_class(ana, *NAMES))
    person = come(session, students=2, guests=2)[0]
    sessions.start(session)
    desk = Desk(ana)
    desk.post("person_remove", {"sure": "yes"}, session.id, person.id)
    seats = Seat.objects.filter(table__session=session.id)
    assert not seats.filter(participant=person.id, left_at=None).exists()
    assert seats.filter(robot_level="easy").exists() or seats.exclude(left_at=None).exists()


def test_a_late_comer_is_shown_and_takes_a_robots_seat(desk: Desk, ana: Teacher) -> None:
    session = factories.session(ana, school_class=factories.school_class(ana, *NAMES))
    come(session, students=2)
    sessions.start(session)
    late = come(session, guests=1)[0]
    page = desk.get("session", session.id)
    assert "Waiting for a seat" in words_of(page)
    desk.post("person_seat", {"table": "1"}, session.id, late.id)
    assert Seat.objects.filter(table__session=session.id, participant=late.id).exists()
    assert "Waiting for a seat" not in words_of(desk.get("session", session.id))


def test_without_a_robots_seat_the_late_comer_is_told_to_wait(desk: Desk, lobby: Session) -> None:
    Session.objects.filter(id=lobby.id).update(robots=None)
    come(lobby, students=3, guests=1)
    running = sessions.start(lobby)
    late = come(running, guests=1)[0]
    assert "No robot's seat is free" in words_of(desk.get("session", running.id))
    assert "no_robot_seat" in words_of(desk.post("person_seat", {"table": "1"}, running.id, late.id))


def test_a_re_entry_code_moves_the_seat_to_another_tablet(desk: Desk, running: Session) -> None:
    person = running.participants.order_by("joined_at").first()
    assert person is not None
    page = desk.post("person_reentry", {}, running.id, person.id)
    code = re.search(r'id="reentry-code">(\w+)<', page.content.decode())
    assert code is not None
    tablet = Pupil()
    answer = tablet.post("reentry/", {"code": code[1]})
    assert answer.status_code in (200, 201), answer.content
    assert answer.json()["participant"] == str(person.id)
    assert "no-store" in page["Cache-Control"]


def test_the_end_is_asked_for_first_and_leads_to_the_report(desk: Desk, running: Session) -> None:
    assert "End the session?" in words_of(desk.get("session_end", running.id))
    running.refresh_from_db()
    assert running.status == "active"
    answer = desk.post("session_end", {"sure": "yes"}, running.id)
    running.refresh_from_db()
    assert running.status == "over"
    assert "In short" in words_of(answer)


def test_an_open_live_page_is_led_to_the_report_when_the_session_ends(desk: Desk, running: Session) -> None:
    sessions.end(running)
    answer = desk.get("session", running.id, htmx=True)
    assert answer.status_code == 204
    assert answer["HX-Redirect"] == f"/teacher/sessions/{running.id}/"


def test_l5_the_session_is_taken_up_on_another_device(ana: Teacher, running: Session) -> None:
    phone = Desk(ana)
    assert "Open the session" in words_of(phone.get("home"))
    assert "Pause all" in words_of(phone.get("session", running.id))


def test_deletion_is_asked_for_first_and_takes_tables_and_people_along(desk: Desk, running: Session) -> None:
    assert "Delete this session?" in words_of(desk.get("session_delete", running.id))
    assert Session.objects.exists()
    desk.post("session_delete", {"sure": "yes"}, running.id)
    assert not Session.objects.exists()
    assert not Participant.objects.exists()
    assert not Table.objects.exists()


def test_play_again_opens_a_new_lobby_with_the_same_choices_once(desk: Desk, running: Session) -> None:
    sessions.end(running)
    fields = hidden(desk.get("session", running.id))
    for _ in range(2):
        desk.post("session_again", fields, running.id)
    fresh = Session.objects.exclude(id=running.id).get()
    assert (fresh.school_class, fresh.band, fresh.robots) == (running.school_class, running.band, running.robots)
    assert fresh.code != running.code


# --- wall ---------------------------------------------------------------------------------------------------------


def test_the_wall_shows_centre_cards_round_and_stars_but_no_hand(desk: Desk, running: Session) -> None:
    state = game("syllables").state_from(sole_table(running).state)
    page = desk.get("projector_table", running.id, 1)
    body = page.content.decode()
    assert "Round 1 of 8" in words_of(page)
    for card in state.centre:
        assert f'<span class="syl-text">{card.text}</span>' in body
    assert body.count('class="syl-text"') == 6
    hidden_ids = [card.id for player in state.players for card in player.hand]
    assert hidden_ids
    assert all(ident not in body for ident in hidden_ids)


def test_the_code_stands_on_the_wall_while_late_comers_may_come(desk: Desk, running: Session) -> None:
    assert running.code in words_of(desk.get("projector", running.id))
    desk.post("session_lock", {"lock": "1"}, running.id)
    assert running.code not in words_of(desk.get("projector", running.id))


def test_a_table_that_does_not_exist_has_no_wall(desk: Desk, running: Session) -> None:
    assert desk.get("projector_table", running.id, 7).status_code == 404


# --- who may --------------------------------------------------------------------------------------------------------

PAGES = ("session", "session_end", "session_delete", "projector", "projector_table")
BUTTONS = (
    "session_start",
    "session_pause",
    "session_resume",
    "session_extend",
    "session_next",
    "session_lock",
    "session_again",
    "session_end",
    "session_delete",
)
PEOPLE = ("person_remove", "person_link", "person_seat", "person_reentry")


@pytest.mark.parametrize("page", [*PAGES, *(f"{name}!" for name in BUTTONS)])
def test_a1_a_foreign_session_is_as_missing_as_none(running: Session, page: str) -> None:
    other = Desk(factories.teacher(language="en"))
    name = page.rstrip("!")
    more = (1,) if name == "projector_table" else ()
    ids = (running.id, uuid4())
    answers = [other.post(name, {}, at) if page.endswith("!") else other.get(name, at, *more) for at in ids]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert words_of(answers[0]) == words_of(answers[1])
    running.refresh_from_db()
    assert (running.status, running.locked) == ("active", False)


@pytest.mark.parametrize("page", PEOPLE)
def test_a4_somebody_is_reached_through_their_own_session_only(desk: Desk, running: Session, page: str) -> None:
    person = running.participants.first()
    own = factories.session(Teacher.objects.get(id=running.teacher_id))
    assert person is not None
    assert desk.post(page, {}, own.id, person.id).status_code == 404
    other = Desk(factories.teacher())
    assert other.post(page, {}, running.id, person.id).status_code == 404
    person.refresh_from_db()
    assert person.removed_at is None


@pytest.mark.parametrize("page", [*PAGES, *BUTTONS])
def test_a1_whoever_is_not_signed_in_is_led_to_the_sign_in_page(running: Session, page: str) -> None:
    more = (1,) if page == "projector_table" else ()
    nobody = Desk()
    answer = nobody.get(page, running.id, *more) if page in PAGES else nobody.post(page, {}, running.id, follow=False)
    assert answer.status_code == 302
    assert answer["Location"].startswith("/teacher/sign-in/")
    running.refresh_from_db()
    assert running.status == "active"


# --- how much is asked ----------------------------------------------------------------------------------------------


def test_the_list_of_sessions_asks_as_much_for_twenty_as_for_one(desk: Desk, ana: Teacher, running: Session) -> None:
    pages = ("home", "sessions")
    one = [queries(desk, page) for page in pages]
    for _ in range(19):
        factories.session(ana)
    assert [queries(desk, page) for page in pages] == one


def test_the_live_grid_asks_as_much_for_five_tables_as_for_one(desk: Desk, ana: Teacher, running: Session) -> None:
    pages = ("session", "projector")
    one = [queries(desk, page, running.id) for page in pages]
    large = factories.session(ana, school_class=running.school_class)
    come(large, students=3, guests=14)
    sessions.start(large)
    assert Table.objects.filter(session=large.id).count() == 5
    assert [queries(desk, page, large.id) for page in pages] == one
