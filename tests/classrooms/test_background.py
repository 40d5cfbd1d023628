"""Background work over the real broker: killed, doubled, lost and raced, it leaves what the logs tell."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import psutil
import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection, transaction

from classrooms.models import Participant, ProgressMark, Session, WordEvidence
from classrooms.progress import services
from classrooms.sessions import services as sessions
from config.celery import app
from games import push
from games.models import Seat, Table, TableEvent
from tests import factories
from tests.classrooms.people import Tutor
from tests.classrooms.playing import play_out
from tests.classrooms.test_joining import in_parallel
from tests.classrooms.test_progress import play_out_from, recount, stored
from tests.classrooms.test_sessions import begun
from tests.stack import own_database_url, wait_until

ROOT = Path(__file__).resolve().parents[2]
KILLS = int(os.environ.get("KILLS", "7"))
"""How often at each of the three points, so twenty-one in all; KILLS=20 for sixty (W1)."""


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    """A real worker with faults built in, and the folder that says which are left to happen."""
    app.control.purge()
    folder = tmp_path / "faults"
    folder.mkdir()
    with faulty_worker(folder, tmp_path / "worker.log") as process:
        yield process, folder


@contextmanager
def faulty_worker(folder: Path, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    env = {
        **os.environ,
        "DATABASE_URL": own_database_url(),
        "REDIS_URL": settings.REDIS_URL,
        "REDIS_PREFIX": settings.REDIS_PREFIX,
        "FAULT_FOLDER": str(folder),
    }
    command = [sys.executable, "-m", "celery", "-A", "tests.classrooms.faulty_worker", "--quiet", "worker"]
    options = ["--without-gossip", "--without-mingle", "--without-heartbeat", "-Q", "work", "-c", "2", "-l", "INFO"]
    with log.open("wb") as out:
        process = subprocess.Popen([*command, *options], cwd=ROOT, env=env, stdout=out, stderr=out)
        try:
            wait_until(lambda: b"ready." in log.read_bytes(), seconds=60)
            yield process
        finally:
            for child in psutil.Process(process.pid).children(recursive=True):
                child.kill()
            process.kill()
            process.wait()


def idle_child(process: subprocess.Popen[bytes]) -> psutil.Process:
    return psutil.Process(process.pid).children()[0]


def everything() -> dict[str, Any]:
    """All that background work may write, without the moments at which it was written."""
    return {
        "tables": sorted(Table.objects.values_list("id", "status", "version", "result")),
        "seats": sorted(Seat.objects.values_list("id", "participant", "robot_level")),
        "events": sorted(TableEvent.objects.values_list("table_id", "turn", "digest")),
        "sessions": sorted(Session.objects.values_list("id", "status", "version")),
        "people": sorted(Participant.objects.values_list("id", "student", "epoch")),
        "evidence": sorted(WordEvidence.objects.values_list("table", "turn", "place", "kind", "word")),
        "marks": sorted(ProgressMark.objects.values_list("table", "turn")),
    }


@pytest.mark.parametrize("point", ["before_write", "before_commit", "after_write"])
def test_w1_a_worker_killed_at_any_point_leaves_what_the_log_tells(
    session: Session, tutor: Tutor, worker: tuple[subprocess.Popen[bytes], Path], point: str
) -> None:
    _process, folder = worker
    pupils = begun(session, tutor, 3)
    play_out(session, pupils, rounds=1)
    wait_until(lambda: stored(session) == recount(session), seconds=60)
    table = session.tables.get().table
    for number in range(KILLS):
        WordEvidence.objects.all().delete()
        ProgressMark.objects.update(turn=0, seating=[])
        (folder / f"{point}-{number}").touch()
        assert push.enqueue("table_changed", str(table))
        wait_until(lambda: not list(folder.iterdir()), seconds=60)
        wait_until(lambda: not services.behind(session.tables.all()), seconds=60)
        assert stored(session) == recount(session)
    call_command("recompute_progress", "--verify")


def test_w1_a_worker_killed_after_it_answered_loses_nothing(
    session: Session, tutor: Tutor, worker: tuple[subprocess.Popen[bytes], Path]
) -> None:
    process, _folder = worker
    pupils = begun(session, tutor, 3)
    for number in range(1, 4):
        play_out_from(session, pupils, number)
        wait_until(lambda: stored(session) == recount(session), seconds=60)
        idle_child(process).kill()
    call_command("recompute_progress", "--verify")


def test_case_83_a_task_delivered_six_times_and_in_parallel_counts_once(
    session: Session, tutor: Tutor, worker: tuple[subprocess.Popen[bytes], Path]
) -> None:
    pupils = begun(session, tutor, 4)
    play_out(session, pupils, rounds=1)
    table = str(session.tables.get().table)
    for _ in range(6):
        assert push.enqueue("table_changed", table)
    wait_until(lambda: waiting() == 0, seconds=60)
    wait_until(lambda: stored(session) == recount(session), seconds=60)
    assert stored(session) == recount(session)
    assert services.verify(UUID(table)) is None


def waiting() -> int:
    """Messages in the queue of work."""
    with app.connection_for_read() as broker:
        return int(broker.default_channel.client.llen("work"))  # type: ignore[attr-defined]


def arguments(name: str, table: str) -> tuple[str, ...]:
    """With what each registered task is run; a new task has to be added here, or the test fails."""
    return {
        "table_changed": (table,),
        "games.tasks.robots": (table,),
        "games.tasks.sweep": (),
        "games.tasks.purge": (),
        "games.tasks.verify": (),
        "classrooms.progress.tasks.project": (table,),
        "classrooms.progress.tasks.sweep": (),
        "classrooms.sessions.tasks.sweep": (),
        "classrooms.sessions.tasks.purge": (),
    }[name]


def own_tasks() -> list[str]:
    app.loader.import_default_modules()
    return sorted(name for name in app.tasks if not name.startswith("celery."))


def test_w3_every_registered_task_has_a_row_here() -> None:
    assert own_tasks()
    for name in own_tasks():
        arguments(name, "x")


@pytest.mark.parametrize("name", own_tasks())
def test_w3_every_task_run_twice_and_in_parallel_leaves_the_same_rows(
    session: Session, tutor: Tutor, name: str
) -> None:
    pupils = begun(session, tutor, 5)
    play_out(session, pupils, rounds=1)
    tutor.post(f"sessions/{session.id}/end/")
    task = app.tasks[name]
    args = arguments(name, str(session.tables.all()[0].table))
    task(*args)
    once = everything()
    task(*args)
    assert everything() == once
    WordEvidence.objects.all().delete()
    ProgressMark.objects.all().delete()
    in_parallel(4, lambda _index: task(*args))
    assert everything() == once


def test_w4_no_message_leaves_an_open_transaction(
    session: Session, tutor: Tutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside: list[bool] = []

    def seen(*_args: Any, **_kwargs: Any) -> bool:
        inside.append(connection.in_atomic_block)
        return True

    monkeypatch.setattr(push, "enqueue", seen)
    monkeypatch.setattr(push.store, "notify", seen)
    pupils = begun(session, tutor, 4)
    play_out(session, pupils, rounds=1)
    pupils[0].post("me/leave/")
    tutor.post(f"sessions/{session.id}/pause/")
    tutor.post(f"sessions/{session.id}/end/")
    assert len(inside) > 20
    assert not any(inside)


def test_w4_a_rollback_sends_nothing(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []
    monkeypatch.setattr(push, "announce", lambda topic, **_more: sent.append(topic))
    with transaction.atomic():
        sessions.join(session.code, guest="1-1")
        sessions.lock(session)
        transaction.set_rollback(True)
    assert sent == []
    assert session.participants.count() == 0
    sessions.lock(session)
    assert sent == [f"session:{session.id}"]


def test_w4_only_one_place_hands_tasks_to_celery() -> None:
    """``games.push.enqueue``, called on commit; never ``.delay(…)`` in the middle of something."""
    calls = [
        (path.relative_to(ROOT).as_posix(), node.func.attr)
        for app_name in ("config", "classrooms", "games", "wordlists")
        for path in sorted((ROOT / app_name).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("delay", "delay_on_commit", "apply_async", "send_task", "apply")
        and not (isinstance(node.func.value, ast.Name) and node.func.value.id in ("game", "self", "rules"))
    ]
    senders = {path for path, attr in calls if attr != "apply"}
    assert senders <= {"games/push.py", "config/celery.py"}


def test_w7_no_task_is_sent_for_later() -> None:
    schedule: dict[str, dict[str, Any]] = settings.CELERY_BEAT_SCHEDULE
    for name, entry in schedule.items():
        assert not {"eta", "countdown"} & set(entry.get("options", {})), name
    for path in (ROOT / "config", ROOT / "classrooms", ROOT / "games"):
        for source in path.rglob("*.py"):
            assert "countdown=" not in source.read_text(encoding="utf-8"), source


def test_w4_a_thousand_tables_made_and_handed_over_are_all_found(
    ana: Any, worker: tuple[subprocess.Popen[bytes], Path], tmp_path: Path
) -> None:
    session = factories.session(ana)
    for number in range(1000):
        with transaction.atomic():
            row = session.tables.create(number=number)
            transaction.on_commit(partial(push.enqueue, "table_changed", str(row.table)), robust=True)
    wait_until(lambda: waiting() == 0, seconds=120)
    log = (tmp_path / "worker.log").read_text(errors="replace")
    assert "DoesNotExist" not in log
    assert "Traceback" not in log


def test_the_worker_ends_a_session_whose_last_round_is_over(
    session: Session, tutor: Tutor, worker: tuple[subprocess.Popen[bytes], Path]
) -> None:
    pupils = begun(session, tutor, 2)
    play_out(session, pupils)
    wait_until(lambda: Session.objects.get(id=session.id).status == "over", seconds=5)
    wait_until(lambda: not services.behind(session.tables.all()), seconds=5)
    assert stored(session) == recount(session)
