"""Who asks: every access function of the three apps takes a ``Viewer`` and nothing else about the request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from uuid import UUID

ViewerKind = Literal["teacher", "participant", "anonymous"]


@dataclass(frozen=True, slots=True)
class Viewer:
    """``id`` is the teacher's or the participant's; ``school`` goes with a teacher, ``session`` with a participant."""

    kind: ViewerKind
    id: UUID | None = None
    school: UUID | None = None
    session: UUID | None = None

    @property
    def is_teacher(self) -> bool:
        return self.kind == "teacher"

    @property
    def is_participant(self) -> bool:
        return self.kind == "participant"


ANONYMOUS = Viewer(kind="anonymous")
