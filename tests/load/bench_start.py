"""How long ``make run`` takes once its packages are installed."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.config.program import running, wait_until_ready
from tests.load.rows import Row
from tests.stack import free_port


def measure() -> Iterator[Row]:
    """An empty folder first, then the same folder again."""
    folder = Path(tempfile.mkdtemp(prefix="wt-", dir="/tmp"))
    try:
        for name, aim in (("first start, packages installed", "≤ 90"), ("second start", "≤ 8")):
            yield from _start_and_stop(folder / "data", name, aim)
    finally:
        shutil.rmtree(folder)


def _start_and_stop(folder: Path, name: str, aim: str) -> Iterator[Row]:
    began = time.monotonic()
    with running(folder, free_port()) as process:
        wait_until_ready(folder, process)
        yield Row(name, time.monotonic() - began, "s", aim)
        began = time.monotonic()
        process.terminate()
        process.wait(60)
        yield Row(f"stop after the {name.split(',')[0]}", time.monotonic() - began, "s", "≤ 10")
