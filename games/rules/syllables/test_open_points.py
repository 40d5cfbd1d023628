"""A test for each open point of rules.md 2.2 that the rules settle."""

from __future__ import annotations

import msgspec
import pytest

from games.engine.contract import (
    CLOCK,
    TEACHER,
    NextRound,
    SeatOptions,
    TimeUp,
)
from games.engine.rng import Rng
from games.rules.syllables.moves import AskHint, Ready, Seen, Swap, Unready
from games.rules.syllables.rules import GAME
from games.rules.syllables.staging import BARREN, HOUR, MA, WORDS, conserved, staged
from games.rules.syllables.state import Options


def test_point_1_the_least_number_of_own_cards_is_an_option() -> None:
    free = staged(MA, MA, options=Options(min_hand_cards=0), centre="ri/0 re/1 ne/2 la/3 de/4")
    free.ready(0, "z0", "z1")
    strict = staged(MA, MA, options=Options(min_hand_cards=2))
    assert strict.refused(0, Ready(1, ("a0", "z0"))) == "own_card_needed"
    strict.ready(0, "a0", "a1")


def test_point_2_centre_cards_are_shared_in_a_round() -> None:
    stage = staged(MA, MA)
    stage.reveal(("a0", "z0"), ("b0", "z0"))
    assert stage.results == ["valid", "valid"]


def test_point_3_only_valid_words_use_cards_up() -> None:
    stage = staged(MA, MA)
    before = stage.state
    stage.reveal(("a1", "z0"), ("b0", "b1", "z0"))
    stage.go_on()
    assert stage.state.centre == before.centre
    assert [player.hand for player in stage.state.players] == [player.hand for player in before.players]


def test_point_4_right_letters_in_another_split_win_nothing_and_name_the_word_meant() -> None:
    stage = staged("ma/0 gi/0 e/0", "ma/0 pa/0 co/0")
    stage.reveal(("a0", "a1", "a2"), ("b0", "z0"))
    assert stage.results == ["wrong_split", "valid"]
    assert stage.stars == (0, 2)
    fact = next(fact for fact in stage.facts if fact.kind == "wrong_split")
    assert (fact.word, fact.tried) == ("magie", "ma-gi-é")


def test_point_5_words_equal_after_folding_share_a_key_and_each_split_counts_as_such() -> None:
    stage = staged("pe/0 pa/1 co/2", "co/0 pa/1 la/2", centre="che/0 pie/0 pi/0 e/0 la/3")
    stage.reveal(("a0", "z0"), ("b0", "z2", "z3"))
    shown = GAME.public(stage.state)["reveal"]["words"]
    assert shown[0]["word"] == "pêche"
    assert "pêche : gloss of pê-che · péché : gloss of pé-ché" in shown[0]["gloss"]
    assert (shown[1]["word"], shown[1]["syllables"]) == ("copie", 3)
    stage = staged("co/0 pa/1 la/2", MA, centre="che/0 pie/0 pi/0 e/0 la/3")
    stage.reveal(("a0", "z1"), ())
    assert GAME.public(stage.state)["reveal"]["words"][0]["syllables"] == 2


def test_point_6_unready_until_the_last_seat_is_ready() -> None:
    stage = staged(MA, MA)
    assert stage.refused(0, Unready(1)) == "not_ready"
    stage.ready(0)
    stage.do(0, Unready(1))
    stage.ready(0)
    stage.ready(1)
    assert stage.refused(0, Unready(1)) == "too_late"


def test_point_6_there_is_no_unready_in_homework() -> None:
    stage = staged(MA, MA, options=Options(homework=True))
    stage.ready(0)
    assert stage.refused(0, Unready(1)) == "not_ready"
    assert GAME.actions(stage.state, 0) == ()


def test_point_7_ready_without_a_word_earns_nothing() -> None:
    stage = staged(MA, MA)
    stage.reveal((), ())
    assert stage.results == ["none", "none"]
    assert stage.stars == (0, 0)


@pytest.mark.parametrize(
    ("options", "length", "shown"),
    [
        (Options(), 120_000, True),
        (Options(round_seconds=90), 90_000, True),
        (Options(round_seconds=None), 600_000, False),
        (Options(homework=True), 24 * HOUR, True),
        (Options(homework=True, homework_hours=48), 48 * HOUR, True),
    ],
)
def test_point_8_round_times_and_the_silent_cap(options: Options, length: int, shown: bool) -> None:
    stage = staged(MA, MA, options=options)
    assert GAME.deadlines(stage.state) == {0: length, 1: length}
    assert GAME.public(stage.state)["deadline"] == (length if shown else None)
    assert GAME.private(stage.state, 0)["deadline"] == (length if shown else None)
    stage.now = length
    stage.do(CLOCK, TimeUp("play:1"))
    assert stage.state.phase == "reveal"


def test_point_9_of_two_swaps_at_once_the_second_is_stale_and_keeps_its_right() -> None:
    stage = staged(MA, MA)
    stage.do(0, Swap(1, "a1", "p0"))
    assert stage.refused(1, Swap(1, "b1", "p0")) == "stale_top"
    stage.do(1, Swap(1, "b1", "p1"))
    assert conserved(stage.state)


def test_point_10_the_given_card_goes_to_the_used_pile_and_is_no_longer_ones_own() -> None:
    stage = staged(MA, MA)
    stage.do(0, Swap(1, "a1", "p0"))
    assert sum(stage.state.used) == 1
    assert len(stage.state.exchange) == 4
    assert stage.refused(0, Ready(1, ("a0", "a1"))) == "card_not_yours"


def test_a_blocked_word_counts_as_unknown_and_is_shown_to_nobody() -> None:
    stage = staged(MA, MA)
    stage.reveal(("a2", "a1"), ("b1", "b2"))
    shown = GAME.public(stage.state)["reveal"]["words"]
    assert [word["result"] for word in shown] == ["word_unknown", "word_unknown"]
    assert [word["word"] for word in shown] == ["", "paco"]
    assert (shown[0]["cards"], shown[0]["syllables"]) == ([], 0)
    assert ("not_in_list", 1, "paco") in stage.kinds()
    assert not [fact for fact in stage.facts if (fact.kind, fact.seat) == ("not_in_list", 0)]


def test_a_swapped_card_moves_where_the_hand_would_spell_a_blocked_word() -> None:
    stage = staged("co/0 la/1 ma/2", MA, pile="pa/0 ra/1")
    stage.do(0, Swap(1, "a1", "p0"))
    assert [card.text for card in stage.state.players[0].hand] == ["co", "ma", "pa"]


def test_point_11_a_swap_may_break_ones_own_words_and_the_next_refill_heals_them() -> None:
    stage = staged(MA, "gie/0 cien/1 on/2", "la/0 pa/1 co/2", centre="gie/0 ri/0 ne/0 la/0 mé/0")
    stage.reveal(("a0", "z1", "z2"), (), ("c0", "z3"))
    stage.go_on()
    hand = [card.text for card in stage.state.players[1].hand]
    found = WORDS.find(hand, [card.text for card in stage.state.centre])
    assert [card.id for card in stage.state.players[1].hand] == ["b0", "b1", "b2"]
    assert len(found) >= 2, "the emptied centre slots serve the seat as far as they allow"


def test_point_13_a_hint_without_a_word_says_so_and_costs_nothing() -> None:
    stage = staged("gie/0 cien/1 on/2", MA, centre=BARREN)
    stage.do(0, AskHint(1))
    assert GAME.private(stage.state, 0)["hint"] == {"word": None, "split": [], "cards": []}
    assert GAME.private(stage.state, 0)["hints_left"] == 3
    assert GAME.public(stage.state)["seats"][0]["hint_used"] is False
    assert stage.facts == []
    stage.do(0, Swap(1, "a0", "p0"))
    assert GAME.private(stage.state, 0)["hint"] is None, "the answer was about other cards"
    stage.do(0, AskHint(1))


def hints(options: Options) -> set[str]:
    """What the hint of one table says at 40 different turns."""
    stage = staged("ma/0 pa/1 co/2", MA, centre="gie/0 ri/1 ne/2 la/3 de/4", options=options)
    said = set()
    for turn in range(40):
        step = GAME.apply(stage.state, 0, AskHint(1), WORDS, Rng("hints", turn), 0)
        said.add(GAME.private(step.state, 0)["hint"]["word"])
    return said


def test_point_14_a_hint_is_any_feasible_word_or_by_option_one_of_the_best() -> None:
    any_word, best = hints(Options()), hints(Options(hint_strength="best"))
    assert {"magie", "marine", "mari", "cola"} <= any_word
    assert best == {"marine", "malade"}


def test_point_15_nobody_wins_a_round_without_valid_words_and_it_still_counts() -> None:
    stage = staged(MA, MA)
    stage.reveal(("a1", "z0"), ("b1", "z0"))
    assert stage.stars == (0, 0)
    stage.go_on()
    assert stage.state.round == 2


def test_point_16_an_empty_stock_is_rebuilt_from_the_used_pile_and_then_from_the_list() -> None:
    stage = staged(MA, MA, pile="ta/0")
    empty = (0,) * len(stage.state.deck)
    moved = msgspec.structs.replace(stage.state, stock=empty, used=stage.state.stock)
    stage.state = moved
    stage.do(0, Swap(1, "a1", "p0"))
    assert len(stage.state.exchange) == 5
    assert conserved(stage.state)
    assert stage.state.copies == moved.copies
    assert sum(stage.state.used) == 0
    stage = staged(MA, MA, pile="ta/0")
    stage.state = msgspec.structs.replace(stage.state, stock=empty, used=empty)
    stage.do(0, Swap(1, "a1", "p0"))
    assert stage.state.copies == moved.copies + 1
    assert sum(stage.state.stock) == 1 + len(stage.state.deck) - 5, "the given card, and one more of each face"


def test_point_17_a_draw_is_a_shared_victory_with_ranks_1_1_3() -> None:
    stage = staged("ma/0 pa/1 co/2", "ma/0 pa/1 co/2", MA)
    stage.reveal(("a0", "z1"), ("b0", "z1"), ())
    stage.to_the_end()
    assert [line["rank"] for line in GAME.public(stage.state)["ranking"]] == [1, 1, 3]
    outcome = GAME.outcome(stage.state)
    assert outcome is not None
    assert outcome.winners == (0, 1)


def test_point_17_the_optional_tie_break_counts_doubled_words_then_syllables() -> None:
    for option, expected in ((False, (0, 1)), (True, (0,))):
        stage = staged("ma/1 pa/1 co/2", "ma/0 pa/1 co/2", options=Options(tie_break=option))
        stage.reveal(("a0", "z1"), ())
        ahead = stage.state.history[-1]
        assert stage.stars == (2, 0)
        single = msgspec.structs.replace(ahead.attempts[0], seat=1, stars=1)
        records = [msgspec.structs.replace(ahead, number=number, attempts=(single,)) for number in (2, 3)]
        players = tuple(msgspec.structs.replace(player, stars=2) for player in stage.state.players)
        stage.state = msgspec.structs.replace(stage.state, history=(ahead, *records), players=players)
        stage.state = msgspec.structs.replace(stage.state, phase="over", reason="finished")
        outcome = GAME.outcome(stage.state)
        assert outcome is not None
        assert outcome.winners == expected


def test_point_18_families_are_drawn_per_card_independent_of_the_syllable() -> None:
    families: dict[str, set[int]] = {}
    count = [0] * 5
    for seed in range(60):
        state = GAME.setup(Options(), WORDS, (SeatOptions(),) * 6, Rng(f"families {seed}", 0), 0)
        for player in state.players:
            for card in player.hand:
                families.setdefault(card.text, set()).add(card.family)
                count[card.family] += 1
    assert all(0.15 < share / sum(count) < 0.25 for share in count)
    assert len(families["ma"]) == 5


@pytest.mark.parametrize("seats", [0, 1, 7])
def test_point_20_two_to_six_seats(seats: int) -> None:
    with pytest.raises(Exception, match="seat_count"):
        GAME.setup(Options(), WORDS, (SeatOptions(),) * seats, Rng("x", 0), 0)


def test_point_21_a_reveal_ends_when_all_tapped_on() -> None:
    stage = staged(MA, MA)
    stage.reveal((), ())
    stage.do(0, Seen(1))
    assert stage.refused(0, Seen(1)) == "already_seen"
    assert stage.state.phase == "reveal"
    stage.do(1, Seen(1))
    assert (stage.state.phase, stage.state.round) == ("play", 2)


def test_point_21_a_reveal_ends_at_its_deadline_of_twenty_seconds() -> None:
    stage = staged(MA, MA)
    stage.reveal((), ())
    assert GAME.deadlines(stage.state) == {0: stage.now + 20_000, 1: stage.now + 20_000}
    stage.do(CLOCK, TimeUp("reveal:1"))
    assert stage.state.phase == "reveal"
    stage.time_up()
    assert stage.state.round == 2


def test_point_21_a_reveal_ends_by_the_teacher() -> None:
    stage = staged(MA, MA)
    assert stage.refused(TEACHER, NextRound()) == "wrong_phase"
    stage.reveal((), ())
    stage.teach(NextRound())
    assert stage.state.round == 2


def test_point_21_in_homework_the_reveal_waits_for_all_and_shows_no_deadline() -> None:
    stage = staged(MA, MA, options=Options(homework=True))
    stage.reveal((), ())
    assert GAME.public(stage.state)["deadline"] is None
    stage.now += 23 * HOUR
    stage.do(CLOCK, TimeUp("reveal:1"))
    assert stage.state.phase == "reveal"


BAD_OPTIONS: tuple[dict[str, object], ...] = (
    {"round_seconds": 29},
    {"round_seconds": 601},
    {"reveal_seconds": 0},
    {"hints": 4},
    {"min_hand_cards": -1},
    {"hint_strength": "all"},
    {"homework_hours": 0},
    {"last_start_at": -1},
    {"rounds": 4},
)


@pytest.mark.parametrize("options", BAD_OPTIONS)
def test_options_out_of_bounds_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        GAME.options_from(options)
