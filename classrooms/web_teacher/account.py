"""Sign-in, sign-out, password, language."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout, update_session_auth_hash
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from classrooms import cookies, services
from classrooms.models import Teacher
from classrooms.web_teacher.forms import PasswordForm, SignInForm
from classrooms.web_teacher.gate import TeacherRequest, refusal_text, teacher_page
from wordlists.refusals import Invalid


class SignIn(LoginView):
    """Django cycles the session key; the stream's cookie comes with it."""

    template_name = "teacher/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True

    def get_default_redirect_url(self) -> str:
        return reverse("teacher:home")

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        return super().get_context_data(first_run=not Teacher.objects.exists(), **context)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        response = super().form_valid(form)
        teacher = form.get_user()
        assert isinstance(teacher, Teacher)
        cookies.hold_stream(response, self.request, teacher)
        _speak(response, teacher.language)
        return response


sign_in = never_cache(SignIn.as_view())


@never_cache
@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """Ends the session and the right to streams."""
    logout(request)
    response = redirect("teacher:sign_in")
    cookies.drop_stream(response)
    return response


@teacher_page
def password(request: TeacherRequest) -> HttpResponse:
    """A new password; the other sessions of the account end, this one goes on under a new key."""
    form = PasswordForm(request.POST or None)
    if form.is_valid() and _changed(request, form):
        messages.success(request, _("Your password is changed."))
        response = redirect("teacher:home")
        cookies.hold_stream(response, request, request.user)
        return response
    return render(request, "teacher/password.html", {"form": form})


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """The language of the pages: kept on the device, and with the account of who is signed in."""
    chosen = request.POST.get("language", "")
    back = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()}, require_https=request.is_secure())
    response = HttpResponseRedirect(back if safe else reverse("teacher:home"))
    if translation.check_for_language(chosen) and chosen in dict(settings.LANGUAGES):
        _speak(response, chosen)
        if isinstance(request.user, Teacher):
            services.change_language(request.user, language=chosen)
    return response


def _speak(response: HttpResponse, language: str) -> None:
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=365 * 24 * 3600,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


def _changed(request: TeacherRequest, form: forms.Form) -> bool:
    try:
        services.change_password(request.user, old=form.cleaned_data["old"], new=form.cleaned_data["new"])
    except Invalid as refusal:
        form.add_error("old" if refusal.code == "wrong_password" else "new", refusal_text(refusal))
        return False
    request.user.refresh_from_db()
    update_session_auth_hash(request, request.user)
    return True
