"""The course of a game: deal, rounds of play and reveal, end. A phase goes on as soon as it waits for nobody."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from games.engine.contract import IllegalMove, Millis, SeatOptions, Step
from games.engine.rng import Rng
from games.rules.syllables import scoring
from games.rules.syllables.dealing import first_deal, new_bag
from games.rules.syllables.refill import refilled
from games.rules.syllables.state import (
    OVER,
    PLAY,
    REVEAL,
    ROUNDS,
    Attempt,
    Card,
    Options,
    Player,
    RoundRecord,
    State,
    awaited,
    present,
    reveal_ms,
    round_ms,
)
from wordlists.lexicon.syllables import SyllableLexicon

SEATS = (2, 6)


class Turn(NamedTuple):
    """What the engine passes with a move."""

    words: SyllableLexicon
    rng: Rng
    now: Millis


def dealt(options: Options, seats: tuple[SeatOptions, ...], turn: Turn) -> State:
    """A fresh table in its first round."""
    if not SEATS[0] <= len(seats) <= SEATS[1]:
        raise IllegalMove("seat_count")
    bag = new_bag(turn.words, turn.rng)
    deal = first_deal(turn.words, bag, turn.rng, len(seats), options.min_hand_cards)
    players = tuple(_player(options, seat, hand) for seat, hand in zip(seats, deal.hands, strict=True))
    state = State(
        options=options,
        phase=PLAY,
        round=0,
        deadline=0,
        centre=deal.centre,
        exchange=deal.exchange,
        deck=bag.deck,
        stock=tuple(bag.stock),
        used=tuple(bag.used),
        copies=bag.copies,
        players=players,
    )
    return _begun(state, turn.now)


def _player(options: Options, seat: SeatOptions, hand: tuple[Card, ...]) -> Player:
    return Player(
        hand=hand,
        hints_left=options.hints if seat.hints is None else seat.hints,
        deadline=0,
        time_factor=seat.time_factor,
        robot=seat.robot_level is not None,
    )


def went_on(state: State, turn: Turn) -> Step[State]:
    """Where the running phase waits for nobody any more, what follows it (SYL-08, 2.2 #21)."""
    if state.phase == OVER or len(present(state)) < SEATS[0]:
        return Step(ended(state, "abandoned"))
    if awaited(state):
        return Step(state)
    return resolved(state, turn) if state.phase == PLAY else Step(next_round(state, turn))


def resolved(state: State, turn: Turn) -> Step[State]:
    """All words become public, stars are given, facts come out (SYL-08 to SYL-12)."""
    judged = [scoring.attempt(state, seat, turn.words) for seat in present(state)]
    record = RoundRecord(state.round, scoring.with_stars(judged))
    facts = [fact for tried in record.attempts for fact in scoring.result_facts(tried, record.number)]
    return Step(revealed(state, record, turn.now), (*facts, *scoring.shown_facts(record)))


def revealed(state: State, record: RoundRecord, now: Millis) -> State:
    """The reveal of that round. Older records lose their glosses: nothing shows them any more."""
    older = tuple(replace(past, attempts=tuple(map(_without_gloss, past.attempts))) for past in state.history)
    ms = reveal_ms(state.options)
    players = tuple(
        replace(player, ready=None, seen=False, deadline=_until(player, now, ms)) for player in state.players
    )
    state = replace(state, phase=REVEAL, deadline=now + ms, players=players, history=(*older, record))
    return scoring.rescored(state)


def _without_gloss(tried: Attempt) -> Attempt:
    return replace(tried, gloss="", best=tried.best and replace(tried.best, gloss=""))


def next_round(state: State, turn: Turn) -> State:
    """The next round on a refilled table, or the end: after round 8, or where none may start any more (X-16)."""
    last_start = state.options.last_start_at
    if state.round == ROUNDS or (last_start is not None and turn.now > last_start):
        return ended(state, "finished")
    return _begun(refilled(state, turn.words, turn.rng), turn.now)


def ended(state: State, reason: str) -> State:
    """The end; what came first stays the reason."""
    return state if state.phase == OVER else replace(state, phase=OVER, reason=reason)


def _begun(state: State, now: Millis) -> State:
    ms = round_ms(state.options)
    players = tuple(
        replace(
            player,
            ready=None,
            hint=None,
            hint_used=False,
            swap_used=False,
            seen=False,
            deadline=_until(player, now, ms),
        )
        for player in state.players
    )
    return replace(state, phase=PLAY, round=state.round + 1, deadline=now + ms, players=players)


def _until(player: Player, now: Millis, ms: Millis) -> Millis:
    return now + ms * player.time_factor // 100
