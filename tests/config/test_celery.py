"""Senders never wait for a broker, sweeps have a queue of their own, and beat names only what exists."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest
from django.conf import settings

from config.celery import app
from tests.stack import free_port

SEND = """
import time
from config.celery import app
from kombu.exceptions import OperationalError
tries = []
for _ in range(3):
    began = time.monotonic()
    try:
        app.send_task("table_changed", args=["x"], retry=False)
    except OperationalError:
        tries.append(time.monotonic() - began)
print(min(tries))
"""
WITHOUT_TIMEOUTS = 6.0
"""Seconds that Celery's and Redis's own retries take."""


@pytest.fixture
def silent_broker() -> Iterator[int]:
    """Takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def seconds_lost_on(port: int) -> float:
    """The quickest of three tries, since the tests' machine is busy."""
    done = subprocess.run(
        [sys.executable, "-c", SEND],
        env={**os.environ, "REDIS_URL": f"redis://127.0.0.1:{port}/0"},
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return float(done.stdout)


def test_a_broker_that_refuses_costs_a_sender_next_to_nothing() -> None:
    assert seconds_lost_on(free_port()) < WITHOUT_TIMEOUTS / 3


def test_a_broker_that_is_silent_costs_a_sender_next_to_nothing(silent_broker: int) -> None:
    assert 0.2 < seconds_lost_on(silent_broker) < WITHOUT_TIMEOUTS / 3


def test_a_sweep_never_waits_behind_long_work() -> None:
    def queue(task: str) -> str:
        return str(app.amqp.router.route({}, task)["queue"].name)

    assert queue("games.tasks.sweep") == queue("classrooms.progress.tasks.sweep") == "clock"
    assert queue("table_changed") == "work"


def test_beat_names_only_tasks_that_exist() -> None:
    app.loader.import_default_modules()
    assert {entry["task"] for entry in app.conf.beat_schedule.values()} <= set(app.tasks)
    assert "table_changed" in app.tasks


def test_a_tick_that_nobody_took_does_not_pile_up() -> None:
    sweeps = [entry for name, entry in app.conf.beat_schedule.items() if entry["task"].endswith(".sweep")]
    assert sweeps
    assert all(entry["options"]["expires"] <= max(2, entry["schedule"]) for entry in sweeps)
