"""After the commit: a move never waits for the broker, and what is told fits."""

from __future__ import annotations

import json
import socket
import time

import psycopg
import pytest
from celery import Celery, current_app
from django.db import connection, transaction

from games import push, services, store, tasks
from games.models import Table
from tests.games import tables
from tests.stack import own_database_url, wait_until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def rested(monkeypatch):
    monkeypatch.setattr(push, "_broker_rests_until", 0.0)


@pytest.fixture
def sent(monkeypatch):
    """The names of tasks that were handed over."""
    names = []
    monkeypatch.setattr(push, "enqueue", lambda name, *args: names.append((name, *args)))
    return names


def broker_at(monkeypatch, port):
    app = Celery("elsewhere", broker=f"redis://127.0.0.1:{port}/0", set_as_current=False)
    app.conf.broker_transport_options = current_app.conf.broker_transport_options
    monkeypatch.setattr(push, "current_app", app)


def test_a_broker_that_refuses_costs_a_move_little_and_then_nothing(monkeypatch):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        broker_at(monkeypatch, closed.getsockname()[1])
    began = time.monotonic()
    assert not push.enqueue("table_changed", "x")
    assert time.monotonic() - began < 1.0
    began = time.monotonic()
    for _ in range(100):
        assert not push.enqueue("table_changed", "x")
    assert time.monotonic() - began < 0.05


def test_a_silent_broker_holds_a_move_up_for_no_longer_than_its_time_out(monkeypatch):
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen(64)
        broker_at(monkeypatch, silent.getsockname()[1])
        began = time.monotonic()
        assert not push.enqueue("table_changed", "x")
        assert time.monotonic() - began < 1.0


def test_the_broker_is_tried_again_after_its_rest(monkeypatch):
    monkeypatch.setattr(push, "BACK_OFF", 0.1)
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        broker_at(monkeypatch, closed.getsockname()[1])
    assert not push.enqueue("table_changed", "x")
    monkeypatch.setattr(push, "current_app", current_app)
    wait_until(lambda: push.enqueue("table_changed", "00000000-0000-0000-0000-000000000000"), seconds=5)


def test_w5_moves_are_stored_while_the_broker_is_away(monkeypatch):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        broker_at(monkeypatch, closed.getsockname()[1])
    table = tables.started(people=2)
    tables.play_round(table, 1)
    assert Table.objects.get(id=table.id).version == 5


def test_celery_hears_of_facts_and_of_who_sits_where_but_not_of_every_tap(sent):
    table = tables.started(people=2)
    assert sent == [("table_changed", str(table.id))]
    tables.play(table, 0, tables.ready())
    assert len(sent) == 1
    tables.play(table, 1, tables.ready())
    tables.command(table, "stop")
    assert len(sent) == 3


def test_w4_nothing_is_told_of_a_move_that_was_rolled_back(sent, monkeypatch):
    table = tables.started(people=2)
    sent.clear()
    told: list[str] = []
    monkeypatch.setattr(store, "notify", told.append)

    def broken(*args, **kwargs):
        raise RuntimeError("after the write")

    monkeypatch.setattr(services.requests, "keep", broken)
    with pytest.raises(RuntimeError):
        tables.command(table, "stop")
    assert (sent, told) == ([], [])
    assert Table.objects.get(id=table.id).status == "active"


def test_a_push_holds_what_everybody_may_see_and_nothing_else():
    table = tables.started(people=2)
    with psycopg.connect(own_database_url(), autocommit=True) as listening:
        listening.execute(f"LISTEN {store.CHANNEL}")
        view = tables.play(table, 0, tables.ready(1, tables.pair(tables.view(table, 0))))
        notice = next(listening.notifies(timeout=5, stop_after=1))
    payload = json.loads(notice.payload)
    assert set(payload) == {"topic", "session", "owner", "version", "now", "status", "public"}
    assert payload["public"] == view["public"]
    assert len(notice.payload.encode()) < push.LARGEST


def test_what_is_not_flushed_leaves_the_connection_durable():
    """NOTIFY and counters ask for no flush for themselves; the next move must have one."""
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit = 'on'")
        store.notify("{}")
        store.count(store.Counter("somebody", "move", 10))
        table = tables.made()
        with transaction.atomic():
            store.lock(table.id, counter=store.Counter("somebody", "move", 10))
            cursor.execute("SELECT current_setting('synchronous_commit')")
            assert cursor.fetchone()[0] == "on"


def test_w3_tasks_run_twice_leave_what_one_run_leaves():
    table = tables.started(people=1, robots=1)
    tables.age(table, 26_000)
    for task in (tasks.sweep, lambda: tasks.robots(str(table.id)), tasks.purge):
        task()
        after_one = tables.snapshot(table)
        task()
        assert tables.snapshot(table) == after_one
    tasks.robots("00000000-0000-0000-0000-000000000000")


def test_the_nightly_check_names_the_first_turn_that_differs(caplog):
    sound, forged, refused = (tables.started(people=2) for _ in range(3))
    for table in (sound, forged, refused):
        tables.played_out(table)
    forged.events.filter(turn=5).update(digest="0" * 64)
    refused.events.filter(turn=4).update(move={"type": "syllables.ready", "round": 7, "cards": []})
    tasks.verify()
    told = [record.getMessage() for record in caplog.records if record.name == "games.tasks"]
    assert told == [
        f"Table {forged.id} does not fold back to its log: turn 5 differs",
        f"Table {refused.id} does not fold back to its log: turn 4 differs",
    ]
