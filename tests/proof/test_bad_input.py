"""Bad input: each a clear answer with a stable code, nothing changed, and never a 500."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from games.models import Seat, Table, TableEvent
from tests.proof.recording import Answer, Client
from tests.proof.test_double_sends import SENDS_OF, nothing
from tests.proof.world import World, everything, next_round, reveal, world
from tests.stack import Stack
from wordlists.selectors import lexicon

Move = dict[str, Any]


@pytest.fixture
def made(stack: Stack) -> Iterator[World]:
    """Three children at a table, in the first round; whatever a test asks, the log must not have a 500."""
    yield world(stack.url)
    assert "Traceback" not in stack.log_text()


def state_of(made: World) -> Any:
    table = Table.objects.get(id=made.ids["table"])
    seats = list(Seat.objects.filter(table=table).values_list("number", "draft", "draft_number").order_by("number"))
    return table.state, table.version, table.status, seats, TableEvent.objects.filter(table=table).count()


def refused(made: World, move: Move, status: int, code: str, *, client: Client | None = None) -> None:
    """The move gets this answer, and nothing has changed."""
    before = state_of(made)
    answer = made.move(move, client)
    assert (answer.status, answer.code) == (status, code), answer.text
    assert answer.headers["content-type"].startswith("application/problem+json")
    assert state_of(made) == before


def ready(*cards: str, round: int = 1) -> Move:
    return {"type": "syllables.ready", "round": round, "cards": list(cards)}


def hand(made: World, client: Client | None = None) -> list[str]:
    return [card["id"] for card in made.view(client)["private"]["hand"]]


def centre(made: World) -> list[str]:
    return [card["id"] for card in made.view()["public"]["centre"]]


def test_an_unknown_code_opens_nothing(made: World) -> None:
    before = everything(made.account)
    for answer in (
        made.stranger.get("/api/v1/join/XXXXXXX/"),
        made.stranger.post("/api/v1/join/", {"code": "XXXXXXX", "guest": "0-0"}),
        made.stranger.post("/api/v1/reentry/", {"code": "XXXXXX"}),
    ):
        assert (answer.status, answer.code) == (404, "unknown_code"), answer.text
    assert everything(made.account) == before


def test_a_full_session_takes_nobody_more(stack: Stack) -> None:
    made = world(stack.url, "lobby", people=40)
    offered = made.stranger.get(f"/api/v1/join/{made.ids['code']}/").body["guests"][0]["key"]
    before = everything(made.account)
    answer = made.stranger.post("/api/v1/join/", {"code": made.ids["code"], "guest": offered})
    assert (answer.status, answer.code) == (409, "session_full"), answer.text
    assert everything(made.account) == before


def test_a_full_table_has_no_seat_for_a_late_comer(made: World) -> None:
    offered = made.stranger.get(f"/api/v1/join/{made.ids['code']}/").body["guests"][0]["key"]
    late = made.stranger.post("/api/v1/join/", {"code": made.ids["code"], "guest": offered}).body["participant"]
    before = state_of(made)
    answer = made.teacher.post(f"/api/v1/sessions/{made.ids['session']}/participants/{late}/seat/")
    assert (answer.status, answer.code) == (409, "no_robot_seat"), answer.text
    assert state_of(made) == before


def test_a_foreign_card_is_refused(made: World) -> None:
    foreign = hand(made, made.room.people[1])[0]
    refused(made, ready(hand(made)[0], foreign), 409, "card_not_yours")
    refused(made, ready(hand(made)[0], "zzzzzzzz"), 409, "card_not_yours")


def test_a_repeated_card_is_refused(made: World) -> None:
    refused(made, ready(hand(made)[0], hand(made)[0]), 409, "card_repeated")


def test_a_word_of_one_card_is_refused(made: World) -> None:
    refused(made, ready(hand(made)[0]), 409, "word_too_short")


def test_a_word_without_an_own_card_is_refused(made: World) -> None:
    refused(made, ready(*centre(made)[:2]), 409, "own_card_needed")


def test_the_top_of_the_exchange_pile_is_no_part_of_a_word(made: World) -> None:
    top = made.view()["public"]["exchange"]["top"]["id"]
    refused(made, ready(hand(made)[0], top), 409, "exchange_not_playable")


def test_a_wrong_split_is_an_accepted_move_that_earns_nothing(made: World) -> None:
    """Right letters, cut otherwise: the hand is made to hold the two halves of a listed word."""
    table = Table.objects.get(id=made.ids["table"])
    words = lexicon(table.words_hash, "syllables")
    entry = next(entry for entry in words.words if len(entry.split) == 3 and not words.entries(halves(entry.split)))
    seat = made.view()["seat"]
    for card, text in zip(table.state["players"][seat]["hand"], halves(entry.split), strict=False):
        card[1] = text
    Table.objects.filter(id=table.id).update(state=table.state)
    assert made.move(ready(*hand(made)[:2])).status == 200
    for client in made.room.people[1:]:
        answer = made.move(ready(), client)
    (word,) = [word for word in answer.body["public"]["reveal"]["words"] if word["seat"] == seat]
    assert (word["result"], word["stars"]) == ("wrong_split", 0)


def halves(split: tuple[str, ...]) -> tuple[str, str]:
    return split[0] + split[1], split[2]


def test_a_swap_for_a_card_that_is_gone_is_refused_and_may_be_tried_again(made: World) -> None:
    view = made.view()
    top = view["public"]["exchange"]["top"]["id"]
    first = made.room.people[1]
    swap = {"type": "syllables.swap", "round": 1, "give": hand(made, first)[0], "top": top}
    assert made.move(swap, first).status == 200
    refused(made, {**swap, "give": hand(made)[0]}, 409, "stale_top")
    fresh = made.view()["public"]["exchange"]["top"]["id"]
    assert made.move({**swap, "give": hand(made)[0], "top": fresh}).status == 200
    newest = made.view()["public"]["exchange"]["top"]["id"]
    refused(made, {**swap, "give": hand(made)[0], "top": newest}, 409, "swap_used")


def test_a_fourth_hint_is_refused(made: World) -> None:
    for number in (1, 2, 3):
        answer = made.move({"type": "syllables.hint", "round": number})
        assert answer.body["private"]["hints_left"] == 3 - number
        if number == 1:
            refused(made, {"type": "syllables.hint", "round": 1}, 409, "hint_used")
        reveal(made)
        next_round(made)
    refused(made, {"type": "syllables.hint", "round": 4}, 409, "no_hints_left")


def test_a_move_for_a_round_that_is_over_is_refused(made: World) -> None:
    reveal(made)
    refused(made, ready(), 409, "too_late")
    next_round(made)
    refused(made, ready(), 409, "wrong_round")


def test_a_move_after_the_deadline_is_refused_and_changes_no_more_than_the_time_did(made: World) -> None:
    Table.objects.filter(id=made.ids["table"]).update(clock_offset=Table.objects.get().clock_offset - 700_000)
    answer = made.move(ready(hand_before(made), round=1))
    assert answer.status == 409
    assert answer.code in ("too_late", "wrong_round"), answer.text
    words = made.view()["public"]["reveal"]["words"]
    assert {word["result"] for word in words} == {"none"}


def hand_before(made: World) -> str:
    table = Table.objects.get(id=made.ids["table"])
    return str(table.state["players"][0]["hand"][0][0])


def test_a_late_and_a_stale_draft_are_refused(made: World) -> None:
    path = f"/api/v1/tables/{made.ids['table']}/draft/"
    assert made.seat.send("PUT", path, body={"round": 1, "number": 5, "move": ready()}).status == 200
    before = state_of(made)
    for draft, code in (
        ({"round": 1, "number": 5, "move": ready()}, "stale_draft"),
        ({"round": 1, "number": 4, "move": ready()}, "stale_draft"),
        ({"round": 2, "number": 6, "move": ready(round=2)}, "too_late"),
    ):
        answer = made.seat.send("PUT", path, body=draft)
        assert (answer.status, answer.code) == (409, code), answer.text
    assert state_of(made) == before


def test_who_has_no_seat_here_is_refused(stack: Stack, made: World) -> None:
    other = world(stack.url)
    refused(made, ready(), 404, "not_found", client=other.seat)
    refused(made, ready(), 403, "no_seat", client=made.teacher)
    before = state_of(made)
    answer = made.seat.post(f"/api/v1/tables/{made.ids['table']}/commands/", {"type": "pause"})
    assert (answer.status, answer.code) == (403, "teacher_only"), answer.text
    assert state_of(made) == before


NESTED = 50_000
BODIES: dict[str, tuple[bytes, int]] = {
    "cut off": (b'{"type": "syllables.ready", ', 400),
    "empty": (b"", 400),
    "a list": (b"[]", 400),
    "null": (b"null", 400),
    "a string": (b'"syllables.ready"', 400),
    "a number too large": (b'{"type": "syllables.ready", "round": 1e999, "number": 1e999}', 400),
    "an integer too large": (b'{"type": "syllables.seen", "round": %d, "number": %d}' % (10**40, 10**40), 400),
    "NUL": (b'{"type": "syllables.ready", "round": 1, "cards": ["\\u0000", "a"]}', 400),
    "NUL in a key": (b'{"type": "syllables.ready", "round": 1, "\\u0000": 1}', 400),
    "a raw NUL": (b'{"type": "syllables.ready\x00", "round": 1}', 400),
    "half a pair": (b'{"type": "syllables.ready", "round": 1, "cards": ["\\ud800", "a"]}', 400),
    "no UTF-8": (b'{"type": "\xff\xfe"}', 400),
    "deep lists": (b"[" * NESTED + b"]" * NESTED, 400),
    "deep objects": (b'{"a":' * NESTED + b"1" + b"}" * NESTED, 400),
    "deep with NUL": (b'{"a":' * 900 + b'"\\u0000"' + b"}" * 900, 400),
    "an unknown move": (b'{"type": "syllables.win", "round": 1}', 400),
    "a house move": (b'{"type": "void_round"}', 400),
    "another game's move": (b'{"type": "flipcards.draw", "round": 1}', 400),
    "a field too many": (b'{"type": "syllables.seen", "round": 1, "stars": 99}', 400),
    "a field of another kind": (b'{"type": "syllables.seen", "round": "1"}', 400),
    "a megabyte": (json.dumps({"type": "syllables.ready", "cards": ["a" * 40] * 30_000}).encode(), 413),
}


def test_malformed_moves_are_refused(made: World) -> None:
    before = state_of(made)
    for name, (body, status) in BODIES.items():
        answer = made.seat.send("POST", f"/api/v1/tables/{made.ids['table']}/moves/", body=body)
        assert answer.status == status, f"{name}: {answer.text}"
        assert_is_a_clear_answer(answer)
        assert state_of(made) == before, name


WITH_BODY = [operation for operation, send in SENDS_OF.items() if send.body is not nothing]


@pytest.mark.parametrize(("method", "path"), WITH_BODY, ids=str)
def test_every_operation_answers_malformed_bodies_clearly(stack: Stack, method: str, path: str) -> None:
    send = SENDS_OF[method, path]
    made = world(stack.url, send.stage)
    address = "/api/v1/" + path.format(**{f"{name}_id": value for name, value in made.ids.items()})
    client: Client = getattr(made, send.by)
    before = everything(made.account)
    for name, (body, _) in BODIES.items():
        if name == "a house move" and path == "tables/{table_id}/commands/":
            continue  # that is what commands are
        answer = client.send(method.upper(), address, body=body)
        assert answer.status < 500, f"{name}: {answer.text}"
        if answer.status >= 400:
            assert_is_a_clear_answer(answer)
        assert everything(made.account) == before, name
    assert "Traceback" not in stack.log_text()


def assert_is_a_clear_answer(answer: Answer) -> None:
    """A problem with a code that a program can rely on."""
    assert answer.headers["content-type"].startswith("application/problem+json"), answer.headers
    assert answer.code
    assert answer.code == answer.code.lower().replace(" ", "_")
    assert answer.code != "server_error"
