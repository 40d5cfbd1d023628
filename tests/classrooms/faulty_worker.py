"""The Celery application with a fault built in: a child of the pool is killed at a given point, so often.

Started by tests only, as ``celery -A tests.classrooms.faulty_worker``; the product holds no hook. FAULT_FOLDER holds
one empty file for each kill that is left to do, named ``<point>-<number>``.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import django

django.setup()

from celery.signals import worker_process_init  # noqa: E402

from classrooms.progress import services  # noqa: E402
from config.celery import app as celery  # noqa: E402

FOLDER = Path(os.environ["FAULT_FOLDER"])
POINTS = ("before_write", "before_commit", "after_write", "after_ack")


def dies(point: str) -> bool:
    """Uses one of the kills of that point up, if there is one left."""
    for path in FOLDER.glob(f"{point}-*"):
        try:
            path.unlink()
        except FileNotFoundError:
            continue
        return True
    return False


def die(point: str) -> None:
    if dies(point):
        os.kill(os.getpid(), signal.SIGKILL)


def dying(function: Callable[..., Any], before: str, after: str) -> Callable[..., Any]:
    """``function`` with a point of death on each side."""

    @wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        die(before)
        result = function(*args, **kwargs)
        die(after)
        return result

    return run


@worker_process_init.connect
def arm(**_kwargs: Any) -> None:
    """In the pool's children only."""
    services._apply = dying(services._apply, "before_write", "before_commit")
    services.project = dying(services.project, "", "after_write")


app = celery
