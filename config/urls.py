"""Every address of the site; each app brings its own list."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView

from config import admin_door
from config.health import alive

urlpatterns = [
    path("healthz", alive, name="healthz"),
    path("admin/login/", admin_door.sign_in),
    path("admin/", admin.site.urls),
    path("api/v1/schema/", SpectacularAPIView.as_view(), name="schema"),
    path("api/v1/", include("wordlists.api")),
    path("api/v1/", include("games.api")),
    path("api/v1/", include("classrooms.api.urls")),
    path("", include("classrooms.web_teacher")),
    path("", include("classrooms.web_student.urls")),
]

handler400 = "config.errors.malformed"
handler404 = "config.errors.not_found"
handler500 = "config.errors.server_error"
