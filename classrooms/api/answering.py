"""What every endpoint of this floor has in common: CSRF for cookies, limits per account, one effect per key."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

from django.conf import settings
from django.db import connection, transaction
from django.http import HttpResponse
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter
from rest_framework.authentication import CSRFCheck
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from classrooms.middleware import bearer_of
from classrooms.models import Claim
from games import passes, requests
from games.api import KEY_HEADER
from games.requests import Answer, InFlight
from wordlists.refusals import Forbidden
from wordlists.viewer import Viewer

SAFE = ("GET", "HEAD", "OPTIONS")
CLAIMED_FOR = 60
"""Seconds."""
NO_KEY = OpenApiParameter(KEY_HEADER.name, str, OpenApiParameter.HEADER, exclude=True)
"""For the two writes whose repeat is no second effect and whose answer is not to be kept."""


class KeyedSchema(AutoSchema):
    """Documents the idempotency key on every write."""

    def get_override_parameters(self) -> list[Any]:
        return [] if self.method in SAFE else [KEY_HEADER]


class Api(APIView):
    """An endpoint: its answers are never stored on a shared tablet."""

    schema = KeyedSchema()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        _check_csrf(request)
        viewer = viewer_of(request)
        if viewer.kind != "anonymous":
            requests.allow(requests.actor_of(viewer), "read" if request.method in SAFE else "command")

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Response:
        response.headers.setdefault("Cache-Control", "no-store")
        return super().finalize_response(request, response, *args, **kwargs)


def viewer_of(request: Request) -> Viewer:
    """Who asks."""
    return cast(Viewer, request.viewer)  # type: ignore[attr-defined]


def device_of(request: Request) -> str:
    """The mark of the asking device; empty where it keeps no cookies."""
    return cast(str, request.device)  # type: ignore[attr-defined]


def address_of(request: Request) -> str:
    """Only for clients that keep no cookie."""
    return str(request.META.get("REMOTE_ADDR", ""))


def taken(serializer: type[Serializer[Any]], request: Request) -> dict[str, Any]:
    """The body's known fields, checked; others are ignored."""
    bound = serializer(data=request.data)
    bound.is_valid(raise_exception=True)
    return cast(dict[str, Any], bound.validated_data)


def once(request: Request, act: Callable[[], Any], *, status: int = 200) -> HttpResponse:
    """``act`` and its answer, in one transaction with the idempotency key. For what writes no table."""
    actor, scope, key, body = _claim(request)
    return _response(requests.once(actor, scope, key, body, lambda: _answer(act(), status)))


def once_over_tables(request: Request, act: Callable[[], Any], *, status: int = 200) -> HttpResponse:
    """The same for what writes tables, each in a transaction of its own: the key is claimed meanwhile.

    A crash in between leaves the key unanswered; the repeat then goes through ``act`` again, which is why the services
    behind it take up where they were.
    """
    actor, scope, key, body = _claim(request)
    if key is None:
        return _response(_answer(act(), status))
    hashed = requests.body_hash(body)
    with _held(f"{actor} {scope} {key}"):
        found = requests.earlier(actor, scope, key, hashed)
        if found is None:
            found = _answer(act(), status)
            with transaction.atomic():
                requests.keep(actor, scope, key, hashed, found)
    return _response(found)


def _claim(request: Request) -> tuple[str, str, str | None, bytes]:
    viewer = viewer_of(request)
    actor = requests.actor_of(viewer)
    if viewer.kind == "anonymous":
        mark = device_of(request) or address_of(request)
        actor += hashlib.sha256(mark.encode()).hexdigest()[:32]
    scope = f"{request.method} {hashlib.sha256(request.path.encode()).hexdigest()[:32]}"
    return actor, scope, request.headers.get("Idempotency-Key"), request._request.body


def _answer(content: Any, status: int) -> Answer:
    return Answer(status, b"null" if content is None else JSONRenderer().render(content))


def _response(answer: Answer) -> HttpResponse:
    if answer.body == b"null":
        return Response(status=204)
    response = HttpResponse(answer.body, status=answer.status, content_type="application/json")
    if answer.replayed:
        response["Idempotent-Replayed"] = "true"
    return response


@contextmanager
def _held(name: str) -> Iterator[None]:
    """A claim row, committed at once: unlike a session's lock it outlives a connection pooler. Raises InFlight."""
    key = hashlib.sha256(name.encode()).hexdigest()
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO classrooms_claim (name, until) VALUES (%s, clock_timestamp() + %s * interval '1 second')"
            " ON CONFLICT (name) DO UPDATE SET until = EXCLUDED.until"
            " WHERE classrooms_claim.until < clock_timestamp() RETURNING name",
            [key, CLAIMED_FOR],
        )
        if cursor.fetchone() is None:
            raise InFlight("in_flight")
    try:
        yield
    finally:
        Claim.objects.filter(name=key).delete()


def _check_csrf(request: Request) -> None:
    """Whoever a cookie speaks for has to prove that our own page sent the request; a bearer has not."""
    if request.method in SAFE or bearer_of(request._request) is not None:
        return
    if not any(request.COOKIES.get(name) for name in (settings.SESSION_COOKIE_NAME, passes.SEAT_COOKIE)):
        return
    check = CSRFCheck(lambda _request: HttpResponse())
    check.process_request(request._request)
    if check.process_view(request._request, None, (), {}):  # type: ignore[arg-type]
        raise Forbidden("csrf")
