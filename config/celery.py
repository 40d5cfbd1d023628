"""Celery: one queue for work, one for the clock, and the one task that follows every change of a table."""

from __future__ import annotations

import os
from typing import Any

from celery import Celery, signals
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("wordtable")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["games", "classrooms.sessions", "classrooms.progress"])


@app.task(name="table_changed")
def table_changed(table_id: str) -> None:
    """After a table's commit: let its robots play, then project its facts. Safe to run twice."""
    # Imported late: Celery's app exists before Django's models do.
    from classrooms.progress import tasks as progress
    from games import tasks as games

    games.robots(table_id)
    progress.project(table_id)


@signals.celeryd_init.connect
def be_patient(conf: Any, **kwargs: Any) -> None:
    """A worker waits for a slow broker; short time-outs are for those who send out of a request."""
    conf.broker_transport_options = {
        "global_keyprefix": settings.REDIS_PREFIX,
        "socket_connect_timeout": 5,
        "socket_timeout": 30,
    }
