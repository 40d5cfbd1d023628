"""Load over HTTP: connections that each send one move after the other, and what they saw."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import quantiles

from games.models import Table
from tests.games import tables

OPENERS = 3
"""Seats of a table that seal and open their word in turn; the last one never does, so that no round ends."""


@dataclass
class Hits:
    """Latencies in seconds of the moves that were answered by 200, and how many were not."""

    seconds: float = 0.0
    times: list[float] = field(default_factory=list)
    errors: int = 0

    @property
    def rate(self) -> float:
        return len(self.times) / self.seconds

    def percentile(self, percent: int) -> float:
        """In milliseconds."""
        return quantiles(self.times, n=100)[percent - 1] * 1e3


class Gun:
    """One connection for some tables; the bytes of every request are made beforehand."""

    def __init__(self, port: int, of: Sequence[Table], prefix: str) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.shots = [
            _request(table, seat, move, prefix)
            for move in (tables.ready(), {"type": "syllables.unready", "round": 1})
            for table in of
            for seat in range(OPENERS)
        ]

    def fire(self, request: bytes) -> bool:
        self.socket.sendall(request)
        return _status(self.socket) == 200


def shot(port: int, of: Sequence[Table], *, connections: int, seconds: float, prefix: str = "api/v1/tables") -> Hits:
    """Fire for that long over so many connections; each has tables of its own."""
    guns = [Gun(port, of[number::connections], prefix) for number in range(min(connections, len(of)))]
    hits = Hits(seconds)
    until = time.monotonic() + seconds

    def run(gun: Gun) -> None:
        at, number = time.monotonic(), 0
        while at < until or number % len(gun.shots):
            good = gun.fire(gun.shots[number % len(gun.shots)])
            now = time.monotonic()
            hits.times.append(now - at) if good else None
            hits.errors += not good
            at, number = now, number + 1
        gun.socket.close()

    threads = [threading.Thread(target=run, args=(gun,)) for gun in guns]
    began = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    hits.seconds = time.monotonic() - began
    return hits


def _request(table: Table, seat: int, move: dict[str, object], prefix: str) -> bytes:
    body = json.dumps(move).encode()
    head = (
        f"POST /{prefix}/{table.id}/moves/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        f"Authorization: Bearer {tables.token(table, seat)}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def _status(connection: socket.socket) -> int:
    """Read one answer whole; its status."""
    data = b""
    while b"\r\n\r\n" not in data:
        data += _some(connection)
    head, _, body = data.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
    while len(body) < length:
        body += _some(connection)
    return int(head.split(b" ", 2)[1])


def _some(connection: socket.socket) -> bytes:
    data = connection.recv(65536)
    if not data:
        raise ConnectionError("the server hung up")
    return data
