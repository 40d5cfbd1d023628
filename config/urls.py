"""Every address of the site; each app brings its own list."""

from __future__ import annotations

from importlib.util import find_spec

from django.apps import apps
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularAPIView


def _app(prefix: str, module: str) -> list[URLPattern | URLResolver]:
    return [path(prefix, include(module))] if find_spec(module) else []


urlpatterns: list[URLPattern | URLResolver] = [
    *([path("admin/", admin.site.urls)] if apps.is_installed("django.contrib.admin") else []),
    path("api/v1/schema/", SpectacularAPIView.as_view(), name="schema"),
    *_app("api/v1/", "games.api"),
    *_app("api/v1/", "classrooms.api"),
    *_app("", "classrooms.web_teacher"),
    *_app("", "classrooms.web_student"),
]
