"""How often something may be tried: counters in PostgreSQL, per device, account or code, never per address alone.

Wrong codes of clients that keep no cookie share a wide bucket per address; right codes never count (B2).
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, TypeVar

from django.db import connection
from django.utils import timezone

from classrooms.models import Tries
from wordlists.refusals import Gone, Missing, TooMany

log = logging.getLogger(__name__)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Limit:
    """At most ``most`` within each window of ``seconds``."""

    scope: str
    seconds: int
    most: int


WRONG_CODES: Final = (Limit("code-minute", 60, 10), Limit("code-hour", 3600, 50))
WRONG_CODES_WITHOUT_COOKIE: Final = (Limit("code-open-minute", 60, 120), Limit("code-open-hour", 3600, 600))
WRONG_CODES_EVERYWHERE: Final = Limit("code-alarm", 3600, 2000)
OPENED_NOTHING = ("unknown_code", "session_over")
WRONG_PASSWORDS: Final = (Limit("password", 900, 10),)
WRONG_PASSWORDS_EVERYWHERE: Final = (Limit("password-account", 900, 100),)
"""Of an account from all devices: wide, or a pupil who knows the address could shut the teacher out."""
SOLO_GAMES: Final = (Limit("solo", 3600, 20),)
SOLO_GAMES_WITHOUT_COOKIE: Final = (Limit("solo-open", 3600, 200),)


def check(limits: tuple[Limit, ...], *, key: str) -> None:
    """Raises TooMany where a limit is used up; counts nothing."""
    for limit in limits:
        window = _window(limit)
        row = Tries.objects.filter(scope=limit.scope, key=_hidden(key), window=window).first()
        if row is not None and row.count >= limit.most:
            raise TooMany("too_many_tries", retry_after=_left(limit, window))


def count(limits: tuple[Limit, ...], *, key: str) -> None:
    """Counts one try; raises TooMany where it is one too many. One atomic statement, so parallel tries all count."""
    for limit in limits:
        window = _window(limit)
        if _add(limit, key=key, window=window) > limit.most:
            raise TooMany("too_many_tries", retry_after=_left(limit, window))


def guess(look_up: Callable[[], T], *, device: str, address: str) -> T:
    """Looks a code up; wrong ones count against the device, right ones never (B2)."""
    limits, key = (WRONG_CODES if device else WRONG_CODES_WITHOUT_COOKIE), device or address
    check(limits, key=key)
    try:
        return look_up()
    except (Missing, Gone) as refusal:
        if refusal.code in OPENED_NOTHING:
            _raise_alarm()
            count(limits, key=key)
        raise


def check_passwords(account: str, *, device: str) -> None:
    """Raises TooMany where an account was tried too often, from this device or from all."""
    check(WRONG_PASSWORDS, key=f"{account} {device}")
    check(WRONG_PASSWORDS_EVERYWHERE, key=account)


def count_wrong_password(account: str, *, device: str) -> None:
    """A password that was none."""
    count(WRONG_PASSWORDS_EVERYWHERE, key=account)
    count(WRONG_PASSWORDS, key=f"{account} {device}")


def count_solo(*, device: str, address: str) -> None:
    """A game tried out alone."""
    count(SOLO_GAMES if device else SOLO_GAMES_WITHOUT_COOKIE, key=device or address)


def _raise_alarm() -> None:
    if _add(WRONG_CODES_EVERYWHERE, key="", window=_window(WRONG_CODES_EVERYWHERE)) == WRONG_CODES_EVERYWHERE.most:
        log.error("Unusually many wrong codes within an hour: somebody may be guessing")


def _window(limit: Limit) -> datetime:
    now = int(timezone.now().timestamp())
    return datetime.fromtimestamp(now - now % limit.seconds, UTC)


def _left(limit: Limit, window: datetime) -> int:
    return max(1, limit.seconds - int((timezone.now() - window).total_seconds()))


def _hidden(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def _add(limit: Limit, *, key: str, window: datetime) -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            'INSERT INTO classrooms_tries (scope, key, "window", count) VALUES (%s, %s, %s, 1)'
            ' ON CONFLICT (scope, key, "window") DO UPDATE SET count = classrooms_tries.count + 1 RETURNING count',
            [limit.scope, _hidden(key), window],
        )
        return int(cursor.fetchone()[0])
