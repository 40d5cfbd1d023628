"""What a teacher does to a running session and to somebody in it: each a POST, most without leaving the page."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from classrooms import access
from classrooms.models import Participant, Session
from classrooms.sessions import selectors, services
from classrooms.web_teacher import history
from classrooms.web_teacher.gate import TeacherRequest, teacher_does, teacher_page, told
from classrooms.web_teacher.sending import once
from classrooms.web_teacher.session_page import show
from classrooms.web_teacher.way_in import qr, spoken, students_base
from wordlists.refusals import Missing

EXTENSION_MS = 30_000


@teacher_does
def start(request: TeacherRequest, session_id: UUID) -> HttpResponse:
    found = access.own_session(request.viewer, session_id)
    with told(request):
        services.start(found)
    return _after(request, found)


@teacher_does
def pause(request: TeacherRequest, session_id: UUID) -> HttpResponse:
    found = access.own_session(request.viewer, session_id)
    with told(request):
        services.pause(found)
    return _after(request, found)


@teacher_does
def resume(request: TeacherRequest, session_id: UUID) -> HttpResponse:
    found = access.own_session(request.viewer, session_id)
    with told(request):
        services.resume(found)
    return _after(request, found)


@teacher_does
def extend(request: TeacherRequest, session_id: UUID) -> HttpResponse:
    found = access.own_session(request.viewer, session_id)
    with told(request):
        services.extend(found, ms=EXTENSION_MS)
    return _after(request, found)


@teacher_does
def next_round(request: TeacherRequest, session_id: UUID) -> HttpResponse:
    found = access.own_session(request.viewer, session_id)
    with told(request):
        services.next_round(found)
    return _after(request, found)


@teacher_does
def lock(request: TeacherRequest, session_id: UUID) -> HttpResponse:
    """Shuts the door of the session, or opens it."""
    found = access.own_session(request.viewer, session_id)
    with told(request):
        if request.POST.get("lock"):
            services.lock(found)
        else:
            services.unlock(found)
    return _after(request, found)


@teacher_does
def again(request: TeacherRequest, session_id: UUID) -> HttpResponse:
    """The same class and settings once more, in a new lobby."""
    found = access.own_session(request.viewer, session_id)
    return redirect(once(request, lambda: reverse("teacher:session", args=[services.play_again(found).id])))


@teacher_page
def end(request: TeacherRequest, session_id: UUID) -> HttpResponse:
    """Asks first."""
    found = access.own_session(request.viewer, session_id)
    if request.method == "POST":
        services.end(found)
        return redirect("teacher:session", found.id)
    lines = [_("Every table stops where it stands. The stars count as they are, and the report is ready at once.")]
    return _confirm(request, found, title=_("End the session?"), lines=lines, yes=_("End the session"))


@teacher_page
def delete(request: TeacherRequest, session_id: UUID) -> HttpResponse:
    """Asks first."""
    found = access.own_session(request.viewer, session_id)
    if request.method == "POST":
        services.delete(found)
        messages.success(request, _("The session is deleted."))
        return redirect("teacher:sessions")
    lines = [
        history.title(found),
        _("Its tables, its report and what it added to the students' progress go for good. This cannot be undone."),
    ]
    return _confirm(request, found, title=_("Delete this session?"), lines=lines, yes=_("Delete for good"))


@teacher_page
def remove(request: TeacherRequest, session_id: UUID, participant_id: UUID) -> HttpResponse:
    """Asks first."""
    person = access.own_participant(request.viewer, session_id, participant_id)
    if request.method == "POST":
        with told(request):
            services.remove(person)
        return redirect("teacher:session", session_id)
    lines = [_("They are signed out and cannot come back to this session. Their stars and words stay in the report.")]
    title = _("Remove %(name)s?") % {"name": _label(person)}
    return _confirm(request, person.session, title=title, lines=lines, yes=_("Remove"))


@teacher_does
def seat(request: TeacherRequest, session_id: UUID, participant_id: UUID) -> HttpResponse:
    """Gives a late comer the robot's seat at the chosen table."""
    person = access.own_participant(request.viewer, session_id, participant_id)
    number = request.POST.get("table", "")
    with told(request):
        services.seat_late_comer(person, table=int(number) if number.isascii() and number.isdigit() else None)
    return _after(request, person.session)


@teacher_does
def link(request: TeacherRequest, session_id: UUID, participant_id: UUID) -> HttpResponse:
    """Says which student a guest is."""
    person = access.own_participant(request.viewer, session_id, participant_id)
    chosen = request.POST.get("student", "")
    student = access.own_student(request.viewer, _id_of(chosen)) if chosen else None
    with told(request):
        services.link_guest(person, student=student)
    return redirect("teacher:session", session_id)


@teacher_does
def re_entry(request: TeacherRequest, session_id: UUID, participant_id: UUID) -> HttpResponse:
    """Shows a code that moves the seat to another tablet. It stands in this answer only: a reload makes a new one."""
    person = access.own_participant(request.viewer, session_id, participant_id)
    code = ""
    with told(request):
        code = services.re_entry_code(person)
    if not code:
        return redirect("teacher:session", session_id)
    base = students_base(request)
    context = {
        "session": person.session,
        "name": selectors.shown_name(person, person.session.language),
        "code": code,
        "address": spoken(base) + reverse("student:back"),
        "qr": qr(base + reverse("student:back")),
    }
    return render(request, "teacher/reentry.html", context)


def _after(request: TeacherRequest, session: Session) -> HttpResponse:
    """htmx gets the fresh region; a plain form goes back to the page."""
    if not request.htmx:
        return redirect("teacher:session", session.id)
    return show(request, access.own_session(request.viewer, session.id))


def _confirm(request: TeacherRequest, session: Session, *, title: str, lines: list[str], yes: str) -> HttpResponse:
    context = {"title": title, "lines": lines, "yes": yes, "back": reverse("teacher:session", args=[session.id])}
    return render(request, "teacher/confirm.html", context)


def _id_of(text: str) -> UUID:
    """What is no id names nothing."""
    try:
        return UUID(text)
    except ValueError as error:
        raise Missing("not_found") from error


def _label(person: Participant) -> str:
    return selectors.shown_name(person, person.session.language)
