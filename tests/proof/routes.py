"""Every address of the site, filled in with ids at hand: what a curious reader could ask for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from django.urls import URLPattern, URLResolver, get_resolver

_PARAMETER = re.compile(r"<(?:[a-z_]+:)?(?P<name>[a-z_]+)>")
_GROUP = re.compile(r"\(\?P<(?P<name>[a-z_]+)>[^)]*\)")
NOT_OURS = ("admin/", "static/")


def filled(ids: Mapping[str, str]) -> list[str]:
    """The paths of all routes whose parameters are known. ``ids`` go by the start of a parameter's name."""
    paths = (_filled(route, ids) for route in _routes(get_resolver(), ""))
    return sorted({path for path in paths if path is not None})


def _filled(route: str, ids: Mapping[str, str]) -> str | None:
    parts: list[str] = []
    end = 0
    for match in _PARAMETER.finditer(route):
        value = next((ids[name] for name in ids if match["name"].startswith(name)), None)
        if value is None:
            return None
        parts += [route[end : match.start()], value]
        end = match.end()
    return "/" + "".join([*parts, route[end:]])


def _routes(resolver: URLResolver, prefix: str) -> Iterator[str]:
    for entry in resolver.url_patterns:
        route = prefix + _GROUP.sub(r"<\g<name>>", str(entry.pattern)).replace("^", "").replace("$", "")
        if route.startswith(NOT_OURS):
            continue
        if isinstance(entry, URLPattern):
            yield route
        else:
            yield from _routes(entry, route)
