"""Tables through their services, on real PostgreSQL: the log, pauses, robots, and who comes and goes."""

from datetime import timedelta
from uuid import uuid4

import pytest

from games import selectors, services, store
from games.engine.contract import IllegalMove
from games.match import LAG_MS
from games.models import Request, Seat, Table, TableEvent
from games.rules import game
from tests.games import tables
from wordlists.refusals import Forbidden, Invalid, Missing
from wordlists.viewer import ANONYMOUS, Viewer

pytestmark = pytest.mark.django_db


def refused(code, act, *args, **kwargs):
    with pytest.raises(IllegalMove) as error:
        act(*args, **kwargs)
    assert error.value.code == code


def test_a_table_is_dealt_once_and_its_log_begins():
    table = tables.started(people=3)
    services.start(table.id)
    assert tables.log(table) == [(-2, "table.started")]
    view = tables.view(table, 1)
    assert (view["status"], view["version"], view["seat"]) == ("active", 1, 1)
    assert len(view["private"]["hand"]) == 3
    assert len(view["public"]["centre"]) == 5


def test_a_table_of_that_id_is_made_once():
    first = tables.made()
    plan = {name: getattr(first, name) for name in ("owner", "session", "game", "band", "language", "words_hash")}
    seats = [services.SeatPlan(participant=uuid4())] * 2
    again = services.create_table(**plan, options={}, seats=seats, table_id=first.id)
    assert again.id == first.id
    assert first.seats.count() == 3


@pytest.mark.parametrize(
    ("change", "code"),
    [({"game": "chess"}, "unknown_game"), ({"seats": [services.SeatPlan(robot_level="easy")]}, "seat_count")],
)
def test_a_table_that_cannot_be_is_refused(change, code):
    plan = {"game": "syllables", "seats": [services.SeatPlan(robot_level="easy")] * 2} | change
    with pytest.raises(Invalid) as error:
        services.create_table(
            owner=None, session=uuid4(), band="8-10", language="fr", words_hash="x", options={}, **plan
        )
    assert error.value.code == code
    assert not Table.objects.exists()


def test_a_whole_game_is_logged_gaplessly_and_folds_back_to_the_same_state():
    table = tables.started(people=2)
    tables.played_out(table)
    table.refresh_from_db()
    assert table.status == "over"
    assert list(table.events.order_by("turn").values_list("turn", flat=True)) == list(range(1, table.version + 1))
    row, _ = selectors.reading(table.id)
    assert selectors.refold(row, list(table.events.order_by("turn"))).differs_at is None


def test_a_refused_move_changes_nothing():
    table = tables.started()
    before = tables.snapshot(table)
    refused("wrong_round", tables.play, table, 0, tables.ready(2))
    refused("card_not_yours", tables.play, table, 0, tables.ready(1, ["zzzzzzzz", "yyyyyyyy"]))
    assert tables.snapshot(table) == before


def test_nobody_plays_before_the_start_or_after_the_end():
    table = tables.made()
    refused("not_started", tables.play, table, 0, tables.ready())
    services.start(table.id)
    tables.command(table, "stop")
    refused("game_over", tables.play, table, 0, tables.ready())
    refused("game_over", tables.command, table, "pause")


def test_a_pause_stops_the_match_clock_and_shifts_every_deadline():
    table = tables.started(people=2, robots=1)
    due = table.seats.get(number=2).robot_due
    paused = tables.command(table, "pause")
    refused("paused", tables.play, table, 0, tables.ready())
    tables.age(table, 300_000)
    resumed = tables.command(table, "resume")
    assert resumed["status"] == "active"
    assert 0 <= resumed["now"] - paused["now"] < 1_000
    assert resumed["public"]["deadline"] == paused["public"]["deadline"]
    assert abs(table.seats.get(number=2).robot_due - due) < timedelta(seconds=1)
    refused("not_paused", tables.command, table, "resume")


def test_robots_play_when_their_moment_has_come_and_not_before():
    table = tables.started(people=1, robots=2)
    assert services.sweep() == 0
    tables.age(table, 26_000)
    assert services.sweep() == 1
    robots = {seat for seat, kind in tables.log(table) if kind.startswith("syllables.")}
    assert robots == {1, 2}
    assert [seat["ready"] for seat in tables.view(table)["public"]["seats"]] == [False, True, True]


@pytest.mark.parametrize("fault", [IllegalMove("stale_top"), KeyError("hand")])
def test_a_faulty_robot_waits_for_the_clock_and_spoils_nobodys_view(fault, monkeypatch, caplog):
    table = tables.started(people=1, robots=1)

    def broken(*args, **kwargs):
        raise fault

    monkeypatch.setattr(type(game("syllables")), "robot", broken)
    tables.age(table, 25_001)
    assert not services.settle(table.id)
    assert table.seats.get(number=1).robot_due is None
    assert store.due_tables(lag_ms=LAG_MS, limit=9) == []
    tables.age(table, 100_000)
    assert tables.view(table, 0)["public"]["phase"] == "reveal"
    assert "Robot" in caplog.text


def test_robots_alone_play_a_table_to_its_end():
    table = tables.started(people=0, robots=3)
    for _ in range(40):
        tables.age(table, 26_000)
        services.sweep()
    table.refresh_from_db()
    assert table.status == "over"
    assert not table.seats.exclude(robot_due=None).exists()
    assert services.sweep() == 0


def test_a_reader_of_an_overdue_table_sees_it_settled_without_any_worker():
    table = tables.started(people=2)
    tables.age(table, 122_000)
    assert tables.view(table, 0)["public"]["phase"] == "reveal"
    assert (-1, "time_up") in tables.log(table)


def test_one_faulty_table_stops_no_other(caplog):
    broken, sound = tables.started(people=2), tables.started(people=2)
    for table in (broken, sound):
        tables.age(table, 122_000)
    Table.objects.filter(id=broken.id).update(words_hash="gone", state={"nonsense": True})
    assert services.sweep() == 1
    assert tables.view(sound, 0)["public"]["phase"] == "reveal"
    assert str(broken.id) in caplog.text


def test_a_late_comer_takes_a_robots_seat_as_it_stands():
    table = tables.started(people=2, robots=1)
    centre, newcomer = tables.view(table)["public"]["centre"], uuid4()
    services.take_seat(table.id, number=2, participant=newcomer)
    services.take_seat(table.id, number=2, participant=newcomer)
    view = selectors.table_view(table.id, Viewer("participant", newcomer, session=table.session))
    assert (view["seat"], view["public"]["centre"]) == (2, centre)
    assert [kind for _, kind in tables.log(table)] == ["table.started", "occupy", "table.taken"]
    assert table.seats.get(number=2).robot_due is None
    refused("seat_taken", services.take_seat, table.id, number=2, participant=uuid4())
    refused("no_such_seat", services.take_seat, table.id, number=7, participant=uuid4())


def test_a_robot_goes_on_for_a_leaver_and_his_draft_goes_with_him():
    table = tables.started(people=2)
    leaver = tables.viewer(table, 1)
    services.save_draft(table.id, leaver, {"round": 1, "number": 1, "move": tables.ready()})
    services.move_out(table.id, leaver.id, robot_level="easy")
    services.move_out(table.id, leaver.id, robot_level="easy")
    seat = table.seats.get(number=1)
    assert (seat.participant, seat.robot_level, seat.draft) == (None, "easy", None)
    assert seat.robot_due is not None
    assert [kind for _, kind in tables.log(table)] == ["table.started", "occupy", "table.robot"]


def test_x_07_who_leaves_without_a_robot_has_left_for_good_and_keeps_his_stars():
    table = tables.started(people=3)
    services.move_out(table.id, tables.viewer(table, 1).id)
    view = tables.view(table, 0)
    assert [seat["left"] for seat in view["seats"]] == [False, True, False]
    assert len(view["scores"]) == 3
    refused("seat_left", tables.play, table, 1, tables.ready())


def test_x_09_a_table_with_one_seat_left_is_abandoned():
    table = tables.started(people=2)
    tables.play(table, 1, {"type": "leave", "seat": 1})
    table.refresh_from_db()
    assert (table.status, table.result["reason"]) == ("abandoned", "abandoned")


def test_a_seat_may_not_send_another_seat_away():
    table = tables.started(people=3)
    refused("not_allowed", tables.play, table, 1, {"type": "leave", "seat": 2})


def test_a_stopped_table_has_a_result():
    table = tables.started(people=2)
    view = tables.command(table, "stop")
    assert view["status"] == "stopped"
    assert view["outcome"] == {"scores": [0, 0], "winners": [0, 1], "reason": "stopped"}


def test_a_table_that_waited_in_the_lobby_is_dealt_by_todays_rules():
    table = tables.made(people=2)
    Table.objects.filter(id=table.id).update(rules_version=0)
    services.start(table.id)
    tables.play(table, 0, tables.ready())
    assert [kind for _, kind in tables.log(table)] == ["table.started", "syllables.ready"]
    assert Table.objects.get(id=table.id).rules_version == game("syllables").rules_version


def test_a_running_table_goes_on_under_new_rules(monkeypatch):
    table = tables.started(people=2)
    tables.play(table, 0, tables.ready())
    monkeypatch.setattr(type(game("syllables")), "rules_version", 99)
    tables.play(table, 1, tables.ready())
    row, _ = selectors.reading(table.id)
    events = list(table.events.order_by("turn"))
    assert (row.rules_version, events[2].move["type"]) == (99, "table.upgraded")
    assert selectors.refold(row, events).differs_at is None


@pytest.mark.parametrize("who", ["anonymous", "another teacher", "another session"])
def test_who_may_not_see_a_table_finds_none(who):
    table = tables.started()
    viewers = {
        "anonymous": ANONYMOUS,
        "another teacher": Viewer("teacher", uuid4(), school=uuid4()),
        "another session": Viewer("participant", tables.viewer(table, 0).id, session=uuid4()),
    }
    for act in (
        lambda: services.view(table.id, viewers[who]),
        lambda: services.play(table.id, viewers[who], tables.ready()),
        lambda: services.command(table.id, viewers[who], {"type": "pause"}),
        lambda: services.save_draft(table.id, viewers[who], {"round": 1, "number": 1}),
        lambda: selectors.events(table.id, viewers[who], after=0, limit=9),
    ):
        with pytest.raises(Missing):
            act()


def test_others_of_the_session_see_what_the_projector_shows_and_touch_nothing():
    table = tables.started()
    guest = Viewer("participant", uuid4(), session=table.session)
    view, _ = services.view(table.id, guest)
    assert (view["seat"], view["private"], view["actions"]) == (None, None, [])
    for act in (
        lambda: services.play(table.id, guest, tables.ready()),
        lambda: services.command(table.id, guest, {"type": "pause"}),
    ):
        with pytest.raises(Forbidden):
            act()


def test_a_teacher_of_none_is_no_owner_of_a_table_without_one():
    table = tables.made(people=2)
    Table.objects.filter(id=table.id).update(owner=None)
    with pytest.raises(Missing):
        services.view(table.id, Viewer("teacher", None))


def test_erasing_a_participant_leaves_the_log_and_no_trace_of_him():
    table = tables.started(people=3)
    gone = tables.viewer(table, 1)
    tables.play(table, 1, tables.ready(), key="k")
    tables.play(table, 0, tables.ready(), key="k")
    newcomer = tables.started(people=1, robots=1)
    services.take_seat(newcomer.id, number=1, participant=gone.id)
    services.forget(gone.id)
    assert str(gone.id).encode() not in tables.snapshot(table) + tables.snapshot(newcomer)
    assert not any(str(gone.id) in answer + actor for answer, actor in Request.objects.values_list("answer", "actor"))
    assert table.seats.get(number=1).left_at is not None
    assert TableEvent.objects.filter(table=table, seat=1).exists()


def test_erasing_a_participant_whose_seat_a_robot_has_taken_leaves_no_trace_either():
    table = tables.started(people=2)
    gone = tables.viewer(table, 1)
    services.move_out(table.id, gone.id, robot_level="easy")
    assert str(gone.id).encode() in tables.snapshot(table)
    services.forget(gone.id)
    assert str(gone.id).encode() not in tables.snapshot(table)


def test_a_deleted_table_leaves_nothing():
    table = tables.started()
    tables.play(table, 0, tables.ready(), key="k")
    services.delete(table.id)
    services.delete(table.id)
    assert not any(rows.objects.exists() for rows in (Table, Seat, TableEvent, Request))


def test_a_lobby_table_loses_and_gains_people():
    table = tables.made(people=3, robots=1)
    services.move_out(table.id, tables.viewer(table, 1).id)
    services.move_out(table.id, tables.viewer(table, 0).id, robot_level="easy")
    newcomer = uuid4()
    services.take_seat(table.id, number=2, participant=newcomer)
    services.start(table.id)
    assert [seat.number for seat in table.seats.all()] == [0, 1, 2]
    assert table.seats.get(number=2).participant == newcomer


def test_the_teacher_rescores_a_finished_table_by_verdict():
    table = tables.started(people=2)
    tables.play(table, 0, tables.ready(1, tables.pair(tables.view(table, 0))))
    view = tables.play(table, 1, tables.ready())
    played = view["public"]["reveal"]["words"][0]
    tables.command(table, "stop")
    valid = played["result"] != "valid"
    after = tables.command(table, "verdict", round=1, word=played["word"], valid=valid)
    assert after["status"] == "stopped"
    assert after["outcome"]["scores"] == after["scores"]
    assert (after["scores"][0] > 0) is valid


def test_seats_read_the_log_after_the_end_without_what_is_private_to_others():
    table = tables.started(people=2, factors={1: 150})
    tables.command(table, "extend", seat=1, ms=5_000)
    with pytest.raises(Exception, match="not_over"):
        selectors.events(table.id, tables.viewer(table, 0), after=0, limit=9)
    tables.played_out(table)
    mine = selectors.events(table.id, tables.viewer(table, 0), after=0, limit=999)
    assert {fact["seat"] for event in mine for fact in event["facts"]} <= {0}
    assert [event["move"] for event in mine[:2]] == [{"type": "table.started"}, {"type": "extend"}]
    all_of_it = selectors.events(table.id, tables.teacher_of(table), after=0, limit=999)
    assert all_of_it[1]["move"] == {"type": "extend", "seat": 1, "ms": 5_000}
    assert {fact["seat"] for event in all_of_it for fact in event["facts"]} == {0, 1}


def test_a_replay_shows_every_turn_and_agrees():
    table = tables.started(people=2)
    tables.played_out(table)
    replay = selectors.replay(table.id, tables.viewer(table, 0))
    assert replay["agrees"]
    assert [frame["turn"] for frame in replay["frames"]] == list(range(1, len(replay["frames"]) + 1))
    assert replay["frames"][-1]["public"]["phase"] == "over"


def test_what_the_floor_above_asks_comes_in_one_query_each(django_assert_num_queries):
    some = [tables.started(people=2) for _ in range(3)]
    ids = [table.id for table in some]
    with django_assert_num_queries(2):
        assert {len(seats) for seats in selectors.seats_of(ids).values()} == {2}
        assert {each.public["round"] for each in selectors.standings(ids).values()} == {1}
    assert [turn for turn, *_ in selectors.facts_after(ids[0], 0)] == [1]
