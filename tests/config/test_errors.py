"""Bad input gets a clear answer with a stable code, never a 500."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.test import Client
from django.urls import path
from rest_framework.response import Response
from rest_framework.views import APIView

from config.errors import STATUS, answer_to
from games.engine.contract import IllegalMove
from wordlists import refusals

ERRORS: dict[str, Callable[[], Exception]] = {
    "illegal_move": lambda: IllegalMove("wrong_round"),
    "invalid": lambda: refusals.Invalid("word_too_short"),
    "unknown": lambda: refusals.Unknown("token_revoked"),
    "forbidden": lambda: refusals.Forbidden("not_yours"),
    "missing": lambda: refusals.Missing("no_session"),
    "conflict": lambda: refusals.Conflict("too_late"),
    "gone": lambda: refusals.Gone("session_over"),
    "unprocessable": lambda: refusals.Unprocessable("key_reused"),
    "too_many": lambda: refusals.TooMany(retry_after=7),
    "validation": lambda: msgspec.ValidationError("Expected `int`"),
    "http404": Http404,
    "permission": PermissionDenied,
    "too_big": RequestDataTooBig,
    "away": lambda: OperationalError("could not write Zoë"),
    "bug": lambda: ZeroDivisionError("secret detail"),
}


def plain(request: HttpRequest, kind: str) -> HttpResponse:
    raise ERRORS[kind]()


class Api(APIView):
    def get(self, request: Any, kind: str) -> Response:
        raise ERRORS[kind]()

    def post(self, request: Any, kind: str) -> Response:
        return Response({"got": request.data})


def form(request: HttpRequest) -> HttpResponse:
    return HttpResponse(request.POST.get("name", ""))


handler400 = "config.errors.malformed"
handler404 = "config.errors.not_found"
handler500 = "config.errors.server_error"

urlpatterns = [
    path("api/plain/<str:kind>/", plain),
    path("api/drf/<str:kind>/", Api.as_view()),
    path("page/<str:kind>/", plain),
    path("form/", form),
]

pytestmark = [pytest.mark.urls(__name__), pytest.mark.django_db]


@pytest.fixture
def client() -> Client:
    return Client(raise_request_exception=False)


@pytest.mark.parametrize("view", ["plain", "drf"])
@pytest.mark.parametrize(
    ("kind", "status", "code"),
    [
        ("illegal_move", 409, "wrong_round"),
        ("invalid", 400, "word_too_short"),
        ("unknown", 401, "token_revoked"),
        ("forbidden", 403, "not_yours"),
        ("missing", 404, "no_session"),
        ("conflict", 409, "too_late"),
        ("gone", 410, "session_over"),
        ("unprocessable", 422, "key_reused"),
        ("too_many", 429, "throttled"),
        ("validation", 400, "invalid"),
        ("http404", 404, "not_found"),
        ("permission", 403, "forbidden"),
        ("too_big", 413, "too_large"),
        ("away", 503, "busy"),
        ("bug", 500, "server_error"),
    ],
)
def test_every_refusal_is_a_problem_with_a_stable_code(
    client: Client, view: str, kind: str, status: int, code: str
) -> None:
    response = client.get(f"/api/{view}/{kind}/")
    assert response.status_code == status
    assert response["Content-Type"] == "application/problem+json"
    body = response.json()
    assert (body["status"], body["code"]) == (status, code)
    assert set(body) >= {"type", "title", "status", "code"}
    assert "secret detail" not in response.content.decode()


def test_a_page_tells_a_person_and_keeps_the_status(client: Client) -> None:
    response = client.get("/page/gone/")
    assert response.status_code == 410
    assert response["Content-Type"].startswith("text/html")


def test_an_unknown_page_and_a_bug_answer_in_a_persons_language(client: Client) -> None:
    missing = client.get("/no/such/page/", headers={"Accept-Language": "fr"})
    assert missing.status_code == 404
    assert "Il n’y a rien ici." in html.unescape(missing.content.decode())
    broken = client.get("/page/bug/", headers={"Accept-Language": "fr"})
    assert broken.status_code == 500
    assert "Quelque chose" in broken.content.decode()
    assert "secret detail" not in broken.content.decode()


def test_a_name_that_is_not_ours_is_named_and_the_remedy_told(client: Client) -> None:
    response = client.get("/form/", headers={"Host": "tablet.example"})
    assert response.status_code == 400
    assert "'tablet.example'" in response.content.decode()
    assert "ALLOWED_HOSTS" in response.content.decode()
    assert response["Content-Type"].startswith("text/plain")


def test_who_asks_too_often_is_told_when_to_come_back(client: Client) -> None:
    assert client.get("/api/plain/too_many/")["Retry-After"] == "7"


def test_an_unknown_api_address_is_a_problem_too(client: Client) -> None:
    response = client.get("/api/nothing/here/")
    assert (response.status_code, response.json()["code"]) == (404, "not_found")


def test_a_method_that_is_not_offered_is_a_problem(client: Client) -> None:
    response = client.delete("/api/drf/bug/")
    assert (response.status_code, response.json()["code"]) == (405, "method_not_allowed")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b'{"a":', "malformed_json"),
        (b"[" * 100_000, "malformed_json"),
        (b'{"a": NaN}', "malformed_json"),
        (b'{"a": "\\ud800"}', "malformed_json"),
        (b'{"a": "\xff"}', "not_utf8"),
        (b'{"a": "x\\u0000y"}', "nul_character"),
        (b'{"a\\u0000": 1}', "nul_character"),
        (b'{"a": "x\x00y"}', "malformed_json"),
    ],
)
def test_a_malformed_body_is_named(client: Client, body: bytes, code: str) -> None:
    response = client.post("/api/drf/x/", body, content_type="application/json")
    assert (response.status_code, response.json()["code"]) == (400, code)


def test_a_backslash_before_u0000_is_only_text(client: Client) -> None:
    body = json.dumps({"a": "\\u0000"})
    response = client.post("/api/drf/x/", body, content_type="application/json")
    assert response.json() == {"got": {"a": "\\u0000"}}


def test_a_body_of_another_kind_is_refused(client: Client) -> None:
    response = client.post("/api/drf/x/", b"<a/>", content_type="text/xml")
    assert (response.status_code, response.json()["code"]) == (415, "media_type")


def test_a_body_of_more_than_a_megabyte_is_refused(client: Client) -> None:
    body = json.dumps({"a": "x" * 1_000_001})
    response = client.post("/api/drf/x/", body, content_type="application/json")
    assert (response.status_code, response.json()["code"]) == (413, "too_large")


@pytest.mark.parametrize("address", ["/api/drf/a%00b/", "/api/drf/x/?q=%00"])
def test_nul_in_an_address_is_refused(client: Client, address: str) -> None:
    response = client.get(address)
    assert (response.status_code, response.json()["code"]) == (400, "nul_character")


def test_nul_in_a_form_is_refused(client: Client) -> None:
    assert client.post("/form/", {"name": "Léa"}).content.decode() == "Léa"
    response = client.post("/form/", b"name=L%00a", content_type="application/x-www-form-urlencoded")
    assert response.status_code == 400


def test_only_the_map_knows_statuses_and_a_bug_is_not_in_it() -> None:
    assert answer_to(ZeroDivisionError()) is None
    assert all(400 <= status < 500 or code == "busy" for _, status, code in STATUS)


def test_every_answer_carries_the_content_policy(client: Client) -> None:
    policy = client.get("/form/")["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "object-src 'none'" in policy
    assert "base-uri 'none'" in policy
    assert "unsafe" not in policy


def test_a_request_without_its_csrf_token_is_refused() -> None:
    response = Client(enforce_csrf_checks=True).post("/form/", {"name": "x"})
    assert response.status_code == 403


@pytest.mark.parametrize("address", ["/api/plain/away/", "/api/drf/away/", "/page/away/"])
def test_a_database_that_is_away_asks_for_another_try(
    client: Client, address: str, caplog: pytest.LogCaptureFixture
) -> None:
    answer = client.get(address)
    assert (answer.status_code, answer["Retry-After"]) == (503, "1")
    assert "Zoë" not in answer.content.decode() + caplog.text
    assert "OperationalError" in caplog.text


@pytest.mark.parametrize("address", ["/api/plain/missing/", "/page/missing/"])
def test_so_does_one_that_goes_away_before_any_view(
    client: Client, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(request: HttpRequest) -> None:
        raise OperationalError

    monkeypatch.setattr("classrooms.middleware.viewer_of", broken)
    answer = client.get(address)
    assert (answer.status_code, answer["Retry-After"]) == (503, "1")


@pytest.mark.parametrize("address", ["/api/plain/bug/", "/page/bug/"])
def test_a_bug_is_logged_with_the_pattern_of_its_address_alone(
    client: Client, address: str, caplog: pytest.LogCaptureFixture
) -> None:
    """P6: a filled address may hold a join code."""
    assert client.get(address).status_code == 500
    assert "/<str:kind>/" in caplog.text
    assert "ZeroDivisionError" in caplog.text
    assert address not in caplog.text
