"""The word lists that ship with the code: read from ``data/<language>``, named by language and age band.

``lists.json`` tells each list's hash without its words being read, so that a start need not build any list.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
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


def folder(language: str) -> Path:
    """Where the data of a language lies."""
    return _DATA / language


@cache
def blocked(language: str) -> frozenset[str]:
    """Folded words that nobody is to be shown: never dealt, and refused in names and codes."""
    path = folder(language) / "blocked.txt"
    return frozenset(path.read_text(encoding="utf-8").splitlines()) if path.is_file() else frozenset()


def blob(language: str, band: str) -> bytes:
    """The bytes of a list, commonest words first."""
    return syllable_lexicon(language, rows_of(language), band, blocked(language)).to_bytes()


def rows_of(language: str) -> Iterator[Row]:
    """The words of a language's ``words.tsv``."""
    with (folder(language) / "words.tsv").open(encoding="utf-8", newline="") as lines:
        for line in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield _row(line)


def _row(line: dict[str, str]) -> Row:
    return Row(
        word=line["word"],
        split=tuple(line["split"].split("-")),
        heard=int(line["heard"]),
        pos=line["pos"],
        zipf=float(line["zipf"]),
        band=line["band"],
        review=line["review"],
        gloss=line["gloss"],
    )


def syllable_lexicon(language: str, rows: Iterable[Row], band: str, blocked: Iterable[str] = ()) -> SyllableLexicon:
    """The cumulative list of a band, commonest words first (to the two decimals that ``words.tsv`` keeps)."""
    bands = BANDS[: BANDS.index(band) + 1]
    chosen = [row for row in rows if row.playable and row.band in bands]
    chosen.sort(key=lambda row: (-round(row.zipf, 2), row.word))
    return SyllableLexicon(language, ((row.split, row.gloss) for row in chosen), blocked)
