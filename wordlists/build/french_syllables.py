"""Written syllables of French words: spelling rules, steered by the pronunciation that Lexique gives.

The school's convention, as ``data/fr/README.md`` states it with examples. A word's letters are read from left to
right as consonants and vowel groups; the cheapest reading whose vowel groups sound exactly the vowels of the
pronunciation wins. So the pronunciation decides what spelling alone cannot: cri-er but co-pier, ou-vrier, pa-ys.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Literal, NamedTuple

Kind = Literal["consonant", "sounded", "mute", "opening"]

VOWEL_LETTERS = frozenset("aàâäeéèêëiîïoôöuùûüyœæ")
VOWEL_SOUNDS = frozenset("aiyuoOeE°2951@§3")

_SIMPLE = """
a: a @ e E o O        à â ä: a @            e: ° E e 2 9 a @ 5 i     é: e E        è ê: E e       ë: E e °
i î ï: i 5            y: i 5 y 1 u O 9      o: o O § u               ô: o O §      ö: o O § 2 9
u ù û ü: y 1 5 u O 9  ai: e E a 5 @ 9 °     aî ay: e E               ei: e E 5 9 i  eî: e E       ey: e E i
oi oî oy: a E 5 O     oe oê: a E 5 O 2 9 e  œ æ ae: e E 2 9          au aû: o O     eau: o O
ou: u a O 9           où oû: u              eu: 2 9 y                eû: 2 9 y     œu oeu ue: 2 9
oo: u o O             ee ea: i              ow: o O                  eui uei œi oei: 9
ui uî uy: i           oui: i u              ao: a @ o u O            aô aoû aou: a o u O @
aa: a                 eoi: a                oai: E                   uî: i
"""
_GLIDES = {
    "i ï y": "a à â e é è ê o ô u û eu eau au ai ou oi œu oeu ei oî",
    "u": "a â e é è ê o ô eu ai i î y ou",
    "ou": "a â e é è ê i î o ai eu",
}
_SILENT_E_AFTER = "i î y é u û ai oi ou eu ui oui ei au ay"

_UNLIKELY = {
    ("ai", "°"): 0.7, ("iai", "°"): 1, ("uai", "°"): 1, ("ai", "a"): 0.3, ("ai", "@"): 0.5, ("ai", "9"): 0.5,
    ("o", "u"): 1, ("a", "e"): 0.6, ("a", "E"): 0.6, ("a", "o"): 0.6, ("a", "O"): 0.6, ("e", "i"): 0.8,
    ("u", "O"): 0.3, ("u", "9"): 0.3, ("u", "u"): 0.3, ("ee", "i"): 0.5, ("ea", "i"): 0.5, ("ue", "2"): 0.3,
    ("ue", "9"): 0.3,
}  # fmt: skip
"""Readings that exist but lose against any ordinary one: e in 'femme' sounds a, ai in 'faisan' sounds °."""

_OPENINGS = {"u": "8", "ou": "w"}
"""Letters that open a syllable where the pronunciation only glides, and the sound of that glide."""

_TWO_LETTER_CONSONANTS = frozenset({"ch", "ph", "th", "gn", "sh", "rh", "kh", "gh", "qu", "gu", "ge"})
_APART = {"gn": ("gn", True), "sh": ("S", False)}
"""Letter pairs that are two consonants where that is heard (diag-nos-tic), or not heard (dés-ha-bil-ler)."""

_BEFORE_L = frozenset("bcfgpk") | {"ph", "ch"}
_BEFORE_R = frozenset("bcdfgptvk") | {"ph", "ch", "th", "gh"}
_Y_AFTER = {"a": "eE", "â": "eE", "o": "a", "u": "i"}
"""Before a y that opens the next syllable a vowel sounds as if the y were an i: pa-yer, vo-ya-ge, es-su-yer."""


class Part(NamedTuple):
    """A run of letters: a consonant, a vowel group that sounds, a mute e, or a u that opens a syllable (nu-age)."""

    letters: str
    kind: Kind


class Split(NamedTuple):
    """Written syllables, and how many of them are heard."""

    syllables: tuple[str, ...]
    heard: int


def split(word: str, pronunciation: str) -> Split | None:
    """The written syllables of a lower-case ``word``; None when its letters do not fit its ``pronunciation``."""
    openings = tuple(letters for letters, glide in _OPENINGS.items() if glide in pronunciation)
    parts = _cheapest_reading(word, tuple(sound for sound in pronunciation if sound in VOWEL_SOUNDS), openings)
    if parts is None:
        return None
    heard = sum(part.kind == "sounded" for part in parts)
    apart = frozenset(letters for letters, sounds in _APART.items() if _is_apart(sounds, pronunciation))
    return Split(tuple(_syllables(_merged(parts), apart)), heard)


def _is_apart(sounds: tuple[str, bool], pronunciation: str) -> bool:
    heard, apart_if_heard = sounds
    return (heard in pronunciation) == apart_if_heard


def _sounds() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for cell in (cell for line in _SIMPLE.splitlines() for cell in line.split("  ") if cell.strip()):
        spellings, _, sounds = cell.partition(":")
        for spelling in spellings.split():
            table.setdefault(spelling, set()).update(sounds.split())
    simple = dict(table)
    for first, seconds in _GLIDES.items():
        for spelling in (glide + second for glide in first.split() for second in seconds.split()):
            sounded = simple[next(spelling[len(g) :] for g in first.split() if spelling.startswith(g))]
            table.setdefault(spelling, set()).update(sounded)
    for spelling in _SILENT_E_AFTER.split():
        table.setdefault(spelling + "e", set()).update(simple[spelling])
    return {spelling: frozenset(sounds) for spelling, sounds in table.items()}


_SOUNDS = _sounds()
_LONGEST = max(map(len, _SOUNDS))


def _cheapest_reading(word: str, sounds: tuple[str, ...], openings: tuple[str, ...]) -> tuple[Part, ...] | None:
    """The reading of least cost that uses up all letters and all vowel sounds."""

    @cache
    def best(at: int, heard: int) -> tuple[float, tuple[Part, ...]] | None:
        if at == len(word):
            return (0.0, ()) if heard == len(sounds) else None
        options = []
        for part, cost in _readings(word, at, sounds[heard : heard + 1], openings):
            rest = best(at + len(part.letters), heard + (part.kind == "sounded"))
            if rest is not None:
                options.append((cost + rest[0], (part, *rest[1])))
        return min(options, key=lambda option: option[0], default=None)

    found = best(0, 0)
    return found and found[1]


def _readings(word: str, at: int, sound: tuple[str, ...], openings: tuple[str, ...]) -> Iterator[tuple[Part, float]]:
    """What the letters from ``at`` on can be, the next vowel sound being ``sound`` (empty: none is left)."""
    letter = word[at]
    if letter not in VOWEL_LETTERS or _may_be_consonant(word, at):
        yield Part(letter, "consonant"), 0.0
    if letter not in VOWEL_LETTERS or _is_u_of_q(word, at):
        return
    for length in range(1, _LONGEST + 1):
        group = word[at : at + length]
        if len(group) == length and group in _SOUNDS and sound and _sounds_as(word, at, group, sound[0]):
            yield Part(group, "sounded"), _cost(word, at, group, sound[0])
    if letter == "e" and at > 0:
        yield Part("e", "mute"), 0.2 if at == len(word) - 1 else 1.0
    for opening in openings:
        if word.startswith(opening, at) and _opens_syllable(word, at, opening):
            yield Part(opening, "opening"), -0.5


def _is_u_of_q(word: str, at: int) -> bool:
    return word[at] == "u" and word[at - 1 : at] == "q"


def _may_be_consonant(word: str, at: int) -> bool:
    """u in qu and gue, e in gea, y between vowels or before one at the start."""
    letter, before, after = word[at], word[at - 1 : at], word[at + 1 : at + 2]
    if letter == "u":
        return before == "q" or (before == "g" and after in tuple("eéèêëiîy"))
    if letter == "e":
        return before == "g" and after in tuple("aàâoôu")
    return letter == "y" and after in tuple(VOWEL_LETTERS) and (at == 0 or before in VOWEL_LETTERS)


def _sounds_as(word: str, at: int, group: str, sound: str) -> bool:
    return sound in _SOUNDS[group] or _sounds_with_y(word, at, group, sound)


def _sounds_with_y(word: str, at: int, group: str, sound: str) -> bool:
    return word[at + len(group) : at + len(group) + 1] == "y" and sound in _Y_AFTER.get(group[-1], "")


def _cost(word: str, at: int, group: str, sound: str) -> float:
    """Long groups are likelier than short ones; a y before a vowel rather opens the next syllable."""
    after = word[at + len(group) : at + len(group) + 1]
    cost = 0.1 * (_LONGEST - len(group))
    if not _sounds_with_y(word, at, group, sound):
        cost += _UNLIKELY.get((group, sound), 0.0)
    if _may_be_consonant(word, at):
        cost += 0.01
    if group == "e" and at == len(word) - 1:
        cost += 1.0
    if len(group) > 1 and group[-1] == "y" and after in tuple(VOWEL_LETTERS):
        cost += 1.5
    return cost


def _opens_syllable(word: str, at: int, opening: str) -> bool:
    """u and ou that glide into another vowel than i are syllables of their own: nu-a-ge, jou-er, sou-hai-ter.

    So is the ou of verbs in -ouir and their forms: é-va-nou-ir, é-va-nou-i like é-blou-ir.
    """
    before, after = word[at - 1 : at], word[at + len(opening) :]
    if at == 0 or (opening == "u" and before in tuple("qg")) or before in VOWEL_LETTERS:
        return False
    if opening == "ou" and (after.startswith(("ir", "iss")) or after in ("i", "ie")):
        return True
    return after.removeprefix("h")[:1] in tuple("aâeéèêoô")


def _merged(parts: tuple[Part, ...]) -> list[Part]:
    """Neighbouring consonants as one run, a mute e after a vowel as part of it."""
    merged: list[Part] = []
    for part in parts:
        last = merged[-1] if merged else None
        if last and (part.kind == last.kind == "consonant" or (part.kind == "mute" and last.kind != "consonant")):
            merged[-1] = Part(last.letters + part.letters, last.kind)
        else:
            merged.append(part)
    return merged


def _syllables(parts: list[Part], apart: frozenset[str]) -> Iterator[str]:
    """One syllable for each vowel group; consonants between two are shared out."""
    current = ""
    vowels_left = sum(part.kind != "consonant" for part in parts)
    has_vowel = False
    for part in parts:
        if part.kind != "consonant":
            if has_vowel:
                yield current
                current = ""
            current += part.letters
            has_vowel = True
            vowels_left -= 1
        elif not has_vowel or not vowels_left:
            current += part.letters
        else:
            closing, opening = _shared_out(part.letters, apart)
            yield current + closing
            current, has_vowel = opening, False
    yield current


def _shared_out(consonants: str, apart: frozenset[str]) -> tuple[str, str]:
    """The last consonant opens the next syllable, together with one before l or r that it can follow: ta-ble."""
    units = _units(consonants, apart)
    opening = 1
    if len(units) > 1 and units[-2] in {"l": _BEFORE_L, "r": _BEFORE_R}.get(units[-1], ()):
        opening = 2
    return "".join(units[:-opening]), "".join(units[-opening:])


def _units(consonants: str, apart: frozenset[str]) -> list[str]:
    units: list[str] = []
    while consonants:
        pair = consonants[:2]
        length = 2 if pair in _TWO_LETTER_CONSONANTS - apart else 1
        units.append(consonants[:length])
        consonants = consonants[length:]
    return units
