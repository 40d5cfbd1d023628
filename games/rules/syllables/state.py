"""What a table of the syllable game consists of, and what its creator may choose."""

from __future__ import annotations

from typing import Annotated

import msgspec

from games.engine.contract import Millis

ROUNDS = 8
"""SYL-01."""
HAND = 3
"""SYL-02."""
CENTRE = 5
"""SYL-03."""
EXCHANGE = 5
"""SYL-15."""
FAMILIES = 5
"""Dragons, chameleon-men, owls, foxes, whales (2.2 #18)."""
SILENT_CAP_MS: Millis = 600_000
"""A live round or reveal without a timer still ends, unseen, after this (2.2 #8, X-06)."""

PLAY, REVEAL, OVER = "play", "reveal", "over"
VALID, UNKNOWN, WRONG_SPLIT, NONE = "valid", "word_unknown", "wrong_split", "none"


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table's settings. ``None`` for a time means: no timer is shown, only the silent cap holds."""

    round_seconds: Annotated[int, msgspec.Meta(ge=30, le=600)] | None = 120
    reveal_seconds: Annotated[int, msgspec.Meta(ge=5, le=120)] | None = 20
    homework: bool = False
    """Long deadlines, no unready, reveals that wait until all have seen them (2.2 column b)."""
    homework_hours: Annotated[int, msgspec.Meta(ge=1, le=336)] = 24
    min_hand_cards: Annotated[int, msgspec.Meta(ge=0, le=3)] = 1
    hints: Annotated[int, msgspec.Meta(ge=0, le=3)] = 3
    hint_strength: Annotated[str, msgspec.Meta(pattern="^(any|best)$")] = "any"
    tie_break: bool = False
    """At a draw, doubled words and then total syllables decide (2.2 #17)."""
    last_start_at: Annotated[int, msgspec.Meta(ge=0)] | None = None
    """Match time after which no new round starts (X-16)."""


class Card(msgspec.Struct, frozen=True, array_like=True):
    """A card on the table. Ids and families are drawn when it comes there, so the stock has neither (X-15)."""

    id: str
    text: str
    family: int


class Hint(msgspec.Struct, frozen=True):
    """What the hint of this round answered; ``word`` is None when no word could be made."""

    word: str | None = None
    split: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()


class Best(msgspec.Struct, frozen=True):
    """The best word that a seat could have made in a round."""

    word: str
    split: tuple[str, ...]
    gloss: str = ""


class Attempt(msgspec.Struct, frozen=True):
    """What one seat played in a round that is resolved."""

    seat: int
    cards: tuple[Card, ...]
    result: str
    word: str
    gloss: str = ""
    stars: int = 0
    assisted: bool = False
    robot: bool = False
    hidden: bool = False
    """It spells a blocked word: it counts as unknown, and nobody is shown it."""
    best: Best | None = None

    @property
    def doubled(self) -> bool:
        return self.stars > 1


class RoundRecord(msgspec.Struct, frozen=True):
    """A resolved round; kept whole, because a verdict may rescore it even after the end."""

    number: int
    attempts: tuple[Attempt, ...]
    voided: bool = False


class Player(msgspec.Struct, frozen=True):
    """A seat: its cards, and what it did in the running phase."""

    hand: tuple[Card, ...]
    hints_left: int
    deadline: Millis
    time_factor: int = 100
    robot: bool = False
    stars: int = 0
    ready: tuple[str, ...] | None = None
    """Ids of the sealed word, () for none, None while the seat is not ready."""
    hint: Hint | None = None
    hint_used: bool = False
    swap_used: bool = False
    seen: bool = False
    left: bool = False


class State(msgspec.Struct, frozen=True):
    """A whole table. ``stock`` and ``used`` count the cards of each face of ``deck``.

    For each face, stock + used + cards on the table = ``copies``, always.
    """

    options: Options
    phase: str
    round: int
    deadline: Millis
    """The table's common one; each seat has its own besides."""
    centre: tuple[Card, ...]
    exchange: tuple[Card, ...]
    """The pile, its top first."""
    deck: tuple[str, ...]
    stock: tuple[int, ...]
    used: tuple[int, ...]
    copies: int
    players: tuple[Player, ...]
    history: tuple[RoundRecord, ...] = ()
    reason: str = ""
    """Why it is over: 'finished' or 'abandoned'."""


def present(state: State) -> tuple[int, ...]:
    """The seats that have not left."""
    return tuple(seat for seat, player in enumerate(state.players) if not player.left)


def awaited(state: State) -> tuple[int, ...]:
    """The seats that the running phase still waits for."""
    if state.phase == OVER:
        return ()
    players = state.players
    if state.phase == PLAY:
        return tuple(seat for seat in present(state) if players[seat].ready is None)
    return tuple(seat for seat in present(state) if not players[seat].seen)


def with_player(state: State, seat: int, **changes: object) -> State:
    """The state with that seat's player changed."""
    players = list(state.players)
    players[seat] = msgspec.structs.replace(players[seat], **changes)
    return msgspec.structs.replace(state, players=tuple(players))


def round_ms(options: Options) -> Millis:
    """How long a round lasts."""
    if options.homework:
        return options.homework_hours * 3_600_000
    return SILENT_CAP_MS if options.round_seconds is None else options.round_seconds * 1_000


def reveal_ms(options: Options) -> Millis:
    """How long a reveal lasts when not all seats tap on; in homework only a forgotten table comes to that."""
    if options.homework:
        return options.homework_hours * 3_600_000
    return SILENT_CAP_MS if options.reveal_seconds is None else options.reveal_seconds * 1_000


def deadline_shown(state: State) -> bool:
    """Whether the running phase shows its deadline; the silent cap does not."""
    if state.phase == PLAY:
        return state.options.homework or state.options.round_seconds is not None
    return state.phase == REVEAL and not state.options.homework and state.options.reveal_seconds is not None
