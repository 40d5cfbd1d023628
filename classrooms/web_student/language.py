"""In which language a pupil's page speaks: the school's where there is one, else the browser's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation

from classrooms.models import Session


def spoken(session: Session | None) -> str:
    """The language code; a class of one school reads one language, whatever its tablets are set to."""
    school = session.teacher.school.language if session and session.teacher else ""
    return school if school in dict(settings.LANGUAGES) else translation.get_language() or settings.LANGUAGE_CODE


def page(
    request: HttpRequest,
    template: str,
    context: Mapping[str, Any],
    *,
    session: Session | None = None,
    status: int = 200,
) -> HttpResponse:
    """Renders the page whole in one language; never kept by browser or proxy (case 67)."""
    language = spoken(session)
    with translation.override(language):
        response = render(request, template, dict(context), status=status)
    response["Content-Language"] = language
    response["Cache-Control"] = "no-store, private"
    return response
