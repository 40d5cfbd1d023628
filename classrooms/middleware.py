"""Who asks: sets ``request.viewer``."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from wordlists.viewer import ANONYMOUS


class ViewerMiddleware:
    """Sets ``request.viewer``."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.viewer = ANONYMOUS  # type: ignore[attr-defined]
        return self.get_response(request)
