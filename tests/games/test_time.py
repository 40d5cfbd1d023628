"""One clock (X-03): grace to the millisecond, drafts at the deadline, and answers racing time-outs."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db.models import F

from games import services, store
from games.engine.contract import IllegalMove
from games.models import Seat, Table
from tests.games import tables
from wordlists.refusals import Conflict, Forbidden, Invalid
from wordlists.viewer import Viewer

pytestmark = pytest.mark.django_db

ROUND = 120_000
GRACE = 1_000
CLOCK_ACTS = 1_500


class Clock:
    """The database's clock as the services see it, and no time between receipt and lock unless told so."""

    def __init__(self):
        self.match_ms = None
        self.monotonic_ms = 0

    def locked(self, lock, *args, **kwargs):
        locked = lock(*args, **kwargs)
        if locked is not None and self.match_ms is not None:
            locked.table.wall = locked.table.clock_offset + self.match_ms
        return locked

    def received(self, ms_ago):
        """A moment of receipt so long before the lock."""
        return (self.monotonic_ms - ms_ago) / 1_000


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    lock = store.lock
    monkeypatch.setattr(store, "lock", lambda *args, **kwargs: clock.locked(lock, *args, **kwargs))
    monkeypatch.setattr(services, "time", SimpleNamespace(monotonic=lambda: clock.monotonic_ms / 1_000))
    return clock


@pytest.mark.parametrize(("after_deadline", "counts"), [(-1, True), (0, True), (GRACE, True), (GRACE + 1, False)])
def test_t1_a_move_counts_iff_received_by_its_deadline_plus_grace(clock, after_deadline, counts):
    table = tables.started(people=2)
    clock.match_ms = ROUND + after_deadline
    if counts:
        assert tables.play(table, 0, tables.ready())["public"]["seats"][0]["ready"]
        return
    with pytest.raises(IllegalMove, match="too_late"):
        tables.play(table, 0, tables.ready())


@pytest.mark.parametrize(("after_deadline", "counts"), [(GRACE, True), (GRACE + 1, False)])
def test_t1_the_grace_is_that_of_the_seats_own_deadline(clock, after_deadline, counts):
    table = tables.started(people=2, factors={0: 150})
    clock.match_ms = ROUND * 3 // 2 + after_deadline
    if counts:
        assert tables.play(table, 0, tables.ready())["version"]
        return
    with pytest.raises(IllegalMove, match="too_late"):
        tables.play(table, 0, tables.ready())


def test_t1_a_move_is_judged_by_its_receipt_however_long_the_lock_took(clock):
    table = tables.started(people=2)
    clock.match_ms, clock.monotonic_ms = ROUND + 5_000, 50_000
    received = clock.received(ms_ago=4_100)
    assert tables.play(table, 0, tables.ready(), received=received)["public"]["seats"][0]["ready"]
    with pytest.raises(IllegalMove, match="too_late"):
        tables.play(table, 1, tables.ready(), received=clock.received(ms_ago=3_900))


@pytest.mark.parametrize(("after_deadline", "acts"), [(CLOCK_ACTS - 1, False), (CLOCK_ACTS, True)])
def test_t1_the_clock_acts_half_a_second_after_the_grace(clock, after_deadline, acts):
    table = tables.started(people=2)
    clock.match_ms = ROUND + after_deadline
    assert services.settle(table.id) is acts
    assert ((-1, "time_up") in tables.log(table)) is acts


def test_t1_answer_and_time_out_have_exactly_one_outcome(clock):
    table = tables.started(people=2)
    clock.match_ms = ROUND + CLOCK_ACTS
    services.settle(table.id)
    before = tables.snapshot(table)
    with pytest.raises(IllegalMove, match="too_late"):
        tables.play(table, 0, tables.ready(), received=clock.received(ms_ago=600))
    assert not services.settle(table.id)
    assert tables.snapshot(table) == before


def test_t5_extra_time_of_one_seat_is_honoured_and_unseen_by_others(clock):
    table = tables.started(people=2)
    before = tables.view(table, 1)["public"]
    tables.command(table, "extend", seat=0, ms=7_000)
    after = tables.view(table, 1)
    assert after["public"] == before
    assert after["private"]["deadline"] == ROUND
    clock.match_ms = ROUND + 7_000 + GRACE
    assert tables.view(table, 0)["private"]["deadline"] == ROUND + 7_000
    assert tables.play(table, 0, tables.ready())["version"]


def test_x_03_a_seat_with_more_time_keeps_its_grace_when_another_seat_runs_out(clock):
    table = tables.started(people=3, factors={1: 101})
    clock.match_ms = ROUND + CLOCK_ACTS
    services.settle(table.id)
    assert [seat["ready"] for seat in tables.view(table)["public"]["seats"]] == [True, False, True]
    clock.match_ms = ROUND * 101 // 100 + GRACE
    assert tables.play(table, 1, tables.ready())["public"]["phase"] == "reveal"


def draft(round=1, number=1, move=None):
    return {"round": round, "number": number, "move": move}


def save(table, seat, **fields):
    return services.save_draft(table.id, tables.viewer(table, seat), draft(**fields))


def test_x_03_drafts_of_seats_out_of_time_are_played_in_seat_order_before_the_clock():
    table = tables.started(people=3)
    view = tables.view(table, 2)
    word, texts = tables.pair(view), [view["private"]["hand"][0]["text"], view["public"]["centre"][0]["text"]]
    save(table, 2, move=tables.ready(1, word))
    save(table, 0, move=tables.ready(1, ["zzzzzzzz", "yyyyyyyy"]))
    tables.age(table, ROUND + CLOCK_ACTS)
    services.settle(table.id)
    assert tables.log(table)[1:] == [(2, "syllables.ready"), (-1, "time_up")]
    words = tables.view(table)["public"]["reveal"]["words"]
    assert [card["text"] for card in words[2]["cards"]] == texts
    assert words[0]["result"] == "none"


def test_x_03_an_expired_round_is_resolved_by_the_next_command():
    table = tables.started(people=2)
    tables.age(table, ROUND + 2_000)
    assert tables.command(table, "next_round")["public"]["round"] == 2


def test_a_draft_is_only_in_its_own_seats_view():
    table = tables.started(people=2)
    save(table, 0, number=4, move=tables.ready())
    mine, other = tables.view(table, 0), tables.view(table, 1)
    assert mine["draft"] == draft(number=4, move=tables.ready())
    assert (other["draft"], other["draft_number"]) == (None, 0)
    assert tables.view(table)["draft"] is None


def test_an_older_or_equal_draft_is_stale():
    table = tables.started(people=2)
    save(table, 0, number=5, move=tables.ready())
    for number in (5, 4):
        with pytest.raises(Conflict, match="stale_draft"):
            save(table, 0, number=number)
    assert tables.view(table, 0)["draft"]["move"] == tables.ready()


@pytest.mark.parametrize("round", [0, 2, 3])
def test_a_draft_of_another_round_is_too_late(round):
    table = tables.started(people=2)
    with pytest.raises(Conflict, match="too_late"):
        save(table, 0, round=round, number=9)


def test_a_draft_dies_with_its_round():
    table = tables.started(people=2)
    save(table, 0, number=1, move=tables.ready())
    save(table, 1, number=1, move=tables.ready())
    tables.play(table, 0, tables.ready())
    assert tables.view(table, 0)["draft"] is None
    tables.play(table, 1, tables.ready())
    with pytest.raises(Conflict, match="too_late"):
        save(table, 1, number=2)
    for seat in (0, 1):
        tables.play(table, seat, tables.seen())
    assert Seat.objects.filter(table=table, draft__isnull=True, draft_round=2).count() == 2
    assert save(table, 1, round=2, number=2) == 2


def test_t1_a_draft_counts_until_the_grace_is_over_even_where_no_clock_has_acted():
    table = tables.started(people=2)
    seats = Seat.objects.filter(table=table)
    assert seats.get(number=0).closes_at - Table.objects.get(id=table.id).deadline == timedelta(milliseconds=GRACE)
    tables.age(table, ROUND + GRACE - 500)
    assert save(table, 0, number=1) == 1
    tables.age(table, 600)
    with pytest.raises(Conflict, match="too_late"):
        save(table, 0, number=2)


def test_a_draft_of_who_has_no_seat_is_refused():
    table = tables.started(people=2)
    for who, error in (
        (tables.teacher_of(table), Forbidden),
        (Viewer("participant", table.id, session=table.session), Forbidden),
    ):
        with pytest.raises(error):
            services.save_draft(table.id, who, draft())


def test_a_huge_draft_is_refused():
    table = tables.started(people=2)
    with pytest.raises(Invalid):
        save(table, 0, move={"type": "x" * 9_000})


def test_t4_a_step_of_the_server_clock_loses_nothing(clock):
    table = tables.started(people=2)
    clock.match_ms = 60_000
    tables.play(table, 0, tables.ready())
    clock.match_ms = 55_000
    tables.play(table, 0, {"type": "syllables.unready", "round": 1})
    clock.match_ms = 65_000
    assert tables.play(table, 0, tables.ready())["public"]["round"] == 1
    assert Table.objects.filter(id=table.id, version=F("version")).exists()
