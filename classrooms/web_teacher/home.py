"""Home, the list of sessions, and the words that games play with."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from classrooms import selectors
from classrooms.web_teacher.gate import TeacherRequest, teacher_reads
from classrooms.web_teacher.history import lines, page_of_lines

LATELY = 6


@teacher_reads
def home(request: TeacherRequest) -> HttpResponse:
    """Three big things, and what happened lately with what runs on top."""
    recent = lines(request.viewer, most=LATELY)
    context = {
        "running": [line for line in recent if line.running],
        "lately": [line for line in recent if not line.running],
        "class_count": len(selectors.classes(request.viewer)),
    }
    return render(request, "teacher/home.html", context)


@teacher_reads
def sessions(request: TeacherRequest) -> HttpResponse:
    """All sessions, a page at a time."""
    page, found = page_of_lines(request.viewer, request.GET.get("page"))
    return render(request, "teacher/sessions.html", {"page": page, "sessions": found})
