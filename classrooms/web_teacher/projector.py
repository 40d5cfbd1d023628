"""What the whole room may look at: one table large, or all tables; before the start, the way in. Never a hidden card.

Only the public part of a table is read here. Marks, which are for the teacher's eyes, are not shown.
"""

from __future__ import annotations

import time
from collections import Counter
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from classrooms import access
from classrooms.models import Session
from classrooms.sessions import selectors
from classrooms.sessions.selectors import GridSeat, GridTable
from classrooms.web_teacher import history
from classrooms.web_teacher.gate import TeacherRequest, teacher_reads
from classrooms.web_teacher.grid import clock
from classrooms.web_teacher.way_in import way_in
from wordlists.refusals import Missing

ENDED = ("over", "stopped", "abandoned")


@teacher_reads
def overview(request: TeacherRequest, session_id: UUID) -> HttpResponse:
    """The way in while the lobby is open, then all tables side by side."""
    session = access.own_session(request.viewer, session_id)
    if session.status == Session.Status.LOBBY:
        names = [person.name for person in selectors.people(session, marks=False)]
        return _page(request, session, "projector/lobby.html", {"names": names})
    grid = selectors.grid(session)
    boards = [board(row, session) for row in grid.tables]
    return _page(request, session, "projector/overview.html", {"boards": boards}, grid.tables)


@teacher_reads
def table(request: TeacherRequest, session_id: UUID, number: int) -> HttpResponse:
    """One table, as large as the wall allows."""
    session = access.own_session(request.viewer, session_id)
    if session.status == Session.Status.LOBBY:
        return overview(request, session_id)
    grid = selectors.grid(session)
    row = next((found for found in grid.tables if found.number == number), None)
    if row is None:
        raise Missing("not_found")
    return _page(request, session, "projector/table.html", {"board": board(row, session)}, [row])


def board(row: GridTable, session: Session) -> dict[str, Any]:
    """A table as a projector shows it: what its game's ``projector.html`` works with."""
    public = row.public or {}
    names = _names(row.seats)
    return {
        "id": row.table,
        "number": row.number,
        "template": f"games/{session.game}/projector.html",
        "status": row.status,
        "ended": row.status in ENDED,
        "phase": row.phase,
        "round": row.round,
        "rounds": row.rounds,
        "public": public,
        "seats": [_seat(seat, name, public) for seat, name in zip(row.seats, names, strict=True)],
        "words": _words(public, names),
        "left_ms": row.left_ms if row.status in ("active", "paused") else None,
        "clock": clock(row.left_ms),
        "at": time.monotonic_ns(),
        "standing": row.status != "active",
    }


def _page(
    request: TeacherRequest,
    session: Session,
    region: str,
    context: dict[str, Any],
    tables: Any = (),
) -> HttpResponse:
    context |= {
        "session": session,
        "title": history.title(session),
        "region": region,
        "sheets": [f"games/{session.game}/board.css", f"games/{session.game}/projector.css"],
        "topics": ",".join([f"session:{session.id}", *(f"table:{row.table}" for row in tables)]),
        "way": way_in(request, session.code),
        "door_open": session.status != Session.Status.OVER and not session.locked,
    }
    return render(request, region if request.htmx else "projector/page.html", context)


def _seat(seat: GridSeat, name: str, public: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": name,
        "robot": seat.robot is not None,
        "left": seat.state == "left",
        "ready": seat.state == "ready",
        "stars": seat.stars,
    }


def _words(public: dict[str, Any], names: list[str]) -> list[dict[str, Any]]:
    """Words of the reveal that count, the longest first; what did not count shames nobody on a wall."""
    shown = (public.get("reveal") or {}).get("words") or []
    valid = [word | {"name": names[word["seat"]]} for word in shown if word.get("result") == "valid"]
    return sorted(valid, key=lambda word: (-word["syllables"], word["seat"]))


def _names(seats: tuple[GridSeat, ...]) -> list[str]:
    """Shown names; namesakes at one table are told apart by their seat's number, as the table itself does."""
    names = [seat.name or (_("Robot %(n)s") % {"n": seat.seat + 1} if seat.robot else "–") for seat in seats]
    shared = {name for name, times in Counter(names).items() if times > 1}
    return [f"{name} · {seat.seat + 1}" if name in shared else name for seat, name in zip(seats, names, strict=True)]
