"""Tables over HTTP: what a client gets, what it is refused, and that a refusal changes nothing."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from games import requests, services
from games.match import state_of
from games.models import Allowance, Table
from games.rules import game
from games.selectors import reading
from tests.games import tables

pytestmark = pytest.mark.django_db


class Caller:
    """A client with a bearer token, at one table."""

    def __init__(self, table: Table, token: str):
        self.base = f"/api/v1/tables/{table.id}/"
        self.client = Client(enforce_csrf_checks=True)
        self.headers = {"Authorization": f"Bearer {token}"}

    def get(self, path="", **headers):
        return self.client.get(self.base + path, headers=self.headers | headers)

    def post(self, path, body, **headers):
        data = body if isinstance(body, bytes) else json.dumps(body)
        return self.client.post(self.base + path, data, content_type="application/json", headers=self.headers | headers)

    def put(self, path, body):
        return self.client.put(
            self.base + path, json.dumps(body), content_type="application/json", headers=self.headers
        )

    def move(self, body, **headers):
        return self.post("moves/", body, **headers)


@pytest.fixture
def table():
    return tables.admitted(tables.started(people=3))


@pytest.fixture
def pupil(table):
    return Caller(table, tables.token(table, 0))


@pytest.fixture
def teacher(table):
    return Caller(table, tables.teacher_token(table))


def code_of(answer):
    assert answer["Content-Type"] == "application/problem+json"
    return answer.json()["code"]


def test_a_seat_sees_its_view_and_a_304_while_nothing_is_new(table, pupil):
    answer = pupil.get()
    assert answer.status_code == 200
    assert answer["Cache-Control"] == "no-store"
    assert set(answer.json()) == {
        *("table", "session", "game", "band", "language", "status", "version", "seat", "now", "seats"),
        *("public", "private", "actions", "draft", "draft_number", "scores", "outcome"),
    }
    again = pupil.get(**{"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", answer["ETag"])
    assert pupil.get(**{"If-None-Match": f"W/{answer['ETag']}"}).status_code == 304
    pupil.put("draft/", {"round": 1, "number": 1, "move": tables.ready()})
    fresh = pupil.get(**{"If-None-Match": answer["ETag"]})
    assert fresh.status_code == 200
    assert fresh.json()["draft"]["number"] == 1


def test_a_tag_of_one_seat_is_none_of_another(table, pupil):
    tag = pupil.get()["ETag"]
    assert Caller(table, tables.token(table, 1)).get(**{"If-None-Match": tag}).status_code == 200


def test_a_move_answers_the_new_view(table, pupil):
    answer = pupil.move(tables.ready())
    assert (answer.status_code, answer["Cache-Control"]) == (200, "no-store")
    assert answer.json()["public"]["seats"][0]["ready"]
    assert answer.json()["private"]["ready_cards"] == []


def test_the_teacher_pauses_and_resumes_and_a_seat_may_not(table, pupil, teacher):
    assert code_of(pupil.post("commands/", {"type": "pause"})) == "teacher_only"
    assert teacher.post("commands/", {"type": "pause"}).json()["status"] == "paused"
    assert code_of(pupil.move(tables.ready())) == "paused"
    assert teacher.post("commands/", {"type": "resume"}).json()["status"] == "active"


def test_log_replay_and_result_open_after_the_end(table, pupil, teacher):
    for path in ("events/", "replay/"):
        answer = pupil.get(path)
        assert (answer.status_code, code_of(answer)) == (409, "not_over")
    assert pupil.get("result/").json()["outcome"] is None
    teacher.post("commands/", {"type": "stop"})
    assert [event["turn"] for event in pupil.get("events/").json()["events"]] == [1, 2]
    page = teacher.get("events/?limit=1").json()
    assert page["next"] == 1
    rest = teacher.get("events/?limit=1&after=1").json()["events"]
    assert [event["move"]["type"] for event in rest] == ["table.stopped"]
    assert len(teacher.get("events/?limit=0").json()["events"]) == 1
    assert len(pupil.get("replay/").json()["frames"]) == 2
    assert pupil.get("result/").json()["outcome"]["reason"] == "stopped"
    assert Table.objects.get(id=table.id).seed not in str(
        [caller.get(path).content for caller in (pupil, teacher) for path in ("", "events/", "replay/", "result/")]
    )


@pytest.mark.parametrize("query", ["after=-1", "after=x", "limit=1e9", "after=99999999999999999999"])
def test_a_senseless_page_is_refused(teacher, query):
    teacher.post("commands/", {"type": "stop"})
    assert teacher.get(f"events/?{query}").status_code == 400


CASES = {
    "no object": ([], 400, "invalid"),
    "unknown kind": ({"type": "syllables.fly", "round": 1}, 400, "invalid"),
    "no kind": ({"round": 1}, 400, "invalid"),
    "extra field": ({"type": "syllables.ready", "round": 1, "cards": [], "stars": 9}, 400, "invalid"),
    "a house move": ({"type": "next_round"}, 400, "invalid"),
    "round as text": ({"type": "syllables.ready", "round": "1"}, 400, "invalid"),
    "huge number": ({"type": "syllables.ready", "round": 10**30}, 400, "invalid"),
    "nine cards": ({"type": "syllables.ready", "round": 1, "cards": ["a"] * 9}, 400, "invalid"),
    "malformed JSON": (b'{"type": "syllables.ready"', 400, "malformed_json"),
    "not UTF-8": (b'{"type": "\xff"}', 400, "malformed_json"),
    "NUL": (b'{"type": "a\\u0000b"}', 400, "nul_character"),
    "raw NUL": (b'{"type": "a\x00b"}', 400, "nul_character"),
    "lone surrogate": (b'{"type": "\\ud800"}', 400, "malformed_json"),
    "empty": (b" ", 400, "malformed_json"),
    "a thousand deep": (b"[" * 5_000 + b"]" * 5_000, 400, "malformed_json"),
    "1 MB": (b'{"type": "' + b"x" * 1_000_000 + b'"}', 413, "too_large"),
}


@pytest.mark.parametrize("name", CASES)
def test_bad_input_is_answered_by_a_stable_code_and_changes_nothing(table, pupil, name):
    body, status, code = CASES[name]
    before = tables.snapshot(table)
    answer = pupil.move(body)
    assert (answer.status_code, code_of(answer)) == (status, code)
    assert tables.snapshot(table) == before


def bad_moves(table):
    view = tables.view(table, 0)
    other = tables.view(table, 1)["private"]["hand"]
    hand = [card["id"] for card in view["private"]["hand"]]
    centre = [card["id"] for card in view["public"]["centre"]]
    top = view["public"]["exchange"]["top"]["id"]
    swap = {"type": "syllables.swap", "round": 1, "give": hand[0]}
    return {
        "card_not_yours": tables.ready(1, [hand[0], other[0]["id"]]),
        "card_repeated": tables.ready(1, [hand[0], hand[0]]),
        "word_too_short": tables.ready(1, hand[:1]),
        "own_card_needed": tables.ready(1, centre[:2]),
        "exchange_not_playable": tables.ready(1, [hand[0], top]),
        "wrong_round": tables.ready(5),
        "stale_top": {**swap, "top": centre[0]},
        "not_ready": {"type": "syllables.unready", "round": 1},
        "wrong_phase": tables.seen(1),
        "not_allowed": {"type": "leave", "seat": 1},
    }


CODES = (
    *("card_not_yours", "card_repeated", "word_too_short", "own_card_needed", "exchange_not_playable"),
    *("wrong_round", "stale_top", "not_ready", "wrong_phase", "not_allowed"),
)


@pytest.mark.parametrize("code", CODES)
def test_a_refused_move_is_409_with_its_code_and_changes_nothing(table, pupil, code):
    move = bad_moves(table)[code]
    before = tables.snapshot(table)
    answer = pupil.move(move)
    assert (answer.status_code, code_of(answer)) == (409, code)
    assert tables.snapshot(table) == before


def test_a_fourth_hint_is_refused(pupil, teacher, table):
    for number in range(1, 4):
        assert pupil.move({"type": "syllables.hint", "round": number}).status_code == 200
        tables.play_round(table, number)
    assert code_of(pupil.move({"type": "syllables.hint", "round": 4})) == "no_hints_left"


def test_syl_09_a_word_that_is_none_and_a_wrong_split_are_results_and_no_refusals(table, pupil):
    answer = pupil.move(tables.ready(1, tables.pair(tables.view(table, 0))))
    assert answer.status_code == 200
    for seat in (1, 2):
        tables.play(table, seat, tables.ready())
    results = {word["result"] for word in tables.view(table)["public"]["reveal"]["words"]}
    assert results <= {"valid", "word_unknown", "wrong_split", "none"}


def test_a_late_move_is_refused(table, pupil):
    tables.age(table, 130_000)
    assert code_of(pupil.move(tables.ready())) == "too_late"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"round": 1, "number": 1, "move": None, "seat": 2}, 400, "invalid"),
        ({"round": 1}, 400, "invalid"),
        ([1], 400, "invalid"),
        ({"round": 1, "number": -1}, 400, "invalid"),
        ({"round": 1, "number": 2**60}, 400, "invalid"),
        ({"round": 2**40, "number": 1}, 400, "invalid"),
        ({"round": 2, "number": 1}, 409, "too_late"),
        ({"round": 1, "number": 0}, 409, "stale_draft"),
    ],
)
def test_a_bad_draft_is_refused(table, pupil, body, status, code):
    before = tables.snapshot(table)
    answer = pupil.put("draft/", body)
    assert (answer.status_code, code_of(answer)) == (status, code)
    assert tables.snapshot(table) == before


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"type": "fly"}, 400, "invalid"),
        ({"type": "occupy", "seat": 0, "robot_level": "easy"}, 400, "invalid"),
        ({"type": "time_up", "phase": "play:1"}, 400, "invalid"),
        ({"type": "resume"}, 409, "not_paused"),
        ({"type": "next_round"}, 409, "wrong_phase"),
        ({"type": "extend", "seat": 9, "ms": 5}, 409, "unknown_seat"),
        ({"type": "extend", "seat": None, "ms": -5}, 409, "bad_extension"),
        ({"type": "robot_for", "seat": -3, "level": "easy"}, 409, "no_such_seat"),
        ({"type": "robot_for", "seat": 0, "level": "god"}, 409, "unknown_level"),
        ({"type": "verdict", "round": 1, "word": "x", "valid": True}, 409, "wrong_round"),
    ],
)
def test_a_bad_command_is_refused(table, teacher, body, status, code):
    before = tables.snapshot(table)
    answer = teacher.post("commands/", body)
    assert (answer.status_code, code_of(answer)) == (status, code)
    assert tables.snapshot(table) == before


def test_methods_and_media_types_are_checked(pupil):
    assert pupil.get("moves/").status_code == 405
    other = pupil.client.post(pupil.base + "moves/", {"type": "x"}, headers=pupil.headers)
    assert (other.status_code, other["Content-Type"]) == (415, "application/problem+json")


def test_a_stranger_and_a_missing_table_get_the_same_answer(table, pupil):
    other = Caller(tables.admitted(tables.started(people=2)), pupil.headers["Authorization"].split()[1])
    missing = Caller(Table(), pupil.headers["Authorization"].split()[1])
    for path in ("", "events/", "replay/", "result/"):
        answers = [each.get(path) for each in (other, missing)]
        assert [answer.status_code for answer in answers] == [404, 404]
        assert answers[0].json() == answers[1].json()
    assert {each.move(tables.ready()).status_code for each in (other, missing)} == {404}


def test_cookies_need_a_csrf_token_and_bearers_do_not(table):
    browser = Client(enforce_csrf_checks=True)
    browser.cookies["wt_seat"] = tables.token(table, 0)
    base = f"/api/v1/tables/{table.id}/"
    before = tables.snapshot(table)
    for path, body in (("moves/", tables.ready()), ("commands/", {"type": "pause"})):
        answer = browser.post(base + path, json.dumps(body), content_type="application/json")
        assert (answer.status_code, code_of(answer)) == (403, "csrf")
    draft = browser.put(base + "draft/", {"round": 1, "number": 1}, content_type="application/json")
    assert draft.status_code == 403
    assert tables.snapshot(table) == before
    assert Caller(table, tables.token(table, 0)).move(tables.ready()).status_code == 200


def test_m2_a_key_belongs_to_its_actor_and_scope_and_its_first_body(table, pupil):
    move = tables.ready()
    key = {"Idempotency-Key": "one"}
    first = pupil.move(move, **key)
    again = pupil.move(move, **key)
    assert again.content == first.content
    assert again["Idempotent-Replayed"] == "true"
    other = pupil.move(tables.ready(2), **key)
    assert (other.status_code, code_of(other)) == (422, "key_reused")
    neighbour = Caller(table, tables.token(table, 1))
    assert neighbour.move(move, **key).json()["seat"] == 1
    assert [seat for seat, kind in tables.log(table) if kind == "syllables.ready"] == [0, 1]


def test_x_02_a_refusal_is_remembered_too(table, pupil):
    key = {"Idempotency-Key": "early"}
    assert code_of(pupil.move(tables.ready(2), **key)) == "wrong_round"
    tables.play_round(table, 1)
    assert code_of(pupil.move(tables.ready(2), **key)) == "wrong_round"
    assert pupil.move(tables.ready(2)).status_code == 200


@pytest.mark.parametrize("key", ["", "x" * 129, "tab\there"])
def test_a_senseless_key_is_refused(pupil, key):
    answer = pupil.move(tables.ready(), **{"Idempotency-Key": key})
    assert code_of(answer) == "bad_idempotency_key"


def test_keys_are_forgotten_after_a_day(table, pupil):
    from datetime import timedelta

    from games.models import Request

    pupil.move(tables.ready(), **{"Idempotency-Key": "old"})
    assert requests.purge() == 0
    Request.objects.update(at=Request.objects.get().at - timedelta(hours=25))
    assert requests.purge() == 1


def test_case_25_three_answers_in_a_row_are_one_and_the_round_waits_for_the_others(table, pupil):
    answers = [pupil.move(tables.ready(), **{"Idempotency-Key": str(number)}) for number in range(3)]
    assert [answer.status_code for answer in answers] == [200, 409, 409]
    assert {code_of(answer) for answer in answers[1:]} == {"already_ready"}
    assert tables.view(table)["public"]["phase"] == "play"


@pytest.mark.parametrize("phase", ["play", "ready", "reveal", "over"])
def test_case_29_coming_back_twice_in_any_phase_finds_the_same_seat(table, pupil, phase):
    if phase == "over":
        tables.command(table, "stop")
    elif phase != "play":
        for seat in range(3 if phase == "reveal" else 1):
            tables.play(table, seat, tables.ready())
    first, second = pupil.get().json(), pupil.get().json()
    assert first["seat"] == 0
    assert {**first, "now": 0} == {**second, "now": 0}
    assert len(first["private"]["hand"]) == 3


def secrets_of(table, seat):
    row, _ = reading(table.id)
    return game("syllables").secrets(state_of(row), seat)


def test_case_39_the_first_answer_to_each_pupil_holds_no_foreign_card_and_no_seed(table):
    seed = Table.objects.get(id=table.id).seed
    for seat in range(3):
        body = Caller(table, tables.token(table, seat)).get().content.decode()
        assert not [secret for secret in secrets_of(table, seat) | {seed} if secret in body]
    assert secrets_of(table, 0)


def test_case_41_neither_a_swap_nor_its_log_shows_a_card_to_others(table, pupil):
    view = tables.view(table, 1)
    given, top = view["private"]["hand"][0]["id"], view["public"]["exchange"]["top"]["id"]
    tables.play(table, 1, {"type": "syllables.swap", "round": 1, "give": given, "top": top})
    body = pupil.get().content.decode()
    assert not [secret for secret in secrets_of(table, 0) if secret in body]
    assert tables.view(table, 1)["public"]["seats"][1]["swap_used"]
    assert given not in body


def test_a_seat_that_asks_too_often_is_told_to_wait_and_its_neighbour_is_not(table, pupil, monkeypatch):
    monkeypatch.setitem(requests.ALLOWANCES, "move", (3, 60))
    answers = [pupil.move(tables.ready(2)) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [409, 409, 409, 429]
    assert code_of(answers[-1]) == "throttled"
    assert 1 <= int(answers[-1]["Retry-After"]) <= 61
    assert Caller(table, tables.token(table, 1)).move(tables.ready()).status_code == 200
    Allowance.objects.update(since=Allowance.objects.first().since.replace(year=2020))
    assert pupil.move(tables.ready()).status_code == 200


def test_the_moves_of_every_game_are_in_the_schema(client):
    schema = client.get("/api/v1/schema/", {"format": "json"}, headers={"Accept": "application/json"}).content.decode()
    for name in ("/api/v1/tables/{table_id}/moves/", "Move_syllables", "syllables.ready", "TableCommand", "robot_for"):
        assert name in schema


def test_the_teachers_view_has_no_hand(table, teacher):
    view = teacher.get().json()
    assert (view["seat"], view["private"]) == (None, None)
    body = json.dumps(view)
    assert not [secret for secret in secrets_of(table, None) if secret in body]


def test_a_rules_fault_is_no_answer_with_secrets(table, pupil, monkeypatch):
    pupil.client.raise_request_exception = False

    def broken(*args, **kwargs):
        raise RuntimeError("the hand is ma ta ra")

    monkeypatch.setattr(services.Match, "play", broken)
    before = tables.snapshot(table)
    answer = pupil.move(tables.ready())
    assert (answer.status_code, code_of(answer)) == (500, "server_error")
    assert b"ma ta ra" not in answer.content
    assert tables.snapshot(table) == before
