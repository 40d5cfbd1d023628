"""``make bench``: every speed figure in one run, printed as a table; ratios compare things measured side by side.

Each ``bench_*.py`` beside this file has ``measure()``, a generator of ``Row``s.
"""

from __future__ import annotations

import importlib
import os
import platform
import sys
from pathlib import Path

import django

from tests.load.rows import Row

MODULES = ("bench_words", "bench_rules", "bench_tables", "bench_start")


def machine() -> str:
    return f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"


def table(rows: list[Row]) -> str:
    """The rows as a Markdown table."""
    lines = ["| figure | value | aim | holds |", "|---|---|---|---|"]
    lines += [f"| {row.name} | {row.shown} | {row.aim or ''} | {row.verdict} |" for row in rows]
    return "\n".join(lines)


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    chosen = sys.argv[1:] or MODULES
    print(f"Measured on {machine()}.\n")
    for name in chosen:
        if not (Path(__file__).parent / f"{name}.py").exists():
            raise SystemExit(f"There is no benchmark {name}.")
        print(f"### {name}\n\n{table(list(importlib.import_module(f'tests.load.{name}').measure()))}\n", flush=True)


if __name__ == "__main__":
    main()
