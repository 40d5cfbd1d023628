"""The service's own processes: started in sessions of their own, started again when they crash, stopped together."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import psutil

STOP_SECONDS = 6.0
RESTART_SECONDS = 5.0
"""A process that dies sooner than this after its start is not started again before it has passed."""

_CELERY = ["celery", "-A", "config", "--quiet"]
_WORKER = ["worker", "--without-gossip", "--without-mingle", "--without-heartbeat", "-l", "INFO"]


def web(port: int, *, host: str = "0.0.0.0") -> list[str]:
    """Hub and Django on one port."""
    options = ["--log-level", "warning", "--no-access-log", "--timeout-graceful-shutdown", "2", "--no-server-header"]
    return ["uvicorn", "config.asgi:application", "--host", host, "--port", str(port), "--lifespan", "on", *options]


def worker(*, name: str = "work") -> list[str]:
    """Everything that is not a sweep."""
    return [*_CELERY, *_WORKER, "-Q", "work", "-c", "2", "-n", f"{name}@%h"]


def clock(*, name: str = "clock") -> list[str]:
    """Sweeps, one at a time."""
    return [*_CELERY, *_WORKER, "-Q", "clock", "-P", "solo", "-n", f"{name}@%h"]


def beat() -> list[str]:
    """Says when to sweep; it keeps nothing on disk."""
    return [*_CELERY, "beat", "-l", "WARNING", "--pidfile="]


class Processes:
    """Modules run by this Python, each writing to ``<name>.log`` in ``folder``.

    Their ids are kept there too, so that the next start finds what a kill has left over.
    """

    def __init__(
        self, commands: Mapping[str, list[str]], *, folder: Path, env: Mapping[str, str], say: Callable[[str], None]
    ) -> None:
        self.commands = commands
        self.folder = folder
        self.register = folder / "processes.json"
        self.env = env
        self.say = say
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.started: dict[str, float] = {}

    def start(self, *names: str) -> None:
        """Starts these, or all, with empty logs; those of the last run are kept as ``<name>.log.1``."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for name in names or self.commands:
            if self.log(name).exists():
                self.log(name).replace(self.folder / f"{name}.log.1")
            self.start_one(name)

    def log(self, name: str) -> Path:
        """What the process writes."""
        return self.folder / f"{name}.log"

    def start_one(self, name: str) -> None:
        """Starts one, or starts it again."""
        with self.log(name).open("ab") as log:
            self.running[name] = subprocess.Popen(
                [sys.executable, "-m", *self.commands[name]],
                env=dict(self.env),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.started[name] = time.monotonic()
        self._remember()

    def revive(self) -> None:
        """Starts again what has ended by itself."""
        for name, process in self.running.items():
            if process.poll() is None or time.monotonic() - self.started[name] < RESTART_SECONDS:
                continue
            self.say(
                f"The process '{name}' has ended (status {process.returncode}, see {self.log(name)}); starting it."
            )
            self.start_one(name)

    def kill(self, name: str) -> None:
        """Ends one process at once and without warning, with its children."""
        _end([psutil.Process(self.running[name].pid)], gently=False)
        self.running[name].wait()

    def stop(self) -> None:
        """Asks all to stop, waits, then forces the rest."""
        _end([found for process in self.running.values() if (found := _process(process.pid))], gently=True)
        for process in self.running.values():
            process.wait()
        self.running.clear()
        self.register.unlink(missing_ok=True)

    def _remember(self) -> None:
        pairs = [(found.pid, found.create_time()) for p in self.running.values() if (found := _process(p.pid))]
        self.register.write_text(json.dumps(pairs))

    def end_leftovers(self) -> None:
        """Ends what a killed run has left."""
        if not self.register.exists():
            return
        pairs = json.loads(self.register.read_text() or "[]")
        # The time of creation tells a leftover from a stranger who has got its number since.
        left = [found for pid, at in pairs if (found := _process(pid)) and abs(found.create_time() - at) < 0.5]
        if left:
            self.say("The service was killed last time; what was left of it is ended first.")
        _end(left, gently=True)


def _process(pid: int) -> psutil.Process | None:
    with contextlib.suppress(psutil.NoSuchProcess):
        return psutil.Process(pid)
    return None


def _end(processes: list[psutil.Process], *, gently: bool) -> None:
    """Ends processes and, where they had to be forced, their children too."""
    family = [child for process in processes for child in _children(process)]
    if gently:
        for process in processes:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.terminate()
        psutil.wait_procs(processes, timeout=STOP_SECONDS)
    for process in [*processes, *family]:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()


def _children(process: psutil.Process) -> list[psutil.Process]:
    with contextlib.suppress(psutil.NoSuchProcess):
        return process.children(recursive=True)
    return []
