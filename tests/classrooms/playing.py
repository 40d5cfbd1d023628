"""Pupils who play the syllable game through the API: the best word, a short one, nonsense, nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from classrooms.models import Session
from games import services
from games.models import Table
from tests.classrooms.people import Pupil
from tests.games.tables import age
from wordlists.selectors import lexicon

ROUNDS = 8


def best(words: Any, view: dict[str, Any]) -> list[str]:
    """Cards of a longest word that the seat can make."""
    return _found(words, view)[-1]


def short(words: Any, view: dict[str, Any]) -> list[str]:
    """Cards of a shortest word."""
    return _found(words, view)[0]


def nonsense(words: Any, view: dict[str, Any]) -> list[str]:
    """Two cards, one of them own, that are no listed word."""
    for own in view["private"]["hand"]:
        for shared in view["public"]["centre"]:
            if not words.entries([own["text"], shared["text"]]):
                return [own["id"], shared["id"]]
    raise AssertionError("every pair is a word")


def nothing(words: Any, view: dict[str, Any]) -> list[str]:
    return []


HABITS = (best, short, nonsense, nothing)


def play_out(session: Session, pupils: Sequence[Pupil], *, rounds: int = ROUNDS) -> None:
    """The pupils play so many rounds at their tables, each by the habit of its seat; robots are hurried."""
    words = lexicon(session.words_hash, "syllables")
    for number in range(1, rounds + 1):
        for pupil in pupils:
            play_round(words, pupil, number)
        for row in session.tables.all():
            finish_round(row.table)


def play_round(words: Any, pupil: Pupil, number: int) -> None:
    view = pupil.table()
    cards = HABITS[view["seat"] % len(HABITS)](words, view)
    answer = pupil.move("ready", round=number, cards=cards)
    assert answer.status_code == 200, answer.content


def finish_round(table: UUID) -> None:
    """Time goes by at the table until its robots have played and the reveal is over."""
    row = Table.objects.get(id=table)
    number = row.state["round"]
    for _ in range(100):
        if row.status != "active" or row.state["round"] != number:
            return
        age(row, 5_000)
        services.settle(row.id)
        row.refresh_from_db()
    raise AssertionError("the round does not end")


def _found(words: Any, view: dict[str, Any]) -> list[list[str]]:
    own, shared = view["private"]["hand"], view["public"]["centre"]
    cards = [*own, *shared]
    found = words.find([card["text"] for card in own], [card["text"] for card in shared])
    made = [[cards[pick]["id"] for pick in formable.picks] for formable in found]
    return sorted(made, key=len)
