"""A whole table played through the API: four seats that hint, swap, draft, seal, think again and tap on."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.proof.recording import Answer, Client
from wordlists.lexicon.syllables import SyllableLexicon

MOST_ROBOT_TURNS = 20


@dataclass
class Game:
    """One table with its seats (in order), those who only look on, and what is known of how far it has come."""

    table: str
    seats: Sequence[Client]
    watchers: Sequence[Client]
    words: SyllableLexicon
    dice: random.Random
    known: dict[str, int]
    hint_chance: float = 0.15
    hurry: Callable[[str], None] = lambda table: None
    latest: dict[Client, dict[str, Any]] = field(default_factory=dict)
    draft_number: int = 0
    refused: list[str] = field(default_factory=list)

    def play(self, first: int, last: int) -> None:
        """The rounds from ``first`` to ``last``, each with its reveal."""
        for number in range(first, last + 1):
            self._round(number)

    def view(self, client: Client) -> dict[str, Any]:
        """Fetched anew."""
        return self._noted(client, client.view(self.table)).body

    def move(self, client: Client, body: dict[str, Any]) -> Answer:
        return self._noted(client, client.post(f"/api/v1/tables/{self.table}/moves/", body))

    def _round(self, number: int) -> None:
        for seat in self.dice.sample(range(len(self.seats)), len(self.seats)):
            view = self.view(self.seats[seat])
            assert (view["public"]["round"], view["public"]["phase"]) == (number, "play"), view["public"]
            self._think(seat, number)
            self._look_on()
        self._until(lambda game: game["phase"] == "reveal")
        self._reveal(number)
        self._until(lambda game: game["phase"] == "over" or game["round"] > number)

    def _think(self, seat: int, number: int) -> None:
        client = self.seats[seat]
        if self.dice.random() < self.hint_chance and self.latest[client]["private"]["hints_left"]:
            assert self.move(client, {"type": "syllables.hint", "round": number}).status == 200
        if self.dice.random() < 0.2:
            self._swap(client, number)
        if self.dice.random() < 0.3:
            self._draft(client, number)
        if self.dice.random() < 0.1:
            self._try_what_is_not_allowed(seat, number)
        sealed = self.move(client, self._word(client, number))
        assert sealed.status == 200, sealed.text
        if self.dice.random() < 0.1 and sealed.body["public"]["phase"] == "play":
            assert self.move(client, {"type": "syllables.unready", "round": number}).status == 200
            assert self.move(client, self._word(client, number)).status == 200

    def _swap(self, client: Client, number: int) -> None:
        view = self.latest[client]
        give = self.dice.choice(view["private"]["hand"])["id"]
        top = view["public"]["exchange"]["top"]["id"]
        answer = self.move(client, {"type": "syllables.swap", "round": number, "give": give, "top": top})
        assert answer.status == 200, answer.text

    def _draft(self, client: Client, number: int) -> None:
        self.draft_number += 1
        draft = {"round": number, "number": self.draft_number, "move": self._word(client, number)}
        answer = client.send("PUT", f"/api/v1/tables/{self.table}/draft/", body=draft)
        assert answer.status in (200, 204), answer.text

    def _try_what_is_not_allowed(self, seat: int, number: int) -> None:
        """A card of another hand: the refusal is kept like any other answer."""
        other = self.seats[(seat + 1) % len(self.seats)]
        foreign = self.view(other)["private"]["hand"][0]["id"]
        own = self.latest[self.seats[seat]]["private"]["hand"][0]["id"]
        answer = self.move(self.seats[seat], {"type": "syllables.ready", "round": number, "cards": [own, foreign]})
        assert answer.status == 409, answer.text
        self.refused.append(answer.code)

    def _word(self, client: Client, number: int) -> dict[str, Any]:
        """Mostly a listed word, now and then cards that spell none, or no card."""
        view = self.latest[client]
        hand, centre = view["private"]["hand"], view["public"]["centre"]
        cards = [*hand, *centre]
        found = self.words.find([card["text"] for card in hand], [card["text"] for card in centre])
        luck = self.dice.random()
        if luck < 0.05:
            chosen: list[str] = []
        elif luck < 0.2 or not found:
            chosen = [self.dice.choice(hand)["id"], *(card["id"] for card in self.dice.sample(centre, 2))]
        else:
            chosen = [cards[pick]["id"] for pick in self.dice.choice(found).picks]
        return {"type": "syllables.ready", "round": number, "cards": chosen}

    def _reveal(self, number: int) -> None:
        for client in self.seats:
            view = self.view(client)
            assert view["public"]["phase"] == "reveal"
            self._look_on()
            assert self.move(client, {"type": "syllables.seen", "round": number}).status == 200

    def _until(self, reached: Callable[[dict[str, Any]], bool]) -> None:
        """Robots take their turn; without any the table is there already."""
        for _ in range(MOST_ROBOT_TURNS):
            if reached(self.view(self.seats[0])["public"]):
                return
            self.hurry(self.table)
        raise AssertionError("the table does not go on")

    def _look_on(self) -> None:
        """Somebody who has nothing to do looks what there is."""
        for watcher in [self.dice.choice(self.seats), *self.watchers]:
            if self.dice.random() < 0.25:
                self.view(watcher)

    def _noted(self, client: Client, answer: Answer) -> Answer:
        if answer.status == 200:
            self.known[self.table] = answer.body["version"]
            self.latest[client] = answer.body
        return answer
