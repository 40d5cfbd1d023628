"""Who is there, by their signs of life."""

from __future__ import annotations

import time
from collections import defaultdict

ABSENT_SECONDS = 30.0
TELL_SEEN_SECONDS = 8.0
"""How often one participant's sign of life is passed on to the other web processes."""


class Presence:
    """Who was heard of in the last 30 s, per session; in memory, and never part of any rule."""

    def __init__(self) -> None:
        self._seen: dict[str, dict[str, float]] = defaultdict(dict)
        self._told: dict[str, float] = {}

    def worth_telling(self, participant: str) -> bool:
        now = time.monotonic()
        if now - self._told.get(participant, -TELL_SEEN_SECONDS) < TELL_SEEN_SECONDS:
            return False
        self._told[participant] = now
        return True

    def hear(self, session: str, participant: str) -> str | None:
        """The session, where its set of present people has changed."""
        is_new = participant not in self._seen[session]
        self._seen[session][participant] = time.monotonic()
        return session if is_new else None

    def forget(self, session: str, participant: str) -> str | None:
        self._told.pop(participant, None)
        return session if self._seen[session].pop(participant, None) is not None else None

    def of(self, session: str) -> list[str]:
        return sorted(self._seen.get(session, ()))

    def expire(self) -> list[str]:
        """Sessions that somebody has silently left."""
        limit = time.monotonic() - ABSENT_SECONDS
        changed = []
        for session, people in list(self._seen.items()):
            gone = [person for person, at in people.items() if at < limit]
            for person in gone:
                del people[person]
                self._told.pop(person, None)
            if gone:
                changed.append(session)
            if not people:
                del self._seen[session]
        return changed
