"""The only writer of evidence: a projection of the tables' logs that can be repeated, raced and rebuilt at will."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from classrooms.models import Participant, ProgressMark, Session, SessionTable, WordEvidence
from classrooms.progress.ledger import Entry, Line, Reading, is_verdict, read
from classrooms.sessions import services as sessions
from games import selectors as tables
from games.models import Table

log = logging.getLogger(__name__)

RECENT = timedelta(days=2)
SWEEP_LIMIT = 200


@dataclass(frozen=True, slots=True)
class Difference:
    """Evidence of a table that is not what its log says."""

    table: UUID
    missing: int
    """Rows that the log tells and the evidence lacks."""
    extra: int
    """Rows of evidence that the log does not tell."""


@transaction.atomic
def project(table_id: UUID) -> int:
    """Takes what the log has grown by into the evidence; how many turns were read. No two at once: the mark is locked.

    A verdict changes what was read before, and is about whoever sat there then: the whole log is read again.
    """
    mark = _locked_mark(table_id)
    lines = _lines(table_id, mark.turn)
    if not lines:
        return 0
    if mark.turn and any(map(is_verdict, lines)):
        _forget(mark)
        lines = _lines(table_id, 0)
    reading = read(lines, seating=_uuids(mark.seating))
    _apply(table_id, reading)
    mark.turn = lines[-1].turn
    mark.seating = [None if person is None else str(person) for person in reading.seating]
    mark.at = timezone.now()
    mark.save()
    return len(lines)


@transaction.atomic
def rebuild(table_id: UUID) -> None:
    """Forgets the evidence of a table and projects its whole log again."""
    _forget(_locked_mark(table_id))
    project(table_id)


@transaction.atomic
def verify(table_id: UUID) -> Difference | None:
    """Recounts the log up to the mark and compares it with the evidence, field by field; None where they agree."""
    mark = _locked_mark(table_id)
    lines = [line for line in _lines(table_id, 0) if line.turn <= mark.turn]
    told = {_key(entry) for entry in _known(read(lines, seating=[]).standing())}
    stored = {_stored_key(row) for row in WordEvidence.objects.filter(table=table_id)}
    if told == stored:
        return None
    return Difference(table=table_id, missing=len(told - stored), extra=len(stored - told))


def catch_up(session: Session) -> None:
    """Projects what no task has done yet and notes an end, so that a report is never behind; usually nothing."""
    for table_id in behind(SessionTable.objects.filter(session=session)):
        project(table_id)
    sessions.settle(session.id)
    session.refresh_from_db(fields=["status", "ended_at", "version"])


def sweep() -> int:
    """Projects what a lost task left; how many tables. One table's fault is logged and stops no other."""
    recent = SessionTable.objects.filter(session__created_at__gt=timezone.now() - RECENT)
    left = behind(recent)[:SWEEP_LIMIT]
    for table_id in left:
        try:
            project(table_id)
        except Exception:
            log.exception("The log of table %s cannot be projected", table_id)
    return len(left)


def behind(rows: QuerySet[SessionTable]) -> list[UUID]:
    """Tables whose log is longer than what was projected. One query."""
    version = Table.objects.filter(id=OuterRef("table")).values("version")
    mark = ProgressMark.objects.filter(table=OuterRef("table")).values("turn")
    grown = rows.annotate(version=Subquery(version), done=Coalesce(Subquery(mark), 0))
    return list(grown.filter(version__gt=Coalesce(Subquery(mark), 0)).order_by("id").values_list("table", flat=True))


def all_tables() -> list[UUID]:
    """Every table that has a log of ours."""
    return list(SessionTable.objects.exclude(dealt_at=None).order_by("id").values_list("table", flat=True))


def _locked_mark(table_id: UUID) -> ProgressMark:
    ProgressMark.objects.bulk_create([ProgressMark(table=table_id)], ignore_conflicts=True)
    return ProgressMark.objects.select_for_update().get(table=table_id)


def _forget(mark: ProgressMark) -> None:
    WordEvidence.objects.filter(table=mark.table).delete()
    mark.turn, mark.seating = 0, []
    mark.save()


def _lines(table_id: UUID, turn: int) -> list[Line]:
    return [Line(*row) for row in tables.facts_after(table_id, turn)]


def _apply(table_id: UUID, reading: Reading) -> None:
    WordEvidence.objects.bulk_create(
        WordEvidence(
            participant_id=entry.person,
            table=table_id,
            turn=entry.turn,
            place=entry.place,
            round=entry.round,
            kind=entry.kind,
            word=entry.word,
            tried=entry.tried,
            assisted=entry.assisted,
            at=entry.at,
        )
        for entry in _known(reading.standing())
    )


def _known(entries: list[Entry]) -> list[Entry]:
    """Entries of people who have not been erased."""
    people = set(Participant.objects.filter(id__in={entry.person for entry in entries}).values_list("id", flat=True))
    return [entry for entry in entries if entry.person in people]


def _uuids(seating: list[str | None]) -> list[UUID | None]:
    return [None if person is None else UUID(person) for person in seating]


def _key(row: Entry) -> tuple[object, ...]:
    return (row.person, row.turn, row.place, row.round, row.kind, row.word, row.tried, row.assisted, row.at)


def _stored_key(row: WordEvidence) -> tuple[object, ...]:
    return (row.participant_id, row.turn, row.place, row.round, row.kind, row.word, row.tried, row.assisted, row.at)
