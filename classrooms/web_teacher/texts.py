"""Codes of refusals in words: what happened and what to do."""

from __future__ import annotations

from django.utils.translation import gettext as _


def text_of(code: str) -> str:
    """A sentence for a code; a plain one where the code is new here."""
    return _texts().get(code) or _("That is not possible right now. Reload the page and try again.")


def _texts() -> dict[str, str]:
    return {
        "name_empty": _("There is no name on this line."),
        "name_too_long": _("The name is longer than 20 signs. Shorten it."),
        "name_unseen_character": _("The name holds a sign that cannot be seen. Type it again by hand."),
        "too_many_names": _("A class has room for 60 names."),
        "class_name": _("Give the class a name of 1 to 80 signs."),
        "unknown_encoding": _("The file cannot be read as text. Save it as CSV (UTF-8), or paste the names."),
        "wrong_password": _("The present password is not right."),
        "weak_password": _("The new password is too easy to guess. Take at least 10 signs, not only digits."),
        "throttled": _("Too many tries. Wait a moment."),
    }
