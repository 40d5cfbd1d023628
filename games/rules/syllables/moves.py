"""The moves a seat may make. All name their round: seats play at once, and a late move must not hit the next one."""

from __future__ import annotations

from typing import Annotated

import msgspec

from games.engine.contract import Move

CardId = Annotated[str, msgspec.Meta(min_length=1, max_length=16)]
RoundNumber = Annotated[int, msgspec.Meta(ge=1, le=99)]


class Ready(Move, frozen=True, tag="syllables.ready"):
    """Seal a word, as card ids in reading order; () seals none."""

    round: RoundNumber
    cards: Annotated[tuple[CardId, ...], msgspec.Meta(max_length=8)] = ()


class Unready(Move, frozen=True, tag="syllables.unready"):
    """Open the sealed word again, while the round runs."""

    round: RoundNumber


class Swap(Move, frozen=True, tag="syllables.swap"):
    """Give a hand card for the exchange pile's top card, which the seat saw as ``top``."""

    round: RoundNumber
    give: CardId
    top: CardId


class AskHint(Move, frozen=True, tag="syllables.hint"):
    """Ask for one word that the seat can make now."""

    round: RoundNumber


class Seen(Move, frozen=True, tag="syllables.seen"):
    """Tap on from the reveal."""

    round: RoundNumber


SyllableMove = Ready | Unready | Swap | AskHint | Seen
