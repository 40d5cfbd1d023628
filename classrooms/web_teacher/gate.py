"""What all teacher's pages share: who may open them, and how a refusal is told on the page."""

from __future__ import annotations

import zoneinfo
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.middleware import HtmxDetails

from classrooms.models import Teacher
from classrooms.web_teacher.texts import text_of
from games.engine.contract import IllegalMove
from wordlists.refusals import Conflict, Gone, Invalid, TooMany, Unprocessable
from wordlists.viewer import Viewer

TOLD = (Invalid, Conflict, Gone, Unprocessable, TooMany, IllegalMove)
"""Refusals that the teacher is told on the page; a missing or foreign thing stays a 404."""


View = Callable[..., HttpResponse]


class TeacherRequest(HttpRequest):
    """What a view behind the gate receives."""

    user: Teacher
    viewer: Viewer
    htmx: HtmxDetails


def teacher_page(view: View) -> View:
    """Signed-in teachers only; times as in their school; no shared machine keeps a copy."""

    @wraps(view)
    def shown(request: TeacherRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not isinstance(request.user, Teacher):
            return _sign_in_first(request)
        with timezone.override(zoneinfo.ZoneInfo(request.user.school.time_zone)):
            return view(request, *args, **kwargs)

    return never_cache(shown)


def _sign_in_first(request: TeacherRequest) -> HttpResponse:
    """A part of a page cannot show the sign-in form: htmx is sent there whole."""
    response = redirect_to_login(request.get_full_path(), reverse("teacher:sign_in"))
    if not request.htmx:
        return response
    return HttpResponse(status=204, headers={"HX-Redirect": response["Location"]})


def teacher_reads(view: View) -> View:
    """A page that changes nothing."""
    return require_safe(teacher_page(view))


def teacher_does(view: View) -> View:
    """A button: POST only."""
    return require_POST(teacher_page(view))


@contextmanager
def told(request: HttpRequest) -> Iterator[None]:
    """Tells a refusal as a message; the view then answers as if nothing had been asked."""
    try:
        yield
    except TOLD as refusal:
        messages.error(request, refusal_text(refusal))


def refusal_text(refusal: Any) -> str:
    """What happened and what to do, with the code small beneath."""
    return format_html('{}<small class="code">{}</small>', text_of(refusal.code), refusal.code)
