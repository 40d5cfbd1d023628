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
        "too_many_tries": _("Too many tries. Wait a quarter of an hour, then try again."),
        "too_few_people": _("Too few people are in. Wait for more, or make a new session with robots."),
        "already_started": _("The session has started already."),
        "not_started": _("The session has not started yet."),
        "session_over": _("The session is over."),
        "left": _("This person has left the session."),
        "already_seated": _("This person has a seat already."),
        "no_robot_seat": _("No robot's seat is free there. Choose another table."),
        "not_a_guest": _("Only a guest can be linked to a name."),
        "student_already_here": _("This student is in the session already."),
        "no_code_free": _("No join code could be found. Try again."),
    }
