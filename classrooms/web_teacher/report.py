"""The report of a session: three sentences, a table of people, words against people; behind each number its moves."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.formats import date_format, get_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from classrooms import access
from classrooms import selectors as classes
from classrooms.models import Session, WordEvidence
from classrooms.progress import selectors, services
from classrooms.progress.selectors import Column, PersonLine, SessionReport, WordTotal
from classrooms.sessions.selectors import people, shown_name
from classrooms.spreadsheet import Value, cell
from classrooms.web_teacher import evidence, history, labels
from classrooms.web_teacher.evidence import Matrix
from classrooms.web_teacher.gate import TeacherRequest, teacher_reads
from classrooms.web_teacher.people import linkable
from classrooms.web_teacher.sending import new_key

NAMED_WORDS = 3
COLUMNS = {
    "made": ("made",),
    "failed": ("wrong_split", "not_in_list"),
    "hinted": ("hinted",),
    "shown": ("shown",),
    "missed": ("missed",),
}
"""Kinds of evidence behind a column of the report."""
records = logging.getLogger("wordtable.records")
"""Who opened which record: ids only, never a name."""


def report_page(request: TeacherRequest, session: Session) -> HttpResponse:
    """The page of a session that is over. Reading it also projects what no task has done yet."""
    services.catch_up(session)
    report = selectors.session_report(session)
    records.info("teacher %s opened the report of session %s", request.user.id, session.id)
    columns, rows = selectors.table(report, "people")
    matrix = evidence.matrix(report)
    context = {
        "session": session,
        **history.heading(session),
        "report": report,
        "sentences": sentences(report, matrix),
        "columns": columns,
        "rows": [_row(person, columns, cells) for person, cells in zip(report.people, rows, strict=True)],
        "matrix": matrix,
        "kinds": labels.kinds(),
        "csv_people": _csv(session, "people"),
        "csv_words": _csv(session, "words"),
        "key": new_key(),
        **_guests(session, report),
    }
    return render(request, "teacher/report.html", context)


@teacher_reads
def moves(request: TeacherRequest, session_id: UUID, participant_id: UUID) -> HttpResponse:
    """What one person did, round by round; each opening is noted."""
    person = access.own_participant(request.viewer, session_id, participant_id)
    services.catch_up(person.session)
    records.info("teacher %s opened the moves of participant %s", request.user.id, person.id)
    report = selectors.session_report(person.session)
    found = evidence.moves(person)
    chosen = [row for row in found if _asked_for(request, row)]
    context = {
        "session": person.session,
        "name": shown_name(person, person.session.language),
        "line": next((line for line in report.people if line.participant == person.id), None),
        "rows": [_move(row) for row in chosen],
        "part": len(chosen) < len(found),
        "zone": report.zone,
    }
    return render(request, "teacher/moves.html", context)


def _asked_for(request: TeacherRequest, row: WordEvidence) -> bool:
    """The number that was tapped names a word, or a column of the report."""
    word, column = request.GET.get("word"), request.GET.get("column", "")
    return (word is None or row.word == word) and row.kind in COLUMNS.get(column, (row.kind,))


def _move(row: WordEvidence) -> dict[str, Any]:
    kind = "assisted" if row.assisted else row.kind
    return {"row": row, "kind": kind, "text": labels.kinds().get(kind, kind)}


def sentences(report: SessionReport, matrix: Matrix) -> list[str]:
    """Who played, what they made, what is worth another look: in plain words."""
    return [_who_played(report), _what_they_made(report.words, report.success), _worth_another_look(matrix)]


def _who_played(report: SessionReport) -> str:
    played = ngettext("%(n)s student played", "%(n)s students played", report.played) % {"n": report.played}
    day = date_format(report.held_on, "l j F Y")
    if report.played and report.finished == report.played:
        return _("%(played)s on %(day)s, and all of them finished.") % {"played": played, "day": day}
    finished = ngettext("%(n)s of them finished", "%(n)s of them finished", report.finished) % {"n": report.finished}
    return _("%(played)s on %(day)s; %(finished)s.") % {"played": played, "day": day, "finished": finished}


def _what_they_made(words: Sequence[WordTotal], success: int | None) -> str:
    made = [row for row in words if row.made]
    if not made:
        return _("No word was made that counts.")
    total = sum(row.made for row in made)
    text = ngettext("They made %(n)s word that counts", "They made %(n)s words that count", total) % {"n": total}
    text += ngettext(", %(n)s different one", ", %(n)s different ones", len(made)) % {"n": len(made)}
    if success is None:
        return text + "."
    return text + _("; of those who finished, %(percent)s %% of the tries counted.") % {"percent": success}


def _worth_another_look(matrix: Matrix) -> str:
    hard = sorted((row for row in matrix.listed if row.hard), key=lambda row: (-row.hard, row.word))
    if not hard:
        return _("No word was missed.")
    named = ", ".join(f"{row.word} ({row.hard})" for row in hard[:NAMED_WORDS])
    return _("Worth another look, with how often they were missed: %(words)s.") % {"words": named}


def _row(person: PersonLine, columns: Sequence[Column], cells: Sequence[Value]) -> dict[str, Any]:
    shown = [_shown(column.key, value) for column, value in zip(columns, cells, strict=True)]
    return {"person": person, "cells": shown}


def _shown(key: str, value: Value) -> dict[str, Any]:
    """A cell: ``data`` is what the CSV file says, ``text`` what a person reads. Nothing known is a dash."""
    text: str = "–" if value is None or value == "" else str(value)
    if key == "state":
        text = labels.states().get(str(value), str(value))
    elif isinstance(value, date):
        text = date_format(value, "j M Y")
    return {"key": key, "data": cell(value), "text": text, "number": isinstance(value, int)}


def _csv(session: Session, which: str) -> str:
    """The file of the API; with semicolons where the page's language writes decimal commas, as spreadsheets do."""
    separator = "%3B" if get_format("DECIMAL_SEPARATOR") == "," else "%2C"
    return f"/api/v1/sessions/{session.id}/report.csv?table={which}&separator={separator}"


def _guests(session: Session, report: SessionReport) -> dict[str, Any]:
    """Guests whom the teacher may link to a student now."""
    if session.school_class is None:
        return {"guests": (), "linkable": ()}
    guests = [row for row in report.people if row.was_guest]
    students = classes.pupils(session.school_class) if guests else []
    present = people(session, marks=True, everybody=True) if guests else []
    return {"guests": guests, "linkable": linkable(students, present)}
