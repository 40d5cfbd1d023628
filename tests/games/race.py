"""Many clients at once, over HTTP: every round all of them fire at one instant, and their own log is compared."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

from games.models import Table, TableEvent
from tests.games import tables
from wordlists.builtin import blocked
from wordlists.spelling import fold

MOST_SEATS = 6
Sent = tuple[int, list[str]]
"""The round and the syllables of the word that a client has sent last."""


@dataclass
class Report:
    """What a race came to. ``accepted`` are (table, seat, round, kind) of every move answered by 200."""

    accepted: Counter[tuple[str, int, int, str]] = field(default_factory=Counter)
    statuses: Counter[int] = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, status: int, move: tuple[str, int, int, str]) -> None:
        with self.lock:
            self.statuses[status] += 1
            if status == 200:
                self.accepted[move] += 1

    @property
    def server_errors(self) -> int:
        return sum(count for status, count in self.statuses.items() if status >= 500)

    def compare(self, of: list[Table]) -> None:
        """Every accepted move is stored once, and nothing else is."""
        stored = Counter(
            (str(event.table_id), event.seat, event.move["round"], event.move["type"])
            for event in TableEvent.objects.filter(table__in=of, seat__gte=0)
        )
        for move, count in (self.accepted - stored).items():
            self.broken.append(f"lost {count}: {move}")
        for move, count in (stored - self.accepted).items():
            self.broken.append(f"doubled or unasked {count}: {move}")
        self.broken += [f"stored {count} times: {move}" for move, count in stored.items() if count > 1]
        for table in of:
            turns = list(TableEvent.objects.filter(table=table).order_by("turn").values_list("turn", flat=True))
            version = Table.objects.get(id=table.id).version
            if turns != list(range(1, version + 1)):
                self.broken.append(f"gap in the log of {table.id}")


class Player:
    """One client on a connection of its own."""

    def __init__(self, url: str, table: Table, seat: int) -> None:
        at = urlsplit(url)
        self.connection = HTTPConnection(at.hostname or "", at.port, timeout=30)
        self.table, self.seat = str(table.id), seat
        self.headers = {
            "Authorization": f"Bearer {tables.token(table, seat)}",
            "Content-Type": "application/json",
        }

    def call(self, method: str, path: str = "", body: Any = None, **headers: str) -> tuple[int, bytes]:
        data = None if body is None else json.dumps(body)
        address = f"/api/v1/tables/{self.table}/{path}"
        self.connection.request(method, address, data, self.headers | headers)
        answer = self.connection.getresponse()
        return answer.status, answer.read()

    def view(self) -> dict[str, Any]:
        status, body = self.call("GET")
        assert status == 200, (status, body)
        found: dict[str, Any] = json.loads(body)
        return found


def raced(url: str, of: list[Table], *, rounds: int) -> Report:
    """Let everybody at these tables play ``rounds`` rounds: the same second, the same kind of move."""
    report = Report()
    people = [Player(url, table, seat.number) for table in of for seat in table.seats.all()]
    barrier = threading.Barrier(len(people))

    def run(player: Player) -> None:
        try:
            sent: Sent = (0, [])
            for number in range(1, rounds + 1):
                sent = _play_round(player, number, sent, barrier, report)
            _check_last(player, player.view(), sent)
        except Exception as error:  # told in the report; the others must not wait at the barrier
            report.broken.append(f"{type(error).__name__}: {error}")
            barrier.abort()
        finally:
            player.connection.close()

    _together([lambda player=player: run(player) for player in people])  # type: ignore[misc]
    report.compare(of)
    return report


def _play_round(player: Player, number: int, sent: Sent, barrier: threading.Barrier, report: Report) -> Sent:
    view = player.view()
    _check_last(player, view, sent)
    word = tables.pair(view)
    for kind, move in (("syllables.ready", tables.ready(number, word)), ("syllables.seen", tables.seen(number))):
        barrier.wait(60)
        status, _ = player.call("POST", "moves/", move)
        barrier.wait(60)
        report.count(status, (player.table, player.seat, number, kind))
    texts = {card["id"]: card["text"] for card in [*view["private"]["hand"], *view["public"]["centre"]]}
    return number, [texts[card] for card in word]


def _check_last(player: Player, view: dict[str, Any], sent: Sent) -> None:
    """Everybody sees the round before as resolved, with his own word in it as he sent it."""
    number, texts = sent
    if number:
        last = view["public"]["last"] or view["public"]["reveal"]
        assert last["round"] == number
        shown = [card["text"] for card in last["words"][player.seat]["cards"]]
        is_blocked = fold("".join(texts), "fr") in blocked("fr")  # a rude word is shown to nobody
        assert shown == ([] if is_blocked else texts), "not the word that was sent"


def _together(acts: list[Callable[[], None]]) -> None:
    threads = [threading.Thread(target=act, daemon=True) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)


def at_once(acts: list[Callable[[], Any]]) -> list[Any]:
    """What each act returned or raised; all begin at one instant."""
    barrier = threading.Barrier(len(acts))
    results: list[Any] = [None] * len(acts)

    def run(place: int, act: Callable[[], Any]) -> None:
        barrier.wait(30)
        try:
            results[place] = act()
        except Exception as error:
            results[place] = error

    _together([lambda place=place, act=act: run(place, act) for place, act in enumerate(acts)])  # type: ignore[misc]
    return results


def sizes(clients: int) -> list[int]:
    """Clients spread over as few tables as the seat limit asks, as evenly as can be."""
    count = -(-clients // MOST_SEATS)
    return [clients // count + (place < clients % count) for place in range(count)]
