"""Names of games, bands and levels as pages show them, and counts in words."""

from __future__ import annotations

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import rules


def games() -> list[tuple[str, str]]:
    return [(slug, _(game.title)) for slug, game in rules.games().items()]


def bands() -> list[tuple[str, str]]:
    return [("8-10", _("8 to 10 years")), ("11-15", _("11 to 15 years")), ("16+", _("16 and over"))]


def robots() -> list[tuple[str, str]]:
    return [("easy", _("Easy")), ("medium", _("Medium")), ("hard", _("Hard"))]


def statuses() -> dict[str, str]:
    return {"lobby": _("Lobby open"), "active": _("Playing"), "paused": _("Paused"), "over": _("Over")}


def students(count: int) -> str:
    return ngettext("%(n)s student", "%(n)s students", count) % {"n": count}


def people(count: int) -> str:
    return ngettext("%(n)s player", "%(n)s players", count) % {"n": count}


def number(count: int) -> str:
    return number_format(count, use_l10n=True, force_grouping=True)


def states() -> dict[str, str]:
    """How far somebody came in a session."""
    return {
        "finished": _("finished"),
        "unfinished": _("not finished"),
        "not_begun": _("did not begin"),
        "absent": _("was not there"),
    }


def kinds() -> dict[str, str]:
    """What somebody did with a word."""
    return {
        "made": _("made"),
        "assisted": _("made with a hint"),
        "wrong_split": _("other syllables"),
        "not_in_list": _("not in this list"),
        "hinted": _("got as a hint"),
        "missed": _("could have been made"),
        "shown": _("saw from somebody else"),
    }


def language(code: str) -> str:
    """Name of a language in the language of the page."""
    names = {"fr": _("French"), "it": _("Italian"), "de": _("German"), "ro": _("Romanian"), "en": _("English")}
    return names.get(code, code)
