"""Reads a request's whole body before a thread is taken for it; the threads are few and clients may be slow."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any

from config.errors import problem

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

BODY_BYTES = 1_000_000
BODY_SECONDS = 10.0
DRAIN_BYTES = 16_000_000
DRAIN_SECONDS = 2.0
"""What still comes of a body that is refused is taken in and thrown away for so long; else the connection would be
reset under the sender, who then never reads the answer."""


class BodyError(Exception):
    """The body is not worth a thread: the status and code to answer with. ``unread``: more of it may be coming."""

    def __init__(self, status: int, code: str, *, unread: bool = False) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.unread = unread


class ClientGone(Exception):
    """Nobody is left to answer."""


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
            if error.unread:
                await _drain(receive)
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
            raise BodyError(413, "too_large", unread=True)
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
                raise BodyError(413, "too_large", unread=message.get("more_body", False))
            if not message.get("more_body", False):
                return bytes(body)


async def _drain(receive: Receive) -> None:
    drained = 0
    with suppress(TimeoutError):
        async with asyncio.timeout(DRAIN_SECONDS):
            while drained < DRAIN_BYTES:
                message = await receive()
                drained += len(message.get("body", b""))
                if message["type"] == "http.disconnect" or not message.get("more_body", False):
                    return


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
