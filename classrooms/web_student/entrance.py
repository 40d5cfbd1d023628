"""Coming in: the start page, the code, one's own name, a try alone, and coming back with a code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar
from uuid import UUID

from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils import translation
from django.views.decorators.http import require_http_methods, require_safe

from classrooms import cookies, limits
from classrooms.middleware import ViewerRequest
from classrooms.models import BANDS, Session
from classrooms.sessions import codes, selectors, services
from classrooms.sessions.services.joining import session_by_code
from classrooms.web_student import animals
from classrooms.web_student.language import page, spoken
from classrooms.web_student.texts import refusal
from games import rules
from wordlists.refusals import Refused

T = TypeVar("T")

SOLO_GAME = "syllables"


@require_safe
def start(request: ViewerRequest) -> HttpResponse:
    """A field for the code, a way to try alone, and a door for teachers."""
    return page(request, "student/start.html", {"seated": request.viewer.kind == "participant"})


@require_safe
def find(request: ViewerRequest) -> HttpResponseBase:
    """The code as typed into the start page; works without scripts."""
    code = codes.typed(request.GET.get("code", ""))
    return redirect("student:join", code=code) if code else redirect("student:start")


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: ViewerRequest, code: str) -> HttpResponseBase:
    """Tap your name, or pick one of the offered ones."""
    try:
        session = _guessed(request, lambda: session_by_code(code))
    except Refused as refused:
        return _refused(request, "student/start.html", {"code": codes.typed(code)}, refused)
    if request.method != "POST":
        return _names(request, session)
    try:
        joined = services.join(
            code, student=_uuid(request.POST.get("student")), guest=request.POST.get("guest"), device=request.device
        )
    except Refused as refused:
        return _names(request, session, refused)
    return _seated(request, joined)


@require_http_methods(["GET", "HEAD", "POST"])
def alone(request: ViewerRequest) -> HttpResponseBase:
    """A game against one robot, without a class."""
    languages = rules.game(SOLO_GAME).languages
    context = {"bands": [band for band, _shown in BANDS], "languages": languages, "chosen": _own_language(languages)}
    if request.method != "POST":
        return page(request, "student/try.html", context)
    try:
        limits.count_solo(device=request.device, address=request.META.get("REMOTE_ADDR", ""))
        joined = services.create_solo(
            band=request.POST.get("band", ""), language=request.POST.get("language") or None, device=request.device
        )
    except Refused as refused:
        return _refused(request, "student/try.html", context, refused)
    return _seated(request, joined)


@require_http_methods(["GET", "HEAD", "POST"])
def back(request: ViewerRequest) -> HttpResponseBase:
    """The teacher's code moves a seat to this tablet."""
    if request.method != "POST":
        return page(request, "student/back.html", {})
    code = request.POST.get("code", "")
    try:
        joined = _guessed(request, lambda: services.enter_again(code, device=request.device))
    except Refused as refused:
        return _refused(request, "student/back.html", {"code": codes.typed(code)}, refused)
    return _seated(request, joined)


def _guessed(request: ViewerRequest, look_up: Callable[[], T]) -> T:
    """Looks a code up; whoever guesses is counted."""
    return limits.guess(look_up, device=request.device, address=request.META.get("REMOTE_ADDR", ""))


def _names(request: ViewerRequest, session: Session, refused: Refused | None = None) -> HttpResponse:
    entrance = selectors.entrance(session)
    guests = [
        (choice, animals.drawing(session.language, int(choice.key.partition("-")[2]))) for choice in entrance.guests
    ]
    context = {"code": session.code, "entrance": entrance, "guests": guests}
    if refused is not None:
        return _refused(request, "student/join.html", context, refused, session=session)
    return page(request, "student/join.html", context, session=session)


def _seated(request: ViewerRequest, joined: services.Joined) -> HttpResponseBase:
    response = redirect("student:play")
    cookies.hold_seat(response, request, joined.token)
    return response


def _refused(
    request: ViewerRequest,
    template: str,
    context: Mapping[str, Any],
    refused: Refused,
    *,
    session: Session | None = None,
) -> HttpResponse:
    with translation.override(spoken(session)):
        said = {"refusal": refusal(refused.code), "refusal_code": refused.code}
    status = _STATUS.get(type(refused).__name__, 409)
    return page(request, template, {**context, **said}, session=session, status=status)


_STATUS = {"Invalid": 400, "Forbidden": 403, "Missing": 404, "Gone": 410, "TooMany": 429}


def _own_language(languages: tuple[str, ...]) -> str:
    mine = translation.get_language() or ""
    return mine if mine in languages else languages[0]


def _uuid(text: str | None) -> UUID | None:
    try:
        return UUID(text) if text else None
    except ValueError:
        return None
