"""What the report looks up beyond its tables: each word against each person, and the moves behind a number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Q

from classrooms.models import Participant, Session, WordEvidence
from classrooms.progress.selectors import PersonLine, SessionReport

KINDS = ("made", "wrong_split", "not_in_list", "hinted", "missed")
"""In the order in which a cell shows them; 'shown' words alone fill no row."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One thing that somebody did with a word, and how often. ``kind`` is one of KINDS, or 'assisted'."""

    kind: str
    times: int


@dataclass(frozen=True, slots=True)
class Cell:
    """One person and one word."""

    person: UUID
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Matrix:
    """Words down, people across."""

    people: tuple[PersonLine, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]


def matrix(report: SessionReport) -> Matrix:
    """Every word that was made, tried, hinted or missed, against everybody who sat down. One query."""
    people = tuple(row for row in report.people if row.participant is not None and row.table is not None)
    found = _counts(report.session)
    words = sorted({word for _, word in found}, key=str.casefold)
    rows = tuple((word, tuple(_cell(row, word, found) for row in people)) for word in words)
    return Matrix(people, rows)


def moves(participant: Participant) -> Sequence[WordEvidence]:
    """Everything that a person did or met, in order. One query."""
    return list(WordEvidence.objects.filter(participant=participant).order_by("round", "table", "turn", "place"))


def _counts(session: Session) -> dict[tuple[UUID, str], dict[str, int]]:
    rows = (
        WordEvidence.objects.filter(participant__session=session, kind__in=KINDS)
        .values("participant", "word", "kind")
        .annotate(times=Count("id"), assisted=Count("id", filter=Q(assisted=True)))
    )
    found: dict[tuple[UUID, str], dict[str, int]] = {}
    for row in rows:
        marks = found.setdefault((row["participant"], row["word"]), {})
        marks[row["kind"]] = row["times"] - row["assisted"]
        if row["assisted"]:
            marks["assisted"] = row["assisted"]
    return found


def _cell(row: PersonLine, word: str, found: dict[tuple[UUID, str], dict[str, int]]) -> Cell:
    assert row.participant is not None
    marks = found.get((row.participant, word), {})
    order = ("made", "assisted", *KINDS[1:])
    return Cell(row.participant, tuple(Mark(kind, marks[kind]) for kind in order if marks.get(kind)))
