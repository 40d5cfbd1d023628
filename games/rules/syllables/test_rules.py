"""A test for each rule SYL-01 to SYL-28 and each scenario T1 to T7 and T24 of rules.md."""

from __future__ import annotations

import json
from itertools import product

import pytest

from games.engine.contract import CLOCK, TEACHER, IllegalMove, Leave, NextRound, SeatOptions, TimeUp
from games.engine.replay import Line, replay
from games.engine.rng import Rng
from games.rules.syllables.dealing import words_for
from games.rules.syllables.moves import AskHint, Ready, Swap, Unready
from games.rules.syllables.rules import GAME
from games.rules.syllables.scoring import texts
from games.rules.syllables.staging import MA, WORDS, Stage, conserved, on_table, staged
from games.rules.syllables.state import FAMILIES, Options


def dealt(seed: str = "seed", seats: int = 3, options: Options | None = None) -> Stage:
    who = tuple(SeatOptions() for _ in range(seats))
    return Stage(GAME.setup(options or Options(), WORDS, who, Rng(seed, 0), 0))


def test_syl_01_a_game_has_exactly_eight_rounds_numbered_from_one() -> None:
    stage = dealt()
    rounds = []
    while GAME.active(stage.state):
        rounds.append(stage.state.round)
        stage.time_up()
        stage.go_on()
    assert rounds == [1, 2, 3, 4, 5, 6, 7, 8]
    assert GAME.public(stage.state)["rounds"] == 8


def test_syl_02_each_seat_holds_three_cards_that_only_it_can_read() -> None:
    stage = dealt(seats=4)
    for _ in range(3):
        for seat in range(4):
            hand = GAME.private(stage.state, seat)["hand"]
            assert len(hand) == 3
            others = [GAME.private(stage.state, other) for other in range(4) if other != seat]
            text = json.dumps([GAME.public(stage.state), others])
            assert not any(card["id"] in text for card in hand)
        stage.time_up()
        stage.go_on()


def test_syl_03_the_centre_holds_five_face_up_cards() -> None:
    stage = dealt()
    assert len(GAME.public(stage.state)["centre"]) == 5
    assert all(card["text"] for card in GAME.public(stage.state)["centre"])


def test_syl_04_after_each_deal_and_refill_each_seat_can_make_two_words() -> None:
    for seed in range(30):
        stage = dealt(str(seed), seats=2 + seed % 5)
        while GAME.active(stage.state):
            state = stage.state
            if state.phase == "play":
                for seat, player in enumerate(state.players):
                    hand, centre = texts(player.hand), texts(state.centre)
                    assert words_for(hand, centre, 1, WORDS) >= 2
                    way = WORDS.find(hand, centre)[seat % 2]
                    cards = [*player.hand, *state.centre]
                    stage.ready(seat, *(cards[pick].id for pick in way.picks))
            stage.go_on()


def test_syl_05_seats_act_in_any_order_and_never_wait_for_a_turn() -> None:
    for order in ([0, 1, 2], [2, 0, 1], [1, 2, 0]):
        stage = staged(MA, MA, MA)
        assert GAME.active(stage.state) == {0, 1, 2}
        for seat in order:
            stage.ready(seat)
        assert stage.state.phase == "reveal"


@pytest.mark.parametrize(
    ("ids", "code"),
    [
        (("a0",), "word_too_short"),
        (("a0", "b0"), "card_not_yours"),
        (("a0", "nowhere"), "card_not_yours"),
        (("a0", "a0"), "card_repeated"),
        (("a0", "z0", "a0"), "card_repeated"),
        (("z0", "z1"), "own_card_needed"),
    ],
)
def test_syl_06_a_word_is_two_or_more_distinct_cards_of_hand_and_centre(ids: tuple[str, ...], code: str) -> None:
    stage = staged(MA, MA)
    assert stage.refused(0, Ready(1, ids)) == code
    stage.ready(0, "a0", "z0")


def test_syl_07_the_word_may_change_until_ready_and_not_after() -> None:
    stage = staged(MA, MA)
    stage.ready(0, "a0", "z0")
    assert stage.refused(0, Ready(1, ("a0", "z1"))) == "already_ready"
    stage.do(0, Unready(1))
    stage.ready(0, "a0", "z1")
    assert GAME.private(stage.state, 0)["ready_cards"] == ["a0", "z1"]


def test_syl_08_the_round_resolves_once_when_the_last_seat_is_ready() -> None:
    stage = staged(MA, MA)
    stage.ready(0, "a0", "z0")
    assert GAME.public(stage.state)["reveal"] is None
    assert "magie" not in json.dumps(GAME.public(stage.state))
    stage.ready(1)
    shown = GAME.public(stage.state)["reveal"]
    assert [word["word"] for word in shown["words"]] == ["magie", ""]
    assert stage.refused(1, Ready(1, ())) == "too_late"
    assert len(stage.state.history) == 1


def test_syl_09_a_word_not_in_the_list_earns_nothing_and_accents_do_not_count() -> None:
    stage = staged("la/0 pa/1 pe/2", "che/0 pa/1 co/2", centre="che/0 re/1 ne/2 la/3 pe/4")
    stage.reveal(("a1", "z3"), ("z4", "b0"))
    assert stage.results == ["word_unknown", "valid"]
    assert stage.stars == (0, 1)


def test_syl_10_the_most_syllables_among_valid_words_earn_one_star() -> None:
    stage = staged("ma/0 pa/1 co/2", "ma/0 pa/1 co/2", "pa/1 pa/2 co/3")
    stage.reveal(("a0", "z1", "z2"), ("b0", "z0"), ("c0", "c1"))
    assert stage.stars == (1, 0, 0)


def test_syl_11_each_seat_tied_on_the_longest_earns_its_own_star() -> None:
    stage = staged("ma/0 pa/1 co/2", "ma/4 pa/1 co/2", "pa/1 pa/2 co/3")
    stage.reveal(("a0", "z1", "z2"), ("b0", "z3", "z4"), ("c0", "c1"))
    assert stage.stars == (1, 1, 0)


def test_syl_12_a_winning_word_of_one_family_earns_two_judged_per_winner() -> None:
    stage = staged("ma/0 pa/1 co/2", "ma/1 pa/1 co/2", "pa/2 pa/2 co/3", centre="gie/0 ri/1 ne/2 la/3 de/4")
    stage.reveal(("a0", "z0"), ("b0", "z0"), ("c0", "c1"))
    assert stage.stars == (2, 1, 2)


def test_syl_12_a_losing_word_of_one_family_earns_nothing() -> None:
    stage = staged("ma/0 pa/1 co/2", "ma/0 pa/1 co/2")
    stage.reveal(("a0", "z1", "z2"), ("b0", "z0"))
    assert stage.stars == (1, 0)


@pytest.mark.parametrize("family", range(FAMILIES))
def test_syl_13_every_family_doubles_alike_and_none_is_wild(family: int) -> None:
    stage = staged(
        f"ma/{family} pa/0 co/0", f"ma/{(family + 1) % 5} pa/0 co/0", centre=f"gie/{family} ri/0 ne/0 la/0 de/0"
    )
    stage.reveal(("a0", "z0"), ("b0", "z0"))
    assert stage.stars == (2, 1)


def test_syl_14_a_doubled_win_is_told_at_the_reveal() -> None:
    stage = staged("ma/0 pa/1 co/2", "ma/1 pa/1 co/2")
    stage.reveal(("a0", "z0"), ("b0", "z0"))
    shown = GAME.public(stage.state)["reveal"]["words"]
    assert [(word["stars"], word["doubled"]) for word in shown] == [(2, True), (1, False)]


def test_syl_15_the_exchange_pile_has_five_cards_and_only_the_top_is_public() -> None:
    stage = dealt(seats=2)
    exchange = stage.state.exchange
    assert len(exchange) == 5
    shown = GAME.public(stage.state)["exchange"]
    assert shown["top"]["id"] == exchange[0].id
    assert shown["count"] == 5
    everything = json.dumps([GAME.public(stage.state), GAME.private(stage.state, 0), GAME.private(stage.state, 1)])
    assert not any(card.id in everything for card in exchange[1:])


def test_syl_16_the_top_card_cannot_be_part_of_a_word() -> None:
    stage = staged(MA, MA)
    assert stage.refused(0, Ready(1, ("a0", "p0"))) == "exchange_not_playable"
    assert stage.refused(0, Ready(1, ("a0", "p1"))) == "card_not_yours"


def test_syl_17_one_swap_a_round_keeps_three_cards_and_is_refused_while_ready() -> None:
    stage = staged(MA, MA)
    stage.ready(0)
    assert stage.refused(0, Swap(1, "a1", "p0")) == "already_ready"
    stage.do(0, Unready(1))
    stage.do(0, Swap(1, "a1", "p0"))
    assert [card["id"] for card in GAME.private(stage.state, 0)["hand"]] == ["a0", "p0", "a2"]
    assert stage.refused(0, Swap(1, "a0", "p1")) == "swap_used"
    stage.time_up()
    stage.go_on()
    stage.do(0, Swap(2, "a0", "p1"))


def test_syl_18_after_a_swap_the_pile_is_one_smaller_and_shows_its_next_card() -> None:
    stage = staged(MA, MA)
    stage.do(0, Swap(1, "a1", "p0"))
    shown = GAME.public(stage.state)["exchange"]
    assert (shown["top"]["id"], shown["count"]) == ("p1", 4)
    assert conserved(stage.state)


def test_syl_19_an_empty_exchange_pile_is_refilled_at_once() -> None:
    stage = staged(MA, MA, pile="ta/0")
    stage.do(0, Swap(1, "a1", "p0"))
    assert len(stage.state.exchange) == 5
    assert conserved(stage.state)


def test_syl_20_three_hints_a_game_and_one_a_round() -> None:
    stage = staged(MA, MA)
    for number in (1, 2, 3, 4):
        if number < 4:
            stage.do(0, AskHint(number))
            assert stage.refused(0, AskHint(number)) == "hint_used"
            assert GAME.private(stage.state, 0)["hints_left"] == 3 - number
        else:
            assert stage.refused(0, AskHint(number)) == "no_hints_left"
        stage.time_up()
        stage.go_on()


def test_syl_21_a_hint_is_one_word_that_the_seat_can_play_and_only_it_sees() -> None:
    stage = staged(MA, MA)
    other, public = GAME.private(stage.state, 1), GAME.public(stage.state)
    facts = stage.do(0, AskHint(1))
    hint = GAME.private(stage.state, 0)["hint"]
    assert hint["word"] in {
        found.entry.word for found in WORDS.find(["ma", "pa", "co"], ["gie", "ri", "ne", "la", "de"])
    }
    assert GAME.private(stage.state, 1) == other
    public["seats"][0]["hint_used"] = True
    assert GAME.public(stage.state) == public
    assert [(fact.kind, fact.word) for fact in facts] == [("hinted", hint["word"])]
    stage.ready(0, *hint["cards"])
    stage.ready(1)
    assert stage.results == ["valid", "none"]


def test_syl_22_and_24_every_card_is_of_the_list_that_the_table_was_made_with() -> None:
    for seed in range(20):
        stage = dealt(str(seed), seats=6)
        while GAME.active(stage.state):
            assert all(WORDS.words_with(card.text) for card in on_table(stage.state))
            stage.time_up()


def test_syl_25_and_26_only_used_cards_are_replaced_and_all_others_stay() -> None:
    stage = staged(MA, MA)
    stage.reveal(("a0", "z0"), ())
    before = stage.state
    stage.go_on()
    after = stage.state
    assert [card.id for card in after.players[0].hand[1:]] == ["a1", "a2"]
    assert after.players[0].hand[0].id != "a0"
    assert after.players[1].hand == before.players[1].hand
    assert after.centre[1:] == before.centre[1:]
    assert after.centre[0].id != "z0"
    assert after.exchange == before.exchange
    assert conserved(after)


def test_syl_27_and_28_after_round_eight_the_ranking_is_published_and_most_stars_win() -> None:
    stage = staged("ma/0 pa/1 co/2", "ma/1 pa/1 co/2", MA)
    stage.reveal(("a0", "z0"), ("b0", "z0"), ())
    while GAME.active(stage.state):
        assert GAME.public(stage.state)["ranking"] is None
        stage.time_up()
    ranking = GAME.public(stage.state)["ranking"]
    assert [(line["seat"], line["stars"], line["rank"]) for line in ranking] == [(0, 2, 1), (1, 1, 2), (2, 0, 3)]
    outcome = GAME.outcome(stage.state)
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == ((0,), "finished")


def test_t1_a_tie_with_one_word_of_one_family_gives_two_and_one() -> None:
    stage = staged("ma/1 pa/1 co/2", "ma/3 pa/1 co/2", centre="ri/1 ne/1 la/3 de/4 gie/0")
    stage.reveal(("a0", "z0", "z1"), ("b0", "z2", "z3"))
    assert stage.stars == (2, 1)


def test_t2_a_short_valid_word_beats_a_long_unknown_one() -> None:
    stage = staged("ma/0 pa/1 co/2", "ma/0 pa/1 co/2")
    stage.reveal(("a0", "a1", "a2", "z0"), ("b0", "z0"))
    assert stage.results == ["word_unknown", "valid"]
    assert stage.stars == (0, 2)


@pytest.mark.parametrize(("family", "stars"), [(0, 1), (1, 2)])
def test_t3_magie_of_dragon_and_chameleon_earns_one_and_of_two_chameleons_two(family: int, stars: int) -> None:
    stage = staged(f"ma/{family} pa/2 co/3", MA, centre="gie/1 ri/0 ne/0 la/0 de/0")
    stage.reveal(("a0", "z0"), ())
    assert stage.stars == (stars, 0)


def test_t4_a_shared_centre_card_is_replaced_once_losers_refill_and_invalid_words_keep_their_cards() -> None:
    stage = staged("ma/0 pa/1 co/2", "ma/0 pa/1 co/2", "ma/0 pa/1 co/2", "mi/0 pa/1 co/2")
    stage.reveal(("a0", "z1", "z2"), ("b0", "z1"), ("c0", "z1", "z2"), ("d0", "z4"))
    assert stage.results == ["valid", "valid", "valid", "word_unknown"]
    assert stage.stars == (1, 0, 1, 0)
    before = stage.state
    stage.go_on()
    after = stage.state
    assert [old.id == new.id for old, new in zip(before.centre, after.centre, strict=True)] == [
        True,
        False,
        False,
        True,
        True,
    ]
    assert all(after.players[seat].hand[0].id != before.players[seat].hand[0].id for seat in (0, 1, 2))
    assert after.players[3].hand == before.players[3].hand
    assert conserved(after)


def test_t5_five_swaps_empty_the_pile_which_refills_and_the_sixth_seat_may_swap() -> None:
    stage = staged(MA, MA, MA, MA, MA, MA)
    for seat in range(5):
        stage.do(seat, Swap(1, f"{'abcde'[seat]}1", stage.state.exchange[0].id))
    assert len(stage.state.exchange) == 5
    stage.do(5, Swap(1, "f1", stage.state.exchange[0].id))
    assert len(stage.state.exchange) == 4
    assert conserved(stage.state)


def test_t6_a_fourth_hint_or_a_second_in_a_round_is_refused_and_costs_nothing() -> None:
    stage = staged(MA, MA)
    stage.do(0, AskHint(1))
    assert stage.refused(0, AskHint(1)) == "hint_used"
    assert GAME.private(stage.state, 0)["hints_left"] == 2
    stage = staged(MA, MA, seats=[SeatOptions(hints=0), SeatOptions()])
    assert stage.refused(0, AskHint(1)) == "no_hints_left"
    assert GAME.private(stage.state, 0)["hints_left"] == 0


def test_t7_what_a_seat_sees_never_holds_ids_of_other_hands_pile_or_used_cards() -> None:
    for seed, seats in product(range(4), (2, 4, 6)):
        stage = dealt(str(seed), seats)
        while GAME.active(stage.state):
            for seat in range(seats):
                view = json.dumps([GAME.public(stage.state), GAME.private(stage.state, seat)])
                assert not any(secret in view for secret in GAME.secrets(stage.state, seat))
                robot = GAME.robot(*_views(stage, seat), WORDS, Rng(view, 1), "easy")
                if seat in GAME.deadlines(stage.state):
                    stage.do(seat, robot)


def _views(stage: Stage, seat: int) -> tuple[dict[str, object], dict[str, object]]:
    return GAME.public(stage.state), GAME.private(stage.state, seat)


def test_t24_replay_with_the_stored_seed_gives_the_same_final_state() -> None:
    stage = dealt("t24")
    seats = tuple(SeatOptions() for _ in range(3))
    stage.state = GAME.setup(Options(), WORDS, seats, Rng("stage", 0), 0)
    log: list[Line] = []
    while GAME.active(stage.state):
        for seat in sorted(GAME.deadlines(stage.state)):
            move = GAME.robot(*_views(stage, seat), WORDS, Rng(str(len(log)), 1), "hard")
            stage.do(seat, move)
            log.append(Line(stage.turn, seat, GAME.dump(move), stage.now, GAME.digest(stage.state)))
    played = replay(GAME, Options(), WORDS, seats, "stage", log)
    assert played.state == stage.state
    assert played.differs_at is None


def test_t24_every_move_sent_twice_is_refused_or_has_no_second_effect() -> None:
    stage = staged(MA, MA, MA)
    for seat, move in [(0, AskHint(1)), (0, Swap(1, "a1", "p0")), (0, Ready(1, ("a0", "z0"))), (1, Leave(1))]:
        stage.do(seat, move)
        assert stage.refused(seat, move) in {"hint_used", "swap_used", "already_ready", "seat_left"}
    stage.do(2, Ready(1, ()))
    stage.do(CLOCK, TimeUp("play:1"))
    assert stage.state.phase == "reveal"


@pytest.mark.parametrize("phase", ["play", "reveal"])
def test_t24_a_player_leaves_in_each_phase_and_the_table_still_ends(phase: str) -> None:
    stage = staged(MA, MA, MA)
    if phase == "reveal":
        stage.reveal((), (), ())
    stage.do(1, Leave(1))
    while GAME.active(stage.state):
        stage.time_up()
    assert GAME.outcome(stage.state) is not None


def test_over_refuses_every_move() -> None:
    stage = staged(MA, MA)
    stage.teach(Leave(0))
    assert stage.refused(1, Ready(1, ())) == "game_over"
    assert stage.refused(TEACHER, NextRound()) == "game_over"
    with pytest.raises(IllegalMove):
        stage.do(1, Leave(1))
