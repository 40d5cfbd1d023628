"""Dealing so that every seat can always make at least two words (SYL-04), by construction (2.2 #12).

A hand is built around listed words that the centre half spells, then checked by the solver. Draws are bounded; when
they fail, a first deal takes another centre, and a refill gives the same syllables again as new cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple

from games.engine.contract import IllegalMove
from games.engine.rng import Rng
from games.rules.syllables.state import CENTRE, EXCHANGE, FAMILIES, HAND, Card
from wordlists.lexicon.syllables import SyllableLexicon

DECK = 120
COPIES = 3
"""Cards of each face, so that words such as bon-bon can be made."""
TRIES = 200
"""Hands or centres tried before the fallback."""
CENTRES = 25
"""Other centres tried at a first deal."""
ORDERS = 6
"""Orders of the same cards tried so that no neighbours spell a blocked word."""
PROMISED = 2
"""Words with different folded keys that each seat can make (SYL-04)."""
WISHED = 3
"""What a first hand is redrawn for, at first; the margin keeps later refills easy."""


class Bag:
    """Stock and used pile while one move draws from them."""

    def __init__(self, deck: Sequence[str], stock: Sequence[int], used: Sequence[int], copies: int) -> None:
        self.deck = tuple(deck)
        self.stock = list(stock)
        self.used = list(used)
        self.copies = copies
        self._place = {face: place for place, face in enumerate(self.deck)}
        self._places = range(len(self.deck))
        self._cumulative: list[float] = []

    def weigh(self, words: SyllableLexicon) -> None:
        """Draw by commonness from now on: weight words^0.75."""
        self._cumulative = list(accumulate(len(words.words_with(face)) ** 0.75 for face in self.deck))

    def has(self, face: str) -> bool:
        place = self._place.get(face)
        return place is not None and self.stock[place] > 0

    @property
    def faces(self) -> list[str]:
        """The faces of which the stock has cards."""
        return [face for face, count in zip(self.deck, self.stock, strict=True) if count]

    def taken(self, face: str) -> str:
        """That face, out of the stock, or where it has none out of the used pile (the last resort of a refill)."""
        place = self._place[face]
        pile = self.stock if self.stock[place] else self.used
        pile[place] -= 1
        return face

    def put_back(self, faces: Iterable[str]) -> None:
        for face in faces:
            self.stock[self._place[face]] += 1

    def discard(self, cards: Iterable[Card]) -> None:
        for card in cards:
            self.used[self._place[card.text]] += 1

    def draw(self, rng: Rng, avoid: Iterable[str] = ()) -> str:
        """A face by weight, other than those to avoid while there are others."""
        avoided = set(avoid)
        for _ in range(20):
            place = rng.weighted(self._places, self._cumulative)
            if self.stock[place] and self.deck[place] not in avoided:
                self.stock[place] -= 1
                return self.deck[place]
        return self._draw_any(rng, avoided)

    def _draw_any(self, rng: Rng, avoided: set[str]) -> str:
        if not any(self.stock):
            self._rebuild()
        places = [place for place in self._places if self.stock[place]]
        place = rng.choice([place for place in places if self.deck[place] not in avoided] or places)
        self.stock[place] -= 1
        return self.deck[place]

    def _rebuild(self) -> None:
        """The used pile becomes the stock; if there is none, one more card of every face is made (2.2 #16)."""
        if any(self.used):
            self.stock, self.used = self.used, [0] * len(self.deck)
            return
        self.stock = [1] * len(self.deck)
        self.copies += 1


class Deal(NamedTuple):
    """What a first deal lays out."""

    centre: tuple[Card, ...]
    hands: tuple[tuple[Card, ...], ...]
    exchange: tuple[Card, ...]


def new_bag(words: SyllableLexicon, rng: Rng) -> Bag:
    """A table's own deck of about 120 faces, every card of it in the stock."""
    deck = words.deck_faces(rng, DECK)
    bag = Bag(deck, [COPIES] * len(deck), [0] * len(deck), COPIES)
    bag.weigh(words)
    return bag


def mint(face: str, rng: Rng) -> Card:
    """A card of that face, its id and family by chance."""
    return Card(rng.card_id(), face, rng.below(FAMILIES))


def words_for(hand: Sequence[str], centre: Sequence[str], min_own: int, words: SyllableLexicon) -> int:
    """How many words with different folded letters these faces make."""
    return len({"".join(found.entry.key) for found in words.find(hand, centre, min_own=min_own)})


def first_deal(words: SyllableLexicon, bag: Bag, rng: Rng, seats: int, min_own: int) -> Deal:
    """Centre, hands and exchange pile; IllegalMove ``list_too_small`` where the list cannot keep the promise."""
    for _ in range(CENTRES):
        centre = _centre(bag, rng)
        hands = _hands(words, bag, rng, seats, centre, min_own)
        if len(hands) == seats and laid_decently(centre, words, rng):
            return Deal(
                tuple(mint(face, rng) for face in centre),
                tuple(tuple(mint(face, rng) for face in hand) for hand in hands),
                exchange_pile(bag, rng),
            )
        bag.put_back([*centre, *(face for hand in hands for face in hand)])
    raise IllegalMove("list_too_small")


def exchange_pile(bag: Bag, rng: Rng) -> tuple[Card, ...]:
    """Five fresh cards (SYL-15, SYL-19)."""
    return tuple(mint(bag.draw(rng), rng) for _ in range(EXCHANGE))


def laid_decently(faces: list[str], words: SyllableLexicon, rng: Rng) -> bool:
    """Shuffle the faces; whether an order was found in which no neighbours spell a blocked word."""
    for _ in range(ORDERS):
        rng.shuffle(faces)
        if not words.shows_blocked(faces):
            return True
    return False


def _centre(bag: Bag, rng: Rng) -> list[str]:
    centre: list[str] = []
    while len(centre) < CENTRE:
        centre.append(bag.draw(rng, centre))
    return centre


def _hands(words: SyllableLexicon, bag: Bag, rng: Rng, seats: int, centre: list[str], min_own: int) -> list[list[str]]:
    """A hand for each seat, or fewer hands when one could not be found."""
    hands: list[list[str]] = []
    for _ in range(seats):
        hand = _first_hand(words, bag, rng, centre, min_own)
        if hand is None:
            return hands
        hands.append(hand)
    return hands


def _first_hand(words: SyllableLexicon, bag: Bag, rng: Rng, centre: list[str], min_own: int) -> list[str] | None:
    for attempt in range(TRIES):
        hand = fill(words, bag, rng, [], HAND, centre)
        wanted = WISHED if attempt < TRIES // 4 else PROMISED
        if words_for(hand, centre, min_own, words) >= wanted and laid_decently(hand, words, rng):
            return hand
        bag.put_back(hand)
    return None


def fill(
    words: SyllableLexicon, bag: Bag, rng: Rng, kept: Sequence[str], missing: int, centre: Sequence[str]
) -> list[str]:
    """``missing`` faces for a hand: those of up to two listed words that the centre begins, then any."""
    added: list[str] = []
    for _ in range(2):
        added += of_a_word(words, bag, rng, centre, [*kept, *added, *centre], missing - len(added))
    while len(added) < missing:
        added.append(bag.draw(rng, (*kept, *added, *centre)))
    return added


def completing(
    words: SyllableLexicon, bag: Bag, rng: Rng, kept: Sequence[str], missing: int, centre: Sequence[str]
) -> list[str]:
    """``missing`` faces for a hand, each because it completes words with the cards there; for hands hard to serve."""
    added: list[str] = []
    while len(added) < missing:
        completed = words.completions([*kept, *added, *centre], bag.faces)
        enough = [face for face, count in completed.items() if count >= PROMISED]
        choice = enough or list(completed)
        added.append(bag.taken(rng.choice(choice)) if choice else bag.draw(rng, (*kept, *added, *centre)))
    rng.shuffle(added)
    return added


def of_a_word(
    words: SyllableLexicon, bag: Bag, rng: Rng, begun: Sequence[str], there: Sequence[str], room: int
) -> list[str]:
    """Faces taken from the stock: what a word with a face of ``begun`` lacks beside those there; [] if none was met."""
    if not room or not begun:
        return []
    held = Counter(there)
    for _ in range(6):
        listed = words.words_with(rng.choice(begun))
        lacking = list((Counter(words.cards(rng.choice(listed))) - held).elements())
        if 0 < len(lacking) <= room and all(map(bag.has, lacking)) and _taken(bag, lacking):
            return lacking
    return []


def _taken(bag: Bag, faces: list[str]) -> bool:
    """Take them all, or none where a face is asked for more often than the stock has it."""
    for done, face in enumerate(faces):
        if not bag.has(face):
            bag.put_back(faces[:done])
            return False
        bag.taken(face)
    return True
