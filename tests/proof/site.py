"""The site inside the test's own process, where a test can plant a fault in it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import uvicorn
from django.db import connections

from config.asgi import Site, on_threads
from config.wsgi import application as django
from games.hub import Hub
from tests.stack import answers, free_port, own_database_url, wait_until

THREADS = 8


@contextmanager
def site_in_this_process() -> Iterator[str]:
    """Its address; web and hub as ``config.asgi`` puts them together, on the test's database.

    No thread keeps a connection, or the test's database could not be dropped.
    """
    port = free_port()
    patch = pytest.MonkeyPatch()
    patch.setitem(connections.settings["default"], "CONN_MAX_AGE", 0)
    application = Site(on_threads(django, threads=THREADS), Hub(own_database_url()))
    options = uvicorn.Config(application, port=port, log_level="warning", lifespan="on", timeout_graceful_shutdown=1)
    server = uvicorn.Server(options)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        wait_until(lambda: answers(port), seconds=20)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(timeout=10)
        patch.undo()
