"""A teacher at a browser without JavaScript: signed in, with CSRF checks on, as forms send them."""

from __future__ import annotations

import html
import re
from typing import Any

from django.test import Client
from django.urls import reverse

from classrooms.models import Teacher
from tests import factories

_HIDDEN = re.compile(r'<input type="hidden" name="(key|seen_faults)" value="([^"]*)"')


class Desk:
    """``get`` and ``post`` by the name of the page; every form sends the fields that its page hid in it."""

    def __init__(self, teacher: Teacher | None = None) -> None:
        self.client = Client(enforce_csrf_checks=True)
        if teacher is not None:
            self.sign_in(teacher)

    def sign_in(self, teacher: Teacher, password: str = factories.PASSWORD, **more: Any) -> Any:
        fields = {"username": teacher.email, "password": password}
        return self.post("sign_in", fields, **more)

    def get(self, page: str, *ids: Any, query: str = "", htmx: bool = False) -> Any:
        return self.client.get(_path(page, ids) + query, headers=_headers(htmx))

    def post(
        self, page: str, fields: dict[str, Any] | None = None, *ids: Any, htmx: bool = False, follow: bool = True
    ) -> Any:
        return self.client.post(_path(page, ids), (fields or {}) | self._token(), follow=follow, headers=_headers(htmx))

    def _token(self) -> dict[str, str]:
        if "csrftoken" not in self.client.cookies:
            self.client.get(_path("sign_in", ()))
        return {"csrfmiddlewaretoken": self.client.cookies["csrftoken"].value}


def hidden(response: Any) -> dict[str, str]:
    """What the page's form carries along unseen."""
    return dict(_HIDDEN.findall(response.content.decode()))


def words_of(response: Any) -> str:
    """The page's text as a reader meets it: no tags, entities resolved, spaces single."""
    text = re.sub(r"<(script|style)\b.*?</\1>", " ", response.content.decode(), flags=re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", text)).split())


def _path(page: str, ids: tuple[Any, ...]) -> str:
    return reverse(f"teacher:{page}", args=ids)


def _headers(htmx: bool) -> dict[str, str]:
    return {"HX-Request": "true"} if htmx else {}
