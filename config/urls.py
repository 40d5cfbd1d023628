"""Every address of the site; each app brings its own list."""

from __future__ import annotations

from importlib.util import find_spec

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularAPIView

from config.health import alive


def _exists(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def _app(prefix: str, module: str) -> list[URLPattern | URLResolver]:
    for name in (f"{module}.urls", module):
        if _exists(name):
            return [path(prefix, include(name))]
    return []


urlpatterns: list[URLPattern | URLResolver] = [
    path("admin/", admin.site.urls),
    path("healthz", alive, name="healthz"),
    path("language/", include("django.conf.urls.i18n")),
    path("api/v1/schema/", SpectacularAPIView.as_view(), name="schema"),
    *_app("api/v1/", "games.api"),
    *_app("api/v1/", "classrooms.api"),
    *_app("", "classrooms.web_teacher"),
    *_app("", "classrooms.web_student"),
]
