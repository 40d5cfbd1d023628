"""Many streams in one thread, each only looked through for a version."""

from __future__ import annotations

import selectors
import socket
import threading
import time
from collections.abc import Sequence

from tests.stack import wait_until


class Crowd:
    """Open streams on one topic. ``reached(version)`` says when the last of them had it."""

    def __init__(self, port: int, topic: str, tokens: Sequence[str]) -> None:
        self.size = len(tokens)
        self.ready = 0
        self.lost = 0
        self.arrivals: dict[int, list[float]] = {}
        self._selector = selectors.DefaultSelector()
        self._sockets = [self._open(port, topic, token) for token in tokens]
        self._done = False
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()
        wait_until(lambda: self.ready == self.size, seconds=60)

    def reached(self, version: int, *, seconds: float = 20.0) -> float:
        """The moment when the last stream had that version."""
        wait_until(lambda: len(self.arrivals.get(version, ())) >= self.size, seconds=seconds, every=0.001)
        return max(self.arrivals[version])

    def close(self) -> None:
        self._done = True
        self._thread.join(5)
        for each in self._sockets:
            each.close()

    def _open(self, port: int, topic: str, token: str) -> socket.socket:
        stream = socket.create_connection(("127.0.0.1", port))
        request = f"GET /api/v1/stream/?topics={topic} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"
        stream.sendall(request.encode() + b"\r\n")
        self._selector.register(stream, selectors.EVENT_READ)
        return stream

    def _read(self) -> None:
        while not self._done:
            for key, _ in self._selector.select(0.2):
                data = key.fileobj.recv(65536)  # type: ignore[union-attr]
                if not data:
                    self.lost += 1
                    self._selector.unregister(key.fileobj)
                self._note(data, time.monotonic())

    def _note(self, data: bytes, at: float) -> None:
        self.ready += data.count(b"event: resync")
        for part in data.split(b"event: change")[1:]:
            version = int(part.partition(b'"version":')[2].partition(b",")[0])
            self.arrivals.setdefault(version, []).append(at)
