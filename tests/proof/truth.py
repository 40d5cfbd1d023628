"""What was hidden from whom at each version of a table, folded anew from its log; and who was told it all the same.

Nothing of ``public`` or ``private`` is used here: what may be known is said once more, from the rules' table of
"who may see what", so that a fault of the views cannot hide itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from games.engine.contract import Game, SeatOptions
from games.engine.rng import Rng
from games.models import Table, TableEvent
from games.rules import game as game_of
from tests.proof.recording import Reader, Record, stated_version
from wordlists.selectors import lexicon

IDS = re.compile(r"(?=([bcdfghjkmnpqrstvwxz23456789]{8}))")
NEVER_BEFORE_THE_END = ("seed", "stock", "used", "deck", "digest", "copies")
"""Keys under which a state could slip out whole."""


@dataclass(frozen=True, slots=True)
class Leak:
    """A reader was told a secret."""

    reader: str
    what: str
    kind: str
    secret: str


@dataclass
class Truth:
    """One table: from which version on each card may be known, and which words are secret when."""

    table: str
    seed: str
    states: dict[int, Any]
    over_from: int
    public_from: dict[str, int] = field(default_factory=dict)
    held_from: dict[tuple[int, str], int] = field(default_factory=dict)
    cards: frozenset[str] = frozenset()

    def may_know(self, card: str, reader: Reader, version: int) -> bool:
        """Public by then, or once held by this seat."""
        if self.public_from.get(card, version + 1) <= version:
            return True
        own = reader.table == self.table and reader.seat is not None
        return own and self.held_from.get((reader.seat or 0, card), version + 1) <= version

    def words(self, reader: Reader, version: int) -> tuple[frozenset[str], frozenset[str]]:
        """Words that are secret to the reader at that version, and words that he may know."""
        seat = reader.seat if reader.table == self.table else None
        return self._words(seat, reader.reads_reports, version)

    @lru_cache(maxsize=8192)  # noqa: B019  lives as long as the run
    def _words(self, seat: int | None, reads_reports: bool, version: int) -> tuple[frozenset[str], frozenset[str]]:
        """Sealed words of the running round, hints, and what others could have made; a report tells the last two."""
        state = self.states[version]
        secret: set[str] = set()
        known = {attempt.word for past in state.history for attempt in past.attempts}
        for number, player in enumerate(state.players):
            (known if number == seat else secret).update(_sealed(state, player))
            helped = known if number == seat or reads_reports else secret
            helped.update(_helped(state, number, player))
        return frozenset(secret), frozenset(known)

    def __hash__(self) -> int:
        return hash(self.table)


def truth_of(table_id: str) -> Truth:
    """Fold a finished table anew, event by event; the stored digests say that this is what happened."""
    table = Table.objects.get(id=table_id)
    game = game_of(table.game)
    states = dict(_fold(table, game))
    over = min((version for version, state in states.items() if game.outcome(state)), default=max(states) + 1)
    truth = Truth(str(table.id), table.seed, states, over)
    for version, state in states.items():
        for card in _open_cards(state):
            truth.public_from.setdefault(card, version)
        for seat, player in enumerate(state.players):
            for card in player.hand:
                truth.held_from.setdefault((seat, card.id), version)
    truth.cards = frozenset(card for state in states.values() for card in _all_cards(state))
    return truth


def leaks(records: Iterable[Record], truths: Iterable[Truth]) -> list[Leak]:
    """All secrets of these tables that readers were told before their time."""
    by_table = {truth.table: truth for truth in truths}
    owner = {card: truth for truth in by_table.values() for card in truth.cards}
    found: list[Leak] = []
    for record in records:
        found += _card_leaks(record, owner)
        found += _word_leaks(record, by_table)
        found += [
            Leak(record.reader.name, record.what, "seed", truth.table)
            for truth in by_table.values()
            if truth.seed in record.text and not _ended(truth, record)
        ]
    return found


def leaks_in_log(text: str, truths: Iterable[Truth], secrets: Iterable[str]) -> list[Leak]:
    """Cards, seeds and tokens in a server's log, where none is ever to stand."""
    cards = {card for truth in truths for card in truth.cards}
    found = {match for match in IDS.findall(text) if match in cards}
    found |= {secret for secret in [*(truth.seed for truth in truths), *secrets] if secret in text}
    return [Leak("log", "server log", "log", secret) for secret in sorted(found)]


def _card_leaks(record: Record, owner: dict[str, Truth]) -> Iterator[Leak]:
    for card in set(IDS.findall(record.text)) & owner.keys():
        truth = owner[card]
        if _ended(truth, record) and record.reader.table in (truth.table, None):
            continue
        if not truth.may_know(card, record.reader, record.versions.get(truth.table, 0)):
            yield Leak(record.reader.name, record.what, "card", card)


def _word_leaks(record: Record, by_table: dict[str, Truth]) -> Iterator[Leak]:
    """A body that says which table it is of is searched for that table's words, any other for those of all."""
    if record.body is None:
        return
    strings, keys = _leaves(record.body)
    running = {table: version for table, version in record.versions.items() if version > 0 and table in by_table}
    secret: set[str] = set()
    known: set[str] = set()
    for table in set(running) & set(stated_version(record.body)) or running:
        truth = by_table[table]
        hidden, open_words = truth.words(record.reader, min(running[table], max(truth.states)))
        if _ended(truth, record):
            known |= hidden | open_words
            continue
        secret |= hidden
        known |= open_words
        for key in keys.intersection(NEVER_BEFORE_THE_END):
            yield Leak(record.reader.name, record.what, "key", key)
    for word in (secret - known) & strings:
        yield Leak(record.reader.name, record.what, "word", word)


def _leaves(body: Any) -> tuple[set[str], set[str]]:
    """All strings, lists of strings joined, and all keys in JSON data."""
    strings: set[str] = set()
    keys: set[str] = set()
    todo = [body]
    while todo:
        value = todo.pop()
        if isinstance(value, str):
            strings.add(value)
        elif isinstance(value, dict):
            keys.update(value)
            todo.extend(value.values())
        elif isinstance(value, list):
            if value and all(isinstance(part, str) for part in value):
                strings.add("".join(value))
            todo.extend(value)
    return strings, keys


def _ended(truth: Truth, record: Record) -> bool:
    return record.versions.get(truth.table, 0) >= truth.over_from


def _fold(table: Table, game: Game[Any, Any, Any]) -> Iterator[tuple[int, Any]]:
    words = lexicon(table.words_hash, game.lexicon)
    state: Any = None
    for event in TableEvent.objects.filter(table=table).order_by("turn"):
        if event.move["type"] == "table.started":
            options = game.options_from(event.move["options"])
            seats = tuple(SeatOptions(**seat) for seat in event.move["seats"])
            state = game.setup(options, words, seats, Rng(table.seed, 0), event.now)
        elif not event.move["type"].startswith("table."):
            move = game.any_move_from(event.move)
            state = game.apply(state, event.seat, move, words, Rng(table.seed, event.turn), event.now).state
        assert game.digest(state) == event.digest, f"turn {event.turn} folds to another state"
        yield event.turn, state


def _open_cards(state: Any) -> Iterator[str]:
    """SYL: centre and top of the exchange pile. A revealed word is everybody's, but not the ids of its hand cards."""
    yield from (card.id for card in state.centre)
    yield from (card.id for card in state.exchange[:1])


def _all_cards(state: Any) -> Iterator[str]:
    yield from (card.id for card in (*state.centre, *state.exchange))
    yield from (card.id for player in state.players for card in player.hand)


def _sealed(state: Any, player: Any) -> Iterator[str]:
    if player.ready and state.phase == "play":
        faces = {card.id: card.text for card in (*player.hand, *state.centre)}
        yield "".join(faces[card] for card in player.ready)


def _helped(state: Any, seat: int, player: Any) -> Iterator[str]:
    if player.hint is not None and player.hint.word:
        yield player.hint.word
    for attempt in state.history[-1].attempts if state.history else ():
        if attempt.seat == seat and attempt.best is not None:
            yield attempt.best.word
