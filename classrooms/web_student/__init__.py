"""The pupil's pages: start, coming in by code, playing, trying alone, coming back, rules."""

from classrooms.web_student.urls import app_name, urlpatterns

__all__ = ["app_name", "urlpatterns"]
