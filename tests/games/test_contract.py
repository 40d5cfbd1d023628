"""Every property of the contract, over every game that the folders hold (design §4 and §7)."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest
from django.contrib.staticfiles import finders
from django.template.loader import get_template

from games.engine import playthrough
from games.engine.contract import CLOCK, TEACHER, Game, IllegalMove, Leave, SeatOptions, TimeUp
from games.engine.playthrough import LEVELS, Header
from games.engine.replay import Line, replay
from games.engine.rng import Rng
from games.rules import games
from tests.games import walks
from tests.games.hidden import leaked, leaking, sealed_differences, with_live_scores
from tests.games.walks import AnyGame, Walk, a_state_of_each_phase, transcripts, walks_of, words_of

SLUGS = sorted(games())


@pytest.fixture(params=SLUGS)
def game(request: pytest.FixtureRequest) -> AnyGame:
    return games()[request.param]


def finish(game: AnyGame, header: Header, state: Any, now: int) -> Any:
    """Let robots and the clock play it to the end."""
    for turn in range(1_000, 1_000 + walks.LONGEST):
        waiting = sorted(game.deadlines(state))
        if not waiting:
            return state
        now += 500
        rng = Rng(header.seed, turn)
        words = words_of(game.slug)
        if game.due(state, now):
            state = game.apply(state, CLOCK, TimeUp(game.phase(state)), words, rng, now).state
            continue
        views = game.public(state), game.private(state, waiting[0])
        state = game.apply(state, waiting[0], game.robot(*views, words, rng, "medium"), words, rng, now).state
    pytest.fail("the game does not end")


def test_at_least_one_game_is_registered() -> None:
    assert SLUGS


def test_a_random_playout_by_robots_ends_with_an_outcome(game: AnyGame) -> None:
    for number, seats in enumerate(range(game.seats[0], min(game.seats[1], 6) + 1)):
        who = tuple(SeatOptions(robot_level=LEVELS[(seat + number) % 3]) for seat in range(seats))
        header = Header(game.slug, game.rules_version, f"robots {number}", {}, who)
        words = words_of(game.slug)
        moves = playthrough.by_robots(game, words, header)
        text = playthrough.transcript(game, words, header, moves)
        assert "refused" not in text
        assert "public.phase" in text
        last = text.rpartition("\noutcome: ")[2].splitlines()[0]
        assert json.loads(last)["reason"] == "finished"


def test_random_games_end_and_meet_every_phase_and_both_verdicts(game: AnyGame) -> None:
    for walk in walks_of(game.slug):
        assert not game.active(walk.states[-1])
        assert game.outcome(walk.states[-1]) is not None
    taken = [step for walk in walks_of(game.slug) for step in walk.taken]
    assert sum(bool(step.code) for step in taken) > 20, "too few refused moves to prove anything"
    assert {type(step.move) for step in taken if not step.code} >= set(walks.tags(game).values())


def test_replay_of_the_log_gives_equal_digests(game: AnyGame) -> None:
    for walk in walks_of(game.slug):
        log = [
            Line(step.turn, step.seat, game.dump(step.move), step.now, game.digest(step.after))
            for step in walk.taken
            if step.after is not None
        ]
        options = game.options_from(walk.header.options)
        words = words_of(game.slug)
        start = [Line(0, TEACHER, {"type": "table.started"}, 0, game.digest(walk.first))]
        played = replay(game, options, words, walk.header.seats, walk.header.seed, start + log)
        assert played.differs_at is None
        assert played.state == walk.states[-1]
        other = replay_or_refusal(game, options, walk, log)
        assert other != played.state, "control: another seed must give another game"


def replay_or_refusal(game: AnyGame, options: Any, walk: Walk, log: list[Line]) -> Any:
    try:
        return replay(game, options, words_of(game.slug), walk.header.seats, "another seed", log).state
    except IllegalMove:
        return None


def test_replay_names_the_first_turn_that_differs(game: AnyGame) -> None:
    walk = walks_of(game.slug)[0]
    log = [
        Line(step.turn, step.seat, game.dump(step.move), step.now, game.digest(step.after))
        for step in walk.taken
        if step.after is not None
    ]
    spoilt = [line._replace(digest="0" * 64) if number >= 3 else line for number, line in enumerate(log)]
    options = game.options_from(walk.header.options)
    played = replay(game, options, words_of(game.slug), walk.header.seats, walk.header.seed, spoilt)
    assert played.differs_at == log[3].turn


def test_replay_starts_anew_from_the_snapshot_of_an_upgrade(game: AnyGame) -> None:
    walk = walks_of(game.slug)[0]
    steps = [step for step in walk.taken if step.after is not None]
    middle = steps[len(steps) // 2]
    upgrade = Line(middle.turn, TEACHER, {"type": "table.upgraded", "state": game.dump(middle.after)}, 0)
    later = [Line(step.turn, step.seat, game.dump(step.move), step.now) for step in steps if step.turn > middle.turn]
    options = game.options_from(walk.header.options)
    played = replay(game, options, words_of(game.slug), walk.header.seats, walk.header.seed, [upgrade, *later])
    assert played.state == walk.states[-1]


def test_the_public_view_says_what_grid_projector_and_report_read(game: AnyGame) -> None:
    for walk in walks_of(game.slug):
        for state in walk.states:
            public = game.public(state)
            assert {"phase", "round", "rounds", "deadline", "seats"} <= set(public)
            assert game.phase(state).startswith(public["phase"])
            assert len(public["seats"]) == len(game.scores(state))
            assert all({"ready", "left"} <= set(seat) for seat in public["seats"])


def test_apply_leaves_its_input_unchanged(game: AnyGame) -> None:
    for walk in walks_of(game.slug)[:3]:
        for step in walk.taken:
            before = msgspec.json.encode(step.before)
            walks.played(game, words_of(game.slug), walk.header, step.before, step.seat, step.move, step.turn, step.now)
            assert msgspec.json.encode(step.before) == before


def test_a_state_survives_its_json_at_each_step(game: AnyGame) -> None:
    for walk in walks_of(game.slug):
        for state in walk.states:
            raw = json.loads(json.dumps(game.dump(state)))
            assert game.state_from(raw) == state
            assert game.digest(game.state_from(raw)) == game.digest(state)
            reordered = json.loads(json.dumps(raw, sort_keys=True))
            assert game.digest(game.state_from(reordered)) == game.digest(state)


def test_moves_and_facts_survive_their_json(game: AnyGame) -> None:
    for walk in walks_of(game.slug):
        for step in walk.taken:
            assert game.any_move_from(json.loads(json.dumps(game.dump(step.move)))) == step.move
            for fact in step.facts:
                assert msgspec.convert(json.loads(json.dumps(game.dump(fact))), type(fact)) == fact


def test_a_refused_move_changes_nothing_and_names_a_stable_code(game: AnyGame) -> None:
    for walk in walks_of(game.slug):
        for step, following in zip(walk.taken, walk.taken[1:], strict=False):
            if step.code:
                assert following.before is step.before
                assert re.fullmatch(r"[a-z]+(_[a-z]+)*", step.code)


def test_over_means_nobody_active_no_deadline_and_no_more_moves(game: AnyGame) -> None:
    chance = random.Random(1)
    for walk in walks_of(game.slug):
        over = walk.states[-1]
        assert game.phase(over) == "over"
        assert game.deadlines(over) == {}
        assert game.deadline(over) is None
        for seat in range(len(game.scores(over))):
            assert game.actions(over, seat) == ()
            for tag in walks.tags(game):
                move = game.move_from(walks.random_raw(game, over, seat, chance, tag))
                step, code = walks.played(game, words_of(game.slug), walk.header, over, seat, move, 999, 10**9)
                assert (step, bool(code)) == (None, True)
        for state in walk.states[:-1]:
            if game.outcome(state) is None:
                assert game.active(state)
                assert game.deadlines(state), "every pending decision has a deadline (X-06)"


MALFORMED: tuple[Any, ...] = (
    None,
    0,
    "",
    [],
    {},
    {"type": None},
    {"type": 7},
    {"type": "nothing.known"},
    {"type": "time_up", "phase": "play:1"},
    {"type": "next_round"},
    {"type": "verdict", "round": 1, "word": "papa", "valid": True},
    {"type": "leave"},
    {"type": "leave", "seat": "0"},
    {"type": "leave", "seat": 0, "score": 100},
)
WRONG_VALUES: tuple[Any, ...] = (None, -1, 10**30, 1.5, "", "x" * 10_000, "\x00", [], [[]], [None], {}, ["x"] * 500)


def malformed_moves(game: AnyGame, state: Any) -> Iterator[Any]:
    """Bad shapes, and each move with one field wrong, missing or too many."""
    yield from MALFORMED
    chance = random.Random(2)
    for tag in walks.tags(game):
        good = walks.random_raw(game, state, 0, chance, tag)
        yield {**good, "winner": True}
        for name in good:
            yield {key: value for key, value in good.items() if key != name}
            yield from ({**good, name: wrong} for wrong in WRONG_VALUES)


def test_malformed_moves_are_refused_and_never_a_crash(game: AnyGame) -> None:
    refused = 0
    for header, state in a_state_of_each_phase(game.slug).values():
        for raw in malformed_moves(game, state):
            try:
                move = game.move_from(raw)
            except msgspec.ValidationError:
                refused += 1
                continue
            for seat in (0, CLOCK, TEACHER, len(game.scores(state)), 10**9):
                _, code = walks.played(game, words_of(game.slug), header, state, seat, move, 999, 1)
                refused += bool(code)
    assert refused > 100


def test_seats_cannot_make_house_moves_or_moves_of_others(game: AnyGame) -> None:
    for header, state in a_state_of_each_phase(game.slug).values():
        for move in walks.every_house_move(game, state):
            if isinstance(move, Leave) and move.seat == 0:
                continue
            step, code = walks.played(game, words_of(game.slug), header, state, 0, move, 999, 1)
            assert (step, code) in [(None, "not_allowed"), (None, "game_over")], move
        step, code = walks.played(game, words_of(game.slug), header, state, TEACHER, TimeUp(game.phase(state)), 999, 1)
        assert (step, code) == (None, "not_allowed")


def test_every_house_move_in_every_phase_is_answered_and_the_game_still_ends(game: AnyGame) -> None:
    accepted = set()
    assert set(a_state_of_each_phase(game.slug)) >= {"play", "over"} or len(a_state_of_each_phase(game.slug)) > 2
    for header, state in a_state_of_each_phase(game.slug).values():
        kinds = set()
        for move in walks.every_house_move(game, state):
            seat = CLOCK if isinstance(move, TimeUp) else TEACHER
            step, code = walks.played(game, words_of(game.slug), header, state, seat, move, 999, 10**8)
            kinds.add(type(move))
            if step is None:
                assert code
                continue
            accepted.add(type(move))
            assert game.state_from(game.dump(step.state)) == step.state
            assert game.outcome(finish(game, header, step.state, 10**8)) is not None
        assert kinds == walks.HOUSE_KINDS
    words_played = walks.HOUSE_KINDS - accepted
    assert {kind.__name__ for kind in words_played} <= {"Verdict"}, "Verdict needs a played word: tested per game"


def test_a_time_up_of_another_phase_or_before_its_time_has_no_effect(game: AnyGame) -> None:
    for header, state in a_state_of_each_phase(game.slug).values():
        for phase, now in (("another:1", 10**9), (game.phase(state), -1)):
            step, _ = walks.played(game, words_of(game.slug), header, state, CLOCK, TimeUp(phase), 999, now)
            assert step.state == state
            assert step.facts == ()


def test_t24_a_player_leaves_in_each_phase_and_the_table_still_ends(game: AnyGame) -> None:
    for header, state in a_state_of_each_phase(game.slug).values():
        for seat in range(len(game.scores(state))):
            step, _ = walks.played(game, words_of(game.slug), header, state, seat, Leave(seat), 999, 1)
            if step is not None:
                assert seat not in game.active(step.state)
                assert game.outcome(finish(game, header, step.state, 1)) is not None


def test_accepted_moves_were_announced_as_actions(game: AnyGame) -> None:
    by_type = {kind: tag for tag, kind in walks.tags(game).items()}
    for walk in walks_of(game.slug):
        for step in walk.taken:
            if step.after is not None and type(step.move) in by_type:
                assert by_type[type(step.move)] in game.actions(step.before, step.seat)
                assert step.seat in game.active(step.before)


def test_deadlines_are_of_active_seats_and_scores_of_all(game: AnyGame) -> None:
    for walk in walks_of(game.slug):
        for state in walk.states:
            assert set(game.deadlines(state)) <= game.active(state)
            assert len(game.scores(state)) == len(walk.header.seats)
            assert all(set(game.actions(state, seat)) <= set(walks.tags(game)) for seat in game.active(state))


def test_facts_are_of_known_kinds_and_never_of_robots(game: AnyGame) -> None:
    kinds = set()
    for walk in walks_of(game.slug):
        robots = {seat for seat, who in enumerate(walk.header.seats) if who.robot_level}
        for step in walk.taken:
            occupied = getattr(step.move, "robot_level", robots)
            if occupied is not robots and step.after is not None:
                robots = robots - {step.move.seat} if occupied is None else robots | {step.move.seat}  # type: ignore[attr-defined]
            assert not robots & {fact.seat for fact in step.facts}
            kinds |= {fact.kind for fact in step.facts}
    assert kinds <= set(game.fact_kinds)
    assert kinds


def test_robots_are_never_refused_at_any_level(game: AnyGame) -> None:
    for walk in walks_of(game.slug)[:3]:
        for number, state in enumerate(walk.states[::3]):
            for seat in sorted(game.deadlines(state)):
                views = game.public(state), game.private(state, seat)
                for level in LEVELS:
                    move = game.robot(*views, words_of(game.slug), Rng(level, number), level)
                    assert game.move_from(game.dump(move)) == move
                    step, code = walks.played(
                        game, words_of(game.slug), walk.header, state, seat, move, 999, game.deadlines(state)[seat]
                    )
                    assert step is not None, code
                    assert 0 < game.robot_wait(*views, Rng(level, number), level) < 60_000


def allowed(kind: Any) -> bool:
    """Frozen structs of structs, tuples, ints, strs, bools and None only."""
    match kind:
        case msgspec.inspect.StructType():
            return kind.cls.__struct_config__.frozen and all(allowed(field.type) for field in kind.fields)
        case msgspec.inspect.VarTupleType():
            return allowed(kind.item_type)
        case msgspec.inspect.TupleType():
            return all(map(allowed, kind.item_types))
        case msgspec.inspect.UnionType():
            return all(map(allowed, kind.types))
        case msgspec.inspect.Metadata():
            return allowed(kind.type)
    plain = (
        msgspec.inspect.IntType,
        msgspec.inspect.StrType,
        msgspec.inspect.BoolType,
        msgspec.inspect.NoneType,
        msgspec.inspect.LiteralType,
    )
    return isinstance(kind, plain)


def test_state_options_and_moves_are_frozen_and_plain(game: AnyGame) -> None:
    for kind in (game.State, game.Options, *walks.tags(game).values()):
        assert allowed(msgspec.inspect.type_info(kind)), kind
    assert not allowed(msgspec.inspect.type_info(dict[str, int])), "control"
    assert not allowed(msgspec.inspect.type_info(float)), "control"
    assert all(tag.startswith(f"{game.slug}.") for tag in walks.tags(game))
    assert len(walks.tags(game)) == len(get_args(game.Moves) or (game.Moves,))


def test_the_rules_load_no_django() -> None:
    code = "import sys, games.rules; games.rules.games(); import games.engine.playthrough, games.engine.replay; {}"
    check = "sys.exit(any(name.split('.')[0] == 'django' for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code.format(check)], timeout=60).returncode == 0
    control = subprocess.run([sys.executable, "-c", code.format("import django; " + check)], timeout=60)
    assert control.returncode == 1


def test_every_game_brings_the_files_that_pages_show_it_with(game: AnyGame) -> None:
    for template in ("board.html", "projector.html", "rules_body.html"):
        get_template(f"games/{game.slug}/{template}")
    for file in ("board.js", "board.css", "projector.css"):
        assert finders.find(f"games/{game.slug}/{file}"), file


def test_every_game_has_playthroughs_and_they_play_the_same_again(game: AnyGame) -> None:
    assert len(transcripts(game.slug)) >= 2
    for name, text in transcripts(game.slug).items():
        again = playthrough.rerun(game, words_of(game.slug), text)
        assert playthrough.difference(text, again) is None, name


def test_a_changed_line_of_a_playthrough_is_named(game: AnyGame) -> None:
    text = next(iter(transcripts(game.slug).values()))
    again = playthrough.rerun(game, words_of(game.slug), text)
    spoilt = again.replace("scores: ", "scores:  ", 1)
    assert "scores" in (playthrough.difference(spoilt, again) or "")
    assert playthrough.difference(again + "more\n", again) is not None


# Sealed: whatever a seat answered, nobody else can tell until the round closes.


def test_sealed_answers_cannot_be_told_apart_by_anybody_else(game: AnyGame) -> None:
    if not game.sealed:
        pytest.skip("nothing is sealed in this game")
    results = [sealed_differences(game, walk) for walk in walks_of(game.slug)]
    assert sum(compared for compared, _ in results) > 200
    assert sum(told_apart for _, told_apart in results) == 0


def test_sealed_control_a_planted_live_score_is_found(game: AnyGame) -> None:
    if not game.sealed:
        pytest.skip("nothing is sealed in this game")
    results = [sealed_differences(with_live_scores(game), walk) for walk in walks_of(game.slug)]
    assert sum(compared for compared, _ in results) > 200
    assert sum(told_apart for _, told_apart in results) > 50


# Secrets: what a game names as secret occurs in nobody else's view.


def test_secrets_occur_in_no_view_of_anybody_else_at_any_time(game: AnyGame) -> None:
    named = 0
    for walk in walks_of(game.slug):
        for state in walk.states:
            named += len(game.secrets(state, None))
            assert leaked(game, state) == set()
    assert named > 1_000, "too few secrets to prove anything"


def test_refusals_and_facts_of_others_hold_no_secrets(game: AnyGame) -> None:
    for walk in walks_of(game.slug):
        for step in walk.taken:
            secrets = game.secrets(step.before, step.seat if step.seat >= 0 else None)
            assert step.code not in secrets
            text = json.dumps([game.dump(fact) for fact in step.facts])
            assert not any(secret in text for secret in secrets)


@pytest.mark.parametrize("leak", ["state", "neighbour"])
def test_h4_secrets_control_a_planted_leak_is_found(game: AnyGame, leak: str) -> None:
    faulty = leaking(game, leak)
    assert any(leaked(faulty, state) for state in walks_of(game.slug)[0].states)
    assert not any(leaked(game, state) for state in walks_of(game.slug)[0].states)


def test_the_seed_occurs_in_no_view(game: AnyGame) -> None:
    for walk in walks_of(game.slug):
        for state in walk.states:
            seats = range(len(game.scores(state)))
            text = json.dumps([game.public(state), *(game.private(state, seat) for seat in seats)])
            assert walk.header.seed not in text


def test_games_are_games(game: AnyGame) -> None:
    assert isinstance(game, Game)
    assert re.fullmatch(r"[a-z]+", game.slug)
    assert re.fullmatch(r"[A-Z]{3}", game.code)
    assert 1 <= game.seats[0] <= game.seats[1]
    assert game.rules_version >= 1
