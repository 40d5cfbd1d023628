"""A form that was sent twice, by a double click or a reload, acts once and leads to the same place (M8)."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable

from django.http import HttpRequest
from django.utils.http import urlencode

from classrooms.web_teacher.gate import TeacherRequest
from games import requests
from games.requests import Answer, InFlight

PATIENCE_S = 5.0
LOOK_AGAIN_S = 0.1


def new_key() -> str:
    """For a form that is shown now."""
    return secrets.token_hex(16)


def once(request: TeacherRequest, act: Callable[[], str]) -> str:
    """The address that ``act`` leads to; a repeat of the same form with the same content gets the first one's."""
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            return _once(request, act)
        except InFlight:
            if time.monotonic() > until:
                raise
            time.sleep(LOOK_AGAIN_S)


def _once(request: TeacherRequest, act: Callable[[], str]) -> str:
    actor, scope = requests.actor_of(request.viewer), f"page {hashlib.sha256(request.path.encode()).hexdigest()[:32]}"
    answer = requests.once(actor, scope, _key_of(request), b"", lambda: Answer.of(act()))
    return str(answer.content)


def _key_of(request: HttpRequest) -> str | None:
    """The form's key with its content: whoever goes back and changes an answer means a new one."""
    key = request.POST.get("key", "")
    content = [(name, request.POST.getlist(name)) for name in sorted(request.POST) if name != "csrfmiddlewaretoken"]
    return hashlib.sha256(urlencode(content, doseq=True).encode()).hexdigest() if key else None
