"""The word lists that ship with the service, to look at."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render

from classrooms.web_teacher import labels
from classrooms.web_teacher.gate import TeacherRequest, teacher_reads
from wordlists import selectors, services
from wordlists.builtin import BuiltinList
from wordlists.lexicon.syllables import Entry

SAMPLE = 12


@dataclass(frozen=True, slots=True)
class ListCard:
    """A list with a few of its words, spread from common to rare."""

    listed: BuiltinList
    language: str
    band: str
    count: str
    sample: tuple[Entry, ...]


@teacher_reads
def words(request: TeacherRequest) -> HttpResponse:
    """Every built-in list with counts and a sample."""
    lists = [_card(selectors.builtin_list(language, band)) for language, band in selectors.builtin_lists()]
    return render(request, "teacher/words.html", {"lists": lists})


def counts(language: str) -> dict[str, int]:
    """Number of words of each band's list."""
    found = [selectors.builtin_list(*key) for key in selectors.builtin_lists()]
    return {listed.band: listed.words for listed in found if listed.language == language}


def _card(listed: BuiltinList) -> ListCard:
    row = services.ensure_builtin(listed.language, listed.band)
    entries = selectors.lexicon(row.hash, listed.kind).words
    step = max(1, len(entries) // SAMPLE)
    return ListCard(
        listed=listed,
        language=labels.language(listed.language),
        band=dict(labels.bands())[listed.band],
        count=labels.number(listed.words),
        sample=tuple(entries[::step][:SAMPLE]),
    )
