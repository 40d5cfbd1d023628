"""Sessions and their people, for the teacher."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from classrooms import access
from classrooms.api import serializers as shapes
from classrooms.api.answering import Api, once, once_over_tables, taken, viewer_of
from classrooms.models import Session
from classrooms.sessions import selectors, services
from wordlists.refusals import Invalid

PAGE = 50
OFFSET = OpenApiParameter("offset", int, description="Where the page begins.")


class Sessions(Api):
    """The teacher's sessions, running ones first."""

    @extend_schema(operation_id="sessions_list", parameters=[OFFSET], responses=shapes.SessionPage)
    def get(self, request: Request) -> Response:
        offset = _whole(request.query_params.get("offset", "0"))
        rows = list(selectors.sessions(viewer_of(request)).prefetch_related("tables")[offset : offset + PAGE + 1])
        more = offset + PAGE if len(rows) > PAGE else None
        return Response({"next": more, "results": shapes.SessionOut(rows[:PAGE], many=True).data})

    @extend_schema(request=shapes.SessionIn, responses={201: shapes.SessionOut})
    def post(self, request: Request) -> HttpResponse:
        viewer = viewer_of(request)
        teacher = access.the_teacher(viewer)
        data = taken(shapes.SessionIn, request)
        chosen = data.pop("school_class")
        school_class = access.own_class(viewer, chosen) if chosen else None
        return once(
            request,
            lambda: _shown(services.create_session(teacher, school_class=school_class, **data)),
            status=201,
        )


class OneSession(Api):
    """A session."""

    @extend_schema(responses=shapes.SessionOut)
    def get(self, request: Request, session_id: UUID) -> Response:
        session = access.own_session(viewer_of(request), session_id)
        services.settle(session.id)
        session.refresh_from_db()
        return Response(_shown(session))

    @extend_schema(request=None, responses={204: None})
    def delete(self, request: Request, session_id: UUID) -> HttpResponse:
        """With everything: tables, logs, people, evidence."""
        session = access.own_session(viewer_of(request), session_id)
        return once_over_tables(request, lambda: services.delete(session))


class SessionCommand(Api):
    """One verb over all tables of a session."""

    status = 200

    def act(self, session: Session) -> Session:
        raise NotImplementedError

    @extend_schema(request=None, responses=shapes.SessionOut)
    def post(self, request: Request, session_id: UUID) -> HttpResponse:
        session = access.own_session(viewer_of(request), session_id)
        return once_over_tables(request, lambda: _shown(self.act(session)), status=self.status)


class Start(SessionCommand):
    """Seats everybody and deals."""

    def act(self, session: Session) -> Session:
        return services.start(session)


class Pause(SessionCommand):
    """All tables stand still."""

    def act(self, session: Session) -> Session:
        return services.pause(session)


class Resume(SessionCommand):
    """All tables go on."""

    def act(self, session: Session) -> Session:
        return services.resume(session)


class NextRound(SessionCommand):
    """Ends the reveal wherever one is shown."""

    def act(self, session: Session) -> Session:
        return services.next_round(session)


class End(SessionCommand):
    """Stops every table; the code is dead."""

    def act(self, session: Session) -> Session:
        return services.end(session)


class Lock(SessionCommand):
    """Nobody new comes in."""

    def act(self, session: Session) -> Session:
        return services.lock(session)


class Unlock(SessionCommand):
    """New people may come in again."""

    def act(self, session: Session) -> Session:
        return services.unlock(session)


class Again(SessionCommand):
    """A new session with the same class and settings."""

    status = 201

    def act(self, session: Session) -> Session:
        return services.play_again(session)

    @extend_schema(request=None, responses={201: shapes.SessionOut})
    def post(self, request: Request, session_id: UUID) -> HttpResponse:
        return super().post(request, session_id)


class Extend(Api):
    """More time for every seat at every table."""

    @extend_schema(request=shapes.Extension, responses=shapes.SessionOut)
    def post(self, request: Request, session_id: UUID) -> HttpResponse:
        session = access.own_session(viewer_of(request), session_id)
        ms = taken(shapes.Extension, request)["ms"]
        return once_over_tables(request, lambda: _shown(services.extend(session, ms=ms)))


class People(Api):
    """Seats and shown names, for those who may see them."""

    @extend_schema(responses=shapes.PersonOut(many=True))
    def get(self, request: Request, session_id: UUID) -> Response:
        viewer = viewer_of(request)
        session = access.seen_session(viewer, session_id)
        return Response(shapes.PersonOut(selectors.people_for(viewer, session), many=True).data)


class Remove(Api):
    """Shows a participant the door."""

    @extend_schema(request=None, responses={204: None})
    def post(self, request: Request, session_id: UUID, participant_id: UUID) -> HttpResponse:
        participant = access.own_participant(viewer_of(request), session_id, participant_id)
        return once_over_tables(request, lambda: services.remove(participant))


class Link(Api):
    """Says which pupil a guest is; null takes that back."""

    @extend_schema(request=shapes.LinkIn, responses={204: None})
    def post(self, request: Request, session_id: UUID, participant_id: UUID) -> HttpResponse:
        viewer = viewer_of(request)
        participant = access.own_participant(viewer, session_id, participant_id)
        chosen = taken(shapes.LinkIn, request)["student"]
        student = access.own_student(viewer, chosen) if chosen else None

        def act() -> None:
            services.link_guest(participant, student=student)

        return once(request, act)


class ReEntry(Api):
    """A code that moves the seat to another tablet, once, within ten minutes."""

    @extend_schema(request=None, responses={201: shapes.CodeOut})
    def post(self, request: Request, session_id: UUID, participant_id: UUID) -> HttpResponse:
        participant = access.own_participant(viewer_of(request), session_id, participant_id)
        return once(request, lambda: {"code": services.re_entry_code(participant)}, status=201)


class Seat(Api):
    """Gives a waiting late comer a robot's seat."""

    @extend_schema(request=shapes.SeatIn, responses={204: None})
    def post(self, request: Request, session_id: UUID, participant_id: UUID) -> HttpResponse:
        participant = access.own_participant(viewer_of(request), session_id, participant_id)
        number = taken(shapes.SeatIn, request)["table"]

        def act() -> None:
            services.seat_late_comer(participant, table=number)

        return once_over_tables(request, act)


def _shown(session: Session) -> Any:
    return shapes.SessionOut(session).data


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 8):
        raise Invalid("offset")
    return int(text)
