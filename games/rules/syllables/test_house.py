"""Clock and teacher, leaving and coming, facts and time: the common rules X and the house moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.engine.contract import (
    CLOCK,
    GRACE_MS,
    TEACHER,
    Extend,
    Game,
    GrantHint,
    Leave,
    NextRound,
    Occupy,
    SeatOptions,
    TimeUp,
    Verdict,
    VoidRound,
)
from games.rules.syllables.moves import AskHint, Ready, Seen, Swap, Unready
from games.rules.syllables.rules import GAME
from games.rules.syllables.staging import MA, Stage, conserved, staged
from games.rules.syllables.state import Options


def test_the_last_reveal_is_shown_again_while_waiting() -> None:
    stage = staged(MA, MA)
    stage.reveal(("a0", "z0"), ())
    shown = GAME.public(stage.state)["reveal"]
    assert GAME.public(stage.state)["last"] is None
    stage.go_on()
    assert GAME.public(stage.state)["last"] == shown
    assert GAME.public(stage.state)["reveal"] is None


def test_x_03_time_up_counts_seats_out_of_time_as_ready_without_a_word() -> None:
    stage = staged(MA, MA)
    stage.ready(0, "a0", "z0")
    stage.time_up()
    assert stage.results == ["valid", "none"]


def test_figure_t1_a_move_counts_until_deadline_and_grace_and_not_a_millisecond_longer() -> None:
    for late, code in ((-1, ""), (GRACE_MS, ""), (GRACE_MS + 1, "too_late")):
        stage = staged(MA, MA)
        stage.now = 120_000 + late
        if code:
            assert stage.refused(0, Ready(1, ())) == code
        else:
            stage.ready(0)


def test_a_ready_seat_cannot_open_its_word_again_after_its_own_time() -> None:
    stage = staged(MA, MA, seats=[SeatOptions(), SeatOptions(time_factor=200)])
    stage.ready(0, "a0", "z0")
    stage.now = 150_000
    assert stage.refused(0, Unready(1)) == "too_late"
    stage.ready(1)


def test_figure_t5_extra_time_of_one_seat_is_honoured_to_the_millisecond_and_unseen_by_others() -> None:
    plain = staged(MA, MA)
    stage = staged(MA, MA, seats=[SeatOptions(), SeatOptions(time_factor=150)])
    assert GAME.deadlines(stage.state) == {0: 120_000, 1: 180_000}
    assert GAME.public(stage.state) == GAME.public(plain.state)
    assert GAME.private(stage.state, 0) == GAME.private(plain.state, 0)
    stage.now = 120_000
    stage.do(CLOCK, TimeUp("play:1"))
    assert stage.state.phase == "play"
    stage.now = 179_999
    stage.do(CLOCK, TimeUp("play:1"))
    assert stage.state.phase == "play"
    stage.now = 180_000
    stage.do(CLOCK, TimeUp("play:1"))
    assert stage.state.phase == "reveal"


def test_extend_for_one_seat_is_unseen_by_others_and_for_all_is_shown() -> None:
    stage = staged(MA, MA)
    public, other = GAME.public(stage.state), GAME.private(stage.state, 1)
    stage.teach(Extend(0, 30_000))
    assert GAME.deadlines(stage.state) == {0: 150_000, 1: 120_000}
    assert (GAME.public(stage.state), GAME.private(stage.state, 1)) == (public, other)
    stage.teach(Extend(None, 10_000))
    assert GAME.deadlines(stage.state) == {0: 160_000, 1: 130_000}
    assert GAME.public(stage.state)["deadline"] == 130_000
    for seat, ms, code in ((9, 1, "unknown_seat"), (None, 0, "bad_extension"), (0, 10**9, "bad_extension")):
        assert stage.refused(TEACHER, Extend(seat, ms)) == code


def test_x_07_a_leavers_hand_goes_to_the_used_pile_and_its_stars_stay_without_a_rank() -> None:
    stage = staged(MA, MA, MA)
    stage.reveal(("a0", "z0"), (), ())
    stage.go_on()
    used = sum(stage.state.used)
    stage.do(0, Leave(0))
    assert sum(stage.state.used) == used + 3
    assert conserved(stage.state)
    stage.to_the_end()
    last = GAME.public(stage.state)["ranking"][-1]
    assert (last["seat"], last["stars"], last["rank"], last["left"]) == (0, 2, None, True)
    assert stage.refused(0, Ready(8, ())) == "game_over"


def test_x_07_the_round_resolves_when_the_only_seat_still_awaited_leaves() -> None:
    stage = staged(MA, MA, MA)
    stage.ready(0, "a0", "z0")
    stage.ready(1)
    stage.teach(Leave(2))
    assert stage.state.phase == "reveal"
    stage.do(0, Seen(1))
    stage.do(1, Leave(1))
    assert GAME.phase(stage.state) == "over"


def test_x_08_a_robot_takes_the_leavers_seat_with_its_cards_and_gives_no_facts() -> None:
    stage = staged(MA, MA)
    hand = stage.state.players[0].hand
    stage.teach(Occupy(0, "easy"))
    assert stage.state.players[0].hand == hand
    stage.reveal(("a0", "z0"), ("b0", "z1"))
    assert {fact.seat for fact in stage.facts} == {1}
    stage.teach(Occupy(0, None, 150))
    stage.go_on()
    stage.reveal((), ())
    assert {fact.seat for fact in stage.facts} == {0, 1}
    assert stage.state.players[0].deadline == stage.now + 30_000
    stage.teach(Leave(1))
    assert stage.refused(TEACHER, Occupy(1, None)) == "game_over"


def test_x_09_a_table_of_one_is_abandoned_and_nobody_wins() -> None:
    stage = staged(MA, MA)
    stage.reveal(("a0", "z0"), ())
    stage.teach(Leave(1))
    outcome = GAME.outcome(stage.state)
    assert outcome is not None
    assert (outcome.reason, outcome.winners, outcome.scores) == ("abandoned", (), (2, 0))


def test_x_14_facts_of_a_round() -> None:
    stage = staged("ma/0 pa/1 co/2", "ma/0 gi/1 e/2", "pa/0 pa/1 co/2")
    stage.do(0, AskHint(1))
    hint = GAME.private(stage.state, 0)["hint"]
    stage.reveal(hint["cards"], ("b0", "b1", "b2"), ("c0", "z0"))
    made = next(fact for fact in stage.facts if fact.kind == "made")
    assert (made.word, made.assisted, made.round) == (hint["word"], True, 1)
    kinds = stage.kinds()
    assert ("hinted", 0, hint["word"]) in kinds
    assert ("wrong_split", 1, "magie") in kinds
    assert ("not_in_list", 2, "pagie") in kinds
    assert ("shown", 1, hint["word"]) in kinds
    assert ("shown", 0, hint["word"]) not in kinds
    assert [seat for kind, seat, _ in kinds if kind == "missed"] == [1, 2] or len(hint["cards"]) == 2


def test_the_best_word_of_each_seat_is_shown_to_it_alone_after_the_round() -> None:
    stage = staged("ma/0 pa/1 co/2", "pa/0 pa/0 co/2")
    assert GAME.private(stage.state, 0)["best"] is None
    stage.reveal(("a0", "z0"), ("b0", "b1"))
    best = [GAME.private(stage.state, seat)["best"] for seat in (0, 1)]
    assert best[0] == {"word": "marine", "split": ["ma", "ri", "ne"], "gloss": "gloss of ma-ri-ne", "syllables": 3}
    assert best[1]["word"] == "papa"
    assert ("missed", 0, "marine") in stage.kinds()
    assert not [kind for kind in stage.kinds() if kind[:2] == ("missed", 1)]
    assert "marine" not in str(GAME.public(stage.state))
    stage.go_on()
    assert GAME.private(stage.state, 0)["best"] == best[0]


@pytest.mark.parametrize(("last_start", "rounds"), [(None, 8), (1_000_000, 8), (300_000, 3), (0, 1)])
def test_x_16_no_round_starts_after_the_last_start(last_start: int | None, rounds: int) -> None:
    stage = staged(MA, MA, options=Options(last_start_at=last_start))
    stage.to_the_end()
    assert stage.state.round == rounds
    outcome = GAME.outcome(stage.state)
    assert outcome is not None
    assert outcome.reason == "finished"


def test_grant_hint_gives_one_more() -> None:
    stage = staged(MA, MA, options=Options(hints=0))
    assert stage.refused(0, AskHint(1)) == "no_hints_left"
    stage.teach(GrantHint(0))
    stage.do(0, AskHint(1))
    assert stage.refused(TEACHER, GrantHint(5)) == "unknown_seat"


def test_verdict_lets_an_unknown_word_count_and_rescores() -> None:
    stage = staged(MA, MA)
    stage.reveal(("a0", "a1", "z0"), ("b0", "z0"))
    assert stage.stars == (0, 2)
    facts = stage.teach(Verdict(1, "  MAPAGIE ", valid=True))
    assert stage.stars == (1, 0)
    assert [(fact.kind, fact.seat, fact.word) for fact in facts] == [("made", 0, "mapagie")]
    assert GAME.public(stage.state)["reveal"]["words"][0]["result"] == "valid"
    stage.go_on()
    assert "a0" not in {card.id for card in stage.state.players[0].hand}
    assert conserved(stage.state)


def test_verdict_strikes_a_word_after_the_end_too_and_the_winner_changes() -> None:
    stage = staged("ma/0 pa/1 co/2", "la/0 pa/1 co/2")
    stage.reveal(("a0", "z1", "z2"), ("b0", "z3"))
    stage.to_the_end()
    outcome = GAME.outcome(stage.state)
    assert outcome is not None
    assert outcome.winners == (0,)
    facts = stage.teach(Verdict(1, "marine", valid=False))
    assert ("not_in_list", 0, "marine") in [(fact.kind, fact.seat, fact.word) for fact in facts]
    outcome = GAME.outcome(stage.state)
    assert outcome is not None
    assert GAME.phase(stage.state) == "over"
    assert stage.stars == (0, 0)
    assert stage.teach(Verdict(1, "marine", valid=False)) == ()
    for number, word, code in ((9, "marine", "wrong_round"), (1, "autre", "no_such_word"), (1, "", "no_such_word")):
        assert stage.refused(TEACHER, Verdict(number, word, valid=True)) == code


def test_void_round_in_play_gives_nothing_and_uses_nothing() -> None:
    stage = staged(MA, MA)
    before = stage.state
    stage.ready(0, "a0", "z0")
    assert stage.teach(VoidRound()) == ()
    shown = GAME.public(stage.state)["reveal"]
    assert (shown["voided"], shown["words"], stage.stars) == (True, [], (0, 0))
    assert stage.refused(TEACHER, Verdict(1, "magie", valid=True)) == "round_voided"
    stage.go_on()
    assert stage.state.round == 2
    assert stage.state.players[0].hand == before.players[0].hand


def test_void_round_in_the_reveal_takes_its_stars_back() -> None:
    stage = staged(MA, MA)
    stage.reveal(("a0", "z0"), ())
    assert stage.stars == (2, 0)
    stage.teach(VoidRound())
    assert stage.stars == (0, 0)
    assert stage.refused(TEACHER, VoidRound()) == "round_voided"
    stage.go_on()
    assert conserved(stage.state)


def test_late_and_misplaced_moves_have_stable_codes() -> None:
    stage = staged(MA, MA, MA)
    assert stage.refused(0, Ready(2, ())) == "wrong_round"
    assert stage.refused(0, Seen(1)) == "wrong_phase"
    assert stage.refused(0, Swap(1, "b0", "p0")) == "card_not_yours"
    stage.teach(Leave(2))
    assert stage.refused(2, Ready(1, ())) == "seat_left"
    assert stage.refused(TEACHER, Ready(1, ())) == "not_allowed"
    stage.reveal((), ())
    assert stage.refused(0, AskHint(1)) == "too_late"


def test_a_planted_live_score_is_told_apart() -> None:
    """Control of *sealed*: what the first prototype did."""

    class Live(type(GAME)):  # type: ignore[misc]
        def public(self, state: object) -> dict[str, object]:
            shown: dict[str, object] = super().public(state)
            return {**shown, "live": [len(player.ready or ()) for player in state.players]}  # type: ignore[attr-defined]

    def told_apart(game: Game[Any, Any, Any]) -> bool:
        seen = []
        for ids in (("a0", "z0"), ("a0", "z1", "z2")):
            stage = staged(MA, MA)
            stage.ready(0, *ids)
            seen.append((game.public(stage.state), game.private(stage.state, 1)))
        return seen[0] != seen[1]

    assert told_apart(Live())
    assert not told_apart(GAME)


REFUSED: tuple[Callable[[Stage], str], ...] = (
    lambda stage: stage.refused(0, TimeUp("play:1")),
    lambda stage: stage.refused(0, Leave(1)),
    lambda stage: stage.refused(TEACHER, TimeUp("play:1")),
    lambda stage: stage.refused(1, VoidRound()),
    lambda stage: stage.refused(CLOCK, NextRound()),
)


@pytest.mark.parametrize("attempt", REFUSED)
def test_house_moves_belong_to_the_house(attempt: Callable[[Stage], str]) -> None:
    assert attempt(staged(MA, MA)) == "not_allowed"
