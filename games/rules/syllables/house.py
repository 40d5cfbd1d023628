"""The moves of CLOCK and TEACHER, and leaving."""

from __future__ import annotations

from msgspec.structs import replace

from games.engine.contract import (
    CLOCK,
    MAX_EXTENSION_MS,
    TEACHER,
    Extend,
    GrantHint,
    HouseMove,
    IllegalMove,
    Leave,
    NextRound,
    Occupy,
    Seat,
    Step,
    TimeUp,
    Verdict,
    VoidRound,
)
from games.rules.syllables import scoring
from games.rules.syllables.dealing import Bag
from games.rules.syllables.rounds import Turn, next_round, revealed, went_on
from games.rules.syllables.state import (
    NONE,
    OVER,
    PLAY,
    REVEAL,
    UNKNOWN,
    VALID,
    Attempt,
    RoundRecord,
    State,
    awaited,
    with_player,
)
from wordlists.lexicon.syllables import SyllableLexicon
from wordlists.spelling import SpellingError, clean, fold


def phase_name(state: State) -> str:
    """'play:3', 'reveal:3', 'over'."""
    return OVER if state.phase == OVER else f"{state.phase}:{state.round}"


def ruled(state: State, seat: Seat, move: HouseMove, turn: Turn) -> Step[State]:
    """The step that a house move makes."""
    if isinstance(move, TimeUp):
        return _time_up(state, seat, move, turn)
    if seat != TEACHER and not (isinstance(move, Leave) and move.seat == seat):
        raise IllegalMove("not_allowed")
    if isinstance(move, Verdict):
        return _verdict(state, move, turn.words)
    if state.phase == OVER:
        raise IllegalMove("game_over")
    match move:
        case Leave():
            return _leave(state, move.seat, turn)
        case NextRound():
            return _next_round(state, turn)
        case Extend():
            return Step(_extended(state, move))
        case GrantHint():
            left = _sitting(state, move.seat).players[move.seat].hints_left
            return Step(with_player(state, move.seat, hints_left=left + 1))
        case Occupy():
            sitting = _sitting(state, move.seat)
            robot = move.robot_level is not None
            return Step(with_player(sitting, move.seat, robot=robot, time_factor=move.time_factor))
        case VoidRound():
            return Step(_voided(state, turn))


def _sitting(state: State, seat: int) -> State:
    """The state, where somebody still sits at that seat."""
    if not 0 <= seat < len(state.players):
        raise IllegalMove("unknown_seat")
    if state.players[seat].left:
        raise IllegalMove("seat_left")
    return state


def _time_up(state: State, seat: Seat, move: TimeUp, turn: Turn) -> Step[State]:
    """Seats whose time is over are ready without a word, or have seen the reveal; no effect on another phase (X-03)."""
    if seat != CLOCK:
        raise IllegalMove("not_allowed")
    if move.phase != phase_name(state):
        return Step(state)
    due = [seat for seat in awaited(state) if state.players[seat].deadline <= turn.now]
    for seat in due:
        state = with_player(state, seat, ready=()) if state.phase == PLAY else with_player(state, seat, seen=True)
    return went_on(state, turn) if due else Step(state)


def _leave(state: State, seat: int, turn: Turn) -> Step[State]:
    """X-07: the hand goes to the used pile, the stars stay; X-09: one seat alone is no table."""
    player = _sitting(state, seat).players[seat]
    bag = Bag(state.deck, state.stock, state.used, state.copies)
    bag.discard(player.hand)
    state = replace(state, used=tuple(bag.used))
    return went_on(with_player(state, seat, hand=(), ready=None, hint=None, left=True), turn)


def _next_round(state: State, turn: Turn) -> Step[State]:
    if state.phase != REVEAL:
        raise IllegalMove("wrong_phase")
    return Step(next_round(state, turn))


def _extended(state: State, move: Extend) -> State:
    """More time for one seat, which nobody else sees, or for the table."""
    if not 0 < move.ms <= MAX_EXTENSION_MS:
        raise IllegalMove("bad_extension")
    if move.seat is not None:
        player = _sitting(state, move.seat).players[move.seat]
        return with_player(state, move.seat, deadline=player.deadline + move.ms)
    players = tuple(replace(player, deadline=player.deadline + move.ms) for player in state.players)
    return replace(state, deadline=state.deadline + move.ms, players=players)


def _voided(state: State, turn: Turn) -> State:
    """A round in play ends without words; one just revealed gives its stars back, and its used cards go as ever."""
    if state.phase == PLAY:
        return revealed(state, RoundRecord(state.round, (), voided=True), turn.now)
    *older, last = state.history
    if last.voided:
        raise IllegalMove("round_voided")
    attempts = tuple(replace(tried, stars=0) for tried in last.attempts)
    record = RoundRecord(last.number, attempts, voided=True)
    return scoring.rescored(replace(state, history=(*older, record)))


def _verdict(state: State, move: Verdict, words: SyllableLexicon) -> Step[State]:
    """A word of a resolved round counts, or does not; the facts of each seat that this changes come out anew."""
    record = next((past for past in state.history if past.number == move.round), None)
    if record is None:
        raise IllegalMove("wrong_round")
    if record.voided:
        raise IllegalMove("round_voided")
    key = _key(move.word, words)
    tried = [seat for seat in record.attempts if seat.result != NONE and _letters(seat, words) == key]
    if not tried:
        raise IllegalMove("no_such_word")
    changed = {past.seat: _ruled_on(past, move.valid, words) for past in tried if (past.result == VALID) != move.valid}
    attempts = scoring.with_stars([changed.get(past.seat, past) for past in record.attempts])
    records = tuple(replace(past, attempts=attempts) if past is record else past for past in state.history)
    facts = [fact for past in attempts if past.seat in changed for fact in scoring.result_facts(past, record.number)]
    return Step(scoring.rescored(replace(state, history=records)), tuple(facts))


def _key(word: str, words: SyllableLexicon) -> str:
    try:
        return fold(clean(word), words.language)
    except SpellingError as error:
        raise IllegalMove("no_such_word") from error


def _letters(tried: Attempt, words: SyllableLexicon) -> str:
    return "".join(words.folded(card.text) for card in tried.cards)


def _ruled_on(tried: Attempt, valid: bool, words: SyllableLexicon) -> Attempt:
    """A struck word counts as unknown; one that counts is spelt as the list has it, or else as it was built."""
    if not valid:
        return replace(tried, result=UNKNOWN, assisted=False)
    result, word, _ = scoring.judged(tried.cards, words)
    return replace(tried, result=VALID, word=word if result == VALID else tried.word, hidden=False)
