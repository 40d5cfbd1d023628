"""What robots do, from what a person in their seat sees (X-11)."""

from __future__ import annotations

import pytest

from games.engine.contract import (
    SeatOptions,
)
from games.engine.rng import Rng
from games.rules.syllables import robot
from games.rules.syllables.moves import Ready, Swap
from games.rules.syllables.rules import GAME
from games.rules.syllables.staging import BARREN, MA, WORDS, Stage, staged
from games.rules.syllables.state import Options, with_player


@pytest.mark.parametrize(("level", "share"), [("easy", 0.4), ("medium", 0.7), ("hard", 0.95)])
def test_x_11_a_robot_takes_the_best_word_as_often_as_its_level_says(level: str, share: float) -> None:
    stage = staged("ma/0 pa/1 co/2", MA, centre="gie/0 ri/0 ne/0 la/3 de/4")
    views = GAME.public(stage.state), GAME.private(stage.state, 0)
    words = [robot.move(*views, WORDS, Rng("robot", turn), level) for turn in range(600)]
    played = [tuple(move.cards) for move in words if isinstance(move, Ready)]
    assert len(played) == 600
    found = WORDS.find(["ma", "pa", "co"], ["gie", "ri", "ne", "la", "de"], every_pick=True)
    by_chance = (1 - share) / len(found)
    best = sum(cards == ("a0", "z1", "z2") for cards in played) / 600
    assert abs(best - (share + by_chance)) < 0.06
    waits = [GAME.robot_wait(*views, Rng("wait", turn), level) for turn in range(200)]
    assert 5_000 <= min(waits) < 7_000
    assert 23_000 < max(waits) <= 25_000


def test_a_hard_robot_may_swap_once_when_its_best_word_is_short() -> None:
    stage = staged("co/0 pa/1 bon/2", MA, centre="co/0 lo/0 to/0 pa/3 bon/4")
    moves = [robot.move(*stage.views, WORDS, Rng("swap", turn), "hard") for turn in range(40)]
    assert {type(move) for move in moves} == {Ready, Swap}
    stage.do(0, next(move for move in moves if isinstance(move, Swap)))
    again = [robot.move(*stage.views, WORDS, Rng("swap", turn), "hard") for turn in range(40)]
    assert {type(move) for move in again} == {Ready}
    stage.state = with_player(stage.state, 0, swap_used=False)
    easy = [robot.move(*stage.views, WORDS, Rng("swap", turn), "easy") for turn in range(40)]
    assert {type(move) for move in easy} == {Ready}


def test_a_robot_without_a_word_is_ready_without_one() -> None:
    stage = staged("gie/0 cien/1 on/2", MA, centre=BARREN)
    assert robot.move(*stage.views, WORDS, Rng("none", 0), "easy") == Ready(1)


def test_point_19_a_robot_plays_only_words_of_the_tables_list() -> None:
    for seed in range(40):
        stage = Stage(GAME.setup(Options(), WORDS, (SeatOptions(robot_level="easy"),) * 2, Rng(f"list {seed}", 0), 0))
        for seat in (0, 1):
            views = GAME.public(stage.state), GAME.private(stage.state, seat)
            stage.do(seat, GAME.robot(*views, WORDS, Rng("robot", seed), "easy"))
        assert stage.results == ["valid", "valid"]
