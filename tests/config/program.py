"""``make run``'s program as a subprocess."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from tests.servers import ROOT
from tests.stack import wait_until

NOT_PASSED_ON = {"DATABASE_URL", "REDIS_URL", "REDIS_PREFIX", "SECRET_KEY"}


@contextmanager
def running(folder: Path, port: int) -> Iterator[subprocess.Popen[str]]:
    """The program; ended by force when the test has not ended it."""
    env = {name: value for name, value in os.environ.items() if name not in NOT_PASSED_ON}
    process = subprocess.Popen(
        [sys.executable, "-m", "config.run"],
        cwd=ROOT,
        env={**env, "DATA_DIR": str(folder), "PORT": str(port)},
        stdout=(folder.parent / "said").open("w"),
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            process.wait(30)


def said(folder: Path) -> str:
    return (folder.parent / "said").read_text()


def wait_until_ready(folder: Path, process: subprocess.Popen[str]) -> str:
    """What was said; fails with it when the program ends instead."""
    wait_until(lambda: "Wordtable is ready" in said(folder) or process.poll() is not None, seconds=150)
    assert process.poll() is None, said(folder)
    wait_until(lambda: "▀▀▀▀▀▀▀▀" in said(folder))
    return said(folder)


def processes_of(folder: Path) -> list[psutil.Process]:
    """All that work for this folder."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get("DATA_DIR") == str(folder) and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
    return [process for process in found if process.pid != os.getpid()]
