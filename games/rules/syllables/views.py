"""What may be seen, built up field by field from an allow-list, never the state minus its secrets."""

from __future__ import annotations

from typing import Any

from games.rules.syllables import scoring
from games.rules.syllables.state import (
    OVER,
    PLAY,
    REVEAL,
    ROUNDS,
    Attempt,
    Best,
    Card,
    Hint,
    Player,
    RoundRecord,
    State,
    deadline_shown,
)


def public(state: State) -> dict[str, Any]:
    """What everybody sees."""
    last = _record(state.history[-1]) if state.history else None
    return {
        "phase": state.phase,
        "round": state.round,
        "rounds": ROUNDS,
        "deadline": state.deadline if deadline_shown(state) else None,
        "round_seconds": None if state.options.homework else state.options.round_seconds,
        "centre": [_card(card) for card in state.centre],
        "exchange": {"top": _card(state.exchange[0]), "count": len(state.exchange)},
        "min_hand_cards": state.options.min_hand_cards,
        "seats": [_seat(state, player) for player in state.players],
        "reveal": last if state.phase == REVEAL else None,
        "last": None if state.phase == REVEAL else last,
        "ranking": _ranking(state) if state.phase == OVER else None,
    }


def private(state: State, seat: int) -> dict[str, Any]:
    """What that seat sees besides."""
    player = state.players[seat]
    return {
        "seat": seat,
        "hand": [_card(card) for card in player.hand],
        "deadline": player.deadline if deadline_shown(state) and not player.left else None,
        "hints_left": player.hints_left,
        "hint": _hint(player.hint),
        "ready_cards": None if player.ready is None else list(player.ready),
        "best": _best(state, seat),
    }


def secrets(state: State, seat: int | None) -> frozenset[str]:
    """Ids of the other hands and of the pile below its top. The stock has no ids; a sealed word holds a hand's id.

    Texts cannot be told apart by searching: many cards bear the same syllable.
    """
    hands = [player.hand for other, player in enumerate(state.players) if other != seat]
    return frozenset(card.id for cards in (*hands, state.exchange[1:]) for card in cards)


def _card(card: Card) -> dict[str, Any]:
    return {"id": card.id, "text": card.text, "family": card.family}


def _seat(state: State, player: Player) -> dict[str, Any]:
    return {
        "stars": player.stars,
        "ready": state.phase == PLAY and player.ready is not None,
        "hint_used": player.hint_used,
        "swap_used": player.swap_used,
        "left": player.left,
        "seen": player.seen,
    }


def _record(record: RoundRecord) -> dict[str, Any]:
    return {
        "round": record.number,
        "voided": record.voided,
        "words": [_attempt(tried, record.number) for tried in record.attempts],
    }


def _attempt(tried: Attempt, number: int) -> dict[str, Any]:
    """A shown word. Its cards bear ids of the show: an invalid word's real cards are still in a hand.

    Of a blocked word nothing is shown but that it was unknown.
    """
    cards = () if tried.hidden else tried.cards
    return {
        "seat": tried.seat,
        "result": tried.result,
        "word": "" if tried.hidden else tried.word,
        "cards": [
            {"id": f"{number}.{tried.seat}.{place}", "text": card.text, "family": card.family}
            for place, card in enumerate(cards)
        ],
        "syllables": len(cards),
        "stars": tried.stars,
        "doubled": tried.doubled,
        "gloss": tried.gloss,
    }


def _ranking(state: State) -> list[dict[str, Any]]:
    """SYL-27; who left comes last and has no rank (X-07)."""
    ranks = scoring.ranks(state)
    behind = len(state.players) + 1
    seats = sorted(range(len(state.players)), key=lambda seat: (ranks.get(seat, behind), seat))
    return [
        {
            "seat": seat,
            "stars": state.players[seat].stars,
            "rank": ranks.get(seat),
            "left": state.players[seat].left,
        }
        for seat in seats
    ]


def _hint(hint: Hint | None) -> dict[str, Any] | None:
    if hint is None:
        return None
    return {"word": hint.word, "split": list(hint.split), "cards": list(hint.cards)}


def _best(state: State, seat: int) -> dict[str, Any] | None:
    """The best word of the last round, once it is resolved."""
    attempts = state.history[-1].attempts if state.history else ()
    best: Best | None = next((tried.best for tried in attempts if tried.seat == seat), None)
    if best is None:
        return None
    return {"word": best.word, "split": list(best.split), "gloss": best.gloss, "syllables": len(best.split)}
