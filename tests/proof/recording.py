"""Clients that keep everything they are told, word for word: each status, header, body and event of the stream."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlsplit

IDLE_SECONDS = 3.0
"""The server ends a connection that was quiet for five seconds."""
JSON_TYPES = ("application/json", "application/problem+json")


@dataclass(frozen=True, slots=True)
class Reader:
    """Who was told: a seat of a table, or somebody without one (the teacher, the projector, a stranger)."""

    name: str
    table: str | None = None
    seat: int | None = None
    reads_reports: bool = False
    """Teachers read what each seat was helped with and could have made, once its round is over."""


@dataclass(frozen=True, slots=True)
class Record:
    """One thing that a reader was told, and how far each table had come at most when it was said."""

    reader: Reader
    what: str
    text: str
    body: Any
    versions: dict[str, int]


@dataclass
class Recorder:
    """Everything that was told to anybody."""

    records: list[Record] = field(default_factory=list)

    def keep(self, record: Record) -> None:
        self.records.append(record)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    text: str
    body: Any

    @property
    def code(self) -> str:
        return str(self.body.get("code", "")) if isinstance(self.body, dict) else ""


class Client:
    """One reader with one kept-alive connection."""

    def __init__(
        self,
        base: str,
        reader: Reader,
        recorder: Recorder | None = None,
        *,
        token: str = "",
        cookie: str = "",
        versions: Callable[[], dict[str, int]] = dict,
    ) -> None:
        self.base = base
        self.reader = reader
        self.recorder = recorder
        self.token = token
        self.cookie = cookie
        self.versions = versions
        self.views: dict[str, Answer] = {}
        self._connection = _connection(base)
        self._used_at = 0.0

    def twin(self, name: str) -> Client:
        """The same person on another connection, under another name; without a seat of the table it looks at."""
        return Client(
            self.base, Reader(name), self.recorder, token=self.token, cookie=self.cookie, versions=self.versions
        )

    def get(self, path: str, *, accept: str = "application/json", **headers: str) -> Answer:
        return self.send("GET", path, accept=accept, **headers)

    def view(self, table: str) -> Answer:
        """The table as this reader may see it; says what it has already, as a page does."""
        path = f"/api/v1/tables/{table}/"
        known = self.views.get(path)
        answer = self.send("GET", path, **({"If-None-Match": known.headers["etag"]} if known else {}))
        if answer.status == 304 and known is not None:
            return known
        assert answer.status == 200, answer.text
        self.views[path] = answer
        return answer

    def post(self, path: str, body: Any = None, **headers: str) -> Answer:
        return self.send("POST", path, body={} if body is None else body, **headers)

    def send(
        self, method: str, path: str, *, body: Any = None, accept: str = "application/json", **headers: str
    ) -> Answer:
        """One request; ``body`` is JSON data, or bytes as they are."""
        sent = {"Accept": accept, "Host": urlsplit(self.base).netloc, **headers}
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        if self.cookie:
            sent["Cookie"] = self.cookie
        payload = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        if payload is not None:
            sent.setdefault("Content-Type", "application/json")
        before = self.versions()
        answer = self._answer(method, path, payload, sent)
        self._keep(f"{method} {path}", answer, before)
        return answer

    def close(self) -> None:
        self._connection.close()

    def _answer(self, method: str, path: str, payload: bytes | None, headers: dict[str, str]) -> Answer:
        if time.monotonic() - self._used_at > IDLE_SECONDS:
            self._connection.close()
        self._used_at = time.monotonic()
        self._connection.request(method, quote(path, safe="/?=&:,%+.-_~"), payload, headers)
        response = self._connection.getresponse()
        raw = response.read().decode("utf-8", "backslashreplace")
        told = {name.lower(): value for name, value in response.getheaders()}
        is_json = told.get("content-type", "").split(";")[0] in JSON_TYPES
        return Answer(response.status, told, raw, json.loads(raw) if is_json and raw else None)

    def _keep(self, what: str, answer: Answer, before: dict[str, int]) -> None:
        if self.recorder is None:
            return
        told = "\n".join([*(f"{name}: {value}" for name, value in answer.headers.items()), "", answer.text])
        versions = {**before, **stated_version(answer.body)}
        self.recorder.keep(Record(self.reader, f"{what} {answer.status}", told, answer.body, versions))


class Listener:
    """A reader's event stream, kept until it is stopped."""

    def __init__(
        self, base: str, reader: Reader, recorder: Recorder, *, token: str, topics: list[str], wanted: str = ""
    ) -> None:
        self.reader = reader
        self.recorder = recorder
        self.wanted = wanted
        self.seen: dict[str, int] = {}
        self.opened = threading.Event()
        self.events = 0
        self._connection = _connection(base)
        self._path = f"/api/v1/stream/?topics={','.join(topics)}"
        self._headers = {"Authorization": f"Bearer {token}", "Accept": "text/event-stream"}
        self._stopping = False
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopping = True
        if self._connection.sock is not None:
            self._connection.sock.shutdown(socket.SHUT_RDWR)
        self._thread.join(timeout=5)
        self._connection.close()

    def _listen(self) -> None:
        try:
            self._connection.request("GET", self._path, headers=self._headers)
            response = self._connection.getresponse()
            told = "\n".join(f"{name}: {value}" for name, value in response.getheaders())
            self._keep(f"stream {response.status}", told, None)
            self.opened.set()
            for name, data in events(response):
                self._keep(f"event {name}", f"event: {name}\ndata: {data}", _json(data))
        except (OSError, ValueError, AttributeError, http.client.HTTPException):
            if not self._stopping:
                raise
        finally:
            self.opened.set()

    def _keep(self, what: str, text: str, body: Any) -> None:
        self.events += 1
        self.seen.update(stated_version(body))
        self.recorder.keep(Record(self.reader, what, text, body, dict(self.seen)))


def events(response: http.client.HTTPResponse) -> Iterator[tuple[str, str]]:
    """The (name, data) of each event of a stream, until it ends."""
    name, data = "message", []
    while line := response.readline():
        text = line.decode().rstrip("\r\n")
        if text.startswith("event:"):
            name = text[6:].strip()
        elif text.startswith("data:"):
            data.append(text[5:].strip())
        elif not text:
            if data or name != "message":
                yield name, "\n".join(data)
            name, data = "message", []


def stated_version(body: Any) -> dict[str, int]:
    """The table and version that a view or a change says it is of."""
    if not isinstance(body, dict) or not isinstance(body.get("version"), int):
        return {}
    table = body.get("table") or str(body.get("topic", "")).removeprefix("table:")
    return {str(table): body["version"]} if table else {}


def wait_until(true: Callable[[], bool], *, seconds: float = 5.0) -> bool:
    """Whether it becomes true in time."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def _connection(base: str) -> http.client.HTTPConnection:
    parts = urlsplit(base)
    assert parts.hostname
    return http.client.HTTPConnection(parts.hostname, parts.port, timeout=60)


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None
