"""How words are written and compared: one cleaning at every entrance, one folding per language (X-13)."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

LANGUAGES = ("fr", "it", "de", "ro", "en")

_APOSTROPHES = "'’‘ʼʹ′`´＇"
_HYPHENS = "-‐‑‒–—−﹣－"
_UNIFIED = str.maketrans({**dict.fromkeys(_APOSTROPHES, "'"), **dict.fromkeys(_HYPHENS, "-"), "\u00ad": None})
_LIGATURES = str.maketrans({"œ": "oe", "æ": "ae"})
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_JOINER = "\u200d"


class SpellingError(ValueError):
    """Text that is no word. ``code`` is stable: 'empty', 'unseen_character', 'unknown_language'."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def clean(text: str) -> str:
    """NFC without outer blanks, inner blanks single; refuses control, direction and other unseen characters.

    A zero-width joiner passes inside an emoji, which is one sign to whoever types it.
    """
    text = unicodedata.normalize("NFC", text).strip()
    if not text:
        raise SpellingError("empty")
    if any(_is_unseen(text, place) for place in range(len(text))):
        raise SpellingError("unseen_character")
    return " ".join(text.split())


def fold(text: str, language: str) -> str:
    """The form in which words of ``language`` are compared; folding twice changes nothing more (X-13)."""
    rule = _FOLDS.get(language)
    if rule is None:
        raise SpellingError("unknown_language")
    lower = unicodedata.normalize("NFC", text).lower()
    return unicodedata.normalize("NFC", rule(unicodedata.normalize("NFC", lower).translate(_UNIFIED)))


def _is_unseen(text: str, place: int) -> bool:
    if text[place] == _JOINER:
        return not _joins_emoji(text, place)
    return unicodedata.category(text[place]) in _UNSEEN


def _joins_emoji(text: str, place: int) -> bool:
    before, after = text[place - 1 : place], text[place + 1 : place + 2]
    return bool(before and after) and _is_emoji_part(before) and _is_emoji_part(after)


def _is_emoji_part(sign: str) -> bool:
    return unicodedata.category(sign) in {"So", "Sk"} or sign == "\ufe0f"


def _without_marks(text: str) -> str:
    decomposed = unicodedata.normalize("NFD", text)
    return "".join(sign for sign in decomposed if unicodedata.category(sign) != "Mn")


def _fold_french(text: str) -> str:
    return _without_marks(text).translate(_LIGATURES).replace("'", "").replace("-", "")


def _fold_german(text: str) -> str:
    return _without_marks(text.translate(_UMLAUTS))


def _as_it_is(text: str) -> str:
    return text


_FOLDS: dict[str, Callable[[str], str]] = {
    "fr": _fold_french,
    "it": _without_marks,
    "de": _fold_german,
    "ro": _without_marks,
    "en": _as_it_is,
}
