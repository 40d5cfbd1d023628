"""The private servers, started, killed, frozen and started again for real."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg
import pytest
import redis

from config import embedded, private
from config.embedded import Postgres, Valkey
from config.postgres import database_url
from config.private import Unavailable
from tests.stack import wait_until

pytestmark = pytest.mark.skipif(
    not embedded.can_run_here(), reason="no PostgreSQL or Valkey for this machine comes along"
)


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A short one: pytest's own are too long for sockets."""
    path = Path(tempfile.mkdtemp(prefix="wt-", dir="/tmp"))
    yield path / "data"
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def postgres(folder: Path, said: list[str]) -> Iterator[Postgres]:
    server = Postgres(folder, said.append, patience=1)
    server.start()
    said.clear()
    yield server
    server.stop()


@pytest.fixture
def valkey(folder: Path, said: list[str]) -> Iterator[Valkey]:
    server = Valkey(folder, said.append)
    server.start()
    said.clear()
    yield server
    server.stop()


def query(server: Postgres, text: str) -> list[tuple[object, ...]]:
    with psycopg.connect(database_url(server.data_dir), autocommit=True) as connection:
        cursor = connection.execute(text)
        return list(cursor) if cursor.description else []


def test_a_refused_statement_leaves_no_name_in_the_servers_log(postgres: Postgres) -> None:
    query(postgres, "CREATE TABLE IF NOT EXISTS listed (name text PRIMARY KEY)")
    for _ in range(2):
        with contextlib.suppress(psycopg.errors.UniqueViolation):
            query(postgres, "INSERT INTO listed VALUES ('Zoë Canari')")
    log = (postgres.data_dir / "postgres.log").read_text()
    assert "duplicate key" in log
    assert "Canari" not in log


def postmaster(server: Postgres) -> psutil.Process:
    return psutil.Process(int((server.cluster / "postmaster.pid").read_text().split()[0]))


def valkey_process(server: Valkey) -> psutil.Process:
    return psutil.Process(int(server.pid_file.read_text()))


def kill(process: psutil.Process) -> None:
    process.send_signal(signal.SIGKILL)
    wait_until(lambda: not process.is_running() or process.status() == psutil.STATUS_ZOMBIE)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_what_is_committed_is_on_disk(postgres: Postgres) -> None:
    for setting in ("fsync", "synchronous_commit", "full_page_writes"):
        assert query(postgres, f"SHOW {setting}") == [("on",)]


def test_the_server_listens_on_no_network(postgres: Postgres, valkey: Valkey) -> None:
    assert query(postgres, "SHOW listen_addresses") == [("",)]
    for process in (postmaster(postgres), valkey_process(valkey)):
        assert [c for c in process.net_connections("inet") if c.status == psutil.CONN_LISTEN] == []


def test_its_folders_are_its_owners_alone(postgres: Postgres, folder: Path) -> None:
    assert [mode(path) for path in (folder, postgres.cluster, postgres.sockets)] == [0o700] * 3


def test_the_database_is_utf8_and_sorts_the_same_everywhere(postgres: Postgres) -> None:
    assert query(
        postgres,
        "SELECT datlocprovider, datlocale, pg_encoding_to_char(encoding) FROM pg_database WHERE datname = 'wordtable'",
    ) == [("b", "C.UTF-8", "UTF8")]


def test_a_second_start_finds_the_running_server(postgres: Postgres, said: list[str]) -> None:
    before = postmaster(postgres).pid
    postgres.start()
    assert postmaster(postgres).pid == before
    assert said == []


def test_a_killed_server_recovers_what_was_committed_and_says_so(postgres: Postgres, said: list[str]) -> None:
    query(postgres, "CREATE TABLE IF NOT EXISTS kept (word text)")
    query(postgres, "TRUNCATE kept")
    query(postgres, "INSERT INTO kept VALUES ('magie')")
    kill(postmaster(postgres))
    assert not postgres.answers()
    postgres.start()
    assert query(postgres, "SELECT word FROM kept") == [("magie",)]
    assert any("was killed" in line for line in said)


def test_a_stale_lock_with_the_number_of_a_living_stranger_is_cleared(postgres: Postgres) -> None:
    lock = (postgres.cluster / "postmaster.pid").read_text()
    postgres.stop()
    (postgres.cluster / "postmaster.pid").write_text(lock.replace(lock.split()[0], str(os.getpid()), 1))
    postgres.start()
    assert postgres.answers()
    assert postmaster(postgres).pid != os.getpid()


def test_a_server_that_hangs_is_replaced(postgres: Postgres, said: list[str]) -> None:
    frozen = postmaster(postgres)
    frozen.suspend()
    postgres.start()
    assert postgres.answers()
    assert postmaster(postgres).pid != frozen.pid
    assert any("does not answer" in line for line in said)


def test_a_half_made_cluster_never_counts_as_one(said: list[str]) -> None:
    with tempfile.TemporaryDirectory(prefix="wt-", dir="/tmp") as path:
        server = Postgres(Path(path), said.append)
        (Path(path) / "postgres.new" / "base").mkdir(parents=True)
        server.start()
        try:
            assert server.answers()
        finally:
            server.stop()


def test_a_stop_leaves_nothing_behind(folder: Path, said: list[str]) -> None:
    servers = (Postgres(folder, said.append), Valkey(folder, said.append))
    for server in servers:
        server.start()
    processes = [postmaster(servers[0]), valkey_process(servers[1])]
    for server in servers:
        server.stop()
        server.stop()
    assert not any(server.answers() for server in servers)
    wait_until(lambda: not any(p.is_running() and p.status() != psutil.STATUS_ZOMBIE for p in processes))
    assert list(private.socket_dir(folder).iterdir()) == []


def test_a_killed_valkey_starts_again_and_says_so(valkey: Valkey, said: list[str]) -> None:
    kill(valkey_process(valkey))
    assert not valkey.answers()
    valkey.start()
    assert valkey.answers()
    assert any("was killed" in line for line in said)


def test_a_valkey_that_hangs_is_replaced_and_not_doubled(valkey: Valkey, said: list[str]) -> None:
    frozen = valkey_process(valkey)
    frozen.suspend()
    valkey.start()
    assert valkey.answers()
    assert not frozen.is_running() or frozen.status() == psutil.STATUS_ZOMBIE
    assert any("does not answer" in line for line in said)


def test_a_stale_pid_file_of_valkey_harms_no_stranger(valkey: Valkey) -> None:
    valkey.stop()
    valkey.pid_file.write_text(str(os.getpid()))
    valkey.start()
    assert valkey.answers()


def test_the_broker_speaks_redis(valkey: Valkey) -> None:
    client = redis.Redis(unix_socket_path=str(valkey.socket))
    client.rpush("queue", "a", "b")
    assert client.lrange("queue", 0, -1) == [b"a", b"b"]


def test_crashed_servers_are_revived(postgres: Postgres, valkey: Valkey, said: list[str]) -> None:
    servers = embedded.Servers((postgres, valkey), said.append)
    servers.revive()
    assert said == []
    kill(postmaster(postgres))
    kill(valkey_process(valkey))
    servers.revive()
    assert postgres.answers()
    assert valkey.answers()


def test_sockets_of_a_deep_folder_get_a_short_path(said: list[str]) -> None:
    with tempfile.TemporaryDirectory(prefix="wt-", dir="/tmp") as path:
        deep = Path(path) / ("deep" * 20) / ("deeper" * 10)
        assert len(os.fsencode(private.socket_dir(deep))) < 60
        assert private.socket_dir(deep) != private.socket_dir(deep / "other")
        server = Valkey(deep, said.append)
        server.start()
        try:
            assert server.answers()
        finally:
            server.stop()
            shutil.rmtree(private.socket_dir(deep))


def test_a_folder_that_somebody_else_may_have_laid_is_refused(tmp_path: Path, said: list[str]) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "data").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Unavailable, match="is a link"):
        Valkey(tmp_path / "data", said.append).start()


def test_one_folder_has_one_user_at_a_time(tmp_path: Path) -> None:
    refused = pytest.raises(Unavailable, match=f"Process {os.getpid()} is already using")
    with private.sole_user(tmp_path), refused, private.sole_user(tmp_path):
        pass
    with private.sole_user(tmp_path):
        pass


@pytest.mark.skipif(os.geteuid() != 0, reason="only root needs a namespace")
def test_root_without_namespaces_is_told_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: list[str]
) -> None:
    refusing = tmp_path / "unshare"
    refusing.write_text("#!/bin/sh\nexit 1\n")
    refusing.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    with pytest.raises(Unavailable, match="ordinary user"):
        Postgres(tmp_path / "data", said.append).start()


def test_servers_of_ones_own_are_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://somewhere/else")
    monkeypatch.setenv("REDIS_URL", "redis://somewhere/0")
    assert embedded.needed(tmp_path).servers == ()
    monkeypatch.delenv("REDIS_URL")
    assert [type(server) for server in embedded.needed(tmp_path).servers] == [Valkey]
