"""The forms of the teacher's pages."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from classrooms import limits
from classrooms.names import NameList, read_name_file, read_names
from classrooms.services import LONGEST_CLASS_NAME
from classrooms.web_teacher.gate import refusal_text
from wordlists.refusals import Invalid, TooMany

MOST_BYTES = 200_000
"""A class list is a few kilobytes; more is a wrong file."""


class SignInForm(AuthenticationForm):
    """E-mail address and password."""

    error_messages = {
        "invalid_login": _("This address and password do not go together. Check both and try again."),
        "inactive": _("This account is closed."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("E-mail address")
        self.fields["username"].widget = forms.EmailInput(attrs={"autofocus": True, "autocomplete": "username"})

    def clean(self) -> dict[str, Any]:
        """Ten wrong passwords for an account, and this device rests for a while; whoever asks by the API counts too."""
        account = str(self.cleaned_data.get("username", "")).strip().lower()
        device = getattr(self.request, "device", "")
        try:
            limits.check_passwords(account, device=device)
            return super().clean()
        except TooMany as refusal:
            raise ValidationError(refusal_text(refusal)) from refusal
        except ValidationError:
            with suppress(TooMany):
                limits.count_wrong_password(account, device=device)
            raise


class PasswordForm(forms.Form):
    """The present password and the new one, twice."""

    old = forms.CharField(
        label=_("Present password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password", "autofocus": True}),
    )
    new = forms.CharField(
        label=_("New password"),
        strip=False,
        help_text=_("At least 10 signs, not only digits."),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    again = forms.CharField(
        label=_("New password again"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("new") and cleaned.get("again") and cleaned["new"] != cleaned["again"]:
            self.add_error("again", _("The two new passwords differ. Type the same one twice."))
        return cleaned


class NamesForm(forms.Form):
    """Pasted names, or the file that a spreadsheet saved. ``listed`` holds what was read of them."""

    names = forms.CharField(
        label=_("Names, one a line"),
        required=False,
        strip=False,
        widget=forms.Textarea(
            attrs={"rows": 9, "spellcheck": "false", "autocapitalize": "words", "autocomplete": "off"}
        ),
    )
    file = forms.FileField(
        label=_("… or a file with the names (CSV or text)"),
        required=False,
        widget=forms.FileInput(attrs={"accept": ".csv,.txt,text/csv,text/plain"}),
    )
    seen_faults = forms.CharField(required=False, widget=forms.HiddenInput)

    listed = NameList((), ())

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        self.listed = self._read(cleaned)
        return cleaned

    @property
    def faults_seen(self) -> bool:
        """Whether the teacher saw the lines that will be left out."""
        return self.cleaned_data.get("seen_faults", "") == self.fault_lines

    @property
    def fault_lines(self) -> str:
        """Lines that the next step will leave out; those of a file are gone from the text by then."""
        if self.files:
            return ""
        return ",".join(str(fault.line) for fault in self.listed.faults)

    def show_text(self) -> None:
        """Puts what was read out of a file into the text field, so that the next step needs no file."""
        self.data = self.data.copy()  # type: ignore[attr-defined]
        self.data["names"] = "\n".join(self.listed.names)  # type: ignore[index]

    def _read(self, cleaned: dict[str, Any]) -> NameList:
        file = cleaned.get("file")
        if file is None:
            return read_names(cleaned.get("names", ""))
        if file.size > MOST_BYTES:
            raise ValidationError(_("This file is too large for a list of names."))
        try:
            return read_name_file(file.read())
        except Invalid as refusal:
            raise ValidationError(refusal_text(refusal)) from refusal


class ClassForm(NamesForm):
    """A new class: its name and its pupils."""

    name = forms.CharField(
        label=_("Name of the class"),
        max_length=LONGEST_CLASS_NAME,
        widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": "6b"}),
    )

    field_order = ["name", "names", "file"]
