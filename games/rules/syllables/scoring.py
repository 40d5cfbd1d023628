"""What a played word is worth, what it teaches, and who is ahead. Totals always come from the rounds' records."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from msgspec.structs import replace

from games.engine.contract import Fact
from games.rules.syllables.state import (
    NONE,
    UNKNOWN,
    VALID,
    WRONG_SPLIT,
    Attempt,
    Best,
    Card,
    Player,
    RoundRecord,
    State,
    present,
)
from wordlists.lexicon.syllables import Entry, Formable, SyllableLexicon


def texts(cards: Sequence[Card]) -> list[str]:
    return [card.text for card in cards]


def of_one_family(cards: Sequence[Card]) -> bool:
    """SYL-12, SYL-13."""
    return len({card.family for card in cards}) == 1


def attempt(state: State, seat: int, words: SyllableLexicon) -> Attempt:
    """The sealed word of that seat, judged (SYL-09, 2.2 #4), with the best it could have made; stars come later."""
    player = state.players[seat]
    there = {card.id: card for card in (*player.hand, *state.centre)}
    cards = tuple(there[card] for card in player.ready or ())
    result, word, gloss = judged(cards, words, player.hint.word if player.hint else None)
    return Attempt(
        seat=seat,
        cards=cards,
        result=result,
        word=word,
        gloss=gloss,
        assisted=result == VALID and player.hint is not None and player.hint.word == word,
        robot=player.robot,
        hidden=result == UNKNOWN and words.shows_blocked(texts(cards)),
        best=_best(player.hand, state.centre, state.options.min_hand_cards, words),
    )


def judged(cards: Sequence[Card], words: SyllableLexicon, hinted: str | None = None) -> tuple[str, str, str]:
    """(result, word, gloss). The word is spelt as the list has it; of words that fold alike the hinted or first one."""
    faces = texts(cards)
    if not faces:
        return NONE, "", ""
    entries = words.entries(faces)
    if not entries:
        return _unlisted(faces, words)
    word = next((entry.word for entry in entries if entry.word == hinted), entries[0].word)
    return VALID, word, _glosses(entries)


def _unlisted(faces: Sequence[str], words: SyllableLexicon) -> tuple[str, str, str]:
    """A listed word cut otherwise is no word (2.2 #4), but it is the one that was meant."""
    meant = words.spellings(faces)
    return (WRONG_SPLIT, meant[0].word, _glosses(meant)) if meant else (UNKNOWN, "".join(faces), "")


def _glosses(entries: Sequence[Entry]) -> str:
    """All meanings of what may be meant (2.2 #5)."""
    if len(entries) == 1:
        return entries[0].gloss
    return " · ".join(f"{entry.word} : {entry.gloss}" for entry in entries if entry.gloss)


def best_first(found: Sequence[Formable], cards: Sequence[Card]) -> tuple[Formable, ...]:
    """The ways to the longest words, those of one family alone where there are some (they count double)."""
    longest = max((len(way.picks) for way in found), default=0)
    ways = tuple(way for way in found if len(way.picks) == longest)
    return tuple(way for way in ways if of_one_family([cards[pick] for pick in way.picks])) or ways


def _best(hand: Sequence[Card], centre: Sequence[Card], min_own: int, words: SyllableLexicon) -> Best | None:
    found = words.find(texts(hand), texts(centre), min_own=min_own, every_pick=True)
    ways = best_first(found, (*hand, *centre))
    if not ways:
        return None
    entry = ways[0].entry
    return Best(entry.word, entry.split, entry.gloss)


def with_stars(attempts: Sequence[Attempt]) -> tuple[Attempt, ...]:
    """SYL-10 to SYL-12: each valid word of the most syllables earns 1, or 2 where all its cards are of one family."""
    longest = max((len(tried.cards) for tried in attempts if tried.result == VALID), default=0)
    return tuple(replace(tried, stars=_stars(tried, longest)) for tried in attempts)


def _stars(tried: Attempt, longest: int) -> int:
    if tried.result != VALID or len(tried.cards) < longest:
        return 0
    return 2 if of_one_family(tried.cards) else 1


def rescored(state: State) -> State:
    """The state with every seat's stars summed anew from the records."""
    totals = [0] * len(state.players)
    for tried in chain.from_iterable(record.attempts for record in state.history):
        totals[tried.seat] += tried.stars
    players = tuple(replace(player, stars=stars) for player, stars in zip(state.players, totals, strict=True))
    return replace(state, players=players)


def result_facts(tried: Attempt, number: int) -> tuple[Fact, ...]:
    """What a person showed by its word: made or refused, and the best word where that was longer (X-14)."""
    if tried.robot:
        return ()
    if tried.hidden:
        return _missed(tried, number)
    facts: list[Fact] = []
    built = "-".join(texts(tried.cards))
    if tried.result == VALID:
        facts.append(Fact("made", tried.seat, tried.word, number, assisted=tried.assisted))
    elif tried.result == WRONG_SPLIT:
        facts.append(Fact("wrong_split", tried.seat, tried.word, number, tried=built))
    elif tried.result == UNKNOWN:
        facts.append(Fact("not_in_list", tried.seat, tried.word, number, tried=built))
    return (*facts, *_missed(tried, number))


def _missed(tried: Attempt, number: int) -> tuple[Fact, ...]:
    """The best word, where it is longer than what was made."""
    made = len(tried.cards) if tried.result == VALID else 0
    if tried.best is None or len(tried.best.split) <= made:
        return ()
    return (Fact("missed", tried.seat, tried.best.word, number),)


def shown_facts(record: RoundRecord) -> tuple[Fact, ...]:
    """For each person the listed words of the others that the reveal shows."""
    valid = [tried for tried in record.attempts if tried.result == VALID]
    return tuple(
        Fact("shown", viewer.seat, word, record.number)
        for viewer in record.attempts
        if not viewer.robot
        for word in dict.fromkeys(tried.word for tried in valid if tried.word != viewer.word)
    )


def order(state: State, seat: int) -> tuple[int, ...]:
    """What the ranking compares: stars, and with the tie-break doubled words, then total syllables (2.2 #17)."""
    stars = state.players[seat].stars
    if not state.options.tie_break:
        return (stars,)
    own = [tried for record in state.history for tried in record.attempts if tried.seat == seat]
    made = [tried for tried in own if tried.result == VALID]
    return stars, sum(tried.doubled for tried in own), sum(len(tried.cards) for tried in made)


def ranks(state: State) -> dict[int, int]:
    """Rank of each seat that has not left; ties share one: 1, 1, 3 (X-10)."""
    keys = {seat: order(state, seat) for seat in present(state)}
    return {seat: 1 + sum(other > key for other in keys.values()) for seat, key in keys.items()}


def winners(state: State) -> tuple[int, ...]:
    """SYL-28; several at a draw, none of an abandoned table."""
    if state.reason != "finished":
        return ()
    return tuple(seat for seat, rank in ranks(state).items() if rank == 1)


def stars(players: Sequence[Player]) -> tuple[int, ...]:
    return tuple(player.stars for player in players)
