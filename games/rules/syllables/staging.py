"""Tables laid by hand, for tests: cards are written ``ma/0`` (face and family), and have their places as ids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from games.engine.contract import CLOCK, TEACHER, Fact, IllegalMove, Move, Seat, SeatOptions, TimeUp
from games.engine.rng import Rng
from games.rules.syllables.moves import Ready, Seen
from games.rules.syllables.rules import GAME
from games.rules.syllables.state import Card, Options, State, with_player
from wordlists.lexicon.syllables import SyllableLexicon

LISTED = """
ma-gie ma-gi-cien ma-ri ma-ri-ne ma-la-de ma-ra-de ca-ma-ra-de ca-na-pé ca-na-ri ca-ra-mel ca-fé ca-ba-ne ba-na-ne
pa-pa pi-lo-te pi-le pi-pe pi-ne é-pi é-pi-ne é-co-le é-ta-pe pê-che pé-ché co-co lo-to mo-to mo-ra-le sa-la-de sa-le
sa-la-mi a-mi a-mi-ral a-ni-mal na-vi-re vi-ta-mi-ne ti-mi-de do-mi-no do-mi-ci-le fa-mi-ne ri-me li-me li-re di-re
ri-re mi-ne ra-me la-me la-ma ca-mé-ra ra-di-o bon-bon ra-re ta-pi co-la co-ra-le ra-le ma-le da-me ta-re vi-de vi-re
do-mi-na-re mi-ra-ge ra-ge ca-ge pa-ge na-ge ti-ge co-pi-e co-pie ca-mé-lé-on
"""
BLOCKED = ("copa",)
"""Stands for a rude word: co-pa."""
WORDS = SyllableLexicon("fr", [(word.split("-"), f"gloss of {word}") for word in LISTED.split()], BLOCKED)
SHOWN = {WORDS.folded(face): face for face in WORDS.faces}
"""The face that cards bear for a folded syllable."""
COPIES = 9
MA = "ma/0 pa/1 co/2"
"""A hand that makes several words with the usual centre."""
BARREN = "gie/0 cien/0 on/0 mé/0 ti/0"
"""A centre that makes none with the hand gie cien on."""
HOUR = 3_600_000


class Stage:
    """A table and its clock; ``do`` plays a move, ``refused`` wants it refused and gives the code."""

    def __init__(self, state: State, words: SyllableLexicon = WORDS) -> None:
        self.state = state
        self.words = words
        self.turn = 0
        self.now = 1_000
        self.facts: list[Fact] = []

    def do(self, seat: Seat, move: Move) -> tuple[Fact, ...]:
        """Play it; the facts that it brought about."""
        self.turn += 1
        step = GAME.apply(self.state, seat, move, self.words, Rng("stage", self.turn), self.now)
        self.state = step.state
        self.facts += step.facts
        return step.facts

    def refused(self, seat: Seat, move: Move) -> str:
        """The code of the refusal; an accepted move fails."""
        before = GAME.digest(self.state)
        try:
            self.do(seat, move)
        except IllegalMove as refusal:
            assert GAME.digest(self.state) == before
            return refusal.code
        raise AssertionError(f"{move} was accepted")

    def ready(self, seat: Seat, *ids: str) -> tuple[Fact, ...]:
        return self.do(seat, Ready(self.state.round, ids))

    def reveal(self, *words: Sequence[str]) -> None:
        """All seats ready, each with its word."""
        for seat, ids in enumerate(words):
            self.ready(seat, *ids)

    def go_on(self) -> None:
        """All seats tap on from the reveal."""
        for seat in sorted(GAME.deadlines(self.state)):
            self.do(seat, Seen(self.state.round))

    def time_up(self) -> tuple[Fact, ...]:
        """The clock passes the last deadline."""
        self.now = max(GAME.deadlines(self.state).values())
        return self.do(CLOCK, TimeUp(GAME.phase(self.state)))

    def teach(self, move: Move) -> tuple[Fact, ...]:
        return self.do(TEACHER, move)

    def to_the_end(self) -> None:
        """Nobody does anything any more."""
        while GAME.active(self.state):
            self.time_up()

    @property
    def views(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """What seat 0 sees."""
        return GAME.public(self.state), GAME.private(self.state, 0)

    @property
    def stars(self) -> tuple[int, ...]:
        return GAME.scores(self.state)

    @property
    def results(self) -> list[str]:
        """Of the last resolved round, in seat order."""
        return [tried.result for tried in self.state.history[-1].attempts]

    def kinds(self) -> list[tuple[str, int, str]]:
        return [(fact.kind, fact.seat, fact.word) for fact in self.facts]


def staged(
    *hands: str,
    centre: str = "gie/0 ri/1 ne/2 la/3 de/4",
    pile: str = "ta/0 ra/1 re/2 le/3 mi/4",
    options: Options | None = None,
    seats: Sequence[SeatOptions] | None = None,
) -> Stage:
    """A table in round 1 with these hands: seat 0 holds cards a0 a1 a2, seat 1 b0 …, the centre z0 …, the pile p0 …"""
    who = tuple(seats or [SeatOptions() for _ in hands])
    state = GAME.setup(options or Options(), WORDS, who, Rng("staged", 0), 0)
    for seat, hand in enumerate(hands):
        state = with_player(state, seat, hand=_cards("abcdef"[seat], hand))
    state = replace(state, centre=_cards("z", centre), exchange=_cards("p", pile), copies=COPIES)
    laid = Counter(card.text for card in on_table(state))
    deck = WORDS.faces
    stock = tuple(COPIES - laid[face] for face in deck)
    return Stage(replace(state, deck=deck, stock=stock, used=(0,) * len(deck)))


def on_table(state: State) -> list[Card]:
    """All cards that lie somewhere on the table."""
    hands = [card for player in state.players for card in player.hand]
    return [*hands, *state.centre, *state.exchange]


def conserved(state: State) -> bool:
    """M4: of every face, stock, used pile and table together always hold the same number, and no id is there twice."""
    laid = on_table(state)
    count = Counter(card.text for card in laid)
    piles = zip(state.deck, state.stock, state.used, strict=True)
    return len({card.id for card in laid}) == len(laid) and all(
        stock >= 0 and used >= 0 and stock + used + count[face] == state.copies for face, stock, used in piles
    )


def _cards(letter: str, text: str) -> tuple[Card, ...]:
    cards = []
    for place, part in enumerate(text.split()):
        face, _, family = part.partition("/")
        cards.append(Card(f"{letter}{place}", SHOWN[WORDS.folded(face)], int(family)))
    return tuple(cards)
