"""Tasks around tables. Each may be lost, repeated or run in parallel: the row lock and the rows themselves decide."""

from __future__ import annotations

import logging
from datetime import timedelta
from uuid import UUID

from celery import shared_task
from django.utils import timezone

from games import requests, selectors, services

log = logging.getLogger(__name__)

YESTERDAY = timedelta(hours=26)
"""A day and a little: two runs rather meet than leave a gap."""


@shared_task(name="games.tasks.sweep")
def sweep() -> None:
    """Settle every table with something due."""
    services.sweep()


@shared_task(name="games.tasks.robots")
def robots(table_id: str) -> None:
    """Let a table's robots play whose moment has come."""
    services.settle(UUID(table_id))


@shared_task(name="games.tasks.verify")
def verify() -> None:
    """Fold the tables that ended since yesterday anew, and name the first turn that differs."""
    for table_id in selectors.ended_since(timezone.now() - YESTERDAY):
        turn = selectors.differs_at(table_id)
        if turn is not None:
            log.error("Table %s does not fold back to its log: turn %s differs", table_id, turn)


@shared_task(name="games.tasks.purge")
def purge() -> None:
    """Forget answers and counters of yesterday."""
    requests.purge()
