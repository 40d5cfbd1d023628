"""The dealing guarantee (SYL-04) over the real lists, conservation of cards (M4), and views without hidden cards."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.contract import CLOCK, TEACHER, IllegalMove, Leave, Move, NextRound, SeatOptions, TimeUp, VoidRound
from games.engine.rng import Rng
from games.rules.syllables import refill
from games.rules.syllables.dealing import CENTRES, first_deal, new_bag, words_for
from games.rules.syllables.moves import AskHint, Ready, Seen, Swap, Unready
from games.rules.syllables.rules import GAME
from games.rules.syllables.scoring import texts
from games.rules.syllables.staging import SHOWN, WORDS, conserved, staged
from games.rules.syllables.state import Card, Options, State, with_player
from wordlists import builtin
from wordlists.lexicon.syllables import SyllableLexicon

BANDS = ("8-10", "11-15", "16+")
SEEDS = 1_000


@cache
def band_list(band: str) -> SyllableLexicon:
    return SyllableLexicon.from_bytes(builtin.blob("fr", band))


def table(words: SyllableLexicon, seed: str, seats: int, options: Options | None = None) -> State:
    return GAME.setup(options or Options(), words, (SeatOptions(),) * seats, Rng(seed, 0), 0)


def short_seats(state: State, words: SyllableLexicon) -> list[int]:
    """Seats that cannot make two words, own cards included."""
    centre, least = texts(state.centre), state.options.min_hand_cards
    return [
        seat
        for seat, player in enumerate(state.players)
        if not player.left and words_for(texts(player.hand), centre, least, words) < 2
    ]


def after_a_round(state: State, words: SyllableLexicon, seed: str) -> State:
    """The next deal, after each seat played some word, now and then none."""
    chance = random.Random(seed)
    for seat, player in enumerate(state.players):
        cards = (*player.hand, *state.centre)
        found = words.find(texts(player.hand), texts(state.centre))
        way = chance.choice(found) if chance.random() < 0.9 else None
        move = Ready(state.round, tuple(cards[pick].id for pick in way.picks) if way else ())
        state = GAME.apply(state, seat, move, words, Rng(seed, seat), 0).state
    return GAME.apply(state, TEACHER, NextRound(), words, Rng(seed, 99), 0).state


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("band", BANDS)
def test_syl_04_two_words_for_each_seat_after_a_thousand_deals_and_their_refills(band: str, seats: int) -> None:
    words = band_list(band)
    for number in range(SEEDS):
        state = table(words, f"{band} {number}", seats)
        assert short_seats(state, words) == [], f"deal {number}"
        for refills in range(2 if number % 10 == 0 else 0):
            state = after_a_round(state, words, f"{number} {refills}")
            assert short_seats(state, words) == [], f"refill {refills} of deal {number}"
            assert conserved(state)


@pytest.mark.parametrize("band", BANDS)
def test_syl_04_holds_through_eight_rounds_of_six_seats(band: str) -> None:
    words = band_list(band)
    for number in range(6):
        state = table(words, f"long {number}", 6)
        while state.round < 8:
            state = after_a_round(state, words, f"{number} {state.round}")
            assert short_seats(state, words) == []
            assert conserved(state)


def test_syl_04_with_two_own_cards_asked_for() -> None:
    words = band_list("8-10")
    for number in range(30):
        state = table(words, f"two own {number}", 4, Options(min_hand_cards=2))
        assert short_seats(state, words) == []


def test_syl_23_the_lists_of_the_bands_are_cumulative_and_the_deck_is_of_the_list() -> None:
    young, middle, old = ({entry.word for entry in band_list(band).words} for band in BANDS)
    assert young < middle < old
    for band in BANDS:
        deck = table(band_list(band), "deck", 4).deck
        assert 120 <= len(deck) == len(set(deck)) < 130
        assert all(band_list(band).words_with(face) for face in deck)


def test_point_12_the_last_resort_of_a_refill_gives_the_same_syllables_as_new_cards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(refill, "_STARTS", 0)
    for number in range(20):
        before = table(WORDS, str(number), 4)
        after = after_a_round(before, WORDS, str(number))
        assert texts(after.centre) == texts(before.centre)
        assert [texts(player.hand) for player in after.players] == [texts(player.hand) for player in before.players]
        used = {card.id for tried in after.history[-1].attempts for card in tried.cards}
        there = {card.id for card in (*after.centre, *(card for player in after.players for card in player.hand))}
        assert used
        assert not used & there
        assert short_seats(after, WORDS) == []
        assert conserved(after)


def test_point_12_a_list_that_cannot_keep_the_promise_is_refused() -> None:
    barren = SyllableLexicon("fr", [(("ma", "gie"), "")])
    with pytest.raises(IllegalMove, match="list_too_small"):
        table(barren, "barren", 2)
    assert CENTRES > 1


def rows(state: State) -> list[list[str]]:
    """The cards that lie side by side: the centre and each hand."""
    return [texts(state.centre), *(texts(player.hand) for player in state.players)]


def test_case_21_neighbours_in_no_dealt_row_spell_a_blocked_word() -> None:
    words = band_list("16+")
    dealt = by_chance = 0
    chance = random.Random("rows")
    for number in range(700):
        state = table(words, f"rows {number}", 6)
        for _ in range(2 if number % 10 == 0 else 1):
            for row in rows(state):
                assert not words.shows_blocked(row), row
                dealt += 1
                by_chance += words.shows_blocked(chance.sample(row, len(row)))
            state = after_a_round(state, words, f"rows {number}")
    assert dealt > 5_000
    assert by_chance > 10, "control: other orders of the same cards do spell some"


def test_every_word_of_a_list_comes_up_over_many_tables() -> None:
    met: set[str] = set()
    small = SyllableLexicon("fr", [(entry.split, "") for entry in band_list("8-10").words[::9]])
    for number in range(400):
        bag = new_bag(small, Rng(f"deck {number}", 0))
        deck = set(bag.deck)
        met.update(entry.word for entry in small.words if deck.issuperset(small.cards(entry)))
    assert len(met) == small.size


def test_each_face_of_a_deck_can_be_dealt() -> None:
    words = band_list("8-10")
    bag = new_bag(words, Rng("faces", 0))
    dealt: set[str] = set()
    for number in range(400):
        deal = first_deal(words, bag, Rng(f"deal {number}", 0), 6, 1)
        cards = [*deal.centre, *(card for hand in deal.hands for card in hand), *deal.exchange]
        dealt.update(card.text for card in cards)
        bag.put_back(card.text for card in cards)
    assert len(dealt) > 0.9 * len(bag.deck)


def random_move(state: State, chance: random.Random) -> tuple[int, Move]:
    """Mostly legal, sometimes not."""
    seat = chance.randrange(len(state.players))
    player, number = state.players[seat], state.round
    cards = [card.id for card in (*player.hand, *state.centre, state.exchange[0])]
    roll = chance.random()
    if roll < 0.45:
        return seat, Ready(number, tuple(chance.sample(cards, k=min(len(cards), chance.choice((0, 2, 2, 3, 4))))))
    if roll < 0.7:
        return seat, Swap(number, chance.choice(cards), state.exchange[0].id)
    if roll < 0.85:
        return seat, chance.choice((Unready(number), AskHint(number), Seen(number)))
    if roll < 0.97:
        return CLOCK, TimeUp(GAME.phase(state))
    return chance.choice([(TEACHER, VoidRound()), (TEACHER, NextRound()), (seat, Leave(seat))])


def random_states(moves: int) -> Iterator[State]:
    """The states after that many accepted random moves, over as many tables as it takes."""
    chance = random.Random("conservation")
    accepted = game = 0
    while accepted < moves:
        game += 1
        state = table(WORDS, f"random {game}", 2 + game % 5)
        now = 0
        while GAME.active(state) and accepted < moves:
            now += chance.randrange(20_000)
            seat, move = random_move(state, chance)
            try:
                state = GAME.apply(state, seat, move, WORDS, Rng(f"random {game}", now), now).state
            except IllegalMove:
                continue
            accepted += 1
            yield state


def test_m4_cards_are_conserved_over_ten_thousand_random_moves() -> None:
    for number, state in enumerate(random_states(10_000)):
        assert conserved(state), f"move {number}"
        assert len(state.centre) == 5
        assert 1 <= len(state.exchange) <= 5
        assert all(len(player.hand) == (0 if player.left else 3) for player in state.players)


def test_m4_control_a_lost_or_doubled_card_is_noticed() -> None:
    state = table(WORDS, "control", 3)
    hand = state.players[0].hand
    assert conserved(state)
    assert not conserved(with_player(state, 0, hand=hand[:2]))
    assert not conserved(with_player(state, 0, hand=(hand[0], hand[0], hand[2])))
    assert not conserved(msgspec.structs.replace(state, centre=(hand[0], *state.centre[1:])))


FACES = st.sampled_from(sorted(SHOWN.values()))
HIDDEN = st.lists(st.tuples(FACES, st.integers(0, 4)), min_size=7, max_size=7)


@settings(max_examples=100, deadline=None)
@given(HIDDEN, HIDDEN)
def test_h1_a_seat_and_the_public_see_the_same_whatever_the_others_hold(
    one: list[tuple[str, int]], other: list[tuple[str, int]]
) -> None:
    """Non-interference: another neighbour's hand, sealed word, hint and pile below the top change no view."""

    def seen(hidden: list[tuple[str, int]], signs: str) -> tuple[object, ...]:
        stage = staged("ma/0 pa/1 co/2", "la/0 pa/1 co/2", "ra/0 me/1 re/2")
        cards = tuple(Card(f"{signs}{place}", face, family) for place, (face, family) in enumerate(hidden))
        state = with_player(stage.state, 1, hand=cards[:3], ready=(cards[0].id, cards[1].id))
        state = msgspec.structs.replace(state, exchange=(state.exchange[0], *cards[3:]))
        state = msgspec.structs.replace(state, stock=tuple(reversed(state.stock)))
        views = [GAME.public(state), GAME.private(state, 0), GAME.private(state, 2)]
        actions = [GAME.actions(state, seat) for seat in (0, 2)]
        return (*views, *actions, GAME.scores(state), GAME.deadlines(state))

    assert seen(one, "x") == seen(other, "y")


def test_x_15_ids_tell_nothing_and_are_all_different() -> None:
    ids = [card.id for number in range(200) for card in table(WORDS, str(number), 6).centre]
    assert len(set(ids)) == len(ids)
    again = table(WORDS, "order", 6)
    hand = [card.id for player in again.players for card in player.hand]
    assert hand != sorted(hand)
    assert {len(one) for one in ids} == {8}
