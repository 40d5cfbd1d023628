"""Addresses below ``/api/v1/``."""

from django.urls import path

from classrooms.api import accounts, joining, reports, sessions

_SESSION = "sessions/<uuid:session_id>/"
_PERSON = f"{_SESSION}participants/<uuid:participant_id>/"

urlpatterns = [
    path("teacher-tokens/", accounts.TeacherTokens.as_view()),
    path("classes/", accounts.Classes.as_view()),
    path("classes/<uuid:class_id>/", accounts.OneClass.as_view()),
    path("classes/<uuid:class_id>/students/", accounts.ClassStudents.as_view()),
    path("students/<uuid:student_id>/", accounts.OneStudent.as_view()),
    path("sessions/", sessions.Sessions.as_view()),
    path(_SESSION, sessions.OneSession.as_view()),
    path(f"{_SESSION}start/", sessions.Start.as_view()),
    path(f"{_SESSION}pause/", sessions.Pause.as_view()),
    path(f"{_SESSION}resume/", sessions.Resume.as_view()),
    path(f"{_SESSION}extend/", sessions.Extend.as_view()),
    path(f"{_SESSION}next-round/", sessions.NextRound.as_view()),
    path(f"{_SESSION}end/", sessions.End.as_view()),
    path(f"{_SESSION}lock/", sessions.Lock.as_view()),
    path(f"{_SESSION}unlock/", sessions.Unlock.as_view()),
    path(f"{_SESSION}again/", sessions.Again.as_view()),
    path(f"{_SESSION}people/", sessions.People.as_view()),
    path(f"{_SESSION}report/", reports.Report.as_view()),
    path(f"{_SESSION}report.csv", reports.ReportFile.as_view()),
    path(f"{_PERSON}remove/", sessions.Remove.as_view()),
    path(f"{_PERSON}link/", sessions.Link.as_view()),
    path(f"{_PERSON}reentry/", sessions.ReEntry.as_view()),
    path(f"{_PERSON}seat/", sessions.Seat.as_view()),
    path("join/", joining.Join.as_view()),
    path("join/<str:code>/", joining.Entrance.as_view()),
    path("reentry/", joining.EnterAgain.as_view()),
    path("solo/", joining.Solo.as_view()),
    path("me/", joining.Me.as_view()),
    path("me/leave/", joining.Leave.as_view()),
    path("me/closing/", joining.Closing.as_view()),
]
