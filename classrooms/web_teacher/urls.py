"""Addresses of the teacher's pages."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from classrooms.web_teacher import (
    account,
    home,
    new_session,
    projector,
    report,
    school_classes,
    session_buttons,
    session_page,
    words,
)

app_name = "teacher"

people: list[URLPattern | URLResolver] = [
    path("remove/", session_buttons.remove, name="person_remove"),
    path("link/", session_buttons.link, name="person_link"),
    path("seat/", session_buttons.seat, name="person_seat"),
    path("another-tablet/", session_buttons.re_entry, name="person_reentry"),
    path("moves/", report.moves, name="person_moves"),
]

session: list[URLPattern | URLResolver] = [
    path("", session_page.session, name="session"),
    path("start/", session_buttons.start, name="session_start"),
    path("pause/", session_buttons.pause, name="session_pause"),
    path("resume/", session_buttons.resume, name="session_resume"),
    path("extend/", session_buttons.extend, name="session_extend"),
    path("next/", session_buttons.next_round, name="session_next"),
    path("door/", session_buttons.lock, name="session_lock"),
    path("again/", session_buttons.again, name="session_again"),
    path("end/", session_buttons.end, name="session_end"),
    path("delete/", session_buttons.delete, name="session_delete"),
    path("projector/", projector.overview, name="projector"),
    path("projector/<int:number>/", projector.table, name="projector_table"),
    path("people/<uuid:participant_id>/", include(people)),
]

students: list[URLPattern | URLResolver] = [
    path("rename/", school_classes.student_rename, name="student_rename"),
    path("remove/", school_classes.student_remove, name="student_remove"),
    path("restore/", school_classes.student_restore, name="student_restore"),
]

school_class: list[URLPattern | URLResolver] = [
    path("", school_classes.school_class, name="class"),
    path("rename/", school_classes.class_rename, name="class_rename"),
    path("archive/", school_classes.class_archive, name="class_archive"),
    path("restore/", school_classes.class_restore, name="class_restore"),
    path("students/<uuid:student_id>/", include(students)),
]

pages: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("sign-in/", account.sign_in, name="sign_in"),
    path("sign-out/", account.sign_out, name="sign_out"),
    path("password/", account.password, name="password"),
    path("language/", account.language, name="language"),
    path("words/", words.words, name="words"),
    path("classes/", school_classes.classes, name="classes"),
    path("classes/new/", school_classes.class_new, name="class_new"),
    path("classes/<uuid:class_id>/", include(school_class)),
    path("sessions/", home.sessions, name="sessions"),
    path("sessions/new/", new_session.session_new, name="session_new"),
    path("sessions/<uuid:session_id>/", include(session)),
]

urlpatterns = [path("teacher/", include(pages))]
