"""What the private servers have in common: a folder of their own, short socket paths, and how a process is known."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import psutil

LONGEST_SOCKET_PATH = 100
"""Bytes; the kernel takes 107 (Linux) or 103 (macOS)."""
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


@contextlib.contextmanager
def sole_user(data_dir: Path) -> Iterator[None]:
    """Holds ``data_dir`` for this process and refuses a second; the lock dies with its holder, however that ends."""
    private_folder(data_dir)
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


def package(name: str) -> Path:
    """The folder of an installed package, which is not imported: these two start things when they are."""
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise Unavailable(f"The package {name} is not installed. {OWN_SERVERS}")
    return Path(next(iter(spec.submodule_search_locations)))


def private_folder(path: Path) -> None:
    """Makes ``path`` for its owner alone; refuses one that somebody else could have put there."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    state = path.lstat()
    if path.is_symlink() or state.st_uid != os.geteuid():
        raise Unavailable(
            f"{path} belongs to somebody else or is a link; remove it, or set DATA_DIR to another folder."
        )
    if state.st_mode & 0o077:
        path.chmod(0o700)


def pid_in(path: Path) -> int | None:
    try:
        return int(path.read_text().split()[0])
    except (OSError, ValueError, IndexError):
        return None


def live(pid: int | None, is_it: Callable[[psutil.Process], bool]) -> psutil.Process | None:
    if pid is None:
        return None
    try:
        process = psutil.Process(pid)
        return process if process.status() != psutil.STATUS_ZOMBIE and is_it(process) else None
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return None


def wait_until(condition: Callable[[], bool], *, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def keep_one_old(log: Path) -> None:
    if log.exists():
        log.replace(log.with_name(f"{log.name}.1"))


def last_lines(text: str, count: int = 4) -> str:
    return " / ".join(line.strip() for line in text.strip().splitlines()[-count:])
