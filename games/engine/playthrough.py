"""Readable transcripts of whole games, kept beside the rules, re-run and compared line by line.

A transcript names game, words, options, seats and seed, then each move and all that it changed in what may be seen.
Its move lines may be edited by hand; ``python -m games.engine.playthrough --write FILE …`` makes the rest anew,
without ``--write`` it compares. ``--new SLUG --seats N --seed SEED FILE`` lets robots play a new one.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from games.engine.contract import CLOCK, TEACHER, Game, IllegalMove, SeatOptions, TimeUp
from games.engine.rng import Rng
from wordlists.lexicon import KINDS

WORDS_FILE = "words.txt"
"""The list that a folder of playthroughs is played with."""
LEVELS = ("easy", "medium", "hard")
_MOVE = "> "
_NAMES = {CLOCK: "clock", TEACHER: "teacher"}
_SEATS = {name: seat for seat, name in _NAMES.items()}
AnyGame = Game[Any, Any, Any]


class Header(msgspec.Struct, frozen=True):
    """What a table is dealt from."""

    game: str
    rules_version: int
    seed: str
    options: Any = {}
    seats: tuple[SeatOptions, ...] = ()


class Played(msgspec.Struct, frozen=True):
    """A move as it was sent, refused or not."""

    seat: int
    now: int
    move: Any


def transcript(game: AnyGame, words: Any, header: Header, moves: Iterable[Played]) -> str:
    """The whole text; refused moves stand in it with their code."""
    return "\n".join([*_heading(header), *_lines(game, words, header, moves), ""])


def read(text: str) -> tuple[Header, list[Played]]:
    """Header and moves of a transcript; ValueError when it is none."""
    heading, *rest = text.splitlines()
    header = msgspec.json.decode(heading.removeprefix("# "), type=Header)
    return header, [_read_move(line.removeprefix(_MOVE)) for line in rest if line.startswith(_MOVE)]


def rerun(game: AnyGame, words: Any, text: str) -> str:
    """The transcript that the moves of ``text`` give under the present rules."""
    header, moves = read(text)
    return transcript(game, words, msgspec.structs.replace(header, rules_version=game.rules_version), moves)


def difference(old: str, new: str) -> str | None:
    """The first line in which two transcripts differ, said readably."""
    before, after = old.splitlines(), new.splitlines()
    for number in range(max(len(before), len(after))):
        was, now = ("".join(lines[number : number + 1]) for lines in (before, after))
        if was != now:
            return f"line {number + 1}\n  was {was}\n  now {now}"
    return None


def by_robots(game: AnyGame, words: Any, header: Header) -> list[Played]:
    """The moves of a whole game among robots, each acting when its time to think is over."""
    state = game.setup(game.options_from(header.options), words, header.seats, Rng(header.seed, 0), 0)
    played: list[Played] = []
    due: dict[int, int] = {}
    now = 0
    while game.active(state):
        phase = game.phase(state)
        _set_alarms(game, state, header, due, now, len(played))
        seat = min(due, key=lambda other: (due[other], other), default=CLOCK)
        if seat == CLOCK:
            now = max(now, game.deadline(state) or now)
            move: Any = TimeUp(phase)
        else:
            now, level = due.pop(seat), header.seats[seat].robot_level or LEVELS[0]
            thought = Rng(f"{header.seed}/robot", len(played))
            move = game.robot(game.public(state), game.private(state, seat), words, thought, level)
        played.append(Played(seat, now, game.dump(move)))
        state = game.apply(state, seat, move, words, Rng(header.seed, len(played)), now).state
        if game.phase(state) != phase:
            due.clear()
    return played


def _set_alarms(game: AnyGame, state: Any, header: Header, due: dict[int, int], now: int, turn: int) -> None:
    """Ask each awaited robot without an alarm how long it will think."""
    for seat in sorted(set(game.deadlines(state)) - set(due)):
        level = header.seats[seat].robot_level or LEVELS[0]
        thought = Rng(f"{header.seed}/wait/{seat}", turn)
        due[seat] = now + game.robot_wait(game.public(state), game.private(state, seat), thought, level)


def _heading(header: Header) -> list[str]:
    return [f"# {_json(header)}", "# Regenerate: python -m games.engine.playthrough --write FILE"]


def _lines(game: AnyGame, words: Any, header: Header, moves: Iterable[Played]) -> Iterator[str]:
    state = game.setup(game.options_from(header.options), words, header.seats, Rng(header.seed, 0), 0)
    seen: dict[str, str] = {}
    yield from _changes(game, state, seen)
    for turn, played in enumerate(moves, start=1):
        yield f"\n{_MOVE}{_NAMES.get(played.seat, played.seat)} {played.now} {_json(played.move)}"
        try:
            move = game.any_move_from(played.move)
            step = game.apply(state, played.seat, move, words, Rng(header.seed, turn), played.now)
        except IllegalMove as refused:
            yield f"refused: {refused.code}"
            continue
        except msgspec.ValidationError:
            yield "refused: malformed"
            continue
        state = step.state
        yield from (f"fact: {_json(fact)}" for fact in step.facts)
        yield from _changes(game, state, seen)


def _changes(game: AnyGame, state: Any, seen: dict[str, str]) -> Iterator[str]:
    """The lines of what may be seen that are not as they were, and the state's digest."""
    for name, value in _visible(game, state):
        line = _json(value)
        if seen.get(name) != line:
            seen[name] = line
            yield f"{name}: {line}"
    yield f"digest: {game.digest(state)[:16]}"


def _visible(game: AnyGame, state: Any) -> Iterator[tuple[str, Any]]:
    yield "phase", game.phase(state)
    yield "active", sorted(game.active(state))
    yield "deadlines", sorted(game.deadlines(state).items())
    yield "scores", game.scores(state)
    yield "outcome", game.outcome(state)
    for name, value in game.public(state).items():
        yield f"public.{name}", value
    for seat in range(len(game.scores(state))):
        yield f"actions.{seat}", game.actions(state, seat)
        for name, value in game.private(state, seat).items():
            yield f"private.{seat}.{name}", value


def _read_move(line: str) -> Played:
    who, now, move = line.split(" ", 2)
    return Played(_SEATS[who] if who in _SEATS else int(who), int(now), msgspec.json.decode(move))


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _game(slug: str) -> AnyGame:
    """By name only: games stand above the engine."""
    game: AnyGame = importlib.import_module("games.rules").game(slug)
    return game


def words_of(game: AnyGame, folder: Path) -> Any:
    """The word structure that the transcripts of that folder are played with."""
    return KINDS[game.lexicon]((folder / WORDS_FILE).read_bytes())


def _new(slug: str, seats: int, seed: str, path: Path) -> str:
    game = _game(slug)
    who = tuple(SeatOptions(robot_level=LEVELS[seat % len(LEVELS)]) for seat in range(seats))
    header = Header(slug, game.rules_version, seed, {}, who)
    words = words_of(game, path.parent)
    return transcript(game, words, header, by_robots(game, words, header))


def _again(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    game = _game(read(text)[0].game)
    return rerun(game, words_of(game, path.parent), text)


def main(arguments: list[str] | None = None) -> int:
    """Compare, rewrite or make transcripts; 1 when one differs."""
    parser = argparse.ArgumentParser(prog="python -m games.engine.playthrough", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--write", action="store_true", help="write what the present rules give")
    parser.add_argument("--new", metavar="SLUG", help="let robots play a game of this kind")
    parser.add_argument("--seats", type=int, default=3)
    parser.add_argument("--seed", default="playthrough")
    chosen = parser.parse_args(arguments)
    differs = 0
    for path in chosen.files:
        text = _new(chosen.new, chosen.seats, chosen.seed, path) if chosen.new else _again(path)
        if chosen.new or chosen.write:
            path.write_text(text, encoding="utf-8")
        elif found := difference(path.read_text(encoding="utf-8"), text):
            print(f"{path}: {found}")
            differs = 1
    return differs


if __name__ == "__main__":
    sys.exit(main())
