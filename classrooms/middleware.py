"""Who asks: sets ``request.viewer`` and ``request.device``.

A bearer token goes before cookies; the header ``Wordtable-Viewer: seat|teacher`` says which cookie is meant where a
browser holds both. A pass counts only while its row says so: one query by primary key.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from classrooms import cookies
from classrooms.models import Teacher
from classrooms.sessions import services as sessions
from games import passes
from wordlists.viewer import ANONYMOUS, Viewer

SHOWN_AFTER_END = timedelta(hours=2)
"""How long a participant may look at the end of a session that is over."""
DEVICE_PATHS = (
    *("/play/", "/j/", "/try/", "/back/", "/api/v1/join/", "/api/v1/solo/", "/api/v1/reentry/"),
    "/teacher/sign-in/",
)


class ViewerRequest(HttpRequest):
    """A request as views get it, behind the middleware."""

    viewer: Viewer
    device: str


_LIVE_PASS = """SELECT s.ended_at, p.seen_at FROM classrooms_participant p
 JOIN classrooms_session s ON s.id = p.session_id
 WHERE p.id = %s AND p.session_id = %s AND p.epoch = %s AND p.removed_at IS NULL AND p.left_at IS NULL"""
"""Asked by every request of a seat, moves included; the ORM would take 0.7 ms more to say it, a sixth of a move."""


class ViewerMiddleware:
    """Sets ``request.viewer`` and ``request.device``; gives a device its mark where people come in."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        device = cookies.device_of(request)
        request.device = device  # type: ignore[attr-defined]
        if bearer_of(request) is not None:
            # No browser sends a bearer by itself, so nothing can be forged; cookies do not count then.
            request._dont_enforce_csrf_checks = True  # type: ignore[attr-defined]
        request.viewer = viewer_of(request)  # type: ignore[attr-defined]
        response = self.get_response(request)
        if not device and (request.path == "/" or request.path.startswith(DEVICE_PATHS)):
            cookies.mark_device(response, request)
        return response


def viewer_of(request: HttpRequest) -> Viewer:
    """The one who asks; anonymous where a pass is dead."""
    bearer = bearer_of(request)
    if bearer is not None:
        return _by_seat(bearer) or _by_teacher_token(bearer) or ANONYMOUS
    wanted = request.headers.get("Wordtable-Viewer", "")
    if wanted == "seat":
        return _by_seat_cookie(request) or ANONYMOUS
    if wanted == "teacher":
        return _signed_in(request) or ANONYMOUS
    if request.path.startswith("/play/"):
        return _by_seat_cookie(request) or _signed_in(request) or ANONYMOUS
    if request.path.startswith("/api/"):
        return _signed_in(request) or _by_seat_cookie(request) or ANONYMOUS
    return _signed_in(request) or ANONYMOUS


def bearer_of(request: HttpRequest) -> str | None:
    """The bearer token of the request, if it carries one."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def _signed_in(request: HttpRequest) -> Viewer | None:
    if settings.SESSION_COOKIE_NAME not in request.COOKIES and not hasattr(request, "_cached_user"):
        return None
    user = request.user
    return _as_viewer(user) if isinstance(user, Teacher) and user.is_active else None


def _by_teacher_token(token: str) -> Viewer | None:
    pass_ = passes.read_teacher(token)
    if pass_ is None:
        return None
    teacher = Teacher.objects.filter(id=pass_.teacher, tokens_epoch=pass_.epoch, is_active=True).first()
    return None if teacher is None else _as_viewer(teacher)


def _as_viewer(teacher: Teacher) -> Viewer:
    return Viewer(kind="teacher", id=teacher.id, school=teacher.school_id)


def _by_seat_cookie(request: HttpRequest) -> Viewer | None:
    token = request.COOKIES.get(passes.SEAT_COOKIE)
    return None if not token else _by_seat(token)


def _by_seat(token: str) -> Viewer | None:
    pass_ = passes.read_seat(token)
    if pass_ is None:
        return None
    with connection.cursor() as cursor:
        cursor.execute(_LIVE_PASS, [pass_.participant, pass_.session, pass_.epoch])
        found = cursor.fetchone()
    if found is None:
        return None
    ended_at, seen_at = found
    if ended_at is not None and ended_at < timezone.now() - SHOWN_AFTER_END:
        return None
    sessions.seen(pass_.participant, last=seen_at)
    return Viewer(kind="participant", id=pass_.participant, session=pass_.session)
