"""Tables under ``/api/v1/tables/``. Moves take a plain view with msgspec: under DRF they cost four times as much."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Union
from uuid import UUID

import msgspec
from django.http import HttpRequest, HttpResponse
from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.authentication import BaseAuthentication, CSRFCheck
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import requests, selectors, services
from games.commands import COMMANDS
from games.engine.contract import Leave
from games.requests import Answer
from games.rules import games
from wordlists.refusals import Forbidden, Invalid
from wordlists.viewer import ANONYMOUS, Viewer

PRIVATE = {"Cache-Control": "no-store"}
LARGEST_PAGE = 200
KEY_HEADER = OpenApiParameter(
    "Idempotency-Key", str, OpenApiParameter.HEADER, description="A repeat gets the first answer, for 24 hours."
)


class CookiesNeedToken(BaseAuthentication):
    """DRF leaves CSRF to its authentication: requests that come with cookies need the token, bearer requests do not.

    Who asks is the middleware's business (``request.viewer``).
    """

    def authenticate(self, request: Request) -> None:
        check = CSRFCheck(lambda inner: None)  # type: ignore[arg-type]
        check.process_request(request._request)
        reason = check.process_view(request._request, None, (), {})  # type: ignore[arg-type]
        if reason is not None:
            raise Forbidden("csrf")


class TableAPI(APIView):
    """What all endpoints of a table share: who asks, how often, and that no cache keeps the answer."""

    authentication_classes = [CookiesNeedToken]
    allowance = "read"

    @property
    def viewer(self) -> Viewer:
        return viewer_of(self.request)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        requests.allow(requests.actor_of(self.viewer), self.allowance)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        response["Cache-Control"] = "no-store"
        return response


class SeatShape(serializers.Serializer):
    seat = serializers.IntegerField()
    participant = serializers.UUIDField(allow_null=True)
    robot = serializers.CharField(allow_null=True)
    left = serializers.BooleanField()


class OutcomeShape(serializers.Serializer):
    scores = serializers.ListField(child=serializers.IntegerField())
    winners = serializers.ListField(child=serializers.IntegerField())
    reason = serializers.CharField()


class TableShape(serializers.Serializer):
    """The view of a table; ``public``, ``private`` and ``draft.move`` are the game's own."""

    table = serializers.UUIDField()
    session = serializers.UUIDField()
    game = serializers.CharField()
    band = serializers.CharField()
    language = serializers.CharField()
    status = serializers.CharField()
    version = serializers.IntegerField()
    seat = serializers.IntegerField(allow_null=True)
    now = serializers.IntegerField(help_text="Match time in ms; deadlines in the views are of the same clock.")
    seats = SeatShape(many=True)
    public = serializers.JSONField(allow_null=True)
    private = serializers.JSONField(allow_null=True)
    actions = serializers.ListField(child=serializers.CharField())
    draft = serializers.JSONField(allow_null=True)
    draft_number = serializers.IntegerField()
    scores = serializers.ListField(child=serializers.IntegerField())
    outcome = OutcomeShape(allow_null=True)


class DraftShape(serializers.Serializer):
    round = serializers.IntegerField()
    number = serializers.IntegerField()
    move = serializers.JSONField(allow_null=True, required=False)


class ResultShape(serializers.Serializer):
    table = serializers.UUIDField()
    status = serializers.CharField()
    version = serializers.IntegerField()
    seats = SeatShape(many=True)
    scores = serializers.ListField(child=serializers.IntegerField())
    outcome = OutcomeShape(allow_null=True)


class EventShape(serializers.Serializer):
    turn = serializers.IntegerField()
    seat = serializers.IntegerField()
    move = serializers.JSONField()
    facts = serializers.ListField(child=serializers.JSONField())
    now = serializers.IntegerField()


class TableView(TableAPI):
    @extend_schema(
        operation_id="table_view",
        parameters=[OpenApiParameter("If-None-Match", str, OpenApiParameter.HEADER)],
        responses={200: TableShape, 304: OpenApiResponse(description="Nothing new since that ETag.")},
    )
    def get(self, request: Request, table_id: UUID) -> Response:
        """The table as the viewer may see it, after everything that is due has been played."""
        known = request.headers.get("If-None-Match", "").removeprefix("W/")
        view, tag = services.view(table_id, self.viewer, known=known)
        return Response(view, status=304 if view is None else 200, headers={"ETag": tag})


class DraftView(TableAPI):
    allowance = "draft"

    @extend_schema(operation_id="table_draft", request=DraftShape, responses={200: DraftShape})
    def put(self, request: Request, table_id: UUID) -> Response:
        """Keep a draft of the seat's move; it is played when the seat's time is up."""
        received = received_at(request._request)
        services.save_draft(table_id, self.viewer, request.data, received=received)
        return Response(request.data)


class CommandsView(TableAPI):
    allowance = "command"

    @extend_schema(
        operation_id="table_command",
        parameters=[KEY_HEADER],
        request=OpenApiTypes.OBJECT,
        responses={200: TableShape},
    )
    def post(self, request: Request, table_id: UUID) -> HttpResponse:
        """Carry out a command of the table's teacher."""
        hashed = requests.body_hash(msgspec.json.encode(request.data, order="sorted"))
        key = request.headers.get("Idempotency-Key")
        return _answer(services.command(table_id, self.viewer, request.data, key=key, body_hash=hashed))


class EventsView(TableAPI):
    @extend_schema(
        operation_id="table_events",
        parameters=[OpenApiParameter("after", int), OpenApiParameter("limit", int)],
        responses={
            200: inline_serializer(
                "EventPage", {"events": EventShape(many=True), "next": serializers.IntegerField(allow_null=True)}
            )
        },
    )
    def get(self, request: Request, table_id: UUID) -> Response:
        """The log of an ended table after turn ``after``; ``next`` is the next page's ``after``."""
        after = _number(request.query_params, "after", default=0, most=2**31 - 1)
        limit = max(1, _number(request.query_params, "limit", default=100, most=LARGEST_PAGE))
        events = selectors.events(table_id, self.viewer, after=after, limit=limit)
        return Response({"events": events, "next": events[-1]["turn"] if len(events) == limit else None})


class ReplayView(TableAPI):
    @extend_schema(operation_id="table_replay", responses={200: OpenApiTypes.OBJECT})
    def get(self, request: Request, table_id: UUID) -> Response:
        """What everybody could see after each turn of an ended table."""
        return Response(selectors.replay(table_id, self.viewer))


class ResultView(TableAPI):
    @extend_schema(operation_id="table_result", responses={200: ResultShape})
    def get(self, request: Request, table_id: UUID) -> Response:
        """Scores so far, and the outcome once there is one."""
        return Response(selectors.result(table_id, self.viewer))


def moves(request: HttpRequest, table_id: UUID) -> HttpResponse:
    """Play a move for the viewer's seat; answers its new view. Refusals are 409 with a stable code."""
    received = received_at(request)
    if request.method != "POST":
        return HttpResponse(status=405, headers={"Allow": "POST"})
    if request.content_type != "application/json":
        return HttpResponse(status=415)
    viewer = viewer_of(request)
    body = request.body
    key, hashed = request.headers.get("Idempotency-Key"), requests.body_hash(body)
    return _answer(services.play(table_id, viewer, _json(body), received=received, key=key, body_hash=hashed))


def viewer_of(request: Any) -> Viewer:
    """Who asks, as the middleware found out."""
    return getattr(request, "viewer", ANONYMOUS)


def received_at(request: HttpRequest) -> float:
    """The monotonic moment at which the request was complete; ``config.asgi`` stamps it, before any wait."""
    stamp = request.META.get("asgi.scope", {}).get("wordtable.received")
    return stamp if isinstance(stamp, float) else time.monotonic()


def _answer(answer: Answer) -> HttpResponse:
    headers = PRIVATE | ({"Idempotent-Replayed": "true"} if answer.replayed else {})
    return HttpResponse(answer.body, content_type="application/json", status=answer.status, headers=headers)


def _json(body: bytes) -> Any:
    if b"\x00" in body or b"\\u0000" in body:
        raise Invalid("nul_character")
    try:
        return msgspec.json.decode(body)
    except RecursionError as error:
        raise Invalid("malformed_json") from error


def _number(params: Mapping[str, str], name: str, *, default: int, most: int) -> int:
    text = params.get(name, str(default))
    if not (text.isascii() and text.isdigit() and len(text) <= 10):
        raise Invalid("invalid")
    return min(int(text), most)


def add_moves(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """drf-spectacular hook: the move endpoint, and the JSON Schema of every game's moves and of the commands."""
    kinds = [Union[rules.Moves, Leave] for rules in games().values()]
    schemas, parts = msgspec.json.schema_components(
        [*kinds, Union[COMMANDS]], ref_template="#/components/schemas/{name}"
    )
    *of_games, commands = schemas
    named = {f"Move_{slug}": schema for slug, schema in zip(games(), of_games, strict=True)}
    result["components"]["schemas"] |= {**parts, **named, "TableCommand": commands}
    any_move = {"oneOf": [{"$ref": f"#/components/schemas/{name}"} for name in named]}
    paths = result["paths"]
    command = paths["/api/v1/tables/{table_id}/commands/"]["post"]
    command["requestBody"] = _json_body({"$ref": "#/components/schemas/TableCommand"})
    paths["/api/v1/tables/{table_id}/moves/"] = {
        "post": {
            **{name: command[name] for name in ("parameters", "tags", "responses")},
            "operationId": "table_move",
            "description": moves.__doc__,
            "requestBody": _json_body(any_move),
        }
    }
    return result


def _json_body(schema: dict[str, Any]) -> dict[str, Any]:
    return {"required": True, "content": {"application/json": {"schema": schema}}}


urlpatterns = [
    path("tables/<uuid:table_id>/", TableView.as_view(), name="table"),
    path("tables/<uuid:table_id>/draft/", DraftView.as_view(), name="table-draft"),
    path("tables/<uuid:table_id>/moves/", moves, name="table-moves"),
    path("tables/<uuid:table_id>/commands/", CommandsView.as_view(), name="table-commands"),
    path("tables/<uuid:table_id>/events/", EventsView.as_view(), name="table-events"),
    path("tables/<uuid:table_id>/replay/", ReplayView.as_view(), name="table-replay"),
    path("tables/<uuid:table_id>/result/", ResultView.as_view(), name="table-result"),
]
