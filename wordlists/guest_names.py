"""Two-word names that a guest may pick: an animal and a kind adjective, so that nobody types a name."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_DATA = Path(__file__).parent / "data"
_FALLBACK = "en"


@dataclass(frozen=True, slots=True)
class GuestNames:
    """The names of one language. Rows keep indexes for good, so the lists only ever grow at their ends."""

    pattern: str
    nouns: tuple[tuple[str, str], ...]
    """(noun, gender)."""
    adjectives: tuple[dict[str, str], ...]
    """Form for each gender."""

    def name(self, adjective: int, noun: int) -> str:
        """The name with these indexes, its adjective in the noun's gender: 'Loutre curieuse', 'Curious otter'."""
        word, gender = self.nouns[noun]
        text = self.pattern.format(noun=word, adjective=self.adjectives[adjective][gender])
        return text[:1].upper() + text[1:]


@cache
def names(language: str) -> GuestNames:
    """The names of ``language``, English ones where it has none yet."""
    path = _DATA / language / "guest_names.json"
    if not path.is_file():
        return names(_FALLBACK)
    raw = json.loads(path.read_text(encoding="utf-8"))
    nouns = tuple((row["noun"], row["gender"]) for row in raw["nouns"])
    return GuestNames(pattern=raw["pattern"], nouns=nouns, adjectives=tuple(raw["adjectives"]))
