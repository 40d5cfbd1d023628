"""Searching the syllable lists: against all permutations, and against the same search on a DAWG (V3)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import accumulate, permutations
from statistics import median

import dawg  # type: ignore[import-not-found]

from games.engine.rng import Rng
from tests.load.rows import Row
from wordlists import builtin
from wordlists.lexicon.syllables import SyllableLexicon

LANGUAGE = "fr"
DEALS = 300
ROUNDS = 5
HAND = 3
CARDS = 8

Cards = tuple[str, ...]
Search = Callable[[Cards], int]


def deals(lexicon: SyllableLexicon) -> list[Cards]:
    """Eight different cards at a time, each from a table's own deck, drawn as the game draws them."""
    dealt = []
    for number in range(DEALS):
        rng = Rng(f"bench {number}", 0)
        deck = lexicon.deck_faces(rng)
        cumulative = list(accumulate(len(lexicon.words_with(face)) ** 0.75 for face in deck))
        cards: dict[str, None] = {}
        while len(cards) < CARDS:
            cards.setdefault(rng.weighted(deck, cumulative))
        dealt.append(tuple(cards))
    return dealt


def by_trie(lexicon: SyllableLexicon) -> Search:
    return lambda cards: len(lexicon.find(cards[:HAND], cards[HAND:]))


def by_permutations(lexicon: SyllableLexicon) -> Search:
    """Every ordered choice of cards, looked up."""
    keys = {entry.key for entry in lexicon.words}
    longest = max(map(len, keys))

    def search(cards: Cards) -> int:
        folded = [lexicon.folded(card) for card in cards]
        return sum(
            min(picks) < HAND and tuple(folded[place] for place in picks) in keys
            for length in range(2, longest + 1)
            for picks in permutations(range(len(cards)), length)
        )

    return search


def by_dawg(lexicon: SyllableLexicon) -> Search:
    """The same depth-first search, on a DAWG of the splits."""
    words = dawg.CompletionDAWG("".join(f"{syllable}-" for syllable in entry.key) for entry in lexicon.words)

    def grown(prefix: str, picks: tuple[int, ...], folded: list[str]) -> int:
        found = int(prefix in words and min(picks) < HAND)
        for place, syllable in enumerate(folded):
            longer = f"{prefix}{syllable}-"
            if place not in picks and words.has_keys_with_prefix(longer):
                found += grown(longer, (*picks, place), folded)
        return found

    return lambda cards: grown("", (), [lexicon.folded(card) for card in cards])


def timed(search: Search, dealt: list[Cards]) -> list[float]:
    """Milliseconds of each search."""
    times = []
    for cards in dealt:
        started = time.perf_counter()
        search(cards)
        times.append((time.perf_counter() - started) * 1000)
    return times


def measure() -> Iterator[Row]:
    for band in builtin.BANDS:
        blob = builtin.blob(LANGUAGE, band)
        started = time.perf_counter()
        lexicon = SyllableLexicon.from_bytes(blob)
        yield Row(f"list {band} built from its bytes", (time.perf_counter() - started) * 1000, "ms")
        yield from measure_search(lexicon, band)


def measure_search(lexicon: SyllableLexicon, band: str) -> Iterator[Row]:
    """Medians of interleaved rounds, all in one run."""
    dealt = deals(lexicon)
    trie, permuted, on_dawg = by_trie(lexicon), by_permutations(lexicon), by_dawg(lexicon)
    assert [trie(cards) for cards in dealt] == [permuted(cards) for cards in dealt] == [on_dawg(c) for c in dealt]
    rounds = [(timed(trie, dealt), timed(permuted, dealt), timed(on_dawg, dealt)) for _ in range(ROUNDS)]
    yield Row(f"V3 words from 8 cards, {band}: × permutations", _ratio(rounds, 1), "×", "≥ 5")
    yield Row(f"V3 words from 8 cards, {band}: × DAWG", _ratio(rounds, 2), "×")
    p95 = median(sorted(times[0])[int(DEALS * 0.95)] for times in rounds)
    yield Row(f"V3 words from 8 cards, {band}: p95", p95, "ms", "≤ 0.3")


def _ratio(rounds: list[tuple[list[float], list[float], list[float]]], other: int) -> float:
    return median(sum(times[other]) / sum(times[0]) for times in rounds)
