"""A page's stream, listened to by a thread: what came, and when."""

from __future__ import annotations

import json
import socket
import threading
import time
from contextlib import suppress
from http.client import HTTPConnection, HTTPResponse
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from tests.stack import wait_until


class Event(NamedTuple):
    name: str
    data: dict[str, Any]
    at: float


class Stream:
    """An open stream. ``ended`` once the server has closed it."""

    def __init__(self, url: str, topics: list[str], headers: dict[str, str], query: str = "") -> None:
        at = urlsplit(url)
        self.connection = HTTPConnection(at.hostname or "", at.port, timeout=60)
        self.connection.request("GET", f"/api/v1/stream/?topics={','.join(topics)}{query}", headers=headers)
        self.socket: socket.socket = self.connection.sock
        self.answer: HTTPResponse = self.connection.getresponse()
        self.status = self.answer.status
        self.events: list[Event] = []
        self.ended = False
        if self.status == 200:
            self.thread = threading.Thread(target=self._listen, daemon=True)
            self.thread.start()

    def named(self, name: str) -> list[Event]:
        return [event for event in self.events if event.name == name]

    def wait_for(self, name: str, count: int = 1, *, seconds: float = 10.0, **fields: Any) -> Event:
        """The ``count``-th event of that name, with those fields in its data."""

        def found() -> list[Event]:
            return [event for event in self.named(name) if fields.items() <= event.data.items()]

        wait_until(lambda: len(found()) >= count, seconds=seconds, every=0.01)
        return found()[count - 1]

    def code(self) -> str:
        return str(json.loads(self.answer.read())["code"])

    def close(self) -> None:
        """Shut the socket down first: closing alone would wait for the listening thread's next line."""
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self.connection.close()

    def _listen(self) -> None:
        name = ""
        try:
            for raw in self.answer:
                line = raw.decode().rstrip("\n")
                if line.startswith("event: "):
                    name = line.removeprefix("event: ")
                elif line.startswith("data: "):
                    self.events.append(Event(name, json.loads(line.removeprefix("data: ")), time.monotonic()))
        except (OSError, ValueError, AttributeError):
            pass
        self.ended = True


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def post_seen(url: str, token: str, **headers: str) -> int:
    at = urlsplit(url)
    connection = HTTPConnection(at.hostname or "", at.port, timeout=10)
    connection.request("POST", "/api/v1/stream/seen/", headers=bearer(token) | headers)
    status = connection.getresponse().status
    connection.close()
    return status
