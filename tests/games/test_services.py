"""Tables through their services, on real PostgreSQL: order, time, drafts, pauses, who comes and goes."""

from uuid import uuid4

import pytest

from games import selectors, services
from tests.games import tables

pytestmark = pytest.mark.django_db(transaction=True)


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
    again = services.create_table(
        owner=first.owner,
        session=first.session,
        game="syllables",
        band="8-10",
        language="fr",
        words_hash=first.words_hash,
        options={},
        seats=[services.SeatPlan(participant=uuid4())] * 2,
        table_id=first.id,
    )
    assert again.id == first.id
    assert first.seats.count() == 3


def test_a_whole_game_is_logged_gaplessly_and_folds_back_to_the_same_state():
    table = tables.started(people=2)
    tables.played_out(table)
    table.refresh_from_db()
    assert table.status == "over"
    assert list(table.events.order_by("turn").values_list("turn", flat=True)) == list(range(1, table.version + 1))
    row, _ = selectors.reading(table.id)
    assert selectors.refold(row, list(table.events.order_by("turn"))).differs_at is None
