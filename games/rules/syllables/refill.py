"""Between rounds only the cards really used are replaced (SYL-25, SYL-26), and the promise of SYL-04 is kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from games.engine.rng import Rng
from games.rules.syllables.dealing import PROMISED, TRIES, Bag, fill, mint, words_for
from games.rules.syllables.state import VALID, Card, State, present
from wordlists.lexicon.syllables import SyllableLexicon

_HAND_TRIES = 8
"""Draws for one seat before another centre is tried."""


class _Gap(NamedTuple):
    """Some cards of the table, without those that were used: the faces kept and the places to fill."""

    cards: tuple[Card, ...]
    places: tuple[int, ...]

    @property
    def kept(self) -> list[str]:
        return [card.text for place, card in enumerate(self.cards) if place not in self.places]

    def faces(self, new: Sequence[str]) -> list[str]:
        """All faces in their places."""
        faces = [card.text for card in self.cards]
        for place, face in zip(self.places, new, strict=True):
            faces[place] = face
        return faces


class _Draw(NamedTuple):
    """New faces for the centre and for each seat, and whether every seat has its words."""

    centre: list[str]
    hands: list[list[str]]
    complete: bool


def spent(state: State) -> frozenset[str]:
    """Ids of the cards that valid words of the last round used, whether they won or not (2.2 #3)."""
    attempts = state.history[-1].attempts if state.history else ()
    return frozenset(card.id for attempt in attempts if attempt.result == VALID for card in attempt.cards)


def refilled(state: State, words: SyllableLexicon, rng: Rng) -> State:
    """The table with its used cards replaced, each in its place."""
    gone = spent(state)
    if not gone:
        return state
    bag = Bag(state.deck, state.stock, state.used, state.copies)
    bag.weigh(words)
    centre = _gap(state.centre, gone)
    seats = present(state)
    hands = [_gap(state.players[seat].hand, gone) for seat in seats]
    bag.discard(gap.cards[place] for gap in (centre, *hands) for place in gap.places)
    drawn = _drawn(state, words, bag, rng, centre, hands)
    players = list(state.players)
    for seat, gap, new in zip(seats, hands, drawn.hands, strict=True):
        players[seat] = replace(players[seat], hand=_laid(gap, new, rng))
    return replace(
        state,
        centre=_laid(centre, drawn.centre, rng),
        players=tuple(players),
        stock=tuple(bag.stock),
        used=tuple(bag.used),
        copies=bag.copies,
    )


def _gap(cards: tuple[Card, ...], gone: frozenset[str]) -> _Gap:
    return _Gap(cards, tuple(place for place, card in enumerate(cards) if card.id in gone))


def _laid(gap: _Gap, new: Sequence[str], rng: Rng) -> tuple[Card, ...]:
    cards = list(gap.cards)
    for place, face in zip(gap.places, new, strict=True):
        cards[place] = mint(face, rng)
    return tuple(cards)


def _drawn(state: State, words: SyllableLexicon, bag: Bag, rng: Rng, centre: _Gap, hands: Sequence[_Gap]) -> _Draw:
    """Faces for all gaps, out of the bag.

    A seat that broke its own promise by a swap is served where that is possible; a draw that serves all others is
    good enough once half of the tries are gone. The old faces as new cards are the last resort: they restore what held.
    """
    min_own = state.options.min_hand_cards
    old_centre = [card.text for card in state.centre]
    owed = [words_for([card.text for card in gap.cards], old_centre, min_own, words) >= PROMISED for gap in hands]
    tries = TRIES
    while tries > 0:
        must = [True] * len(hands) if tries > TRIES // 2 else owed
        draw, cost = _one_draw(words, bag, rng, centre, hands, must, min_own)
        if draw.complete:
            return draw
        tries -= cost
        bag.put_back([*draw.centre, *(face for hand in draw.hands for face in hand)])
    for gap in (centre, *hands):
        for place in gap.places:
            bag.take(gap.cards[place].text)
    return _Draw(_old(centre), [_old(gap) for gap in hands], True)


def _old(gap: _Gap) -> list[str]:
    return [gap.cards[place].text for place in gap.places]


def _one_draw(
    words: SyllableLexicon,
    bag: Bag,
    rng: Rng,
    centre: _Gap,
    hands: Sequence[_Gap],
    must: Sequence[bool],
    min_own: int,
) -> tuple[_Draw, int]:
    """One try and how many searches it cost; it stops at the first seat that must be served and is not."""
    new_centre: list[str] = []
    while len(new_centre) < len(centre.places):
        new_centre.append(bag.draw(rng, (*centre.kept, *new_centre)))
    faces = centre.faces(new_centre)
    drawn: list[list[str]] = []
    cost = 0
    for gap, needed in zip(hands, must, strict=True):
        new, served, searches = _one_hand(words, bag, rng, gap, faces, min_own)
        drawn.append(new)
        cost += searches
        if needed and not served:
            return _Draw(new_centre, drawn, False), cost
    return _Draw(new_centre, drawn, True), cost


def _one_hand(
    words: SyllableLexicon, bag: Bag, rng: Rng, gap: _Gap, centre: Sequence[str], min_own: int
) -> tuple[list[str], bool, int]:
    """New faces for one hand, whether it now has its words, and how many searches that took."""
    tries = _HAND_TRIES if gap.places else 1
    for attempt in range(1, tries + 1):
        new = fill(words, bag, rng, gap.kept, len(gap.places), centre)
        if words_for(gap.faces(new), centre, min_own, words) >= PROMISED:
            return new, True, attempt
        if attempt < tries:
            bag.put_back(new)
    return new, False, tries
