"""One session, from its lobby to its report: one address, whatever its state and whatever device opens it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from classrooms import access
from classrooms import selectors as classes
from classrooms.models import Session
from classrooms.sessions import selectors
from classrooms.web_teacher import grid, history
from classrooms.web_teacher.gate import TeacherRequest, teacher_reads
from classrooms.web_teacher.people import Face, face, linkable
from classrooms.web_teacher.report import report_page
from classrooms.web_teacher.way_in import way_in

FEWEST = 2


@teacher_reads
def session(request: TeacherRequest, session_id: UUID) -> HttpResponse:
    """The lobby, the live grid or the report; htmx gets the region alone."""
    return show(request, access.own_session(request.viewer, session_id))


def show(request: TeacherRequest, session: Session) -> HttpResponse:
    """The session as it stands now: also the answer of every button on the page."""
    if session.status == Session.Status.OVER:
        return _elsewhere(session) if request.htmx else report_page(request, session)
    region, context = _lobby(request, session) if session.status == Session.Status.LOBBY else _live(session)
    context |= {"session": session, "region": region, **history.heading(session)}
    return render(request, "teacher/session_region.html" if request.htmx else "teacher/session.html", context)


def _elsewhere(session: Session) -> HttpResponse:
    """The page turned into another one (the report): the whole of it is loaded."""
    return HttpResponse(status=204, headers={"HX-Redirect": reverse("teacher:session", args=[session.id])})


def _lobby(request: TeacherRequest, session: Session) -> tuple[str, dict[str, Any]]:
    lobby = selectors.lobby(session)
    students = classes.pupils(session.school_class) if session.school_class else []
    people = [face(person, students) for person in lobby.people]
    context = {
        "topics": f"session:{session.id}",
        "way": way_in(request, session.code),
        "people": people,
        "people_title": ngettext("%(n)s student is in", "%(n)s students are in", len(people)) % {"n": len(people)},
        "expected": _expected(people, len(students)),
        "missing": lobby.missing,
        "linkable": linkable(students, lobby.people),
        **_readiness(session, len(people)),
    }
    return "teacher/lobby.html", context


def _expected(people: list[Face], students: int) -> str:
    here = sum(1 for person in people if not person.guest or person.linked)
    return _("%(here)s of %(all)s of the class") % {"here": here, "all": students} if students else ""


def _readiness(session: Session, here: int) -> dict[str, Any]:
    """Whether Start makes sense yet, and what it will do."""
    needed = 1 if session.robots else FEWEST
    if here < needed:
        return {"can_start": False, "start_hint": _("The game starts when somebody is in.")}
    if session.robots:
        hint = _("Everybody is seated at tables of 3 or 4; a robot joins each table.")
    else:
        hint = _("Everybody is seated at tables of 3 or 4.")
    return {"can_start": True, "start_hint": hint}


def _live(session: Session) -> tuple[str, dict[str, Any]]:
    found = selectors.grid(session)
    students = classes.pupils(session.school_class) if session.school_class else []
    everybody = {row.participant: row for row in selectors.people(session, marks=True, everybody=True)}
    tables = [grid.table(row, session, everybody, students) for row in found.tables]
    context = {
        "topics": ",".join([f"session:{session.id}", *(f"table:{row.table}" for row in found.tables)]),
        "tables": tables,
        "counts": grid.counts(tables),
        "any_reveal": any(row.phase == "reveal" for row in found.tables),
        "waiting": [face(person, students) for person in found.waiting],
        "robot_seats": grid.robot_tables(tables),
        "linkable": linkable(students, everybody.values()),
    }
    return "teacher/live.html", context
