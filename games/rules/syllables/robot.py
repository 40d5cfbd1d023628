"""A robot's play, from what a person in its seat sees (X-11)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.engine.contract import Millis
from games.engine.rng import Rng
from games.rules.syllables.moves import Ready, Seen, Swap, SyllableMove
from games.rules.syllables.scoring import best_first
from games.rules.syllables.state import REVEAL, Card
from wordlists.lexicon.syllables import Formable, SyllableLexicon

SKILL = {"easy": 0.4, "medium": 0.7, "hard": 0.95}
"""How often the best move found is taken; else a random valid one."""
THINKS_MS = (5_000, 25_000)
LOOKS_MS = (2_000, 5_000)


def wait(public: dict[str, Any], rng: Rng) -> Millis:
    """How long it thinks about its word, or looks at a reveal."""
    return rng.between(*(LOOKS_MS if public["phase"] == REVEAL else THINKS_MS))


def move(public: dict[str, Any], private: dict[str, Any], words: SyllableLexicon, rng: Rng, level: str) -> SyllableMove:
    """A word, none where there is none, at hard level sometimes a swap before; or a tap on the reveal."""
    if public["phase"] == REVEAL:
        return Seen(public["round"])
    hand, centre = _cards(private["hand"]), _cards(public["centre"])
    cards = (*hand, *centre)
    found = words.find(
        [card.text for card in hand],
        [card.text for card in centre],
        min_own=public["min_hand_cards"],
        every_pick=True,
    )
    if level == "hard" and not public["seats"][private["seat"]]["swap_used"] and _poor(found) and rng.chance(0.5):
        return Swap(public["round"], _least_useful(hand, found), public["exchange"]["top"]["id"])
    if not found:
        return Ready(public["round"])
    way = rng.choice(best_first(found, cards) if rng.chance(SKILL[level]) else found)
    return Ready(public["round"], tuple(cards[pick].id for pick in way.picks))


def _cards(shown: Sequence[dict[str, Any]]) -> tuple[Card, ...]:
    return tuple(Card(card["id"], card["text"], card["family"]) for card in shown)


def _poor(found: Sequence[Formable]) -> bool:
    return all(len(way.picks) <= 2 for way in found)


def _least_useful(hand: Sequence[Card], found: Sequence[Formable]) -> str:
    """The id of the hand card that the fewest words use."""
    uses = [sum(place in way.picks for way in found) for place in range(len(hand))]
    return hand[uses.index(min(uses))].id
