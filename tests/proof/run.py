"""Whole sessions played over HTTP, with everything kept that any client was told meanwhile."""

from __future__ import annotations

import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

from django.db import connection
from django.db.models.functions import Now

from classrooms.models import Session
from games.models import Seat
from tests.proof import routes
from tests.proof.classroom import Classroom, gathered, in_browser, new_teacher, signed_in
from tests.proof.playing import Game
from tests.proof.recording import Client, Listener, Reader, Recorder, wait_until
from tests.proof.truth import Leak, Truth, leaks, truth_of
from wordlists.selectors import lexicon

SEATS = 4
PLAYERS_AT_ONCE = 4
ROUNDS = 8
SLOW = {"round_seconds": 600, "reveal_seconds": 120}


class Run:
    """Some sessions played to the end, and all that was told meanwhile."""

    def __init__(self, base: str, *, seed: int = 2026, curious: bool = True, hint_chance: float = 0.15) -> None:
        self.base = base
        self.curious = curious
        self.hint_chance = hint_chance
        self.seed = seed
        self.recorder = Recorder()
        self.known: dict[str, int] = {}
        self.truths: list[Truth] = []
        self.tokens: list[str] = []
        self.refused: Counter[str] = Counter()

    def session(self, tables: int, *, rounds: int = ROUNDS, robots: str | None = None) -> None:
        """One session of so many tables, from the lobby to the ranking, or for some rounds."""
        teacher = new_teacher()
        signed = signed_in(self.base, teacher, self.recorder)
        signed.versions = self._versions
        room = gathered(
            self.base,
            people=tables * SEATS,
            recorder=self.recorder,
            versions=self._versions,
            options=SLOW,
            teacher=signed,
            robots=robots,
        )
        curious = self._curious(in_browser(self.base, teacher, self.recorder))
        room.start()
        games = self._games(room)
        listeners = [listener for game in games for listener in self._listeners(room, game)]
        assert wait_until(lambda: all(listener.opened.is_set() for listener in listeners))
        self._look_around(room, games, curious)
        for first, last in ((1, rounds // 2), (rounds // 2 + 1, rounds)):
            with ThreadPoolExecutor(PLAYERS_AT_ONCE) as players:
                list(players.map(lambda game, span=(first, last): game.play(*span), games))
            self._look_around(room, games, curious)
        assert wait_until(lambda: all(self._caught_up(listener) for listener in listeners), seconds=10)
        for listener in listeners:
            listener.stop()
        for game in games:
            self.truths.append(truth_of(game.table))
            self.refused.update(game.refused)
        self.tokens += [client.token for client in [room.teacher, *room.people]]

    def found(self) -> list[Leak]:
        return leaks(self.recorder.records, self.truths)

    def _versions(self) -> dict[str, int]:
        return dict(self.known)

    def _curious(self, browser: Client) -> list[Client]:
        """The teacher's browser, a stranger, and the teacher of another school."""
        stranger = Client(self.base, Reader("stranger"), self.recorder)
        other = signed_in(self.base, new_teacher("Luc Favre"), self.recorder)
        other.reader = Reader("another teacher")
        for client in (browser, stranger, other):
            client.versions = self._versions
        return [browser, stranger, other]

    def _games(self, room: Classroom) -> list[Game]:
        words = lexicon(Session.objects.get(id=room.session).words_hash, "syllables")
        tables = list(room.tables().items())
        games = []
        for number, (table, seats) in enumerate(tables):
            neighbour = tables[number - 1][1][0]
            watchers = [room.teacher.twin("projector"), *([neighbour.twin("neighbour")] if len(tables) > 1 else [])]
            dice = random.Random(f"{self.seed}/{table}")
            games.append(Game(table, seats, watchers, words, dice, self.known, self.hint_chance, hurry_robots))
            self.known[table] = 1
        return games

    def _listeners(self, room: Classroom, game: Game) -> list[Listener]:
        topics = [f"table:{game.table}", f"session:{room.session}"]
        ears = [*game.seats, *game.watchers]
        return [
            Listener(self.base, ear.reader, self.recorder, token=ear.token, topics=topics, wanted=game.table)
            for ear in ears
        ]

    def _caught_up(self, listener: Listener) -> bool:
        return listener.seen.get(listener.wanted, 0) >= self.known[listener.wanted]

    def _look_around(self, room: Classroom, games: list[Game], curious: list[Client]) -> None:
        """While all hold still, one seat of a table, the teacher and strangers ask for every address there is.

        In the first session only: the addresses of the others are the same.
        """
        if self.truths or not self.curious:
            return
        game, other = games[0], games[-1]
        ids = {"session": room.session, "code": room.code, "participant": room.participants[0], "slug": "syllables"}
        paths = [
            *routes.filled({**ids, "table": game.table, "number": "1"}),
            *(f"/api/v1/tables/{other.table}/{part}" for part in ("", "events/", "replay/", "result/")),
        ]
        page = game.seats[0].twin("a seat's browser")
        page.reader = game.seats[0].reader
        page.token, page.cookie = "", f"wt_seat={game.seats[0].token}"
        for client in [game.seats[0], page, room.teacher, *curious]:
            for path in paths:
                if "stream" not in path and "leave" not in path and "sign_out" not in path:
                    client.get(path, accept="*/*")


def hurry_robots(table: str) -> None:
    """Robots think for up to 25 s; here their moment has come at once, and the next reader lets them play."""
    Seat.objects.filter(table_id=UUID(table), robot_due__gt=Now()).update(robot_due=Now())
    connection.close()
