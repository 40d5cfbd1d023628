"""Who asks for a stream, and for which topics: read from headers and query alone, without asking the database."""

from __future__ import annotations

import re
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

import msgspec

from games import passes

MOST_TOPICS = 64
_TOPIC = re.compile(r"(table|session):[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Pass(msgspec.Struct, frozen=True):
    """Who holds a stream. Ids are texts here, as they come in payloads."""

    id: str
    session: str | None
    owner: str | None
    epoch: int

    def may_hear(self, session: str | None, owner: str | None) -> bool:
        """Seats hear their session, teachers what is theirs."""
        if self.session is not None:
            return self.session == session
        return self.owner == owner


def holder(headers: dict[bytes, str], query: bytes) -> Pass | None:
    """A bearer token, or the cookie that ``?as=seat|teacher`` names; never a token in the address."""
    scheme, _, token = headers.get(b"authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return _seat(token.strip()) or _teacher(token.strip())
    cookies = _cookies(headers.get(b"cookie", ""))
    if parse_qs(query.decode("latin-1")).get("as") == ["teacher"]:
        return _teacher(cookies.get(passes.TEACHER_COOKIE, ""))
    return _seat(cookies.get(passes.SEAT_COOKIE, ""))


def topics(query: bytes) -> tuple[str, ...] | None:
    """The topics asked for; None where they make no sense."""
    names = dict.fromkeys(",".join(parse_qs(query.decode("latin-1")).get("topics", [])).split(","))
    if not 1 <= len(names) <= MOST_TOPICS or not all(_TOPIC.fullmatch(name) for name in names):
        return None
    return tuple(names)


def is_foreign(headers: dict[bytes, str]) -> bool:
    """A page of another site; the port is left out of it, since a proxy may change it."""
    origin = headers.get(b"origin")
    if origin is None or b"authorization" in headers:
        return False
    try:
        return urlsplit(origin).hostname != urlsplit(f"//{headers.get(b'host', '')}").hostname
    except ValueError:
        return True


def _seat(token: str) -> Pass | None:
    found = passes.read_seat(token) if token else None
    if found is None:
        return None
    owner = None if found.owner is None else str(found.owner)
    return Pass(str(found.participant), str(found.session), owner, found.epoch)


def _teacher(token: str) -> Pass | None:
    found = passes.read_teacher(token) if token else None
    return None if found is None else Pass(str(found.teacher), None, str(found.teacher), found.epoch)


def _cookies(header: str) -> dict[str, str]:
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(header).items()}
    except CookieError:
        return {}
