"""M8: three sends at once of every request that changes something leave the state of one."""

from __future__ import annotations

import secrets
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from drf_spectacular.generators import SchemaGenerator

from tests.proof.classroom import PASSWORD
from tests.proof.recording import Answer, Client
from tests.proof.world import World, everything, world
from tests.stack import Stack

SENDS = 3
Body = Callable[[World], Any]


def nothing(made: World) -> dict[str, Any]:
    """No body is asked for."""
    return {}


@dataclass(frozen=True, slots=True)
class Send:
    """How one operation is sent: in which moment, by whom, with what. ``{}`` in the path are filled from the world."""

    stage: str = "playing"
    by: str = "teacher"
    body: Body = nothing
    ready: Callable[[World], None] = lambda made: None
    robots: str | None = None


def a_reentry_code(made: World) -> None:
    path = f"/api/v1/sessions/{made.ids['session']}/participants/{made.ids['participant']}/reentry/"
    made.reentry = made.teacher.post(path).body["code"]


def a_guest(made: World) -> None:
    """Somebody with a picked name, and a student of the class who has not come."""
    offered = made.stranger.get(f"/api/v1/join/{made.ids['code']}/").body["guests"][0]["key"]
    joined = made.stranger.post("/api/v1/join/", {"code": made.ids["code"], "guest": offered})
    made.ids["participant"] = joined.body["participant"]
    add_a_student(made)


def add_a_student(made: World) -> None:
    path = f"/api/v1/classes/{made.ids['class']}/students/"
    made.spare_student = made.teacher.post(path, {"names": ["Zoé"]}).body["students"][-1]["id"]


def a_late_comer(made: World) -> None:
    """One leaves, a robot takes the seat, and somebody comes who has none."""
    leaver = made.room.people[-1]
    assert leaver.post("/api/v1/me/leave/").status == 204
    a_guest(made)


def a_word(made: World) -> dict[str, Any]:
    view = made.view()
    cards = [view["private"]["hand"][0]["id"], view["public"]["centre"][0]["id"]]
    return {"type": "syllables.ready", "round": 1, "cards": cards}


def credentials(made: World) -> dict[str, Any]:
    made.account.set_password(PASSWORD)
    made.account.save()
    return {"email": made.account.email, "password": PASSWORD}


SENDS_OF: dict[tuple[str, str], Send] = {
    ("post", "teacher-tokens/"): Send("lobby", "stranger", credentials),
    ("delete", "teacher-tokens/"): Send("lobby"),
    ("post", "classes/"): Send("lobby", body=lambda made: {"name": "5a", "names": ["Ana", "Luc"]}),
    ("patch", "classes/{class_id}/"): Send("lobby", body=lambda made: {"name": "6c", "archived": True}),
    ("post", "classes/{class_id}/students/"): Send("lobby", body=lambda made: {"names": ["Zoé", "Ilan"]}),
    ("patch", "students/{student_id}/"): Send("lobby", body=lambda made: {"name": "Anaïs", "mark": "rouge"}),
    ("delete", "students/{student_id}/"): Send("lobby"),
    ("post", "sessions/"): Send("lobby", body=lambda made: {"game": "syllables", "band": "8-10"}),
    ("delete", "sessions/{session_id}/"): Send(),
    ("post", "sessions/{session_id}/start/"): Send("lobby"),
    ("post", "sessions/{session_id}/pause/"): Send(),
    ("post", "sessions/{session_id}/resume/"): Send("paused"),
    ("post", "sessions/{session_id}/extend/"): Send(body=lambda made: {"ms": 30_000}),
    ("post", "sessions/{session_id}/next-round/"): Send("reveal"),
    ("post", "sessions/{session_id}/end/"): Send(),
    ("post", "sessions/{session_id}/lock/"): Send("lobby"),
    ("post", "sessions/{session_id}/unlock/"): Send("lobby"),
    ("post", "sessions/{session_id}/again/"): Send(),
    ("post", "sessions/{session_id}/participants/{participant_id}/remove/"): Send(),
    ("post", "sessions/{session_id}/participants/{participant_id}/link/"): Send(
        "lobby", body=lambda made: {"student": made.spare_student}, ready=a_guest
    ),
    ("post", "sessions/{session_id}/participants/{participant_id}/reentry/"): Send(),
    ("post", "sessions/{session_id}/participants/{participant_id}/seat/"): Send(ready=a_late_comer, robots="easy"),
    ("post", "join/"): Send(
        "lobby", "stranger", lambda made: {"code": made.ids["code"], "student": made.spare_student}, add_a_student
    ),
    ("post", "reentry/"): Send(by="stranger", body=lambda made: {"code": made.reentry}, ready=a_reentry_code),
    ("post", "solo/"): Send("lobby", "stranger", lambda made: {"band": "8-10"}),
    ("post", "me/leave/"): Send(by="seat"),
    ("put", "tables/{table_id}/draft/"): Send(
        by="seat", body=lambda made: {"round": 1, "number": 5, "move": a_word(made)}
    ),
    ("post", "tables/{table_id}/moves/"): Send(by="seat", body=a_word),
    ("post", "tables/{table_id}/commands/"): Send(body=lambda made: {"type": "extend", "seat": None, "ms": 30_000}),
}


def operations() -> Iterator[tuple[str, str]]:
    """All that change something, from the OpenAPI document; the stream's sign of life is outside of it."""
    schema = SchemaGenerator().get_schema(request=None, public=True)
    for path, methods in schema["paths"].items():
        for method in methods:
            if method in ("post", "put", "patch", "delete"):
                yield method, path.removeprefix("/api/v1/")


def test_m8_every_operation_that_changes_something_is_sent_here() -> None:
    assert set(operations()) == set(SENDS_OF)


@pytest.mark.parametrize(("method", "path"), SENDS_OF, ids=lambda part: str(part))
def test_m8_three_sends_at_once_leave_the_state_of_one(stack: Stack, method: str, path: str) -> None:
    once, answers = _difference(stack.url, method, path, sends=1)
    thrice, several = _difference(stack.url, method, path, sends=SENDS)
    assert [answer.status // 100 for answer in answers] == [2], answers[0].text
    assert thrice == once
    assert any(answer.status < 300 for answer in several)
    assert {answer.status // 100 for answer in several} <= {2, 4}, [answer.text for answer in several]


def _difference(base: str, method: str, path: str, *, sends: int) -> tuple[tuple[Any, Any], list[Answer]]:
    send = SENDS_OF[method, path]
    made = world(base, send.stage, robots=send.robots)
    send.ready(made)
    body = send.body(made)
    address = "/api/v1/" + path.format(**{f"{name}_id": value for name, value in made.ids.items()})
    clients = [_twin(made, send.by) for _ in range(sends)]
    key = secrets.token_hex(8)
    before = everything(made.account)
    answers = at_once([_sender(client, method, address, body, key) for client in clients])
    after = everything(made.account)
    return (_sorted(after - before), _sorted(before - after)), answers


def at_once(calls: list[Callable[[], Answer]]) -> list[Answer]:
    """What they answer when all are called at one instant."""
    gate = threading.Barrier(len(calls))
    found: list[Answer] = []

    def run(call: Callable[[], Answer]) -> None:
        gate.wait()
        found.append(call())

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == len(calls)
    return found


def _sender(client: Client, method: str, path: str, body: Any, key: str) -> Callable[[], Answer]:
    return lambda: client.send(method.upper(), path, body=body, **{"Idempotency-Key": key})


def _twin(made: World, by: str) -> Client:
    client: Client = getattr(made, by)
    return client.twin(by)


def _sorted(rows: Counter[Any]) -> list[tuple[str, int]]:
    return sorted((str(row), count) for row, count in rows.items())
