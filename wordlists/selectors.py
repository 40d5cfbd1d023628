"""Readers of word lists."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from wordlists import builtin
from wordlists.builtin import BuiltinList
from wordlists.lexicon import KINDS
from wordlists.models import WordList
from wordlists.refusals import Missing

KEPT = 16
"""Structures that a process keeps: the built-in ones and some of teachers; 20 MB for the largest."""


def builtin_lists() -> tuple[tuple[str, str], ...]:
    """(language, band) of every built-in list."""
    return tuple((listed.language, listed.band) for listed in builtin.all_lists())


def builtin_list(language: str, band: str) -> BuiltinList:
    """What is known of one built-in list; Missing when there is none."""
    for listed in builtin.all_lists():
        if (listed.language, listed.band) == (language, band):
            return listed
    raise Missing("no_such_list")


@lru_cache(maxsize=KEPT)
def lexicon(hash: str, kind: str) -> Any:
    """The structure of that kind out of the list with that hash, kept in the process; Missing when there is none."""
    row = WordList.objects.filter(hash=hash, kind=kind).only("blob").first()
    if row is None:
        raise Missing("no_such_list")
    return KINDS[kind](bytes(row.blob))
