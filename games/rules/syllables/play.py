"""The seats' own moves. Each refuses with a stable code and then nothing has changed (X-05)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from msgspec.structs import replace

from games.engine.contract import GRACE_MS, Fact, IllegalMove, Millis, Step
from games.rules.syllables import scoring
from games.rules.syllables.dealing import Bag, exchange_pile
from games.rules.syllables.moves import AskHint, Ready, Seen, Swap, SyllableMove, Unready
from games.rules.syllables.rounds import Turn, went_on
from games.rules.syllables.state import OVER, PLAY, REVEAL, Card, Hint, Player, State, with_player
from wordlists.lexicon.syllables import Formable


def played(state: State, seat: int, move: SyllableMove, turn: Turn) -> Step[State]:
    """The step that the seat's move makes."""
    if isinstance(move, Seen):
        _check(state, seat, move, REVEAL, turn.now)
        if state.players[seat].seen:
            raise IllegalMove("already_seen")
        return went_on(with_player(state, seat, seen=True), turn)
    _check(state, seat, move, PLAY, turn.now)
    player = state.players[seat]
    if isinstance(move, Unready):
        return _unready(state, seat, player)
    if player.ready is not None:
        raise IllegalMove("already_ready")
    if isinstance(move, Ready):
        _check_word(state, player, move.cards)
        return went_on(with_player(state, seat, ready=move.cards), turn)
    return _swap(state, seat, player, move, turn) if isinstance(move, Swap) else _hint(state, seat, player, turn)


def _check(state: State, seat: int, move: SyllableMove, phase: str, now: Millis) -> None:
    if state.phase == OVER:
        raise IllegalMove("game_over")
    player = state.players[seat]
    if player.left:
        raise IllegalMove("seat_left")
    if move.round != state.round:
        raise IllegalMove("wrong_round")
    if state.phase != phase:
        raise IllegalMove("too_late" if phase == PLAY else "wrong_phase")
    if now > player.deadline + GRACE_MS:
        raise IllegalMove("too_late")


def _unready(state: State, seat: int, player: Player) -> Step[State]:
    """2.2 #6: until the last seat is ready; not in homework, where the order of moves is fixed."""
    if player.ready is None or state.options.homework:
        raise IllegalMove("not_ready")
    return Step(with_player(state, seat, ready=None))


def _check_word(state: State, player: Player, ids: Sequence[str]) -> None:
    """SYL-06, SYL-16. No word at all is allowed (2.2 #7)."""
    if not ids:
        return
    if len(ids) < 2:
        raise IllegalMove("word_too_short")
    if len(set(ids)) < len(ids):
        raise IllegalMove("card_repeated")
    if state.exchange[0].id in ids:
        raise IllegalMove("exchange_not_playable")
    own = {card.id for card in player.hand}
    if not own.union(card.id for card in state.centre).issuperset(ids):
        raise IllegalMove("card_not_yours")
    if len(own.intersection(ids)) < state.options.min_hand_cards:
        raise IllegalMove("own_card_needed")


def _swap(state: State, seat: int, player: Player, move: Swap, turn: Turn) -> Step[State]:
    """SYL-17 to SYL-19; of two at the same instant the second sees a stale top and keeps its right (2.2 #9)."""
    if player.swap_used:
        raise IllegalMove("swap_used")
    if move.top != state.exchange[0].id:
        raise IllegalMove("stale_top")
    if all(card.id != move.give for card in player.hand):
        raise IllegalMove("card_not_yours")
    top, *pile = state.exchange
    hand = _decent(tuple(top if card.id == move.give else card for card in player.hand), turn)
    given = next(card for card in player.hand if card.id == move.give)
    hint = None if player.hint and player.hint.word is None else player.hint
    state = with_player(state, seat, hand=hand, swap_used=True, hint=hint)
    return Step(_with_pile(state, tuple(pile), given, turn))


def _decent(hand: tuple[Card, ...], turn: Turn) -> tuple[Card, ...]:
    """The hand, in another order where neighbours would spell a blocked word."""
    orders = permutations(hand)
    return next((order for order in orders if not turn.words.shows_blocked(scoring.texts(order))), hand)


def _with_pile(state: State, pile: tuple[Card, ...], given: Card, turn: Turn) -> State:
    """The given card goes to the used pile (2.2 #10); an empty exchange pile is refilled at once."""
    bag = Bag(state.deck, state.stock, state.used, state.copies)
    bag.discard([given])
    if not pile:
        bag.weigh(turn.words)
        pile = exchange_pile(bag, turn.rng)
    return replace(state, exchange=pile, stock=tuple(bag.stock), used=tuple(bag.used), copies=bag.copies)


def _hint(state: State, seat: int, player: Player, turn: Turn) -> Step[State]:
    """SYL-20, SYL-21. Where no word exists the answer says so and costs nothing (2.2 #13)."""
    if player.hint_used:
        raise IllegalMove("hint_used")
    if player.hints_left < 1:
        raise IllegalMove("no_hints_left")
    cards = (*player.hand, *state.centre)
    way = _hinted_way(state, player, turn)
    if way is None:
        return Step(with_player(state, seat, hint=Hint()))
    word, split = way.entry.word, way.entry.split
    hint = Hint(word, split, tuple(cards[pick].id for pick in way.picks))
    state = with_player(state, seat, hint=hint, hint_used=True, hints_left=player.hints_left - 1)
    return Step(state, () if player.robot else (Fact("hinted", seat, word, state.round),))


def _hinted_way(state: State, player: Player, turn: Turn) -> Formable | None:
    """One of the words that can be made, by chance; with ``hint_strength`` best, one of the best (2.2 #14)."""
    best = state.options.hint_strength == "best"
    hand, centre = scoring.texts(player.hand), scoring.texts(state.centre)
    found = turn.words.find(hand, centre, min_own=state.options.min_hand_cards, every_pick=best)
    if best:
        found = scoring.best_first(found, (*player.hand, *state.centre))
    return turn.rng.choice(found) if found else None


def open_moves(state: State, seat: int) -> tuple[str, ...]:
    """Tags of the moves that ``played`` would hear now; from what the seat itself sees."""
    player = state.players[seat]
    if state.phase == OVER or player.left:
        return ()
    if state.phase == REVEAL:
        return () if player.seen else (_tag(Seen),)
    if player.ready is not None:
        return () if state.options.homework else (_tag(Unready),)
    moves: list[type[SyllableMove]] = [Ready]
    if not player.swap_used:
        moves.append(Swap)
    if player.hints_left and not player.hint_used:
        moves.append(AskHint)
    return tuple(map(_tag, moves))


def _tag(move: type[SyllableMove]) -> str:
    return str(move.__struct_config__.tag)
