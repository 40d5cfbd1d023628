"""The French lists: Lexique's lemmas, cut into written syllables, banded by frequency, made safe and explained."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wordlists.build import curated, glosses, lexique, output, safety
from wordlists.build.french_syllables import split
from wordlists.build.inputs import FRENCH_GLOSSES, LEXIQUE, NAUGHTY_WORDS
from wordlists.build.lexique import Candidate, Form
from wordlists.builtin import Row
from wordlists.spelling import fold

LANGUAGE = "fr"
TITLES = {"8-10": "Français, 8–10 ans", "11-15": "Français, 11–15 ans", "16+": "Français, 16 ans et plus"}
LICENCE = "CC BY-SA 4.0"

PARTS_OF_SPEECH = frozenset(
    {"NOM", "ADJ", "VER", "ADV", "PRE", "CON", "ADJ:num", "ADJ:ind", "PRO:ind", "PRO:dem", "PRO:per"}
)
"""Of verbs only the infinitive is a lemma; numbers and small words are few, but children look for them."""
BANDS = (("8-10", 3.7, 3.2), ("11-15", 3.0, 2.5), ("16+", 2.3, 0.0))
"""Band, least Zipf of films and books together, least Zipf in the one where the word is rarer."""
LETTERS = re.compile(r"[a-zàâäçéèêëîïôöùûüœæ]+")
LONGEST_WORD = 12
SYLLABLES = range(2, 5)

_TYPOGRAPHIC = re.compile(r"typographique|orthograph|^Voir ", re.IGNORECASE)


def build(inputs: Path, decisions: Path) -> tuple[dict[str, bytes], dict[str, int]]:
    """The derived files by name, and the counts of what is in them."""
    forms = lexique.read(LEXIQUE.member(inputs, lexique.FILE))
    senses = glosses.read(FRENCH_GLOSSES.member(inputs, glosses.FILE))
    decided = curated.load(decisions)
    naughty = safety.naughty_words(NAUGHTY_WORDS.member(inputs, safety.NAUGHTY_FILE))
    blocked = safety.blocked((*decided.blocked, *naughty), forms, LANGUAGE)
    found = list(rows(forms, senses, decided, blocked))
    return output.files(LANGUAGE, found, blocked, TITLES, LICENCE), output.counts(found)


def rows(forms: list[Form], senses: dict[str, str], decided: curated.Curated, blocked: frozenset[str]) -> Iterator[Row]:
    """All words of the lists, and those that wait for review."""
    unfit = glosses.unfit(decided.unfit_stems)
    lemmas = _lemmas(forms)
    for candidate in lexique.candidates(forms, PARTS_OF_SPEECH):
        word = with_ligatures(candidate.word, senses)
        if not LETTERS.fullmatch(word) or len(word) > LONGEST_WORD or fold(word, LANGUAGE) in blocked:
            continue
        row = _row(word, candidate, decided)
        if row is not None:
            row["gloss"] = glosses.gloss(word, lemmas[candidate.word], senses, unfit)
            yield Row(**row)


def _lemmas(forms: list[Form]) -> dict[str, list[str]]:
    """For each form the other words that it is a form of: gagné → gagner."""
    found: dict[str, list[str]] = defaultdict(list)
    for form in forms:
        if form.lemma not in (form.word, *found[form.word]):
            found[form.word].append(form.lemma)
    return found


def _row(word: str, candidate: Candidate, decided: curated.Curated) -> dict[str, Any] | None:
    band = decided.decisions.get(word) or _band(candidate)
    syllables = decided.splits.get(word) or _syllables(word, candidate)
    if band in (None, curated.DROPPED) or syllables is None or len(syllables) not in SYLLABLES:
        return None
    return {
        "word": word,
        "split": syllables,
        "heard": candidate.heard,
        "pos": ",".join(candidate.pos),
        "zipf": candidate.zipf,
        "band": band,
        "review": _review(syllables, candidate, decided),
    }


def _band(candidate: Candidate) -> str | None:
    for band, both, rarer in BANDS:
        if candidate.zipf >= both and candidate.rarer_zipf >= rarer:
            return band
    return None


def _syllables(word: str, candidate: Candidate) -> tuple[str, ...] | None:
    found = split(word, candidate.pronunciation)
    return found and found.syllables


def with_ligatures(word: str, senses: dict[str, str]) -> str:
    """Lexique writes oe for œ: restored where Wiktionary has the ligature, and the plain form only as a variant."""
    restored = word.replace("oeu", "œu")
    candidate = restored.replace("oe", "œ").replace("ae", "æ")
    if candidate == word or candidate not in senses:
        return restored
    plain = senses.get(word, "")
    return candidate if not plain or _TYPOGRAPHIC.search(plain) else restored


def _review(syllables: tuple[str, ...], candidate: Candidate, decided: curated.Curated) -> str:
    """'read' by a person, 'agreed' when Lexique's own cutting by ear contradicts nowhere, else 'open'."""
    if syllables in decided.read:
        return "read"
    return "agreed" if agrees(syllables, candidate) else "open"


def agrees(syllables: tuple[str, ...], candidate: Candidate) -> bool:
    """Whether each cut that Lexique makes is one of ours, and it hears as many syllables as it has vowels for."""
    oral = candidate.oral_split.split("-")
    if "".join(oral) != candidate.word or len(oral) != candidate.heard:
        return False
    plain = tuple(syllable.replace("œ", "oe").replace("æ", "ae") for syllable in syllables)
    return _cuts(oral) <= _cuts(plain)


def _cuts(parts: list[str] | tuple[str, ...]) -> set[int]:
    places: set[int] = set()
    place = 0
    for part in parts[:-1]:
        place += len(part)
        places.add(place)
    return places
