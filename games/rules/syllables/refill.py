"""Between rounds only the cards really used are replaced (SYL-25, SYL-26), and the promise of SYL-04 is kept.

New cards are drawn by chance, hand by hand; where a hand is left without its two words, it gets cards that complete
words, and then the centre a card that does. Bounded; the last resort is the old syllables as new cards (2.2 #12).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from msgspec.structs import replace

from games.engine.rng import Rng
from games.rules.syllables.dealing import ORDERS, PROMISED, Bag, completing, fill, mint, words_for
from games.rules.syllables.state import VALID, Card, State, present
from wordlists.lexicon.syllables import SyllableLexicon

_STARTS = 4
"""Fresh centres tried."""
_MENDS = 10
"""Cards of one centre that are exchanged for a hand's sake before another centre is tried."""


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
    seats = present(state)
    centre = _Group(state.centre, gone)
    hands = [_Group(state.players[seat].hand, gone) for seat in seats]
    for group in (centre, *hands):
        bag.discard(group.used)
    _Refill(words, bag, rng, centre, hands, state.options.min_hand_cards).run()
    players = list(state.players)
    for seat, group in zip(seats, hands, strict=True):
        players[seat] = replace(players[seat], hand=group.minted(rng))
    return replace(
        state,
        centre=centre.minted(rng),
        players=tuple(players),
        stock=tuple(bag.stock),
        used=tuple(bag.used),
        copies=bag.copies,
    )


class _Group:
    """The centre or a hand while its gaps are being filled; ``new`` are the faces for the gaps, in order."""

    def __init__(self, cards: Sequence[Card], gone: frozenset[str]) -> None:
        self.cards = tuple(cards)
        self.gaps = [place for place, card in enumerate(cards) if card.id in gone]
        self.kept = [card.text for card in cards if card.id not in gone]
        self.new: list[str] = []

    @property
    def used(self) -> list[Card]:
        return [self.cards[place] for place in self.gaps]

    @property
    def faces(self) -> list[str]:
        return [*self.kept, *self.new]

    @property
    def old_faces(self) -> list[str]:
        return [card.text for card in self.cards]

    @property
    def row(self) -> list[str]:
        """All faces in their places."""
        faces = self.old_faces
        for place, face in zip(self.gaps, self.new, strict=True):
            faces[place] = face
        return faces

    def minted(self, rng: Rng) -> tuple[Card, ...]:
        """All cards in their places, the new ones with ids and families of their own."""
        cards = list(self.cards)
        for place, face in zip(self.gaps, self.new, strict=True):
            cards[place] = mint(face, rng)
        return tuple(cards)


class _Refill:
    """The search for new faces of one refill."""

    def __init__(
        self,
        words: SyllableLexicon,
        bag: Bag,
        rng: Rng,
        centre: _Group,
        hands: Sequence[_Group],
        min_own: int,
    ) -> None:
        self.words = words
        self.bag = bag
        self.rng = rng
        self.centre = centre
        self.hands = hands
        self.min_own = min_own

    def run(self) -> None:
        """Fill all gaps. A seat that broke its own promise by a swap is served as far as the gaps allow."""
        owed = [hand for hand in self.hands if self._words(hand.old_faces, self.centre.old_faces) >= PROMISED]
        for start in range(_STARTS):
            self._lay_centre()
            unserved = self._serve()
            if not self._decent(self.centre):
                self._clear()
                continue
            if not unserved or (start >= _STARTS // 2 and not any(hand in owed for hand in unserved)):
                return
            self._clear()
        self._take_old()

    def _lay_centre(self) -> None:
        while len(self.centre.new) < len(self.centre.gaps):
            self.centre.new.append(self.bag.draw(self.rng, self.centre.faces))

    def _serve(self) -> list[_Group]:
        """Lay all hands, exchanging cards of the centre for those that stay short; the hands that did to the end."""
        short: list[_Group] = []
        for _ in range(_MENDS):
            short = [hand for hand in self.hands if not self._served(hand)]
            if not short or not self.centre.gaps:
                return short
            self._mend(self.rng.choice(short))
        return [hand for hand in self.hands if not self._served(hand)]

    def _served(self, hand: _Group) -> bool:
        """Whether the hand has its words, after its gaps were laid anew if it had not."""
        if len(hand.new) == len(hand.gaps) and self._enough(hand):
            return True
        for lay in (fill, fill, completing) if hand.gaps else ():
            self.bag.put_back(hand.new)
            hand.new = lay(self.words, self.bag, self.rng, hand.kept, len(hand.gaps), self.centre.faces)
            if self._enough(hand):
                return True
        return False

    def _mend(self, hand: _Group) -> None:
        """Exchange one new card of the centre for one that completes words with what this hand keeps."""
        place = self.rng.below(len(self.centre.new))
        self.bag.put_back([self.centre.new.pop(place)])
        self.centre.new.insert(place, self._completing_card(hand))

    def _completing_card(self, hand: _Group) -> str:
        """A face for the centre, by how many words of this hand it completes; of any words where there are none."""
        faces = self.bag.faces
        completed = self.words.completions([*hand.kept, *self.centre.faces], faces)
        without = self.words.completions(self.centre.faces, faces)
        own = {face: count for face, count in completed.items() if count > without.get(face, 0)} or completed
        if not own:
            return self.bag.draw(self.rng)
        return self.bag.taken(self.rng.weighted(list(own), list(accumulate(count**2 for count in own.values()))))

    def _enough(self, hand: _Group) -> bool:
        return self._words(hand.faces, self.centre.faces) >= PROMISED and self._decent(hand)

    def _decent(self, group: _Group) -> bool:
        """Whether an order of the new cards was found in which no neighbours spell a blocked word."""
        for _ in range(ORDERS if group.gaps else 0):
            if not self.words.shows_blocked(group.row):
                return True
            self.rng.shuffle(group.new)
        return not group.gaps

    def _words(self, hand: Sequence[str], centre: Sequence[str]) -> int:
        return words_for(hand, centre, self.min_own, self.words)

    def _take_old(self) -> None:
        """The last resort: the faces that lay there before, as new cards, restore what held before."""
        for group in (self.centre, *self.hands):
            group.new = [self.bag.taken(card.text) for card in group.used]

    def _clear(self) -> None:
        for group in (self.centre, *self.hands):
            self.bag.put_back(group.new)
            group.new = []
