"""Slow, large and odd requests, sent by raw sockets to a real server in front of a few threads."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, cast

import pytest
import uvicorn
from a2wsgi import WSGIMiddleware

from config.bodies import App, WholeBodyFirst
from tests.stack import free_port, wait_until

THREADS = 2
SECONDS = 1.0
CHUNKED = b"POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"


def echo(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Answers with what a WSGI application gets to see."""
    body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    seen = {name: value for name, value in environ.items() if name.startswith(("HTTP_", "CONTENT_", "QUERY"))}
    start_response("200 OK", [("Content-Type", "application/json")])
    return [json.dumps({"seen": seen, "length": len(body)}).encode()]


@contextmanager
def serving(app: App) -> Iterator[int]:
    port = free_port()
    server = uvicorn.Server(
        uvicorn.Config(cast(Any, app), host="127.0.0.1", port=port, log_level="error", lifespan="off")
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    wait_until(lambda: server.started)
    yield port
    server.should_exit = True
    thread.join()


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with serving(WholeBodyFirst(cast(App, WSGIMiddleware(cast(Any, echo), workers=THREADS)), seconds=SECONDS)) as port:
        yield port


def connect(port: int, request: bytes) -> socket.socket:
    client = socket.create_connection(("127.0.0.1", port), timeout=10)
    client.sendall(request)
    return client


def answer(client: socket.socket) -> tuple[int, dict[str, Any]]:
    """Status and JSON body; the server is asked to close the connection."""
    with client, http.client.HTTPResponse(client) as response:
        response.begin()
        return response.status, json.loads(response.read())


def ask(port: int, request: bytes) -> tuple[int, dict[str, Any]]:
    return answer(connect(port, request))


def post(length: int, body: bytes = b"", *more: bytes) -> bytes:
    head = [b"POST /x?q=1 HTTP/1.1", b"Host: a", b"Connection: close", f"Content-Length: {length}".encode(), *more]
    return b"\r\n".join(head) + b"\r\n\r\n" + body


def test_a_whole_body_arrives(port: int) -> None:
    status, told = ask(port, post(5, b"hello"))
    assert (status, told["length"]) == (200, 5)


def test_a_body_in_chunks_arrives_with_its_length(port: int) -> None:
    status, told = ask(port, CHUNKED + b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
    assert (status, told["length"]) == (200, 5)


def test_ten_unfinished_bodies_hold_up_nobody(port: int) -> None:
    with ExitStack() as open_ones:
        for _ in range(10):
            open_ones.enter_context(connect(port, post(100, b"half")))
        began = time.monotonic()
        status, _ = ask(port, post(2, b"ok"))
        assert status == 200
        assert time.monotonic() - began < SECONDS / 2


def test_the_same_bodies_block_threads_that_read_them_themselves() -> None:
    """The control: without the wrapper the last test would fail."""
    with serving(cast(App, WSGIMiddleware(cast(Any, echo), workers=THREADS))) as port, ExitStack() as open_ones:
        for _ in range(10):
            open_ones.enter_context(connect(port, post(100, b"half")))
        client = open_ones.enter_context(connect(port, post(2, b"ok")))
        client.settimeout(SECONDS)
        with pytest.raises(TimeoutError):
            client.recv(1)


def test_a_body_that_does_not_end_is_given_up(port: int) -> None:
    assert ask(port, post(100, b"half")) == (
        408,
        {"type": "about:blank", "title": "Request Timeout", "status": 408, "code": "body_too_slow"},
    )


def test_a_body_announced_too_large_is_refused_unread(port: int) -> None:
    status, told = ask(port, post(1_000_001))
    assert (status, told["code"]) == (413, "too_large")


def test_who_sends_a_large_body_to_its_end_reads_the_refusal(port: int) -> None:
    status, told = ask(port, post(4_000_000, b"x" * 4_000_000))
    assert (status, told["code"]) == (413, "too_large")


def test_a_body_that_grows_too_large_is_refused(port: int) -> None:
    chunk = b"%x\r\n" % 600_000 + b"x" * 600_000 + b"\r\n"
    status, told = ask(port, CHUNKED + chunk + chunk)
    assert (status, told["code"]) == (413, "too_large")


def test_a_megabyte_to_the_byte_is_taken(port: int) -> None:
    status, told = ask(port, post(1_000_000, b"x" * 1_000_000))
    assert (status, told["length"]) == (200, 1_000_000)


def test_a_header_with_an_underscore_cannot_pose_as_another(port: int) -> None:
    _, told = ask(port, post(2, b"ok", b"X_Forwarded_For: 6.6.6.6", b"X-Real: 1"))
    assert "HTTP_X_FORWARDED_FOR" not in told["seen"]
    assert told["seen"]["HTTP_X_REAL"] == "1"


def test_a_query_beyond_ascii_is_refused(port: int) -> None:
    with connect(port, b"GET /?q=\xc3\xa9 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n") as client:
        assert client.recv(12) == b"HTTP/1.1 400"
