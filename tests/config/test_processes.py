"""The service's processes on the test's database: they start, are killed, and start again."""

from __future__ import annotations

import os
from pathlib import Path

import httpx
import psutil

from config.celery import app
from config.processes import Processes
from tests.stack import HOST, Stack, answers, free_port, wait_until, web_command

SLEEPER = ["timeit", "-n", "1", "-r", "1", "-s", "import time", "time.sleep(60)"]
"""A module that does nothing for a minute."""


def answering_workers() -> set[str]:
    """Names of the workers that answer a ping."""
    return {name.split("@")[0] for reply in app.control.ping(timeout=0.5) or [] for name in reply}


def test_two_web_processes_and_both_workers_answer(stack: Stack) -> None:
    stack.start_second_web()
    assert [httpx.get(f"{url}/healthz").text for url in stack.urls] == ["ok\n", "ok\n"]
    wait_until(lambda: answering_workers() == {"work", "clock"}, seconds=30)


def test_a_killed_worker_comes_back(stack: Stack) -> None:
    wait_until(lambda: "work" in answering_workers(), seconds=30)
    stack.kill("work")
    stack.start("work")
    wait_until(lambda: "work" in answering_workers(), seconds=30)


def test_a_killed_web_process_comes_back(stack: Stack) -> None:
    stack.kill("web")
    assert not answers(stack.ports["web"])
    stack.start("web")
    assert answers(stack.ports["web"])


def test_a_foreign_host_name_is_refused_and_a_known_one_served(stack: Stack) -> None:
    assert httpx.get(f"{stack.url}/healthz", headers={"Host": HOST}).status_code == 200
    assert httpx.get(f"{stack.url}/j/", headers={"Host": "evil.example"}).status_code == 400


def test_a_broken_body_gets_its_code_from_the_running_site(stack: Stack) -> None:
    response = httpx.post(
        f"{stack.url}/api/v1/join/", content=b'{"code":', headers={"Content-Type": "application/json"}
    )
    assert (response.status_code, response.json()["code"]) == (400, "malformed_json")


def test_a_process_that_ends_by_itself_is_started_again(tmp_path: Path) -> None:
    said: list[str] = []
    service = Processes({"short": ["timeit", "-n", "1", "pass"]}, folder=tmp_path, env=os.environ, say=said.append)
    service.start()
    try:
        first = service.running["short"]
        first.wait(30)

        def restarted() -> bool:
            service.revive()
            return bool(said)

        wait_until(restarted)
        assert service.running["short"].pid != first.pid
        assert "'short' has ended (status 0" in said[0]
    finally:
        service.stop()


def test_what_a_killed_run_has_left_is_ended_at_the_next_start(tmp_path: Path) -> None:
    said: list[str] = []
    left = Processes({"sleeper": SLEEPER}, folder=tmp_path, env=os.environ, say=said.append)
    left.start()
    process = psutil.Process(left.running["sleeper"].pid)
    Processes({}, folder=tmp_path, env=os.environ, say=said.append).end_leftovers()
    wait_until(lambda: not process.is_running() or process.status() == psutil.STATUS_ZOMBIE)
    left.running["sleeper"].wait()
    assert "killed last time" in said[0]


def test_a_stranger_with_a_recycled_number_is_left_alone(tmp_path: Path) -> None:
    me = psutil.Process()
    (tmp_path / "processes.json").write_text(f"[[{me.pid}, {me.create_time() - 100}]]")
    Processes({}, folder=tmp_path, env=os.environ, say=print).end_leftovers()
    assert me.is_running()


def test_a_web_process_stops_within_seconds_though_a_client_holds_its_connection(stack: Stack, tmp_path: Path) -> None:
    port = free_port()
    service = Processes({"web": web_command(port)}, folder=tmp_path, env=stack.processes.env, say=print)
    service.start()
    wait_until(lambda: answers(port), seconds=30)
    with httpx.Client() as client:
        client.get(f"http://127.0.0.1:{port}/healthz")
        service.running["web"].terminate()
        service.running["web"].wait(5)
