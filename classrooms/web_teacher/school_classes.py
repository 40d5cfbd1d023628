"""Classes and the names in them."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from classrooms import access, selectors, services
from classrooms.models import SchoolClass, Student
from classrooms.web_teacher.forms import ClassForm, NamesForm
from classrooms.web_teacher.gate import (
    TOLD,
    TeacherRequest,
    refusal_text,
    teacher_does,
    teacher_page,
    teacher_reads,
    told,
)
from classrooms.web_teacher.history import lines
from classrooms.web_teacher.sending import new_key, once
from classrooms.web_teacher.texts import text_of
from wordlists.refusals import Missing

MOST_SESSIONS = 5


@teacher_reads
def classes(request: TeacherRequest) -> HttpResponse:
    """The teacher's classes, those in use first."""
    context = {
        "classes": selectors.classes(request.viewer),
        "archived": selectors.classes(request.viewer, archived=True),
    }
    return render(request, "teacher/classes.html", context)


@teacher_page
def class_new(request: TeacherRequest) -> HttpResponse:
    """A class out of pasted names: first looked at, then saved."""
    form = ClassForm(request.POST or None, request.FILES or None)
    if _may_save(request, form):
        made = _created(request, form)
        if made:
            messages.success(request, _("The class is ready."))
            return redirect(made)
    return _names_page(request, "teacher/class_new.html", form, {"form": form})


@teacher_page
def school_class(request: TeacherRequest, class_id: UUID) -> HttpResponse:
    """One class: its students, and the place to add some."""
    found = access.own_class(request.viewer, class_id)
    form = NamesForm(request.POST or None, request.FILES or None)
    if _may_save(request, form) and _added(request, found, form):
        return redirect("teacher:class", found.id)
    return _names_page(request, "teacher/class.html", form, {"form": form, **_class_context(request, found)})


@teacher_does
def class_rename(request: TeacherRequest, class_id: UUID) -> HttpResponse:
    found = access.own_class(request.viewer, class_id)
    with told(request):
        services.rename_class(found, name=request.POST.get("name", ""))
    return redirect("teacher:class", found.id)


@teacher_does
def class_archive(request: TeacherRequest, class_id: UUID) -> HttpResponse:
    found = access.own_class(request.viewer, class_id)
    services.archive_class(found)
    messages.success(request, _("The class is archived. Its page can bring it back."))
    return redirect("teacher:classes")


@teacher_does
def class_restore(request: TeacherRequest, class_id: UUID) -> HttpResponse:
    found = access.own_class(request.viewer, class_id)
    services.restore_class(found)
    return redirect("teacher:class", found.id)


@teacher_does
def student_rename(request: TeacherRequest, class_id: UUID, student_id: UUID) -> HttpResponse:
    student = _own_student(request, class_id, student_id)
    with told(request):
        services.rename_student(student, name=request.POST.get("name", ""), mark=request.POST.get("mark", ""))
    return redirect("teacher:class", class_id)


@teacher_does
def student_remove(request: TeacherRequest, class_id: UUID, student_id: UUID) -> HttpResponse:
    """Takes a student out; the next page offers to take that back."""
    student = _own_student(request, class_id, student_id)
    services.remove_student(student)
    response = redirect("teacher:class", class_id)
    response["Location"] += f"?removed={student.id}"
    return response


@teacher_does
def student_restore(request: TeacherRequest, class_id: UUID, student_id: UUID) -> HttpResponse:
    services.restore_student(_own_student(request, class_id, student_id))
    return redirect("teacher:class", class_id)


def _own_student(request: TeacherRequest, class_id: UUID, student_id: UUID) -> Student:
    """Both ids have to fit together."""
    student = access.own_student(request.viewer, student_id)
    if student.school_class_id != class_id:
        raise Missing("not_found")
    return student


def _may_save(request: TeacherRequest, form: NamesForm) -> bool:
    """Saved is only what was seen: lines that are left out have to have been shown before."""
    if not (form.is_valid() and request.POST.get("do") == "save"):
        return False
    return form.faults_seen and not request.FILES


def _created(request: TeacherRequest, form: ClassForm) -> str:
    """The page of the new class; empty where it was refused."""

    def create() -> str:
        made = services.create_class(request.user, name=form.cleaned_data["name"], pupils=form.listed.names)
        return reverse("teacher:class", args=[made.id])

    try:
        return once(request, create)
    except TOLD as refusal:
        form.add_error("name" if refusal.code == "class_name" else None, refusal_text(refusal))
        return ""


def _added(request: TeacherRequest, school_class: SchoolClass, form: NamesForm) -> bool:
    def add() -> str:
        return str(len(services.add_students(school_class, pupils=form.listed.names)))

    try:
        count = int(once(request, add))
    except TOLD as refusal:
        form.add_error(None, refusal_text(refusal))
        return False
    messages.success(request, ngettext("%(n)s student is added.", "%(n)s students are added.", count) % {"n": count})
    return True


def _names_page(request: TeacherRequest, page: str, form: NamesForm, context: dict[str, Any]) -> HttpResponse:
    """The page, or only the preview of the names where htmx asks for it."""
    listed = form.listed
    if form.is_bound and request.FILES:
        form.show_text()
    context |= {
        "faults": [{"line": f.line, "text": f.text, "code": f.code, "why": text_of(f.code)} for f in listed.faults],
        "has_marks": any(row.mark for row in listed.rows),
        "save_label": _save_label(form),
        "key": new_key(),
    }
    return render(request, "teacher/names_preview.html" if request.htmx else page, context)


def _save_label(form: NamesForm) -> str:
    count = len(form.listed.names)
    if not count:
        return _("Make the class without names yet") if isinstance(form, ClassForm) else ""
    if isinstance(form, ClassForm):
        return ngettext("Make the class with %(n)s name", "Make the class with %(n)s names", count) % {"n": count}
    return ngettext("Add %(n)s name", "Add %(n)s names", count) % {"n": count}


def _class_context(request: TeacherRequest, school_class: SchoolClass) -> dict[str, Any]:
    removed = request.GET.get("removed", "")
    gone = selectors.pupils(school_class, gone=True) if removed else []
    return {
        "class": school_class,
        "students": selectors.pupils(school_class),
        "removed": next((row for row in gone if str(row.id) == removed), None),
        "sessions": lines(request.viewer, most=MOST_SESSIONS, school_class=school_class.id),
    }
