"""Races on real PostgreSQL through the running service: nothing lost, nothing doubled, and the lock is why."""

from __future__ import annotations

import json
from collections import Counter
from functools import partial
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, connections, transaction

from games import services, store
from games.engine.contract import IllegalMove
from games.models import Allowance, Request, Seat, TableEvent
from tests.games import race, tables
from tests.stack import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


def in_thread(act):
    """``act`` with a database connection that is closed after it: threads of a test have their own."""

    def run():
        try:
            return act()
        finally:
            connections.close_all()

    return run


def a_game(clients):
    return [tables.admitted(tables.started(people=size)) for size in race.sizes(clients)]


def test_m1_32_clients_play_50_rounds_at_once_and_nothing_is_lost_or_doubled(stack):
    played = 0
    while played < 50:
        rounds = min(8, 50 - played)
        report = race.raced(stack.url, a_game(32), rounds=rounds)
        assert report.broken == []
        assert report.statuses == {200: 32 * 2 * rounds}
        played += rounds


def test_m3_the_same_race_without_the_lock_fails(live_server, monkeypatch):
    """The control: a test that could not fail would prove nothing."""
    monkeypatch.setattr(store, "ROW_LOCK", "")
    failures = 0
    for _ in range(20):
        report = race.raced(live_server.url, a_game(12), rounds=1)
        failures += bool(report.broken or report.server_errors)
        if failures:
            break
    assert failures, "twenty races without the lock, and nothing went wrong"


def test_m2_one_key_sent_20_times_in_parallel_has_one_effect(stack):
    table = a_game(3)[0]
    people = [race.Player(stack.url, table, 0) for _ in range(20)]
    send = {"Idempotency-Key": "the same"}
    answers = race.at_once([partial(p.call, "POST", "moves/", tables.ready(), **send) for p in people])
    assert Counter(answers) == {answers[0]: 20}
    assert answers[0][0] == 200
    assert tables.log(table)[1:] == [(0, "syllables.ready")]
    assert Request.objects.count() == 1
    status, body = people[0].call("POST", "moves/", tables.ready(2), **send)
    assert (status, json.loads(body)["code"]) == (422, "key_reused")


def test_m2_a_key_is_known_after_a_restart_of_the_server(stack):
    table = a_game(2)[0]
    send = {"Idempotency-Key": "over the restart"}
    first = race.Player(stack.url, table, 0).call("POST", "moves/", tables.ready(), **send)
    stack.restart("web")
    assert race.Player(stack.url, table, 0).call("POST", "moves/", tables.ready(), **send) == first
    assert tables.log(table)[1:] == [(0, "syllables.ready")]


def test_m4_two_take_the_last_seat_and_one_has_it():
    table = tables.started(people=2, robots=1)
    takers = [uuid4(), uuid4()]
    results = race.at_once(
        [in_thread(lambda who=who: services.take_seat(table.id, number=2, participant=who)) for who in takers]
    )
    refusals = [result for result in results if result is not None]
    assert [error.code for error in refusals] == ["seat_taken"]
    assert table.seats.get(number=2).participant == takers[results.index(None)]


def test_case_27_one_who_takes_a_seat_ten_times_at_once_has_one_seat():
    table = tables.started(people=2, robots=1)
    who = uuid4()
    act = in_thread(lambda: services.take_seat(table.id, number=2, participant=who))
    assert race.at_once([act] * 10) == [None] * 10
    assert Seat.objects.filter(participant=who).count() == 1
    assert [kind for _, kind in tables.log(table)].count("table.taken") == 1


def test_m4_two_swap_for_the_same_card_and_one_gets_it():
    table = tables.started(people=2)
    views = [tables.view(table, seat) for seat in (0, 1)]

    def swap(seat):
        view = views[seat]
        give, top = view["private"]["hand"][0]["id"], view["public"]["exchange"]["top"]["id"]
        return tables.play(table, seat, {"type": "syllables.swap", "round": 1, "give": give, "top": top})

    results = race.at_once([in_thread(lambda seat=seat: swap(seat)) for seat in (0, 1)])
    refusals = [result for result in results if isinstance(result, IllegalMove)]
    assert [error.code for error in refusals] == ["stale_top"]
    top = views[0]["public"]["exchange"]["top"]["id"]
    loser = results.index(refusals[0])
    hands = [{card["id"] for card in tables.view(table, seat)["private"]["hand"]} for seat in (0, 1)]
    assert [top in hand for hand in hands] == [loser == 1, loser == 0]


def test_x_03_twenty_sweeps_at_once_act_once():
    table = tables.started(people=2, robots=1)
    tables.age(table, 121_500)
    results = race.at_once([in_thread(services.sweep) for _ in range(20)])
    assert not [result for result in results if isinstance(result, Exception)]
    wait_until(lambda: (-1, "time_up") in tables.log(table))
    services.sweep()
    assert [kind for _, kind in tables.log(table)].count("time_up") == 1


def test_x_03_the_last_answer_racing_the_time_out_has_one_outcome():
    for _ in range(5):
        table = tables.started(people=2)
        tables.play(table, 0, tables.ready())
        tables.age(table, 121_490)
        answer = in_thread(lambda table=table: tables.play(table, 1, tables.ready()))
        race.at_once([answer, in_thread(services.sweep), answer])
        services.sweep()
        assert tables.view(table)["public"]["phase"] == "reveal"
        resolved = [event for event in TableEvent.objects.filter(table=table) if event.facts]
        assert len(resolved) <= 1


def test_m8_three_sends_in_a_row_leave_what_one_would(stack):
    sends = [
        ("moves/", tables.ready()),
        ("moves/", {"type": "syllables.hint", "round": 1}),
        ("commands/", {"type": "pause"}),
        ("commands/", {"type": "stop"}),
        ("commands/", {"type": "robot_for", "seat": 1, "level": "easy"}),
        ("commands/", {"type": "leave", "seat": 1}),
    ]
    for path, body in sends:
        table = a_game(3)[0]
        player = race.Player(stack.url, table, 0)
        if path == "commands/":
            player.headers["Authorization"] = f"Bearer {tables.teacher_token(table)}"
        assert player.call("POST", path, body)[0] == 200
        after_one = tables.log(table), list(table.seats.values_list("participant", "robot_level", "left_at"))
        assert [player.call("POST", path, body)[0] for _ in range(2)] == [409, 409], path
        assert (tables.log(table), list(table.seats.values_list("participant", "robot_level", "left_at"))) == after_one


BROKEN_ROWS = {
    "a seat twice": ("seat_once_per_table", lambda t: Seat.objects.create(table=t, number=0)),
    "a participant twice": (
        "seat_participant_once_per_table",
        lambda t: Seat.objects.create(table=t, number=9, participant=t.seats.get(number=0).participant),
    ),
    "a person who is a robot": (
        "seat_participant_or_robot",
        lambda t: Seat.objects.create(table=t, number=9, participant=uuid4(), robot_level="easy"),
    ),
    "a person with a robot's moment": (
        "seat_due_only_for_robots",
        lambda t: Seat.objects.filter(table=t, number=0).update(robot_due=t.created_at),
    ),
    "no time at all": ("seat_time_factor_positive", lambda t: t.seats.update(time_factor=0)),
    "a negative draft": ("seat_draft_number_not_negative", lambda t: t.seats.update(draft_number=-1)),
    "a turn twice": (
        "event_turn_once_per_table",
        lambda t: TableEvent.objects.create(table=t, turn=1, seat=0, move={}, now=0, at=t.created_at, digest=""),
    ),
    "turn nought": (
        "event_turn_from_one",
        lambda t: TableEvent.objects.create(table=t, turn=0, seat=0, move={}, now=0, at=t.created_at, digest=""),
    ),
    "an event of nobody": (
        "event_seat_known",
        lambda t: TableEvent.objects.create(table=t, turn=9, seat=-3, move={}, now=0, at=t.created_at, digest=""),
    ),
    "an unknown status": ("table_result_iff_ended", lambda t: _update(t, status="sleeping")),
    "running without a state": ("table_state_unless_lobby", lambda t: _update(t, state=None)),
    "paused without a moment": ("table_paused_at_iff_paused", lambda t: _update(t, status="paused")),
    "ended without a result": ("table_result_iff_ended", lambda t: _update(t, status="over")),
    "a key twice": ("request_key_once", lambda t: [_request(), _request()]),
    "a status that is none": ("request_status_http", lambda t: _request(status=99)),
    "a counter twice": ("allowance_once", lambda t: [_allowance(t), _allowance(t)]),
    "an empty counter": ("allowance_counts", lambda t: _allowance(t, count=0)),
}


def _update(table, **fields):
    type(table).objects.filter(id=table.id).update(**fields)


def _request(status=200):
    return Request.objects.create(actor="a", scope="s", key="k", body_hash="h", status=status, answer="{}")


def _allowance(table, count=1):
    return Allowance.objects.create(actor="a", scope="s", since=table.created_at, count=count)


@pytest.mark.parametrize("what", BROKEN_ROWS)
def test_m5_the_database_itself_refuses(what):
    name, act = BROKEN_ROWS[what]
    table = tables.started(people=2)
    with pytest.raises(IntegrityError, match=name), transaction.atomic():
        act(table)


def test_m5_every_constraint_of_the_app_has_its_row():
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.conname FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid"
            " WHERE t.relname LIKE 'games\\_%' AND c.contype IN ('c', 'u') AND c.conname !~ '_check'"
            " UNION SELECT indexname FROM pg_indexes WHERE tablename LIKE 'games\\_%'"
            " AND indexdef LIKE 'CREATE UNIQUE%' AND indexname !~ '_pkey$'"
        )
        held = {row[0] for row in cursor.fetchall()}
    assert held == {name for name, _ in BROKEN_ROWS.values()}
