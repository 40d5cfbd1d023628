"""Celery: one queue for work, one for the clock, and the one task that follows every change of a table."""

from __future__ import annotations

import logging
import os
import time
from typing import Any

from celery import Celery, signals
from kombu.exceptions import OperationalError

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

BACK_OFF = 5.0
"""Seconds without a try after the broker failed: what is not sent is found by a sweep."""

log = logging.getLogger(__name__)


class App(Celery):
    """Sends without ever holding up who sends: a move must not wait for a broker that is down."""

    quiet_until = 0.0

    def send_task(self, *args: Any, **kwargs: Any) -> Any:
        """None where the broker did not take it."""
        if time.monotonic() < self.quiet_until:
            return None
        try:
            return super().send_task(*args, **kwargs)
        except OperationalError as error:
            self.quiet_until = time.monotonic() + BACK_OFF
            log.warning("The broker does not answer (%s); nothing is sent for %s s.", error, BACK_OFF)
            return None


app = App("wordtable")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["games", "classrooms", "classrooms.sessions", "classrooms.progress"])


@app.task(name="table_changed")
def table_changed(table_id: str) -> None:
    """After a table's commit: let its robots play, then project its facts. Safe to run twice."""
    from classrooms.progress import tasks as progress
    from games import tasks as games

    games.robots(table_id)
    progress.project(table_id)


@signals.celeryd_init.connect
def be_patient(conf: Any, **kwargs: Any) -> None:
    """A worker has time: the short time-outs are for those who send from a request."""
    conf.broker_transport_options = {**conf.broker_transport_options, "socket_timeout": 30, "socket_connect_timeout": 5}
