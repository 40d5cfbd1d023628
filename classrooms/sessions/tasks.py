"""Background work on sessions. May be lost, repeated or raced."""

from __future__ import annotations

from celery import shared_task

from classrooms.sessions import services


@shared_task
def sweep() -> None:
    """Deals what a crashed start left, ends what is out of time or has no running table."""
    services.finish_starts()
    services.sweep()


@shared_task
def purge() -> None:
    """Forgets what has been kept long enough."""
    services.purge()
