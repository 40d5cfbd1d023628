"""The administration is entered by the sign-in that counts wrong passwords, and by no other."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories

pytestmark = pytest.mark.django_db


def test_the_administration_sends_to_the_teachers_sign_in() -> None:
    steps = Client().get("/admin/", follow=True).redirect_chain
    assert steps[-1][0] == f"{reverse('teacher:sign_in')}?next=/admin/"


def test_its_own_form_takes_no_password() -> None:
    teacher = factories.teacher(is_staff=True)
    client = Client()
    client.post("/admin/login/", {"username": teacher.email, "password": factories.PASSWORD, "next": "/admin/"})
    assert "sessionid" not in client.cookies
    back = client.post(
        f"{reverse('teacher:sign_in')}?next=/admin/", {"username": teacher.email, "password": factories.PASSWORD}
    )
    assert back["Location"] == "/admin/"
    assert client.get("/admin/").status_code == 200


def test_a_teacher_who_is_no_staff_is_refused_and_not_sent_round() -> None:
    client = Client()
    client.force_login(factories.teacher())
    assert client.get("/admin/", follow=True).status_code == 403
