"""Live updates through the running service: resync, change, merge, ping, presence, close; one and two processes."""

from __future__ import annotations

import threading
import time
from uuid import uuid4

import pytest
from django.db import connection

from games import hub, passes, push, services
from games.models import Table
from tests.games import streams, tables
from tests.games.streams import Stream, bearer

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def opened():
    """Opens streams and closes them after the test."""
    all_of_them = []

    def open_stream(url, topics, token=None, query="", **headers):
        stream = Stream(url, topics, headers | ({} if token is None else bearer(token)), query)
        all_of_them.append(stream)
        return stream

    yield open_stream
    for stream in all_of_them:
        stream.close()


@pytest.fixture
def table():
    return tables.admitted(tables.started(people=3))


def topics(table):
    return [f"table:{table.id}", f"session:{table.session}"]


def announce(table, version, **more):
    push.announce(f"table:{table.id}", version=version, session=table.session, owner=table.owner, **more)


def seat_token(table, seat, epoch=1):
    who = tables.viewer(table, seat).id
    return passes.seat_token(participant=who, session=table.session, epoch=epoch, owner=table.owner)


def test_a_stream_begins_with_resync_and_is_kept_by_nobody(stack, table, opened):
    stream = opened(stack.url, topics(table), seat_token(table, 0))
    assert stream.status == 200
    assert stream.answer.headers["Content-Type"].startswith("text/event-stream")
    assert stream.answer.headers["Cache-Control"] == "no-store"
    assert stream.wait_for("resync")
    assert stream.events[0].name == "resync"


def test_a_move_reaches_seats_and_teacher_with_what_everybody_may_see(stack, table, opened):
    streams_ = [
        opened(stack.url, topics(table), seat_token(table, 0)),
        opened(stack.url, topics(table), tables.teacher_token(table)),
    ]
    for stream in streams_:
        stream.wait_for("resync")
    view = tables.play(table, 1, tables.ready(1, tables.pair(tables.view(table, 1))))
    for stream in streams_:
        change = stream.wait_for("change", topic=f"table:{table.id}").data
        assert change["version"] == view["version"]
        assert change["public"] == view["public"]
        assert set(change) == {"topic", "version", "now", "status", "public"}


def test_nothing_of_another_session_or_another_teacher_comes_through(stack, table, opened):
    other = tables.admitted(tables.started(people=2))
    spies = [
        opened(stack.url, topics(table), seat_token(other, 0)),
        opened(stack.url, topics(table), tables.teacher_token(other)),
    ]
    friend = opened(stack.url, topics(table), seat_token(table, 0))
    for stream in (*spies, friend):
        stream.wait_for("resync")
    tables.play(table, 1, tables.ready())
    streams.post_seen(stack.url, seat_token(table, 1))
    friend.wait_for("change")
    friend.wait_for("presence", present=[str(tables.viewer(table, 1).id)])
    for spy in spies:
        ping = spy.wait_for("ping", seconds=12)
        assert ping.data["versions"] == {}
        assert {event.name for event in spy.events} <= {"resync", "ping"}


def test_the_first_change_comes_at_once_and_what_follows_is_merged(stack, table, opened):
    stream = opened(stack.url, topics(table), seat_token(table, 0))
    stream.wait_for("resync")
    announce(table, 2)
    stream.wait_for("change", version=2)
    for version in range(3, 62):
        announce(table, version)
    stream.wait_for("change", version=61)
    versions = [event.data["version"] for event in stream.named("change")]
    assert versions[0] == 2
    assert versions == sorted(set(versions))
    assert len(versions) < 40


def test_an_older_version_never_follows_a_newer_one(stack, table, opened):
    stream = opened(stack.url, topics(table), seat_token(table, 0))
    stream.wait_for("resync")
    for version in (7, 5, 9):
        announce(table, version)
    stream.wait_for("change", version=9)
    assert 5 not in [event.data["version"] for event in stream.named("change")]


def test_l1_a_ping_tells_the_newest_version_so_that_a_lost_push_is_noticed(stack, table, opened):
    stream = opened(stack.url, topics(table), seat_token(table, 0))
    stream.wait_for("resync")
    tables.play(table, 0, tables.ready())
    stream.wait_for("change")
    ping = stream.wait_for("ping", versions={f"table:{table.id}": 2}, seconds=12)
    assert abs(ping.data["at"] / 1000 - time.time()) < 5


def test_a_view_too_large_for_notify_is_left_out_and_its_version_comes(stack, table, opened):
    stream = opened(stack.url, topics(table), seat_token(table, 0))
    stream.wait_for("resync")
    announce(table, 5, public={"words": "ä" * 8_000})
    change = stream.wait_for("change", version=5)
    assert "public" not in change.data


def test_who_was_sent_away_loses_his_streams_and_his_pass(stack, table, opened):
    token, who = seat_token(table, 0), tables.viewer(table, 0).id
    gone, other = opened(stack.url, topics(table), token), opened(stack.url, topics(table), seat_token(table, 1))
    for stream in (gone, other):
        stream.wait_for("resync")
    push.announce(f"close:{who}", version=0, session=table.session, owner=table.owner, epoch=2)
    gone.wait_for("close")
    streams.wait_until(lambda: gone.ended)
    assert (opened(stack.url, topics(table), token).status, streams.post_seen(stack.url, token)) == (401, 401)
    assert opened(stack.url, topics(table), seat_token(table, 0, epoch=2)).status == 200
    assert not other.ended


def test_two_processes_tell_each_other_of_changes_presence_and_closing(stack, table, opened):
    second = stack.start_second_web()
    first_stream = opened(stack.url, topics(table), tables.teacher_token(table))
    second_stream = opened(second, topics(table), seat_token(table, 0))
    for stream in (first_stream, second_stream):
        stream.wait_for("resync")
    player = tables.viewer(table, 1)
    services.play(table.id, player, tables.ready())
    streams.post_seen(second, seat_token(table, 1))
    for stream in (first_stream, second_stream):
        assert stream.wait_for("change").data["version"] == 2
        stream.wait_for("presence", present=[str(player.id)])
    push.announce(f"close:{tables.viewer(table, 0).id}", version=0, session=table.session, owner=table.owner, epoch=2)
    second_stream.wait_for("close")
    assert [opened(url, topics(table), seat_token(table, 0)).status for url in (stack.url, second)] == [401, 401]


def test_case_33_closing_one_of_two_tabs_leaves_the_pupil_present(stack, table, opened):
    token, who = seat_token(table, 0), str(tables.viewer(table, 0).id)
    teacher = opened(stack.url, topics(table), tables.teacher_token(table))
    tabs = [opened(stack.url, topics(table), token) for _ in range(2)]
    for stream in (teacher, *tabs):
        stream.wait_for("resync")
    assert streams.post_seen(stack.url, token) == 204
    teacher.wait_for("presence", present=[who])
    tabs[1].close()
    streams.post_seen(stack.url, token)
    tables.play(table, 0, tables.ready())
    tabs[0].wait_for("change")
    late = opened(stack.url, topics(table), tables.teacher_token(table))
    assert late.wait_for("presence").data["present"] == [who]
    assert [event.data["present"] for event in teacher.named("presence")][-1] == [who]


def test_a_hub_that_lost_its_ears_says_resync_when_it_hears_again(stack, table, opened):
    stream = opened(stack.url, topics(table), seat_token(table, 0))
    stream.wait_for("resync")
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
            " WHERE application_name = %s AND datname = current_database()",
            [hub.APPLICATION],
        )
        assert cursor.fetchone()[0] >= 1
    stream.wait_for("resync", 2)
    tables.play(table, 0, tables.ready())
    stream.wait_for("change")


@pytest.mark.parametrize(
    ("asked", "status", "code"),
    [
        ([], 400, "bad_topics"),
        (["table:"], 400, "bad_topics"),
        (["table:not-a-uuid"], 400, "bad_topics"),
        (["close:" + str(uuid4())], 400, "bad_topics"),
        ([f"table:{uuid4()}" for _ in range(65)], 400, "bad_topics"),
    ],
)
def test_senseless_topics_are_refused(stack, table, opened, asked, status, code):
    stream = opened(stack.url, asked, seat_token(table, 0))
    assert (stream.status, stream.code()) == (status, code)


def test_a6_who_has_no_pass_or_comes_from_another_site_gets_no_stream(stack, table, opened):
    token = seat_token(table, 0)
    refused = {
        "no pass": (opened(stack.url, topics(table)), 401),
        "forged": (opened(stack.url, topics(table), token[:-2] + "xx"), 401),
        "in the address": (opened(stack.url, topics(table), query=f"&token={token}"), 401),
        "a seat's cookie as teacher": (
            opened(stack.url, topics(table), query="&as=teacher", Cookie=f"wt_teacher={token}"),
            401,
        ),
        "another site": (
            opened(stack.url, topics(table), Cookie=f"wt_seat={token}", Origin="https://evil.example"),
            403,
        ),
        "a site of no name": (opened(stack.url, topics(table), Cookie=f"wt_seat={token}", Origin="http://["), 403),
    }
    assert {name: stream.status for name, (stream, _) in refused.items()} == {
        name: status for name, (_, status) in refused.items()
    }
    own = stack.url.replace("http://", "")
    assert opened(stack.url, topics(table), Cookie=f"wt_seat={token}", Origin=f"http://{own}").status == 200
    teacher = tables.teacher_token(table)
    assert opened(stack.url, topics(table), query="&as=teacher", Cookie=f"wt_teacher={teacher}").status == 200


def test_b7_one_holder_has_at_most_eight_streams_and_the_oldest_goes(stack, table, opened):
    token = seat_token(table, 0)
    open_ones = []
    for _ in range(hub.MOST_STREAMS_EACH + 1):
        open_ones.append(opened(stack.url, topics(table), token))
        open_ones[-1].wait_for("resync")
    open_ones[0].wait_for("close")
    assert not open_ones[1].ended


def test_a_server_that_stops_sends_nobody_away(stack, table, opened):
    stream = opened(stack.start_second_web(), topics(table), seat_token(table, 0))
    stream.wait_for("resync")
    stack.processes.running["web2"].terminate()
    streams.wait_until(lambda: stream.ended)
    assert not stream.named("close")


def test_n1_two_hundred_streams_all_get_the_last_version(stack, opened):
    table = tables.admitted(tables.started(people=3))
    tokens = [passes.seat_token(participant=uuid4(), session=table.session, epoch=1) for _ in range(200)]
    listening = [opened(stack.url, topics(table), token) for token in tokens]
    for stream in listening:
        stream.wait_for("resync")
    workers = [
        threading.Thread(target=lambda base=base: [announce_and_close(table, base + step) for step in range(0, 20, 4)])
        for base in range(2, 6)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    announce(table, 100)
    for stream in listening:
        stream.wait_for("change", version=100)
        versions = [event.data["version"] for event in stream.named("change")]
        assert versions == sorted(versions)


def announce_and_close(table, version):
    from django.db import connections

    announce(table, version)
    connections.close_all()


def test_a_table_that_is_over_says_so(stack, table, opened):
    stream = opened(stack.url, topics(table), seat_token(table, 0))
    stream.wait_for("resync")
    tables.command(table, "stop")
    assert stream.wait_for("change").data["status"] == "stopped"
    assert Table.objects.get(id=table.id).status == "stopped"
