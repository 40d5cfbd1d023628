"""The only map from domain errors to HTTP: an exception handler for the API, a middleware for everything else."""

from __future__ import annotations

import logging
import math
import sys
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import msgspec
from django.core.exceptions import BadRequest, DisallowedHost, PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.multipartparser import MultiPartParserError
from django.shortcuts import render
from django.utils.translation import gettext as _
from rest_framework import exceptions as rest

from games.engine.contract import IllegalMove
from wordlists import refusals

log = logging.getLogger(__name__)

OUT_OF_REACH = (OperationalError, InterfaceError)
"""The database is away, or a lock was not to be had: the same request, sent again a little later, may do."""
RETRY_SECONDS = 1
STATUS: tuple[tuple[type[Exception], int, str], ...] = (
    (IllegalMove, 409, ""),
    (refusals.Invalid, 400, ""),
    (refusals.Unknown, 401, ""),
    (refusals.Forbidden, 403, ""),
    (refusals.Missing, 404, ""),
    (refusals.Conflict, 409, ""),
    (refusals.Gone, 410, ""),
    (refusals.Unprocessable, 422, ""),
    (refusals.TooMany, 429, ""),
    (msgspec.ValidationError, 400, "invalid"),
    (msgspec.DecodeError, 400, "malformed_json"),
    (UnicodeDecodeError, 400, "not_utf8"),
    (rest.ParseError, 400, "malformed"),
    (rest.ValidationError, 400, "invalid"),
    (rest.NotAuthenticated, 401, "sign_in"),
    (rest.AuthenticationFailed, 401, "sign_in"),
    (rest.PermissionDenied, 403, "forbidden"),
    (rest.NotFound, 404, "not_found"),
    (rest.MethodNotAllowed, 405, "method_not_allowed"),
    (rest.NotAcceptable, 406, "not_acceptable"),
    (rest.UnsupportedMediaType, 415, "media_type"),
    (rest.Throttled, 429, "throttled"),
    (Http404, 404, "not_found"),
    (PermissionDenied, 403, "forbidden"),
    (RequestDataTooBig, 413, "too_large"),
    (MultiPartParserError, 400, "malformed"),
    (BadRequest, 400, "malformed"),
    (SuspiciousOperation, 400, "malformed"),
    *((kind, 503, "busy") for kind in OUT_OF_REACH),
)
"""First match wins; an empty code means the error's own."""


def problem(status: int, code: str, *, detail: Any = None) -> dict[str, Any]:
    """The body of an ``application/problem+json`` answer (RFC 9457)."""
    title = HTTPStatus(status).phrase
    body: dict[str, Any] = {"type": "about:blank", "title": title, "status": status, "code": code}
    if detail is not None:
        body["detail"] = detail
    return body


def answer_to(error: Exception) -> dict[str, Any] | None:
    """The problem that ``error`` stands for; None where it is a bug."""
    for kind, status, code in STATUS:
        if isinstance(error, kind):
            return problem(status, code or error.code, detail=_detail(error))  # type: ignore[attr-defined]
    return None


def handler(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """DRF's exception handler. Plain JSON, whatever the view renders otherwise: the schema's own is YAML."""
    body = answer_to(error)
    if body is None:
        return None
    if isinstance(error, OUT_OF_REACH):
        _note(error)
    return problem_response(body, _headers(error))


def problem_response(body: dict[str, Any], headers: dict[str, str] | None = None) -> JsonResponse:
    """The same for views that do without DRF."""
    return JsonResponse(body, status=body["status"], headers=headers, content_type="application/problem+json")


class ProblemMiddleware:
    """Turns a domain error out of a plain view into a problem (API, or who wants JSON) or a small page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            _refuse_nul(request)
        except (refusals.Invalid, RequestDataTooBig) as error:
            return _response(request, answer_to(error) or {}, {})
        response = self.get_response(request)
        if response.status_code >= 400 and _wants_problem(request) and "json" not in response.get("Content-Type", ""):
            return problem_response(problem(response.status_code, _code_of(response.status_code)))
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if isinstance(error, OUT_OF_REACH):
            return busy(request, error)
        body = answer_to(error)
        if body is not None:
            return _response(request, body, _headers(error))
        if not _wants_problem(request):
            return None
        log.error("Unanswered error at %s", _route(request), exc_info=error)
        return problem_response(problem(500, "server_error"))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Named by CSRF_FAILURE_VIEW."""
    return _response(request, problem(403, "csrf"), {})


def malformed(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler400. A host name that is not ours is the one that a person meets, and can do something about."""
    if not isinstance(exception, DisallowedHost):
        return HttpResponse("Bad request.\n", status=400, content_type="text/plain")
    text = (
        f"This site does not answer to the name {request.META.get('HTTP_HOST', '')[:100]!a}.\n"
        "Use an address that it printed at its start, or add the name to ALLOWED_HOSTS in the file .env.\n"
    )
    return HttpResponse(text, status=400, content_type="text/plain; charset=utf-8")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler404, for an address that no view has."""
    return _response(request, problem(404, "not_found"), {})


def busy(request: HttpRequest, error: BaseException) -> HttpResponse:
    """The database did not answer. A bare line for a page, which would ask the database again."""
    _note(error)
    headers = _headers(error)
    if _wants_problem(request):
        return problem_response(problem(503, "busy"), headers)
    text = _("This is busy just now. Please try again in a moment.")
    return HttpResponse(f"{text}\n", status=503, content_type="text/plain; charset=utf-8", headers=headers)


def server_error(request: HttpRequest) -> HttpResponse:
    """Django's handler500: a bare line, since whatever a page needs may be what is broken."""
    error = sys.exc_info()[1]
    if isinstance(error, OUT_OF_REACH):  # out of a middleware, which no view's handler sees
        return busy(request, error)
    log.error("Unanswered error at %s", _route(request), exc_info=error)
    text = _("Something went wrong here. Please go back and try again.")
    return HttpResponse(f"{text}\n", status=500, content_type="text/plain; charset=utf-8")


def _response(request: HttpRequest, body: dict[str, Any], headers: dict[str, str]) -> HttpResponse:
    if _wants_problem(request):
        return problem_response(body, headers)
    response = render(request, "error.html", {"problem": body, "text": page_text(body)}, status=body["status"])
    for name, value in headers.items():
        response[name] = value
    return response


def _refuse_nul(request: HttpRequest) -> None:
    """PostgreSQL stores no NUL: it is refused in the address and in forms before anybody reads them."""
    form = request.body if request.content_type == "application/x-www-form-urlencoded" else b""
    if "\x00" in request.path or "%00" in request.META.get("QUERY_STRING", "") or b"%00" in form or b"\x00" in form:
        raise refusals.Invalid("nul_character")


def page_text(body: dict[str, Any]) -> str:
    """One sentence for a person, by status."""
    texts = {
        401: _("Please sign in first."),
        403: _("This is not open to you."),
        404: _("There is nothing here."),
        409: _("That is not possible right now."),
        410: _("This is over."),
        413: _("That is too large."),
        429: _("Please wait a moment and try again."),
    }
    return texts.get(body["status"], _("That did not work. Please go back and try again."))


def _wants_problem(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")


def _code_of(status: int) -> str:
    return {403: "forbidden", 404: "not_found", 405: "method_not_allowed", 413: "too_large"}.get(
        status, "server_error" if status >= 500 else "malformed"
    )


def _detail(error: Exception) -> Any:
    if isinstance(error, rest.APIException):
        return error.detail
    return str(error) if isinstance(error, msgspec.ValidationError) else None


def _route(request: HttpRequest) -> str:
    """The address as a pattern: filled in it may hold a join code."""
    return request.resolver_match.route if request.resolver_match else "?"


def _note(error: BaseException) -> None:
    """Its kind only: the message may quote what was to be stored."""
    log.error("The database does not answer (%s)", type(error).__name__)


def _headers(error: BaseException) -> dict[str, str]:
    wait = getattr(error, "wait", None) or getattr(error, "retry_after", None)
    if isinstance(error, OUT_OF_REACH):
        wait = RETRY_SECONDS
    return {} if wait is None else {"Retry-After": str(math.ceil(wait))}
