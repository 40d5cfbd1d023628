"""Coming in by code, coming back, going, and a participant's own things."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from classrooms import access, cookies, limits
from classrooms.api import serializers as shapes
from classrooms.api.answering import NO_KEY, Api, address_of, device_of, once, once_over_tables, taken, viewer_of
from classrooms.progress import selectors as progress
from classrooms.progress import services as evidence
from classrooms.sessions import selectors, services
from classrooms.sessions.services import Joined
from classrooms.sessions.services.joining import session_by_code

T = TypeVar("T")


class Entrance(Api):
    """What a code opens: names to tap, names offered to guests."""

    @extend_schema(responses=shapes.EntranceOut, auth=[])
    def get(self, request: Request, code: str) -> Response:
        session = guessed(request, lambda: session_by_code(code))
        return Response(shapes.EntranceOut(selectors.entrance(session)).data)


class Join(Api):
    """A seat for a pupil of the class (``student``) or a guest (``guest``); answers the seat's token."""

    @extend_schema(request=shapes.JoinIn, responses={201: shapes.JoinedOut}, auth=[])
    def post(self, request: Request) -> HttpResponse:
        data = taken(shapes.JoinIn, request)

        def act() -> Any:
            return _joined(services.join(data.pop("code"), device=device_of(request), **data))

        guessed(request, lambda: session_by_code(data["code"]))
        return _with_seat(request, once(request, act, status=201))


class EnterAgain(Api):
    """Takes a seat over with a re-entry code; the old tablet is out."""

    @extend_schema(request=shapes.CodeIn, responses={201: shapes.JoinedOut}, auth=[])
    def post(self, request: Request) -> HttpResponse:
        code = taken(shapes.CodeIn, request)["code"]

        def act() -> Any:
            return _joined(services.enter_again(code, device=device_of(request)))

        return _with_seat(request, guessed(request, lambda: once(request, act, status=201)))


class Solo(Api):
    """A game against a robot that belongs to nobody."""

    @extend_schema(request=shapes.SoloIn, responses={201: shapes.JoinedOut}, auth=[])
    def post(self, request: Request) -> HttpResponse:
        data = taken(shapes.SoloIn, request)
        device = device_of(request)
        limits.count_solo(device=device, address=address_of(request))
        answer = once_over_tables(request, lambda: _joined(services.create_solo(device=device, **data)), status=201)
        return _with_seat(request, answer)


class Me(Api):
    """Where the participant sits."""

    @extend_schema(responses=shapes.PlaceOut)
    def get(self, request: Request) -> Response:
        participant = access.myself(viewer_of(request))
        return Response(shapes.PlaceOut(selectors.place(participant)).data)


class Leave(Api):
    """The participant goes; the token is dead and the tablet is clean."""

    @extend_schema(parameters=[NO_KEY], request=None, responses={204: None})
    def post(self, request: Request) -> HttpResponse:
        services.leave(access.myself(viewer_of(request)))
        response = Response(status=204)
        cookies.drop_seat(response)
        return response


class Closing(Api):
    """Own words and words that were there to be made."""

    @extend_schema(responses=shapes.ClosingOut)
    def get(self, request: Request) -> Response:
        participant = access.myself(viewer_of(request))
        evidence.catch_up(participant.session)
        return Response(shapes.ClosingOut(progress.closing(participant)).data)


def guessed(request: Request, look_up: Callable[[], T]) -> T:
    """Looks a code up; whoever guesses is counted."""
    return limits.guess(look_up, device=device_of(request), address=address_of(request))


def _joined(joined: Joined) -> Any:
    place = shapes.PlaceOut(selectors.place(joined.participant)).data
    return {**place, "token": joined.token}


def _with_seat(request: Request, response: HttpResponse) -> HttpResponse:
    """The same pass as a cookie, for pages."""
    token = json.loads(response.content)["token"]
    cookies.hold_seat(response, request._request, token)
    return response
