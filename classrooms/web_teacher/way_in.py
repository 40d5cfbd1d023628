"""How students come in: the address to type, the code, and both as a QR code."""

from __future__ import annotations

import io
import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit

import segno
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

FIRST_SIGNS = 3
LOOPBACK = {"localhost", "127.0.0.1", "::1"}


@dataclass(frozen=True, slots=True)
class WayIn:
    """``address`` is short enough to be read aloud; ``only_here``: other devices cannot reach it."""

    address: str
    code: str
    qr: SafeString
    only_here: bool

    @property
    def first(self) -> str:
        return self.code[:FIRST_SIGNS]

    @property
    def second(self) -> str:
        return self.code[FIRST_SIGNS:]

    @property
    def spelled(self) -> str:
        return " ".join(self.code)


def way_in(request: HttpRequest, code: str) -> WayIn:
    """For the join code of a session."""
    base = students_base(request)
    return WayIn(
        address=spoken(base),
        code=code,
        qr=qr(base + reverse("student:join", args=[code])),
        only_here=urlsplit(base).hostname in LOOPBACK,
    )


def students_base(request: HttpRequest) -> str:
    """Scheme and host that a tablet can reach: the public address, else the one in use unless it is loopback."""
    if settings.PUBLIC_URL:
        return str(settings.PUBLIC_URL)
    host, _, port = request.get_host().partition(":")
    reachable = _on_the_network() if host in LOOPBACK else host
    return f"{request.scheme}://{reachable or host}{':' + port if port else ''}"


def spoken(base: str) -> str:
    """Without the scheme where a browser adds it by itself."""
    return base.removeprefix("http://").removeprefix("https://")


def qr(text: str) -> SafeString:
    """An inline SVG, sized by the style sheet; always black on white, as scanners want it."""
    out = io.BytesIO()
    segno.make(text, error="m").save(out, kind="svg", xmldecl=False, omitsize=True, border=2, light="#fff")
    return mark_safe(out.getvalue().decode())  # segno writes paths out of numbers only


def _on_the_network() -> str | None:
    """The first address of this machine that is not its own inner one; settings allow them all by number."""
    for name in settings.ALLOWED_HOSTS:
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            continue
        if address.version == 4 and not address.is_loopback:
            return str(name)
    return None
