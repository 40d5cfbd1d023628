"""What a pupil reads where something was refused: what happened and what to do. Codes are the API's."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

REFUSALS = {
    "unknown_code": _("This code does not open anything. Look at it once more, sign by sign."),
    "session_over": _("This game is over. Ask your teacher for a new code."),
    "unknown_student": _("This name is no longer in the list. Choose another one, or ask your teacher."),
    "removed": _("Your teacher has closed your seat. Ask your teacher if you want to come back."),
    "left": _("You have left this game for good. Ask your teacher if that was a mistake."),
    "who_are_you": _("Choose your name first."),
    "unknown_guest_name": _("This name is not on offer. Choose one of those you see."),
    "name_taken": _("Somebody was quicker and has this name now. Choose another one."),
    "already_here": _("Somebody plays under this name already. If that is you, ask your teacher for a code."),
    "session_locked": _("The door is closed: nobody new can come in now. Ask your teacher."),
    "session_full": _("All seats are taken. Ask your teacher."),
    "too_many_tries": _("That was a bit too often. Wait a minute, then try again."),
}
OTHERWISE = _("That did not work. Try again, or ask your teacher.")


def refusal(code: str) -> str:
    """The sentence for a code, in the language of the page."""
    return str(REFUSALS.get(code, OTHERWISE))
