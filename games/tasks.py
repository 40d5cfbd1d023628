"""Tasks around tables. Each may be lost, repeated or run in parallel: the row lock and the rows themselves decide."""

from __future__ import annotations

from uuid import UUID

from celery import shared_task

from games import requests, services


@shared_task(name="games.tasks.sweep")
def sweep() -> None:
    """Settle every table with something due."""
    services.sweep()


@shared_task(name="games.tasks.robots")
def robots(table_id: str) -> None:
    """Let a table's robots play whose moment has come."""
    services.settle(UUID(table_id))


@shared_task(name="games.tasks.purge")
def purge() -> None:
    """Forget answers and counters of yesterday."""
    requests.purge()
