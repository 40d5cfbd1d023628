"""Moves per second through HTTP, beside plain DRF + ORM and beside bare psycopg; live updates; memory of streams.

Everything runs on servers of its own with durable commits, in a process that starts them: ``measure`` reads its rows.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any, cast
from uuid import uuid4

from tests.load.rows import Row

ROUNDS = 3
SECONDS = 4.0
TABLES, SEATS = 10, 4
CONNECTIONS = 8
STREAMS = 1_000
WATCHERS = 30
RIVAL_GROUP = "table"


def measure() -> Iterator[Row]:
    """Rows of a run on private servers."""
    from config import embedded, postgres, valkey

    folder = Path(tempfile.mkdtemp(prefix="wt-", dir="/tmp"))
    servers = embedded.Servers((embedded.Postgres(folder, print), embedded.Valkey(folder, print)), print)
    env = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    env |= {"DATA_DIR": str(folder), "ALLOWED_HOSTS": "127.0.0.1", "LOG_LEVEL": "ERROR"}
    env |= {"DATABASE_URL": postgres.database_url(folder), "REDIS_URL": valkey.redis_url(folder)}
    try:
        servers.start()
        command = [sys.executable, "-m", "tests.load.bench_tables"]
        with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for line in process.stdout:
                yield Row(**json.loads(line))
        assert process.returncode == 0, "the benchmark of tables failed"
    finally:
        servers.stop()
        shutil.rmtree(folder, ignore_errors=True)


def main() -> None:
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    settings.ALLOWANCES = {"move": (10**9, 10)}
    call_command("migrate", verbosity=0)
    tell(durability())
    with serving("tests.load.serve") as (port, pid), ExitStack() as rivals:
        tell(few_streams(port))
        rival = rivals.enter_context(serving("tests.load.rival"))[0] if find_spec("channels_redis") else None
        tell(many_streams(port, pid, rival))
    with serving("tests.load.serve") as (port, _):
        tell(moves(port))
    tell(through_django())
    tell(views())


def tell(rows: Iterator[Row]) -> None:
    for row in rows:
        print(json.dumps({"name": row.name, "value": row.value, "unit": row.unit, "aim": row.aim}), flush=True)


@contextmanager
def serving(module: str) -> Iterator[tuple[int, int]]:
    """A web process with that module's application; its port and process id."""
    from config import processes
    from tests.stack import free_port, wait_until

    port = free_port()
    command = [part.replace("config.asgi", module) for part in processes.web(port, host="127.0.0.1")]
    with subprocess.Popen(
        [sys.executable, "-m", *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            wait_until(lambda: listens(port), seconds=60)
            yield port, process.pid
        finally:
            process.terminate()


def durability() -> Iterator[Row]:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('fsync') || current_setting('synchronous_commit')")
        yield Row("fsync and synchronous_commit are on", float(cursor.fetchone()[0] == "onon"), "", "≥ 1")


def moves(port: int) -> Iterator[Row]:
    """Q1, Q3 and the rate with watchers; the kinds take turns, so that the machine's mood is the same for all."""
    from tests.games import tables
    from tests.load.shooting import Hits, shot

    of = [tables.admitted(tables.started(people=SEATS, round_seconds=600)) for _ in range(TABLES)]
    runs: dict[str, list[Hits]] = {"api/v1/tables": [], "plain": []}
    for prefix in runs:
        shot(port, of, connections=CONNECTIONS, seconds=1, prefix=prefix)
    for _ in range(ROUNDS):
        for prefix, hits in runs.items():
            hits.append(shot(port, of, connections=CONNECTIONS, seconds=SECONDS, prefix=prefix))
    ours, plain = runs["api/v1/tables"], runs["plain"]
    yield Row(f"moves through HTTP, {TABLES} tables × {SEATS} seats", _rate(ours), "/s")
    yield Row("the same as plain DRF + ORM", _rate(plain), "/s")
    yield Row("Q1: submit-move throughput against plain DRF + ORM", _rate(ours) / _rate(plain), "×", "≥ 3")
    yield Row("move p50, 8 connections", median(hits.percentile(50) for hits in ours), "ms")
    yield Row("move p95, 8 connections", median(hits.percentile(95) for hits in ours), "ms")
    tail = median(hits.percentile(99) / hits.percentile(50) for hits in ours)
    yield Row("Q3: p99 / p50, 8 connections", tail, "×", "≤ 3")
    yield Row("Q3: errors", sum(hits.errors for hits in ours), "", "≤ 0")
    yield from with_watchers(port)


def _rate(runs: list[Any]) -> float:
    return float(median(hits.rate for hits in runs))


def with_watchers(port: int) -> Iterator[Row]:
    from tests.games import tables
    from tests.load.shooting import shot
    from tests.load.watching import Crowd

    table = tables.admitted(tables.started(people=SEATS, round_seconds=600))
    crowd = Crowd(port, f"table:{table.id}", [strangers_token(table) for _ in range(WATCHERS)])
    hits = shot(port, [table], connections=1, seconds=SECONDS)
    yield Row(f"moves through HTTP, 1 table × {WATCHERS} watchers", hits.rate, "/s")
    yield Row("move p95 with watchers", hits.percentile(95), "ms")
    crowd.close()


def strangers_token(table: Any) -> str:
    from games import passes

    return passes.seat_token(participant=uuid4(), session=table.session, epoch=1)


def through_django() -> Iterator[Row]:
    """Q2: one move's cost in Django's WSGI handler against the same statements by psycopg alone."""
    handler, bare = _django_move(), _bare_move()
    costs: dict[str, list[float]] = {"django": [], "bare": []}
    for _ in range(ROUNDS):
        for name, act in (("django", handler), ("bare", bare)):
            costs[name].append(_cost(act))
    django_ms, bare_ms = median(costs["django"]) * 1e3, median(costs["bare"]) * 1e3
    yield Row("a move in Django's handler", django_ms, "ms")
    yield Row("its statements by bare psycopg", bare_ms, "ms")
    yield Row("Q2: through Django against bare psycopg", django_ms / bare_ms, "×", "≤ 2.5")


def _cost(act: Callable[[], object], times: int = 400) -> float:
    act()
    began = time.perf_counter()
    for _ in range(times):
        act()
    return (time.perf_counter() - began) / times


def _django_move() -> Callable[[], object]:
    from io import BytesIO

    from config.wsgi import application
    from tests.games import tables

    table = tables.admitted(tables.started(people=SEATS, round_seconds=600))
    bodies = [json.dumps(move).encode() for move in (tables.ready(), {"type": "syllables.unready", "round": 1})]
    fixed = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": f"/api/v1/tables/{table.id}/moves/",
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "80",
        "HTTP_AUTHORIZATION": f"Bearer {tables.token(table, 0)}",
        "CONTENT_TYPE": "application/json",
        "wsgi.url_scheme": "http",
    }
    turn = iter(range(10**9))

    def move() -> None:
        body = bodies[next(turn) % 2]
        environ = fixed | {"CONTENT_LENGTH": str(len(body)), "wsgi.input": BytesIO(body)}
        statuses: list[str] = []
        answer = application(environ, cast(Any, lambda status, headers: statuses.append(status)))
        b"".join(answer)
        answer.close()
        assert statuses[0].startswith("200"), statuses

    return move


def _bare_move() -> Callable[[], object]:
    import msgspec
    import psycopg
    from django.conf import settings

    from games import store
    from tests.games import tables

    table = tables.started(people=SEATS, round_seconds=600)
    connection = psycopg.connect(settings.DATABASE_URL, autocommit=True, cursor_factory=psycopg.ClientCursor)
    public = msgspec.json.encode({"topic": f"table:{table.id}", "public": tables.view(table)["public"]}).decode()

    def move() -> None:
        with connection.transaction():
            row = store.TableRow(*connection.execute(store.LOCK.format(how=store.ROW_LOCK), [table.id]).fetchone())
            connection.execute(store.SEATS, [table.id]).fetchone()
            row.version += 1
            event = store.EventRow(row.version, 0, {"type": "syllables.unready", "round": 1}, [], row.now, "0" * 64)
            values = {name: getattr(row, name) for name in row.__struct_fields__}
            values |= {"events": msgspec.json.encode([event]).decode(), "changes": "[]", "ended": False}
            connection.execute(store.WRITE, values)
        connection.execute(store.NOTIFY, [store.CHANNEL, public])

    return move


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


Sender = Callable[[int], None]
"""Tells a version to all streams, as if it had just been committed."""


def sender_of(table: Any) -> Sender:
    from games import push
    from tests.games import tables

    more = {"session": table.session, "owner": table.owner, "now": 0, "public": tables.view(table)["public"]}
    return lambda version: push.announce(f"table:{table.id}", version=version, **more)


def rival_sender(table: Any) -> Sender:
    """The same bytes through a Channels group, from an event loop that keeps its connection."""
    from channels_redis.core import RedisChannelLayer  # type: ignore[import-untyped, import-not-found, unused-ignore]

    from tests.games import tables

    layer = RedisChannelLayer(hosts=[redis_host()])
    loop = asyncio.new_event_loop()
    public = tables.view(table)["public"]

    def send(version: int) -> None:
        data = json.dumps({"topic": f"table:{table.id}", "version": version, "now": 0, "public": public})
        chunk = b"event: change\ndata: " + data.replace('": ', '":').encode() + b"\n\n"
        loop.run_until_complete(layer.group_send(RIVAL_GROUP, {"type": "change", "chunk": chunk}))

    return send


def redis_host() -> dict[str, Any]:
    """The broker as Channels wants it: Celery has its own name for a socket, and redis-py's limits are too small."""
    from django.conf import settings

    address = str(settings.REDIS_URL).replace("redis+socket://", "unix://").partition("?")[0]
    return {"address": address, "socket_timeout": None, "max_connections": 10_000}


def last_after(crowd: Any, send: Sender, version: int) -> float:
    """Milliseconds from the commit to the last stream that has the version."""
    time.sleep(0.06)  # the merge of the change before is over
    began = time.monotonic()
    send(version)
    return float(crowd.reached(version) - began) * 1e3


def crowd_of(port: int, table: Any, size: int) -> Any:
    from tests.load.watching import Crowd

    return Crowd(port, f"table:{table.id}", [strangers_token(table) for _ in range(size)])


def few_streams(port: int) -> Iterator[Row]:
    """N2."""
    from tests.games import tables

    table = tables.started(people=SEATS)
    crowd = crowd_of(port, table, WATCHERS)
    send = sender_of(table)
    times = sorted(last_after(crowd, send, version) for version in range(10, 210))
    yield Row(f"N2: commit to last of {WATCHERS} clients, p50", median(times), "ms", "≤ 10")
    yield Row(f"N2: commit to last of {WATCHERS} clients, p95", times[int(len(times) * 0.95)], "ms", "≤ 50")
    crowd.close()


def many_streams(port: int, pid: int, rival: int | None) -> Iterator[Row]:
    """N1: beside Channels with Redis in the same run, in turns, where they are installed."""
    import psutil

    from tests.games import tables

    table = tables.started(people=SEATS)
    before = psutil.Process(pid).memory_info().rss
    sides = [(crowd_of(port, table, STREAMS), sender_of(table))]
    memory = (psutil.Process(pid).memory_info().rss - before) / STREAMS / 1e3
    if rival is not None:
        sides.append((crowd_of(rival, table, STREAMS), rival_sender(table)))
    times: list[list[float]] = [[] for _ in sides]
    for version in range(300, 315):
        for kept, (crowd, send) in zip(times, sides, strict=True):
            kept.append(last_after(crowd, send, version))
    hub = median(times[0])
    yield Row(f"commit to last of {STREAMS} clients", hub, "ms")
    for others in times[1:]:
        yield Row("the same by Channels with Redis", median(others), "ms")
        yield Row("N1: quicker than Channels with Redis by", median(others) / hub, "×", "≥ 5")
    yield Row("N1: memory of an open stream", memory, "kB", "≤ 30")
    yield Row("N1: clients lost", sides[0][0].lost, "", "≤ 0")
    for crowd, _ in sides:
        crowd.close()


def views() -> Iterator[Row]:
    from games import selectors, services
    from tests.games import tables

    table = tables.started(people=SEATS, round_seconds=600)
    for number in range(1, 8):
        tables.play_round(table, number)
    viewer = tables.viewer(table, 0)
    yield Row(
        "view of a table in round 8, read and built", _cost(lambda: services.view(table.id, viewer)) * 1e3, "ms", "≤ 3"
    )
    row, seats = selectors.reading(table.id)
    built = _cost(lambda: selectors.view_of(row, seats, seats[0])) * 1e3
    yield Row("the same without the database", built, "ms")


if __name__ == "__main__":
    main()
