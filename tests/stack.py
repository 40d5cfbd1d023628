"""The whole service as subprocesses, on the test's own database: for browser, race and kill tests."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from django.conf import settings
from django.db import OperationalError, connection
from django.db.backends.base.operations import BaseDatabaseOperations

from config import preparation, processes

HOST = "wordtable.test"
"""A name that is not local to browsers, as in a class: no secure context, no localhost exceptions."""
WORKER_PROCESSES = ("work", "clock", "beat")


def own_database_url() -> str:
    """Address of the database that this test process uses."""
    at = connection.settings_dict
    host = quote(at["HOST"], safe="")
    login = quote(at["USER"]) + (f":{quote(at['PASSWORD'])}" if at["PASSWORD"] else "")
    return f"postgresql://{login}@{host}{':' + str(at['PORT']) if at['PORT'] else ''}/{at['NAME']}"


@dataclass
class Stack:
    """``url``, ``urls``: web processes by address; ``site``: the same port under a name that is not local."""

    processes: processes.Processes
    ports: dict[str, int]

    @property
    def urls(self) -> list[str]:
        return [f"http://127.0.0.1:{port}" for port in self.ports.values()]

    @property
    def url(self) -> str:
        return self.urls[0]

    @property
    def site(self) -> str:
        return f"http://{HOST}:{next(iter(self.ports.values()))}"

    def kill(self, name: str) -> None:
        """SIGKILL to 'web', 'web2', 'work', 'clock' or 'beat'."""
        self.processes.kill(name)

    def start(self, name: str) -> None:
        """Starts a process that was killed or never ran; a web process answers when this returns."""
        self.processes.start_one(name)
        self._wait_for(name)

    def restart(self, name: str) -> None:
        self.kill(name)
        self.start(name)

    def start_second_web(self) -> str:
        """The address of a second web process on the same database."""
        if "web2" not in self.ports:
            self.ports["web2"] = free_port()
            self.processes.commands = {**self.processes.commands, "web2": web_command(self.ports["web2"])}
            self.start("web2")
        return f"http://127.0.0.1:{self.ports['web2']}"

    def log_text(self) -> str:
        """Everything that the processes have written."""
        return "".join(self.processes.log(name).read_text(errors="replace") for name in self.processes.running)

    def mend(self) -> None:
        """Starts again what a test has killed."""
        for name, process in list(self.processes.running.items()):
            if process.poll() is not None:
                self.start(name)

    def _wait_for(self, name: str) -> None:
        if name in self.ports:
            wait_until(lambda: answers(self.ports[name]), seconds=60)


def web_command(port: int) -> list[str]:
    return processes.web(port, host="127.0.0.1")


@contextmanager
def running_stack(folder: Path) -> Iterator[Stack]:
    """One web process, both workers and beat."""
    preparation.collect_static_files()
    port = free_port()
    env = {
        **os.environ,
        "DATABASE_URL": own_database_url(),
        "REDIS_URL": settings.REDIS_URL,
        "REDIS_PREFIX": settings.REDIS_PREFIX,
        "ALLOWED_HOSTS": f"127.0.0.1,localhost,{HOST}",
        "DATA_DIR": str(settings.DATA_DIR),
        "SECRET_KEY": settings.SECRET_KEY,
        "LOG_LEVEL": "INFO",
    }
    commands = {
        "web": web_command(port),
        "work": processes.worker(),
        "clock": processes.clock(),
        "beat": processes.beat(),
    }
    service = processes.Processes(commands, folder=folder, env=env, say=print)
    stack = Stack(service, {"web": port})
    try:
        service.start()
        wait_until(lambda: answers(port), seconds=60)
        yield stack
    finally:
        service.stop()


@contextmanager
def patient_flush() -> Iterator[None]:
    """Emptying the tables between tests may deadlock with a sweep of the running service: it is tried again.

    For every connection: once Playwright's loop runs in this thread, Django opens another than before.
    """
    once = BaseDatabaseOperations.execute_sql_flush

    def repeated(self: BaseDatabaseOperations, sql_list: list[str]) -> None:
        for _ in range(20):
            with suppress(OperationalError):
                once(self, sql_list)
                return
        once(self, sql_list)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseDatabaseOperations, "execute_sql_flush", repeated)
        yield


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def answers(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=5).status_code == 200
    except httpx.HTTPError:
        return False


def wait_until(condition: Callable[[], object], *, seconds: float = 10.0, every: float = 0.05) -> None:
    """Returns as soon as ``condition`` holds; an AssertionError when it does not in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"did not happen within {seconds} s"
        time.sleep(every)
