"""What all teacher's pages share: who may open them, and how a refusal is told on the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
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


class TeacherRequest(HttpRequest):
    """What a view behind the gate receives."""

    user: Teacher  # type: ignore[assignment]
    viewer: Viewer
    htmx: HtmxDetails


View = Callable[..., HttpResponse]


def teacher_page(view: Callable[..., HttpResponse]) -> View:
    """Signed-in teachers only; no shared machine keeps a copy."""
    return never_cache(login_required(view, login_url="teacher:sign_in"))


def teacher_reads(view: Callable[..., HttpResponse]) -> View:
    """A page that changes nothing."""
    return require_safe(teacher_page(view))


def teacher_does(view: Callable[..., HttpResponse]) -> View:
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
