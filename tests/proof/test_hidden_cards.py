"""Whole games over HTTP, with everything that any client is told kept and searched for what it may not know yet.

CANARY_GAMES says how many (default 20; ``make drill-canary`` plays 100).
"""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from games import selectors, services
from games.models import Table
from games.rules.syllables.rules import Syllables
from tests.proof.run import ROUNDS, SEATS, Run
from tests.proof.site import site_in_this_process
from tests.proof.truth import leaks_in_log
from tests.stack import Stack

GAMES = int(os.environ.get("CANARY_GAMES", "20"))
TABLES_IN_SESSION = 7


def played(base: str, games: int) -> Run:
    """Sessions of seven tables; the first has two, with a robot at each, whose plans are nobody's business either."""
    run = Run(base)
    run.session(min(2, games), robots="hard")
    while len(run.truths) < games:
        run.session(min(TABLES_IN_SESSION, games - len(run.truths)))
    return run


def test_h1_h2_no_card_word_or_seed_reaches_anybody_before_its_time(stack: Stack) -> None:
    run = played(stack.url, GAMES)
    assert run.found() == []
    assert leaks_in_log(stack.log_text(), run.truths, run.tokens) == []
    assert_it_was_a_real_run(run)


def assert_it_was_a_real_run(run: Run) -> None:
    """Nothing is proved by games that were not played or by readers who read nothing."""
    tables = Table.objects.filter(id__in=[truth.table for truth in run.truths])
    assert set(tables.values_list("status", flat=True)) == {"over"}
    assert all(truth.states[max(truth.states)].round == ROUNDS for truth in run.truths)
    told = Counter(record.what.split(" ")[0] for record in run.recorder.records)
    assert told["POST"] > len(run.truths) * SEATS * ROUNDS * 2
    assert told["event"] > len(run.truths) * SEATS * ROUNDS
    assert run.refused["card_not_yours"] > 0


# H4: the detector itself. Each plant is a fault that a careless change could bring.


def plant_hands_in_public(patch: pytest.MonkeyPatch) -> None:
    """The state is shown to all, minus nothing."""
    honest = Syllables.public

    def public(self: Syllables, state: Any) -> dict[str, Any]:
        return honest(self, state) | {"hands": [[card.id for card in player.hand] for player in state.players]}

    patch.setattr(Syllables, "public", public)


def plant_sealed_word_in_public(patch: pytest.MonkeyPatch) -> None:
    """A neighbour's word, spelt out before the reveal; none of its cards is named."""
    honest = Syllables.public

    def public(self: Syllables, state: Any) -> dict[str, Any]:
        faces = {card.id: card.text for player in state.players for card in player.hand}
        faces |= {card.id: card.text for card in state.centre}
        words = ["".join(faces.get(card, "") for card in player.ready or ()) for player in state.players]
        return honest(self, state) | {"typing": words}

    patch.setattr(Syllables, "public", public)


def plant_neighbours_hint_in_private(patch: pytest.MonkeyPatch) -> None:
    honest = Syllables.private

    def private(self: Syllables, state: Any, seat: int) -> dict[str, Any]:
        other = state.players[(seat + 1) % len(state.players)]
        return honest(self, state, seat) | {"near": list(other.hint.split) if other.hint else None}

    patch.setattr(Syllables, "private", private)


def plant_next_card_in_etag(patch: pytest.MonkeyPatch) -> None:
    """A header tells what lies under the top card."""
    honest = selectors.etag

    def etag(table: Any, own: Any) -> str:
        under = "" if table.state is None else selectors.state_of(table).exchange[-1].id
        return f'{honest(table, own)[:-1]}.{under}"'

    patch.setattr(selectors, "etag", etag)


def plant_seed_in_view(patch: pytest.MonkeyPatch) -> None:
    honest = selectors.view_of

    def view_of(table: Any, *rest: Any) -> dict[str, Any]:
        return honest(table, *rest) | {"reference": table.seed}

    patch.setattr(selectors, "view_of", view_of)


PLANTS = {
    "card": plant_hands_in_public,
    "word": plant_sealed_word_in_public,
    "hint": plant_neighbours_hint_in_private,
    "header": plant_next_card_in_etag,
    "seed": plant_seed_in_view,
}


@pytest.mark.parametrize("plant", PLANTS.values(), ids=PLANTS)
def test_h4_a_planted_leak_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch, transactional_db: None
) -> None:
    plant(monkeypatch)
    assert _two_rounds().found() != []


def test_h4_without_a_plant_nothing_is_found(transactional_db: None) -> None:
    assert _two_rounds().found() == []


def test_h4_a_logged_move_is_found(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, transactional_db: None
) -> None:
    honest = services.play

    def play(table_id: Any, viewer: Any, raw_move: Any, **more: Any) -> Any:
        logging.getLogger("games").warning("move %s", raw_move)
        return honest(table_id, viewer, raw_move, **more)

    monkeypatch.setattr(services, "play", play)
    run = _two_rounds()
    assert leaks_in_log(caplog.text, run.truths, run.tokens) != []


def _two_rounds() -> Run:
    with site_in_this_process() as base:
        run = Run(base, curious=False, hint_chance=1.0)
        run.session(1, rounds=2)
    return run
