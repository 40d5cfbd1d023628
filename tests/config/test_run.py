"""``make run``'s program, as a person starts, stops, kills and repeats it."""

from __future__ import annotations

import re
import shutil
import signal
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import psutil
import pytest

from config import embedded, private
from tests.config.program import processes_of, running, said, wait_until_ready
from tests.stack import answers, free_port, wait_until

pytestmark = [
    pytest.mark.skipif(not embedded.can_run_here(), reason="no PostgreSQL or Valkey for this machine comes along"),
    pytest.mark.xdist_group("run"),
]


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(prefix="wt-", dir="/tmp"))
    yield path / "data"
    shutil.rmtree(path, ignore_errors=True)


def test_it_says_where_to_go_serves_the_lan_and_stops_cleanly(folder: Path) -> None:
    port = free_port()
    with running(folder, port) as process:
        text = wait_until_ready(folder, process)
        login = re.search(r"(\S+@\S+)   (\S+)", text)
        address = re.search(r"Students\s+http://(\S+?):(\d+)/j/(\w+)/\s+code (\w+)", text)
        assert login, text
        assert address, text
        assert address[2] == str(port)
        assert address[3] == address[4]
        page = httpx.get(f"http://{address[1]}:{port}/j/{address[3]}/", follow_redirects=True)
        assert page.status_code == 200
        token = httpx.post(
            f"http://127.0.0.1:{port}/api/v1/teacher-tokens/", json={"email": login[1], "password": login[2]}
        )
        assert token.status_code in (200, 201), token.text
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
    assert processes_of(folder) == []
    assert not embedded.Postgres(folder, print).answers()


def test_a_second_start_makes_nothing_anew_and_shows_the_same_login(folder: Path) -> None:
    login = re.compile(r"\S+@\S+   \S+")
    before, collected = login.search(said(folder)), (folder / "staticfiles" / "staticfiles.json").stat().st_mtime_ns
    with running(folder, free_port()) as process:
        after = login.search(wait_until_ready(folder, process))
    assert before
    assert after
    assert after[0] == before[0]
    assert "Creating" not in said(folder)
    assert (folder / "staticfiles" / "staticfiles.json").stat().st_mtime_ns == collected


def test_a_killed_run_is_cleared_up_by_the_next(folder: Path) -> None:
    port = free_port()
    with running(folder, port) as process:
        wait_until_ready(folder, process)
        process.kill()
        process.wait()
    assert answers(port), "its web process lives on"
    with running(folder, port) as process:
        text = wait_until_ready(folder, process)
        assert "killed last time" in text
    assert processes_of(folder) == []


def test_a_web_process_that_crashes_is_started_again(folder: Path) -> None:
    port = free_port()
    with running(folder, port) as process:
        wait_until_ready(folder, process)
        web = next(p for p in processes_of(folder) if "uvicorn" in p.cmdline())
        web.kill()
        wait_until(lambda: not answers(port))
        wait_until(lambda: answers(port), seconds=90)
        assert "The process 'web' has ended" in said(folder)


def test_a_database_server_that_crashes_is_started_again_under_the_running_site(folder: Path) -> None:
    port = free_port()
    with running(folder, port) as process:
        wait_until_ready(folder, process)
        psutil.Process(int((folder / "postgres" / "postmaster.pid").read_text().split()[0])).kill()
        wait_until(lambda: "Postgres has stopped" in said(folder), seconds=90)
        wait_until(lambda: answers(port), seconds=90)
        assert process.poll() is None


def test_a_second_run_in_the_same_folder_is_refused_with_a_reason(folder: Path) -> None:
    with private.sole_user(folder), running(folder, free_port()) as process:
        assert process.wait(60) == 1
    assert "is already using" in said(folder)


def test_a_port_that_is_taken_gets_a_clear_message(folder: Path) -> None:
    with socket.create_server(("0.0.0.0", 0)) as other:
        port = other.getsockname()[1]
        with running(folder, port) as process:
            assert process.wait(60) == 1
    assert f"Port {port} cannot be used" in said(folder)
    assert f"PORT={port + 1} make run" in said(folder)


def test_a_port_that_is_no_number_gets_a_clear_message(folder: Path) -> None:
    with running(folder, -5) as process:
        assert process.wait(60) == 1
    assert "a number from 1 to 65535" in said(folder)
