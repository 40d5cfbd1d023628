"""The administration has no door of its own: all come in by the teachers' sign-in, where wrong passwords count."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse


def sign_in(request: HttpRequest) -> HttpResponse:
    """Where the administration sends whoever it does not know. Whoever is signed in and may not in is told so."""
    if admin.site.has_permission(request):
        return redirect("admin:index")
    if request.user.is_authenticated:
        raise PermissionDenied
    return redirect_to_login(request.GET.get("next") or reverse("admin:index"), reverse("teacher:sign_in"))
