"""The signed passes that open a seat or a teacher's stream. Read by the hub too, so nothing here asks the database.

A pass proves what it says until its key changes; whether its epoch is still the participant's is asked where rows are
at hand (the middleware), and told to the hub by ``close:<participant>``.
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.core import signing

SEAT_COOKIE = "wt_seat"
TEACHER_COOKIE = "wt_teacher"
SEAT_MAX_AGE = 30 * 24 * 3600
TEACHER_MAX_AGE = 12 * 3600
_SEAT_SALT = "wordtable.seat"
_TEACHER_SALT = "wordtable.teacher"


@dataclass(frozen=True, slots=True)
class SeatPass:
    """Holder of a seat. Raising the participant's epoch revokes all passes of an earlier one."""

    participant: UUID
    session: UUID
    epoch: int
    owner: UUID | None = None
    """The session's teacher, so that the hub knows to whom its presence may be told."""


@dataclass(frozen=True, slots=True)
class TeacherPass:
    """A signed-in teacher. A password change raises the epoch; earlier passes are then dead where rows are at hand."""

    teacher: UUID
    school: UUID
    epoch: int = 1


def seat_token(*, participant: UUID, session: UUID, epoch: int, owner: UUID | None = None) -> str:
    raw = {"p": participant.hex, "s": session.hex, "e": epoch} | ({} if owner is None else {"o": owner.hex})
    return signing.dumps(raw, salt=_SEAT_SALT)


def read_seat(token: str) -> SeatPass | None:
    """The pass of a token; None when it is forged, expired or no token at all."""
    try:
        raw = signing.loads(token, salt=_SEAT_SALT, max_age=SEAT_MAX_AGE)
        owner = UUID(raw["o"]) if "o" in raw else None
        return SeatPass(participant=UUID(raw["p"]), session=UUID(raw["s"]), epoch=int(raw["e"]), owner=owner)
    except (signing.BadSignature, KeyError, TypeError, ValueError):
        return None


def teacher_token(*, teacher: UUID, school: UUID, epoch: int = 1) -> str:
    return signing.dumps({"t": teacher.hex, "s": school.hex, "e": epoch}, salt=_TEACHER_SALT)


def read_teacher(token: str) -> TeacherPass | None:
    """The pass of a token; None when it is forged, expired or no token at all."""
    try:
        raw = signing.loads(token, salt=_TEACHER_SALT, max_age=TEACHER_MAX_AGE)
        return TeacherPass(teacher=UUID(raw["t"]), school=UUID(raw["s"]), epoch=int(raw["e"]))
    except (signing.BadSignature, KeyError, TypeError, ValueError):
        return None
