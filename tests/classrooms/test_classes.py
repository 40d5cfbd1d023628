"""Accounts, tokens and classes through the API."""

from __future__ import annotations

import json
from uuid import uuid4

import psycopg
import pytest
from django.core.management import CommandError, call_command

from classrooms import services
from classrooms.models import SchoolClass, Teacher
from games.store import CHANNEL
from tests import factories
from tests.classrooms.people import Answering, Tutor, code_of
from tests.stack import own_database_url


def sign_in(teacher: Teacher, password: str = factories.PASSWORD) -> Answering:
    client = Answering()
    answer = client.post("teacher-tokens/", {"email": teacher.email.upper(), "password": password})
    if answer.status_code == 201:
        client.token = answer.json()["token"]
    return client


def test_a_teacher_signs_in_with_the_address_in_any_case(ana: Teacher) -> None:
    assert sign_in(ana).get("classes/").status_code == 200


def test_a_password_change_ends_earlier_tokens(ana: Teacher) -> None:
    client = sign_in(ana)
    services.change_password(ana, old=factories.PASSWORD, new="bleuet-marron-77")
    assert code_of(client.get("classes/")) == (401, "sign_in")
    assert sign_in(ana, "bleuet-marron-77").get("classes/").status_code == 200


def test_signing_out_everywhere_ends_all_tokens(ana: Teacher) -> None:
    first, second = sign_in(ana), sign_in(ana)
    assert first.delete("teacher-tokens/").status_code == 204
    assert code_of(second.get("classes/")) == (401, "sign_in")


def test_the_hubs_hear_that_earlier_passes_are_dead(ana: Teacher) -> None:
    with psycopg.connect(own_database_url(), autocommit=True) as ears:
        ears.execute(f"LISTEN {CHANNEL}")
        services.change_password(ana, old=factories.PASSWORD, new="bleuet-marron-77")
        services.revoke_tokens(ana)
        heard = [json.loads(notice.payload) for notice in ears.notifies(timeout=5, stop_after=2)]
    assert [(each["topic"], each["epoch"]) for each in heard] == [(f"close:{ana.id}", 2), (f"close:{ana.id}", 3)]


def test_a_closed_account_is_out_at_once(ana: Teacher) -> None:
    client = sign_in(ana)
    Teacher.objects.filter(id=ana.id).update(is_active=False)
    assert code_of(client.get("classes/")) == (401, "sign_in")
    assert code_of(client.post("teacher-tokens/", {"email": ana.email, "password": factories.PASSWORD}))[0] == 401


def test_ten_wrong_passwords_close_the_account_for_a_while_and_no_other(ana: Teacher) -> None:
    other = factories.teacher()
    for _ in range(10):
        answer = Answering().post("teacher-tokens/", {"email": ana.email, "password": "no"})
        assert code_of(answer) == (401, "wrong_credentials")
    refused = Answering().post("teacher-tokens/", {"email": ana.email, "password": factories.PASSWORD})
    assert code_of(refused) == (429, "too_many_tries")
    assert int(refused["Retry-After"]) > 0
    assert sign_in(other).token


@pytest.mark.parametrize("body", [{}, {"email": 1, "password": []}, {"email": "a@b.ch"}, []])
def test_a_sign_in_that_makes_no_sense_is_a_bad_request(transactional_db: None, body: object) -> None:
    assert Answering().post("teacher-tokens/", body).status_code == 400


def test_a_class_is_made_with_its_names_and_listed_with_their_number(tutor: Tutor) -> None:
    made = tutor.post("classes/", {"name": " 6b ", "names": ["Aïcha", "Noé"]})
    assert made.status_code == 201
    assert made["Cache-Control"] == "no-store"
    assert [row["name"] for row in made.json()["students"]] == ["Aïcha", "Noé"]
    (listed,) = tutor.get("classes/").json()
    assert (listed["name"], listed["pupils"]) == ("6b", 2)


def test_a_class_is_renamed_and_archived(tutor: Tutor) -> None:
    made = tutor.post("classes/", {"name": "6b"}).json()
    assert tutor.patch(f"classes/{made['id']}/", {"name": "7a", "archived": True}).json()["archived"] is True
    assert tutor.get("classes/").json() == []
    assert tutor.patch(f"classes/{made['id']}/", {"archived": False}).json()["name"] == "7a"


def test_a_pupil_who_leaves_the_class_is_off_the_list(tutor: Tutor) -> None:
    made = tutor.post("classes/", {"name": "6b", "names": ["Aïcha", "Noé"]}).json()
    assert tutor.delete(f"students/{made['students'][0]['id']}/").status_code == 204
    assert [row["name"] for row in tutor.get(f"classes/{made['id']}/").json()["students"]] == ["Noé"]


def test_a3_fields_that_are_nobodys_to_set_are_not_set(tutor: Tutor) -> None:
    other = factories.teacher()
    body = {"name": "6b", "id": str(uuid4()), "teacher": str(other.id), "school": str(other.school_id)}
    made = tutor.post("classes/", body | {"archived": True, "pupils": 9}).json()
    row = SchoolClass.objects.get(id=made["id"])
    assert (row.teacher_id, row.school_id, row.archived_at) == (tutor.teacher.id, tutor.teacher.school_id, None)
    assert made["id"] != body["id"]


def test_a_key_makes_one_class_however_often_it_is_sent(tutor: Tutor) -> None:
    answers = [tutor.post("classes/", {"name": "6b"}, Idempotency_Key="k1") for _ in range(3)]
    assert len({answer.content for answer in answers}) == 1
    assert SchoolClass.objects.count() == 1
    assert code_of(tutor.post("classes/", {"name": "7a"}, Idempotency_Key="k1")) == (422, "key_reused")


def test_a4_the_list_of_classes_takes_the_same_queries_whatever_its_length(
    tutor: Tutor, django_assert_num_queries: object
) -> None:
    for number in range(3):
        factories.school_class(tutor.teacher, name=f"c{number}")
    with django_assert_num_queries(2):  # type: ignore[operator]
        tutor.get("classes/")


def test_create_teacher_makes_the_first_account(transactional_db: None, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("create_teacher", "First@Ecole.example", "--generate", "--school", "Tilleuls")
    printed = capsys.readouterr().out
    password = printed.partition("Password: ")[2].strip()
    teacher = Teacher.objects.get(email="first@ecole.example")
    assert teacher.check_password(password)
    with pytest.raises(CommandError, match="already"):
        call_command("create_teacher", "first@ecole.example", "--generate")


@pytest.mark.parametrize("password", ["short", "password1234", "1234567890123"])
def test_create_teacher_refuses_a_weak_password(transactional_db: None, password: str) -> None:
    with pytest.raises(CommandError, match="weak"):
        call_command("create_teacher", "a@ecole.example", "--password", password)
