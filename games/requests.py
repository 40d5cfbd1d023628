"""Idempotency keys (X-02) and allowances, kept in PostgreSQL so that every process and every restart knows them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import msgspec
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from games import store
from games.engine.contract import IllegalMove
from games.models import Allowance, Request
from games.store import Counted, Counter
from wordlists.refusals import Conflict, Invalid, TooMany, Unprocessable
from wordlists.viewer import Viewer

KEEP = timedelta(hours=24)
LONGEST_KEY = 128
ALLOWANCES: dict[str, tuple[int, int]] = {
    "move": (120, 10),
    "draft": (120, 10),
    "command": (120, 10),
    "read": (300, 10),
    **getattr(settings, "ALLOWANCES", {}),
}
"""Scope → how often in how many seconds, per seat or account."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command answered: a body of JSON, or the code of a refusal, which is an answer like any other."""

    status: int
    body: bytes
    replayed: bool = False

    @classmethod
    def of(cls, body: Any, *, status: int = 200) -> Answer:
        return cls(status, msgspec.json.encode(body))

    @classmethod
    def refusal(cls, code: str) -> Answer:
        return cls.of({"code": code}, status=409)

    def checked(self) -> Answer:
        """Itself. Raises IllegalMove where the answer was a refusal."""
        if self.status == 409:
            raise IllegalMove(self.content["code"])
        return self

    @property
    def content(self) -> Any:
        return msgspec.json.decode(self.body)


def actor_of(viewer: Viewer) -> str:
    """Whom a key or an allowance belongs to; never an address."""
    return f"{viewer.kind}:{viewer.id or ''}"


def body_hash(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def earlier(actor: str, scope: str, key: str | None, hashed: str) -> Answer | None:
    """The first answer to that key; None when it is new. Raises Unprocessable when it came with another body."""
    if key is None:
        return None
    if not 1 <= len(key) <= LONGEST_KEY or not key.isprintable():
        raise Invalid("bad_idempotency_key")
    found = Request.objects.filter(actor=actor, scope=scope, key=key).values_list("body_hash", "status", "answer")
    for first_hash, status, answer in found:
        if first_hash != hashed:
            raise Unprocessable("key_reused")
        return Answer(status, answer.encode(), replayed=True)
    return None


def keep(actor: str, scope: str, key: str | None, hashed: str, answer: Answer) -> None:
    """Remember the answer, in the transaction of its effect."""
    if key is not None:
        text = answer.body.decode()
        Request.objects.create(actor=actor, scope=scope, key=key, body_hash=hashed, status=answer.status, answer=text)


def once(actor: str, scope: str, key: str | None, body: bytes, act: Callable[[], Answer]) -> Answer:
    """Do ``act`` and remember its answer in one transaction; a repeat of the key gets the first answer.

    For what has no table row to wait on. Raises Conflict ``in_flight`` while the first is still at it.
    """
    hashed = body_hash(body)
    with transaction.atomic():
        if key is not None and not _claimed(f"{actor} {scope} {key}"):
            raise InFlight("in_flight")
        found = earlier(actor, scope, key, hashed)
        if found is not None:
            return found
        answer = act()
        keep(actor, scope, key, hashed, answer)
    return answer


class InFlight(Conflict):
    """The first request with this key has not been answered yet."""

    retry_after = 1


def allow(actor: str, scope: str, *, most: int | None = None, seconds: int | None = None) -> None:
    """Count one ``scope`` of the actor. Raises TooMany with the seconds to wait. Limits default to ALLOWANCES."""
    limit, span = ALLOWANCES.get(scope, (60, 60))
    _check(store.count(Counter(actor, scope, seconds or span)), most or limit)


def counter(actor: str, scope: str) -> Counter:
    """For what is counted within another statement's transaction, and then ``check``ed."""
    return Counter(actor, scope, ALLOWANCES[scope][1])


def check(counted: Counted | None, scope: str) -> None:
    """Raises TooMany where that was more than ``scope`` allows."""
    if counted is not None:
        _check(counted, ALLOWANCES[scope][0])


def _check(counted: Counted, limit: int) -> None:
    if counted.number > limit:
        raise TooMany("throttled", retry_after=max(0, int(counted.left)))


def forget_answers_about(name: str) -> None:
    """Forget kept answers that tell of something which is no more."""
    Request.objects.filter(answer__contains=name).delete()


def purge() -> int:
    """Forget answers and counters whose time is over; how many answers went."""
    Allowance.objects.filter(since__lt=timezone.now() - KEEP).delete()
    return Request.objects.filter(at__lt=timezone.now() - KEEP).delete()[0]


def _claimed(name: str) -> bool:
    number = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [number])
        return bool(cursor.fetchone()[0])
