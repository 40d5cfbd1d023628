"""Refusals that every floor may raise: a stable code and a kind; ``config.errors`` alone turns them into HTTP."""

from __future__ import annotations


class Refused(Exception):
    """Nothing has changed. ``code`` is stable and part of the API; never raised itself, only its children."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Invalid(Refused):
    """What was sent makes no sense (400)."""


class Unknown(Refused):
    """Who asks is not known, or no longer (401)."""


class Forbidden(Refused):
    """Who asks may not (403)."""


class Missing(Refused):
    """There is no such thing, or not for who asks (404)."""


class Conflict(Refused):
    """It makes sense, but not now (409)."""


class Gone(Refused):
    """There was such a thing (410)."""


class Unprocessable(Refused):
    """It contradicts what was sent before (422)."""


class TooMany(Refused):
    """Too often (429)."""

    def __init__(self, code: str = "throttled", *, retry_after: int = 1) -> None:
        super().__init__(code)
        self.retry_after = retry_after
        """Seconds."""
