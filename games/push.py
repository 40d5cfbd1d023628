"""What happens after a commit: the hubs and Celery are told. It may be lost or repeated; sweeps repair that."""

from __future__ import annotations

import logging
import time
from typing import Any
from uuid import UUID

import msgspec
from celery import current_app

from games import store

log = logging.getLogger(__name__)

LARGEST = 7_000
"""Bytes of a payload; PostgreSQL refuses 8,000. A larger view is left out, and its readers fetch."""
BACK_OFF = 5.0
"""Seconds without a try after the broker failed: moves must not wait for it."""
_broker_rests_until = 0.0


def announce(topic: str, *, version: int, session: UUID | None, owner: UUID | None, **more: Any) -> None:
    """Send a change to every hub. ``more`` is dropped where it does not fit. Call it after the commit."""
    payload = {
        "topic": topic,
        "session": None if session is None else str(session),
        "owner": None if owner is None else str(owner),
        "version": version,
    }
    text = msgspec.json.encode(payload | more)
    store.notify((text if len(text) <= LARGEST else msgspec.json.encode(payload)).decode())


def enqueue(task: str, *args: str) -> bool:
    """Hand a task to Celery. False when the broker does not take it; nothing else happens then.

    A refused broker would cost 0.7 s a move and a silent one hang it, hence the time-outs and the rest after a failure.
    """
    global _broker_rests_until
    if time.monotonic() < _broker_rests_until:
        return False
    try:
        current_app.send_task(task, args=args, retry=False, ignore_result=True)
    except Exception as error:  # whatever the transport raises: the sweeps do it later
        _broker_rests_until = time.monotonic() + BACK_OFF
        log.warning("Broker does not answer (%s); no try for %s s.", type(error).__name__, BACK_OFF)
        return False
    return True
