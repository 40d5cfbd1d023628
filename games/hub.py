"""The event hub: one stream per page, many topics, fed by PostgreSQL's NOTIFY. Raw ASGI, and no query per client.

A push carries a version and what everybody may see; a seat's own part is fetched by its owner. A stream that opens,
or whose hub has lost its ears for a while, is told to ``resync``; pings carry each topic's version, so that a lost
push is noticed. Without ears the hub neither pings nor opens streams, and pages fall back to polling.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any

import msgspec
import psycopg
from django.conf import settings

from games import askers
from games.askers import Pass
from games.presence import Presence
from games.store import CHANNEL

log = logging.getLogger(__name__)

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

APPLICATION = "wordtable hub"
"""How the hub's connections are called in pg_stat_activity."""
MERGE_SECONDS = 0.04
PING_SECONDS = 4.0
START_SECONDS = 5.0
SLOW_SECONDS = 10.0
"""A client whose network takes nothing for so long is dropped; it comes back and fetches."""
MOST_STREAMS_EACH = 8
MOST_STREAMS = 5_000
MOST_NAMES = 50_000
_STREAM_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
]
RESYNC = b"retry: 1000\nevent: resync\ndata: {}\n\n"
CLOSE = b"event: close\ndata: {}\n\n"


class Payload(msgspec.Struct):
    """What NOTIFY carries."""

    topic: str
    session: str | None = None
    owner: str | None = None
    version: int = 0
    now: int | None = None
    status: str | None = None
    public: msgspec.Raw = msgspec.Raw()
    participant: str | None = None
    epoch: int | None = None


class Topic:
    """The streams of a topic, and its newest version."""

    __slots__ = ("clients", "owner", "session", "version")

    def __init__(self) -> None:
        self.clients: set[Client] = set()
        self.version: int | None = None
        self.session: str | None = None
        self.owner: str | None = None


class Client:
    """One open stream. At most one chunk per topic waits here: a newer one takes its place."""

    __slots__ = ("farewell", "flushed_at", "flusher", "holder", "pending", "send", "task", "topics")

    def __init__(self, holder: Pass, topics: tuple[str, ...], send: Send, task: asyncio.Task[Any]) -> None:
        self.holder = holder
        self.topics = topics
        self.send = send
        self.task = task
        self.pending: dict[str, bytes] = {}
        self.flusher: asyncio.Task[None] | None = None
        self.flushed_at = 0.0
        self.farewell = b""

    def push(self, slot: str, chunk: bytes) -> None:
        """Send soon: at once where nothing was sent lately, else merged with what else comes within 40 ms."""
        self.pending[slot] = chunk
        if self.flusher is None:
            self.flusher = asyncio.get_running_loop().create_task(self._flush())

    def drop(self, farewell: bytes = b"") -> None:
        """End the stream; its request then finishes. Without CLOSE as farewell the page comes back by itself."""
        self.farewell = farewell
        self.task.cancel()

    async def _flush(self) -> None:
        try:
            while self.pending:
                wait = self.flushed_at + MERGE_SECONDS - time.monotonic()
                if wait > 0:
                    await asyncio.sleep(wait)
                chunk = b"".join(self.pending.values())
                self.pending.clear()
                async with asyncio.timeout(SLOW_SECONDS):
                    await self.send({"type": "http.response.body", "body": chunk, "more_body": True})
                self.flushed_at = time.monotonic()
        except Exception:  # too slow, or gone: the end of its stream is all there is to do
            self.drop()
        finally:
            self.flusher = None


class Hub:
    """An ASGI application for ``/api/v1/stream/`` and ``/api/v1/stream/seen/``, with ``start`` and ``stop``."""

    def __init__(self, dsn: str | None = None) -> None:
        self.dsn = dsn
        self._hears = asyncio.Event()
        self.topics: dict[str, Topic] = {}
        self.clients: dict[Client, None] = {}
        self.presence = Presence()
        self._dead: dict[str, int] = {}
        self._owners: dict[str, str | None] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._mouth = Mouth(self._address)

    async def start(self) -> None:
        """Listen and ping until ``stop``. Returns when the hub hears, or goes on trying without being waited for."""
        if not self._tasks:
            self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._ping())]
        with suppress(TimeoutError):
            async with asyncio.timeout(START_SECONDS):
                await self._hears.wait()

    @property
    def listening(self) -> bool:
        """Whether changes are heard at all."""
        return self._hears.is_set()

    async def stop(self) -> None:
        """End every stream, then the hub's own work."""
        for client in list(self.clients):
            client.drop()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []
        await self._mouth.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert scope["type"] == "http"
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        holder = askers.holder(headers, scope["query_string"])
        path = scope["path"].rstrip("/")
        if askers.is_foreign(headers):
            await _problem(send, 403, "foreign_origin")
        elif holder is None or holder.epoch < self._dead.get(holder.id, 0):
            await _problem(send, 401, "sign_in")
        elif path.endswith("/stream") and scope["method"] == "GET":
            await self._stream(scope, receive, send, holder)
        elif path.endswith("/stream/seen") and scope["method"] == "POST":
            await self._seen(send, holder)
        else:
            known = path.endswith(("/stream", "/stream/seen"))
            await _problem(send, *((405, "method_not_allowed") if known else (404, "not_found")))

    async def _stream(self, scope: Scope, receive: Receive, send: Send, holder: Pass) -> None:
        topics = askers.topics(scope["query_string"])
        if topics is None:
            await _problem(send, 400, "bad_topics")
            return
        if not self.listening or len(self.clients) >= MOST_STREAMS:
            await _problem(send, 503, "no_stream", retry_after=5)
            return
        task = asyncio.current_task()
        assert task is not None
        client = Client(holder, topics, send, task)
        await send({"type": "http.response.start", "status": 200, "headers": _STREAM_HEADERS})
        self._add(client)
        try:
            client.push("", RESYNC + self._present_for(client))
            while (await receive())["type"] != "http.disconnect":
                pass
        except asyncio.CancelledError:
            with suppress(Exception):
                async with asyncio.timeout(1):
                    await send({"type": "http.response.body", "body": client.farewell, "more_body": False})
        finally:
            self._remove(client)

    async def _seen(self, send: Send, holder: Pass) -> None:
        if holder.session is not None:
            self._learn_owner(holder)
            if self.presence.worth_telling(holder.id):
                seen = {"topic": "seen", "session": holder.session, "participant": holder.id, "owner": holder.owner}
                self._hear(msgspec.convert(seen, Payload))
                await self._mouth.say(msgspec.json.encode(seen).decode())
        await send({"type": "http.response.start", "status": 204, "headers": [(b"cache-control", b"no-store")]})
        await send({"type": "http.response.body", "body": b""})

    def _add(self, client: Client) -> None:
        same = [other for other in self.clients if other.holder.id == client.holder.id]
        if len(same) >= MOST_STREAMS_EACH:
            same[0].drop(CLOSE)
        self.clients[client] = None
        self._learn_owner(client.holder)
        for name in client.topics:
            self.topics.setdefault(name, Topic()).clients.add(client)

    def _remove(self, client: Client) -> None:
        self.clients.pop(client, None)
        if client.flusher is not None:
            client.flusher.cancel()
        for name in client.topics:
            topic = self.topics.get(name)
            if topic is not None:
                topic.clients.discard(client)
                if not topic.clients:
                    del self.topics[name]

    async def _listen(self) -> None:
        pause = 0.2
        while True:
            try:
                await self._hear_until_broken()
                pause = 0.2
            except (psycopg.Error, OSError) as error:
                log.warning("The hub lost its connection (%s).", type(error).__name__)
            self._hears.clear()
            await asyncio.sleep(pause)
            pause = min(pause * 2, 3.0)

    async def _hear_until_broken(self) -> None:
        async with await _connect(self._address()) as connection:
            await connection.execute(f"LISTEN {CHANNEL}")
            self._hears.set()
            for client in self.clients:
                client.push("", RESYNC)
            while True:
                async for notice in connection.notifies(timeout=10):
                    with suppress(msgspec.MsgspecError):
                        self._hear(msgspec.json.decode(notice.payload, type=Payload))
                await connection.execute("SELECT 1")

    def _hear(self, payload: Payload) -> None:
        if payload.session is not None and payload.owner is not None:
            _remember(self._owners, payload.session, payload.owner)
        kind, _, name = payload.topic.partition(":")
        if kind == "seen":
            if payload.session is not None and payload.participant is not None:
                self._tell_presence(self.presence.hear(payload.session, payload.participant))
        elif kind == "close":
            self._close(name, payload)
        else:
            self._change(payload)

    def _change(self, payload: Payload) -> None:
        topic = self.topics.get(payload.topic)
        if topic is None or (topic.version is not None and payload.version < topic.version):
            return
        topic.version, topic.session, topic.owner = payload.version, payload.session, payload.owner
        data = {"topic": payload.topic, "version": payload.version, "now": payload.now, "status": payload.status}
        if payload.public:
            data["public"] = payload.public
        chunk = _event("change", data)
        for client in topic.clients:
            if client.holder.may_hear(payload.session, payload.owner):
                client.push(payload.topic, chunk)

    def _close(self, name: str, payload: Payload) -> None:
        """Whoever was sent away, or erased, or whose session is over: passes of earlier epochs are dead."""
        epoch = 2**31 if payload.epoch is None else payload.epoch
        _remember(self._dead, name, max(epoch, self._dead.get(name, 0)))
        if payload.session is not None:
            self._tell_presence(self.presence.forget(payload.session, name))
        for client in list(self.clients):
            if client.holder.id == name and client.holder.epoch < epoch:
                client.drop(CLOSE)

    async def _ping(self) -> None:
        while True:
            await asyncio.sleep(PING_SECONDS)
            for session in self.presence.expire():
                self._tell_presence(session)
            if not self.listening:
                continue
            at = int(time.time() * 1000)
            for client in list(self.clients):
                client.push("ping", _event("ping", {"versions": self._versions_for(client), "at": at}))

    def _versions_for(self, client: Client) -> dict[str, int]:
        found = {}
        for name in client.topics:
            topic = self.topics[name]
            if topic.version is not None and client.holder.may_hear(topic.session, topic.owner):
                found[name] = topic.version
        return found

    def _tell_presence(self, session: str | None) -> None:
        topic = self.topics.get(f"session:{session}")
        if session is None or topic is None:
            return
        chunk = self._presence_chunk(session)
        for client in topic.clients:
            if client.holder.may_hear(session, self._owners.get(session)):
                client.push(f"presence:{session}", chunk)

    def _learn_owner(self, holder: Pass) -> None:
        """A seat's pass names its session's teacher, to whom presence may then be told."""
        if holder.session is not None and holder.owner is not None:
            _remember(self._owners, holder.session, holder.owner)

    def _present_for(self, client: Client) -> bytes:
        sessions = [name.partition(":")[2] for name in client.topics if name.startswith("session:")]
        heard = [each for each in sessions if client.holder.may_hear(each, self._owners.get(each))]
        return b"".join(self._presence_chunk(each) for each in heard)

    def _presence_chunk(self, session: str) -> bytes:
        return _event("presence", {"session": session, "present": self.presence.of(session)})

    def _address(self) -> str:
        return self.dsn or settings.DATABASE_DIRECT_URL


class Mouth:
    """The hub's second connection, for what it has to tell the other hubs."""

    def __init__(self, address: Callable[[], str]) -> None:
        self._address = address
        self._connection: psycopg.AsyncConnection[Any] | None = None
        self._lock = asyncio.Lock()

    async def say(self, payload: str) -> None:
        """Lost when the database is away; signs of life come again."""
        async with self._lock:
            try:
                if self._connection is None or self._connection.closed:
                    self._connection = await _connect(self._address())
                await self._connection.execute("SELECT pg_notify(%s, %s)", [CHANNEL, payload])
            except (psycopg.Error, OSError):
                await self.close()

    async def close(self) -> None:
        if self._connection is not None:
            with suppress(psycopg.Error, OSError):
                await self._connection.close()
        self._connection = None


def _remember(names: dict[str, Any], name: str, value: Any) -> None:
    """Keep the newest few thousand names; what is forgotten is also refused, or learnt anew, elsewhere."""
    names.pop(name, None)
    names[name] = value
    if len(names) > MOST_NAMES:
        del names[next(iter(names))]


async def _connect(address: str) -> psycopg.AsyncConnection[Any]:
    return await psycopg.AsyncConnection.connect(
        address,
        autocommit=True,
        application_name=APPLICATION,
        connect_timeout=5,
        keepalives_idle=5,
        keepalives_interval=2,
        keepalives_count=3,
    )


def _event(name: str, data: dict[str, Any]) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (name.encode(), msgspec.json.encode(data))


async def _problem(send: Send, status: int, code: str, *, retry_after: int | None = None) -> None:
    body = msgspec.json.encode({"type": "about:blank", "title": code, "status": status, "code": code})
    headers = [(b"content-type", b"application/problem+json"), (b"cache-control", b"no-store")]
    if retry_after is not None:
        headers.append((b"retry-after", str(retry_after).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
