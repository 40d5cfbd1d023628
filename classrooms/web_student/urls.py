"""Addresses of the pupil's pages; short, because children type them."""

from __future__ import annotations

from django.urls import path

from classrooms.web_student import entrance, playing

app_name = "student"

urlpatterns = [
    path("", entrance.start, name="start"),
    path("j/", entrance.find, name="find"),
    path("j/<str:code>/", entrance.join, name="join"),
    path("try/", entrance.alone, name="try"),
    path("back/", entrance.back, name="back"),
    path("play/", playing.play, name="play"),
    path("play/leave/", playing.leave, name="leave"),
    path("play/words/", playing.words, name="words"),
    path("rules/<slug:slug>/", playing.rules, name="rules"),
]
