"""Syllable cards: eight rounds, three own and five common cards, the longest word wins a star (rules.md §2)."""

from __future__ import annotations

from typing import Any

from games.engine.contract import Game, HouseMove, IllegalMove, Millis, Move, Outcome, Seat, SeatOptions, Step
from games.engine.rng import Rng
from games.rules.syllables import house, play, robot, rounds, scoring, views
from games.rules.syllables import state as table
from games.rules.syllables.moves import SyllableMove
from wordlists.lexicon.syllables import SyllableLexicon


class Syllables(Game[table.State, table.Options, SyllableLexicon]):
    """The contract, answered by the modules of this folder."""

    slug = "syllables"
    code = "SYL"
    title = "Syllables"
    rules_version = 1
    seats = rounds.SEATS
    lexicon = "syllables"
    languages = ("fr",)
    State = table.State
    Options = table.Options
    Moves = SyllableMove
    fact_kinds = ("made", "wrong_split", "not_in_list", "hinted", "shown", "missed")
    sealed = ("syllables.ready", "syllables.swap")

    def setup(
        self, options: table.Options, words: SyllableLexicon, seats: tuple[SeatOptions, ...], rng: Rng, now: Millis
    ) -> table.State:
        return rounds.dealt(options, seats, rounds.Turn(words, rng, now))

    def active(self, state: table.State) -> frozenset[Seat]:
        return frozenset(seat for seat in table.present(state) if self.actions(state, seat))

    def actions(self, state: table.State, seat: Seat) -> tuple[str, ...]:
        return play.open_moves(state, seat)

    def apply(
        self, state: table.State, seat: Seat, move: Move, words: SyllableLexicon, rng: Rng, now: Millis
    ) -> Step[table.State]:
        turn = rounds.Turn(words, rng, now)
        if isinstance(move, HouseMove):
            return house.ruled(state, seat, move, turn)
        if not 0 <= seat < len(state.players) or not isinstance(move, SyllableMove):
            raise IllegalMove("not_allowed")
        return play.played(state, seat, move, turn)

    def phase(self, state: table.State) -> str:
        return house.phase_name(state)

    def deadlines(self, state: table.State) -> dict[Seat, Millis]:
        return {seat: state.players[seat].deadline for seat in table.awaited(state)}

    def scores(self, state: table.State) -> tuple[int, ...]:
        return scoring.stars(state.players)

    def outcome(self, state: table.State) -> Outcome | None:
        if state.phase != table.OVER:
            return None
        return Outcome(self.scores(state), scoring.winners(state), state.reason)

    def public(self, state: table.State) -> dict[str, Any]:
        return views.public(state)

    def private(self, state: table.State, seat: Seat) -> dict[str, Any]:
        return views.private(state, seat)

    def robot(
        self, public: dict[str, Any], private: dict[str, Any], words: SyllableLexicon, rng: Rng, level: str
    ) -> Move:
        return robot.move(public, private, words, rng, level)

    def robot_wait(self, public: dict[str, Any], private: dict[str, Any], rng: Rng, level: str) -> Millis:
        return robot.wait(public, rng)

    def secrets(self, state: table.State, seat: Seat | None) -> frozenset[str]:
        return views.secrets(state, seat)


GAME = Syllables()
