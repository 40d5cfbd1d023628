"""Celery: one queue for work, one for the clock, and the one task that follows every change of a table."""

from __future__ import annotations

import os
from importlib.util import find_spec

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from django.conf import settings  # noqa: E402

app = Celery("wordtable")
app.conf.update(
    broker_url=settings.REDIS_URL,
    broker_transport_options={
        "global_keyprefix": settings.REDIS_PREFIX,
        "socket_connect_timeout": 0.3,
        "socket_timeout": 0.3,
        "visibility_timeout": 3600,
    },
    broker_connection_retry_on_startup=True,
    task_publish_retry=False,
    task_ignore_result=True,
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_default_queue="work",
    task_routes={"games.tasks.sweep": {"queue": "clock"}},
    worker_prefetch_multiplier=1,
    timezone=settings.TIME_ZONE,
    beat_schedule={
        "sweep": {"task": "games.tasks.sweep", "schedule": 1.0, "options": {"queue": "clock", "expires": 2}},
    },
)
app.autodiscover_tasks(["games", "classrooms"])


@app.task(name="table_changed")
def table_changed(table_id: str) -> None:
    """After a table's commit: let its robots play and its facts be projected. Safe to run twice."""
    for name in ("games.tasks.robots", "classrooms.progress.tasks.project"):
        app.send_task(name, args=[table_id])
