"""What the report looks up beyond its tables: each word against each person, and the moves behind a number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Q

from classrooms.models import Participant, Session, WordEvidence
from classrooms.progress.selectors import PersonLine, SessionReport
from wordlists.spelling import fold

KINDS = ("made", "wrong_split", "not_in_list", "hinted", "missed")
"""In the order in which a cell shows them; 'shown' words alone fill no row."""


Found = dict[tuple[UUID, str], dict[str, int]]
"""How often, by person and word, by kind."""


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
class Row:
    """A word with a cell for each person; ``hard``: how often it was missed or built of other syllables."""

    word: str
    cells: tuple[Cell, ...]
    hard: int


@dataclass(frozen=True, slots=True)
class Matrix:
    """Words down, people across; what is in no list stands apart."""

    people: tuple[PersonLine, ...]
    listed: tuple[Row, ...]
    unlisted: tuple[Row, ...]


def matrix(report: SessionReport) -> Matrix:
    """Every word that was made, tried, hinted or missed, against everybody who sat down. One query."""
    people = tuple(row for row in report.people if row.participant is not None and row.table is not None)
    found = _counts(report.session)
    totals: dict[str, Counter[str]] = {}
    for (_, word), marks in found.items():
        totals.setdefault(word, Counter()).update(marks)
    language = report.session.language
    order = sorted(totals, key=lambda word: (fold(word, language), word))
    rows = [_row(word, people, found, totals[word]) for word in order]
    unlisted = {word for word, total in totals.items() if set(total) == {"not_in_list"}}
    return Matrix(
        people=people,
        listed=tuple(row for row in rows if row.word not in unlisted),
        unlisted=tuple(row for row in rows if row.word in unlisted),
    )


def moves(participant: Participant) -> list[WordEvidence]:
    """Everything that a person did or met, in order. One query."""
    return list(WordEvidence.objects.filter(participant=participant).order_by("round", "table", "turn", "place"))


def _row(word: str, people: Sequence[PersonLine], found: Found, total: Counter[str]) -> Row:
    cells = tuple(_cell(person, word, found) for person in people)
    return Row(word, cells, hard=total["missed"] + total["wrong_split"])


def _counts(session: Session) -> Found:
    rows = (
        WordEvidence.objects.filter(participant__session=session, kind__in=KINDS)
        .values("participant", "word", "kind")
        .annotate(times=Count("id"), assisted=Count("id", filter=Q(assisted=True)))
    )
    found: Found = {}
    for row in rows:
        marks = found.setdefault((row["participant"], row["word"]), {})
        marks[row["kind"]] = row["times"] - row["assisted"]
        if row["assisted"]:
            marks["assisted"] = row["assisted"]
    return found


def _cell(row: PersonLine, word: str, found: Found) -> Cell:
    """A hint that was followed says enough: the hint alone is not shown besides."""
    assert row.participant is not None
    marks = found.get((row.participant, word), {})
    order = [kind for kind in ("made", "assisted", *KINDS[1:]) if kind != "hinted" or "assisted" not in marks]
    return Cell(row.participant, tuple(Mark(kind, marks[kind]) for kind in order if marks.get(kind)))
