"""The teacher's pages: sign-in, home, classes, words, sessions, report, projector.

Every form works without JavaScript.
"""

from classrooms.web_teacher.urls import app_name, urlpatterns

__all__ = ["app_name", "urlpatterns"]
