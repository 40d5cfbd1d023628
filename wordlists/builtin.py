"""The word lists that ship with the code: read from ``data/<language>``, named by language and age band.

``lists.json`` tells each list's hash without its words being read, so that a start need not build any list.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from wordlists.lexicon.syllables import SyllableLexicon

BANDS = ("8-10", "11-15", "16+")
"""Cumulative: each holds all words of those before it (SYL-23)."""

_DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class BuiltinList:
    """What is known of a list without reading its words."""

    language: str
    band: str
    kind: str
    hash: str
    title: str
    licence: str
    words: int
    faces: int


@dataclass(frozen=True, slots=True)
class Row:
    """A word of ``words.tsv``."""

    word: str
    split: tuple[str, ...]
    heard: int
    pos: str
    zipf: float
    band: str
    review: str
    gloss: str

    @property
    def playable(self) -> bool:
        """Only a split that was read, or that two independent opinions agree on, becomes cards."""
        return self.review in ("read", "agreed")


@cache
def all_lists() -> tuple[BuiltinList, ...]:
    """All built-in lists, by language and age."""
    manifests = sorted(_DATA.glob("*/lists.json"))
    return tuple(BuiltinList(**entry) for path in manifests for entry in json.loads(path.read_text(encoding="utf-8")))


def blob(language: str, band: str) -> bytes:
    """The bytes of a list, commonest words first."""
    return syllable_lexicon(language, rows_of(_DATA / language), band).to_bytes()


def rows_of(folder: Path) -> Iterator[Row]:
    """The words of a language's ``words.tsv``."""
    with (folder / "words.tsv").open(encoding="utf-8", newline="") as lines:
        for line in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            split = tuple(line.pop("split").split("-"))
            yield Row(**{**line, "split": split, "heard": int(line["heard"]), "zipf": float(line["zipf"])})  # type: ignore[arg-type]


def syllable_lexicon(language: str, rows: Iterator[Row], band: str) -> SyllableLexicon:
    """The cumulative list of a band."""
    bands = BANDS[: BANDS.index(band) + 1]
    chosen = [row for row in rows if row.playable and row.band in bands]
    chosen.sort(key=lambda row: (-row.zipf, row.word))
    return SyllableLexicon(language, ((row.split, row.gloss) for row in chosen))
