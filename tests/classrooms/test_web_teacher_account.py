"""Sign-in, sign-out, password, language: over HTTP as a browser without JavaScript does it."""

from __future__ import annotations

import pytest
from django.contrib.auth import SESSION_KEY

from classrooms.models import Teacher
from games import passes
from tests import factories
from tests.classrooms.desk import Desk, words_of
from tests.classrooms.people import Answering

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana(db: None) -> Teacher:
    return factories.teacher(language="en")


def signed_in(desk: Desk) -> bool:
    return SESSION_KEY in desk.client.session


def test_sign_in_leads_home_with_a_pass_for_streams(ana: Teacher) -> None:
    desk = Desk()
    answer = desk.sign_in(ana)
    assert answer.redirect_chain == [("/teacher/", 302)]
    cookie = desk.client.cookies[passes.TEACHER_COOKIE]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    read = passes.read_teacher(cookie.value)
    assert read is not None
    assert (read.teacher, read.school) == (ana.id, ana.school_id)


def test_s4_the_session_key_changes_at_sign_in(ana: Teacher) -> None:
    desk = Desk()
    desk.client.session.save()
    before = desk.client.session.session_key
    desk.sign_in(ana)
    assert signed_in(desk)
    assert desk.client.session.session_key != before


def test_a_wrong_password_says_so_and_signs_nobody_in(ana: Teacher) -> None:
    desk = Desk()
    answer = desk.sign_in(ana, password="not this one")
    assert "do not go together" in words_of(answer) or "ne vont pas ensemble" in words_of(answer)
    assert not signed_in(desk)
    assert passes.TEACHER_COOKIE not in desk.client.cookies


def test_somebody_elses_guesses_do_not_shut_the_teacher_out(ana: Teacher) -> None:
    pupil, api = Desk(), Answering()
    for _ in range(11):
        pupil.sign_in(ana, "no such word")
        api.post("teacher-tokens/", {"email": ana.email, "password": "no"})
    assert "too_many_tries" in words_of(pupil.sign_in(ana))
    assert Desk(ana).get("home").status_code == 200


def test_after_ten_wrong_passwords_the_account_rests_even_for_the_right_one(ana: Teacher) -> None:
    desk = Desk()
    for _ in range(10):
        desk.sign_in(ana, password="not this one")
    answer = desk.sign_in(ana)
    assert "too_many_tries" in words_of(answer)
    assert not signed_in(desk)


def test_sign_in_goes_back_to_where_one_came_from_but_never_to_another_site(ana: Teacher) -> None:
    fields = {"username": ana.email, "password": factories.PASSWORD}
    home = Desk().post("sign_in", {**fields, "next": "/teacher/classes/"})
    assert home.redirect_chain[0][0] == "/teacher/classes/"
    abroad = Desk().post("sign_in", {**fields, "next": "https://elsewhere.example/"})
    assert abroad.redirect_chain[0][0] == "/teacher/"


def test_sign_out_takes_session_and_stream_pass_away(ana: Teacher) -> None:
    desk = Desk(ana)
    desk.post("sign_out")
    assert not signed_in(desk)
    assert desk.client.cookies[passes.TEACHER_COOKIE].value == ""
    assert desk.get("home").status_code == 302


def test_sign_out_needs_the_form_of_the_page(ana: Teacher) -> None:
    desk = Desk(ana)
    assert desk.client.get("/teacher/sign-out/").status_code == 405
    assert desk.client.post("/teacher/sign-out/").status_code == 403
    assert signed_in(desk)


def test_the_page_for_nobody_yet_says_how_the_first_teacher_is_made(db: None) -> None:
    assert "create_teacher" in words_of(Desk().get("sign_in"))


def test_with_a_teacher_that_hint_is_gone(ana: Teacher) -> None:
    assert "create_teacher" not in words_of(Desk().get("sign_in"))


def test_a_changed_password_keeps_this_session_and_ends_the_others(ana: Teacher) -> None:
    here, elsewhere = Desk(ana), Desk(ana)
    old_pass = here.client.cookies[passes.TEACHER_COOKIE].value
    new = {"old": factories.PASSWORD, "new": "noisette-bleue-77", "again": "noisette-bleue-77"}
    here.post("password", new)
    assert here.get("home").status_code == 200
    assert elsewhere.get("home").status_code == 302
    ana.refresh_from_db()
    fresh = passes.read_teacher(here.client.cookies[passes.TEACHER_COOKIE].value)
    assert fresh is not None
    assert fresh.epoch == ana.tokens_epoch
    assert here.client.cookies[passes.TEACHER_COOKIE].value != old_pass
    assert Desk().sign_in(ana, password="noisette-bleue-77").redirect_chain


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"old": "wrong", "new": "noisette-bleue-77", "again": "noisette-bleue-77"}, "wrong_password"),
        ({"old": factories.PASSWORD, "new": "1234567890", "again": "1234567890"}, "weak_password"),
    ],
)
def test_a_refused_password_change_tells_why(ana: Teacher, fields: dict[str, str], code: str) -> None:
    desk = Desk(ana)
    assert code in words_of(desk.post("password", fields))
    ana.refresh_from_db()
    assert ana.check_password(factories.PASSWORD)


def test_two_different_new_passwords_are_refused(ana: Teacher) -> None:
    fields = {"old": factories.PASSWORD, "new": "noisette-bleue-77", "again": "noisette-bleue-78"}
    answer = Desk(ana).post("password", fields)
    assert answer.redirect_chain == []
    ana.refresh_from_db()
    assert ana.check_password(factories.PASSWORD)


def test_the_language_of_the_pages_is_kept_with_the_account(ana: Teacher) -> None:
    desk = Desk(ana)
    assert "New session" in words_of(desk.get("home"))
    answer = desk.post("language", {"language": "fr", "next": "/teacher/classes/"})
    assert answer.redirect_chain == [("/teacher/classes/", 302)]
    assert "Nouvelle séance" in words_of(desk.get("home"))
    ana.refresh_from_db()
    assert ana.language == "fr"
    assert "Nouvelle séance" in words_of(Desk(ana).get("home"))


def test_an_unknown_language_or_another_site_changes_nothing(ana: Teacher) -> None:
    desk = Desk(ana)
    answer = desk.post("language", {"language": "xx", "next": "https://elsewhere.example/"})
    assert answer.redirect_chain == [("/teacher/", 302)]
    ana.refresh_from_db()
    assert ana.language == "en"


def test_pages_of_teachers_are_kept_by_no_machine_and_carry_the_policy(ana: Teacher) -> None:
    answer = Desk(ana).get("home")
    assert "no-store" in answer["Cache-Control"]
    assert "default-src 'self'" in answer["Content-Security-Policy"]
    assert "unsafe" not in answer["Content-Security-Policy"]


def test_a_part_of_a_page_sends_htmx_to_the_whole_sign_in_page(ana: Teacher) -> None:
    desk = Desk()
    answer = desk.get("home", htmx=True)
    assert answer.status_code == 204
    assert answer["HX-Redirect"].startswith("/teacher/sign-in/")
