"""Words by their written syllables: what the syllable game deals from, searches in and judges by.

A nested dict over folded syllables holds the list. With the eight cards of a seat a search tries at most eight
syllables per node, so it is a few dozen look-ups; a DAWG over letters would have to try every card's prefix anew.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple, Protocol, TypeVar

from wordlists.spelling import fold

T = TypeVar("T")
Key = tuple[str, ...]
Picks = tuple[int, ...]
Node = dict[str, Any]

_HEADER = "wordtable syllables 1 "
_BLOCKED = "!"
_LEAF = ""
"""Key under which a node of the trie keeps the entry that ends there; no syllable is empty."""


class Draws(Protocol):
    """What is asked of a source of randomness."""

    def weighted(self, items: Sequence[T], cumulative: Sequence[float]) -> T: ...

    def below(self, limit: int) -> int: ...


class Entry(NamedTuple):
    """A listed word: spelling, written syllables and gloss as the list has them, and its folded syllables."""

    word: str
    split: tuple[str, ...]
    gloss: str
    key: Key


class Formable(NamedTuple):
    """An entry that some cards spell; ``picks`` index own + shared cards, own first, in reading order."""

    entry: Entry
    picks: tuple[int, ...]


class SyllableLexicon:
    """One immutable list. The order of everything is that of the rows, or of the arguments: always the same."""

    def __init__(self, language: str, rows: Iterable[tuple[Sequence[str], str]], blocked: Iterable[str] = ()) -> None:
        """``rows`` are (written syllables, gloss), commonest words first; ``blocked`` are folded words."""
        self.language = language
        self.blocked: frozenset[str] = frozenset(blocked)
        self._folds = _Folds(language)
        self.words: tuple[Entry, ...] = tuple(_entry(self._folds, split, gloss) for split, gloss in rows)
        self._by_key: dict[Key, tuple[Entry, ...]] = _grouped((entry.key, entry) for entry in self.words)
        self._trie: Node = _trie(self._by_key)
        shown = _shown_faces(self.words)
        with_face = _grouped((shown[folded], entry) for entry in self.words for folded in dict.fromkeys(entry.key))
        self._shown: dict[str, str] = shown
        self._with_face: dict[str, tuple[Entry, ...]] = with_face
        self.faces: tuple[str, ...] = tuple(sorted(with_face, key=lambda face: (-len(with_face[face]), face)))
        self.weights: tuple[int, ...] = tuple(len(with_face[face]) for face in self.faces)

    @classmethod
    def from_bytes(cls, blob: bytes) -> SyllableLexicon:
        """A lexicon out of what ``to_bytes`` made; ValueError when it is something else."""
        header, *lines = blob.decode().splitlines()
        if not header.startswith(_HEADER):
            raise ValueError("not a syllable list")
        blocked = [line.removeprefix(_BLOCKED) for line in lines if line.startswith(_BLOCKED)]
        rows = (line.partition("\t")[::2] for line in lines if not line.startswith(_BLOCKED))
        return cls(header.removeprefix(_HEADER), ((split.split("-"), gloss) for split, gloss in rows), blocked)

    def to_bytes(self) -> bytes:
        """The list as text: a header, one word a line (``é-co-le<TAB>gloss``), then the blocked ones (``!zut``)."""
        lines = [f"{'-'.join(entry.split)}\t{entry.gloss}" for entry in self.words]
        blocked = [f"{_BLOCKED}{word}" for word in sorted(self.blocked)]
        return "\n".join([f"{_HEADER}{self.language}", *lines, *blocked, ""]).encode()

    @cached_property
    def hash(self) -> str:
        """SHA-256 of the list's bytes, hex: the name under which tables keep it."""
        return hashlib.sha256(self.to_bytes()).hexdigest()

    @property
    def size(self) -> int:
        return len(self.words)

    def find(
        self, own: Sequence[str], shared: Sequence[str], *, min_own: int = 1, every_pick: bool = False
    ) -> tuple[Formable, ...]:
        """All listed words that these card faces spell with at least ``min_own`` of the own cards.

        One result for each distinct folded split, made with own cards where it can be; with ``every_pick`` one for
        each different choice of cards. Of words that fold alike the first of the list stands for all.
        """
        places: dict[str, list[int]] = defaultdict(list)
        for place, face in enumerate((*own, *shared)):
            places[self.folded(face)].append(place)
        hand = len(own)
        found: list[tuple[Entry, Picks]] = []
        _walk(self._trie, list(places.items()), (), every_pick, found)
        return tuple(
            Formable(entry, picks) for entry, picks in found if sum(place < hand for place in picks) >= min_own
        )

    def completions(self, faces: Sequence[str], more: Iterable[str]) -> dict[str, int]:
        """How many words these cards spell with one more card and not without it, for each face that gives any."""
        asked = {self.folded(face): face for face in more}
        count: Counter[str] = Counter()
        _walk_one_short(self._trie, Counter(map(self.folded, faces)), tuple(asked), None, count)
        return {asked[folded]: words for folded, words in count.items()}

    def entries(self, faces: Sequence[str]) -> tuple[Entry, ...]:
        """The listed words whose split is exactly these cards in this order; empty when there is none."""
        return self._by_key.get(tuple(map(self.folded, faces)), ())

    def spellings(self, faces: Sequence[str]) -> tuple[Entry, ...]:
        """The listed words that these cards, joined, spell under whatever split."""
        return self._spellings.get("".join(map(self.folded, faces)), ())

    def shows_blocked(self, faces: Sequence[str]) -> bool:
        """Whether neighbours among these cards, read in this order, spell a blocked word; one card alone never does.

        For whoever lays cards side by side: another order, or another card, shows nothing amiss.
        """
        folded = [self.folded(face) for face in faces]
        runs = ((start, end) for start in range(len(folded)) for end in range(start + 2, len(folded) + 1))
        return any("".join(folded[start:end]) in self.blocked for start, end in runs)

    def words_with(self, face: str) -> tuple[Entry, ...]:
        """The listed words that have this face in their split."""
        return self._with_face.get(self._shown.get(self.folded(face), ""), ())

    def cards(self, entry: Entry) -> tuple[str, ...]:
        """The card faces that spell ``entry``, in order."""
        return tuple(self._shown[folded] for folded in entry.key)

    def folded(self, face: str) -> str:
        """The face as it is compared."""
        return self._folds[face] if face in self._folds else fold(face, self.language)

    def deck_faces(self, rng: Draws, size: int = 120, focus: Sequence[str] = ()) -> tuple[str, ...]:
        """A table's own deck: words drawn by the commonness of their syllables until ``size`` faces are together.

        A face is drawn with weight words^0.75 and brings one of its words whole, so every face of the deck is
        playable and over many tables every word of the list comes up; the last word may add a face or two.
        ``focus`` words (spellings) come first.
        """
        chosen = dict.fromkeys(face for entry in self._spelt_as(focus) for face in self.cards(entry))
        while len(chosen) < min(size, len(self.faces)):
            words = self._with_face[rng.weighted(self.faces, self._draw_weights)]
            chosen.update(dict.fromkeys(self.cards(words[rng.below(len(words))])))
        return tuple(chosen)

    @cached_property
    def _draw_weights(self) -> tuple[float, ...]:
        return tuple(accumulate(weight**0.75 for weight in self.weights))

    @cached_property
    def _spellings(self) -> dict[str, tuple[Entry, ...]]:
        return _grouped(("".join(entry.key), entry) for entry in self.words)

    def _spelt_as(self, words: Sequence[str]) -> tuple[Entry, ...]:
        return tuple(entry for word in words for entry in self._spellings.get(fold(word, self.language), ()))


class _Folds(dict[str, str]):
    """Syllable → folded; a list has few different ones, so each is folded once."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._language = language

    def __missing__(self, syllable: str) -> str:
        folded = self[syllable] = fold(syllable, self._language)
        return folded


def _entry(folds: _Folds, split: Sequence[str], gloss: str) -> Entry:
    key = tuple(folds[syllable] for syllable in split)
    if len(key) < 2 or not all(key):
        raise ValueError(f"not at least two syllables: {'-'.join(split)}")
    return Entry("".join(split), tuple(split), gloss, key)


def _grouped(pairs: Iterable[tuple[Any, Entry]]) -> dict[Any, tuple[Entry, ...]]:
    groups: dict[Any, list[Entry]] = defaultdict(list)
    for name, entry in pairs:
        groups[name].append(entry)
    return {name: tuple(entries) for name, entries in groups.items()}


def _trie(by_key: dict[Key, tuple[Entry, ...]]) -> Node:
    """Nodes are dicts only where a word goes on; an entry stands for itself, which spares most of the dicts."""
    root: Node = {}
    for key, entries in sorted(by_key.items()):  # so that a word comes before those that go on from it
        node = root
        for syllable in key[:-1]:
            child = node.get(syllable)
            if not isinstance(child, dict):
                child = node[syllable] = {} if child is None else {_LEAF: child}
            node = child
        node[key[-1]] = entries[0]
    return root


def _walk(
    node: Node, places: list[tuple[str, list[int]]], picks: Picks, every_pick: bool, found: list[tuple[Entry, Picks]]
) -> None:
    """Depth first through the trie; own places stand first in each list, so the first pick is an own card."""
    for syllable, free in places:
        child = node.get(syllable)
        if child is None:
            continue
        for place in free:
            if place in picks:
                continue
            _arrive(child, places, (*picks, place), every_pick, found)
            if not every_pick:
                break


def _arrive(
    child: Node | Entry,
    places: list[tuple[str, list[int]]],
    picks: Picks,
    every_pick: bool,
    found: list[tuple[Entry, Picks]],
) -> None:
    if not isinstance(child, dict):
        found.append((child, picks))
        return
    if _LEAF in child:
        found.append((child[_LEAF], picks))
    _walk(child, places, picks, every_pick, found)


def _walk_one_short(node: Node, held: Counter[str], more: Sequence[str], used: str | None, count: Counter[str]) -> None:
    """Depth first with the cards held and at most one of ``more``; counts the words that end with it used."""
    for syllable, left in held.items():
        child = node.get(syllable) if left else None
        if child is not None:
            held[syllable] -= 1
            _arrive_one_short(child, held, more, used, count)
            held[syllable] += 1
    if used is None:
        for syllable in more:
            child = node.get(syllable)
            if child is not None and not held[syllable]:
                _arrive_one_short(child, held, more, syllable, count)


def _arrive_one_short(
    child: Node | Entry, held: Counter[str], more: Sequence[str], used: str | None, count: Counter[str]
) -> None:
    if used is not None and (not isinstance(child, dict) or _LEAF in child):
        count[used] += 1
    if isinstance(child, dict):
        _walk_one_short(child, held, more, used, count)


def _shown_faces(words: Iterable[Entry]) -> dict[str, str]:
    """For each folded syllable its commonest written form; the alphabet decides between equals."""
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    for entry in words:
        for written, folded in zip(entry.split, entry.key, strict=True):
            forms[folded][written] += 1
    return {folded: min(counts, key=lambda form: (-counts[form], form)) for folded, counts in forms.items()}
