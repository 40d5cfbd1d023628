"""Background work on evidence. Takes ids, may be lost, repeated or raced."""

from __future__ import annotations

from uuid import UUID

from celery import shared_task

from classrooms.models import SessionTable
from classrooms.progress import services
from classrooms.sessions import services as sessions


@shared_task
def project(table_id: str) -> None:
    """What follows a table's change: its facts become evidence, and a session without a running table is over."""
    row = SessionTable.objects.filter(table=UUID(table_id)).first()
    if row is None:
        return
    services.project(row.table)
    sessions.settle(row.session_id)


@shared_task
def sweep() -> None:
    """Finds what a lost task left."""
    services.sweep()
