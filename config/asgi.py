"""The whole site on one port: the event hub under its own path, Django (WSGI, on threads) everywhere else.

Django's own ASGI handler costs four to ten times WSGI per request; only the long streams need an event loop.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from a2wsgi import WSGIMiddleware

from config.errors import problem
from config.wsgi import application as wsgi
from games.hub import Hub

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

STREAM_PATH = "/api/v1/stream/"
BODY_BYTES = 1_000_000
BODY_SECONDS = 10.0
THREADS = 32


class BodyError(Exception):
    """The body is not worth a thread: the status and code to answer with."""

    def __init__(self, status: int, code: str) -> None:
        super().__init__(code)
        self.status = status
        self.code = code


class ClientGone(Exception):
    """Nobody is left to answer."""


class Site:
    """Sends a request to the hub or to Django, and starts and stops the hub with the server."""

    def __init__(self, django: App, hub: Hub) -> None:
        self.django = django
        self.hub = hub

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1000})
        elif scope["path"].startswith(STREAM_PATH):
            await self.hub(scope, receive, send)
        else:
            await self.django(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        await self.hub.start()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.hub.stop()
        await send({"type": "lifespan.shutdown.complete"})


class WholeBodyFirst:
    """Takes a thread only once the body is there: ten unfinished bodies would otherwise block all of Django.

    Headers with an underscore are dropped, since WSGI could not tell ``X_Real`` from ``X-Real``.
    """

    def __init__(self, app: App, *, limit: int = BODY_BYTES, seconds: float = BODY_SECONDS) -> None:
        self.app = app
        self.limit = limit
        self.seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            body = await self._body(scope, receive)
        except ClientGone:
            return
        except BodyError as error:
            await refuse(send, error.status, error.code)
            return
        waiting = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive_whole() -> Message:
            return waiting.pop() if waiting else await receive()

        await self.app({**scope, "headers": _headers(scope, len(body))}, receive_whole, send)

    async def _body(self, scope: Scope, receive: Receive) -> bytes:
        if not scope["query_string"].isascii():
            raise BodyError(400, "malformed")
        announced = dict(scope["headers"]).get(b"content-length", b"0")
        if announced.isdigit() and int(announced) > self.limit:
            raise BodyError(413, "too_large")
        try:
            async with asyncio.timeout(self.seconds):
                return await self._read(receive)
        except TimeoutError:
            raise BodyError(408, "body_too_slow") from None

    async def _read(self, receive: Receive) -> bytes:
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientGone
            body += message.get("body", b"")
            if len(body) > self.limit:
                raise BodyError(413, "too_large")
            if not message.get("more_body", False):
                return bytes(body)


def _headers(scope: Scope, length: int) -> list[tuple[bytes, bytes]]:
    """What WSGI may see; the length is said even where the body came in chunks, or Django would not read it."""
    kept = [(name, value) for name, value in scope["headers"] if b"_" not in name and name != b"content-length"]
    return [*kept, (b"content-length", str(length).encode())] if length else kept


async def refuse(send: Send, status: int, code: str) -> None:
    """Answers with a problem, and closes a connection on which the rest of a body may still be under way."""
    body = json.dumps(problem(status, code)).encode()
    headers = [
        (b"content-type", b"application/problem+json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


application = Site(WholeBodyFirst(WSGIMiddleware(wsgi, workers=THREADS)), Hub())
