"""The French lists as they ship."""

import hashlib
import json
import re
import unicodedata
from itertools import accumulate
from statistics import mean

import pytest

from games.engine.rng import Rng
from wordlists import builtin
from wordlists.build.curated import load
from wordlists.build.french_syllables import VOWEL_LETTERS
from wordlists.spelling import clean, fold

LEAST = {"8-10": 5_000, "11-15": 12_000, "16+": 20_000}
NAUGHTY = (
    "baiser", "bander", "bite", "bordel", "branler", "caca", "chier", "clitoris", "con", "connard", "cul",
    "emmerder", "enculé", "enfoiré", "foutre", "gerber", "gouine", "gueule", "jouir", "merde", "nègre", "pipi",
    "pisser", "putain", "pute", "pédale", "pédé", "péter", "ramoner", "salaud", "salope", "tapette", "trique",
    "zizi", "étron",
)  # fmt: skip


@pytest.fixture(scope="module")
def rows():
    return list(builtin.rows_of("fr"))


@pytest.fixture(scope="module")
def lexica(rows):
    return {band: builtin.syllable_lexicon("fr", rows, band, builtin.blocked("fr")) for band in builtin.BANDS}


def test_the_lists_are_large_enough_and_cumulative(lexica):
    sizes = {band: lexicon.size for band, lexicon in lexica.items()}
    assert all(sizes[band] >= least for band, least in LEAST.items()), sizes
    words = [{entry.word for entry in lexica[band].words} for band in builtin.BANDS]
    assert words[0] < words[1] < words[2]


def test_the_manifest_names_the_lists_that_come_out(lexica):
    for listed in builtin.all_lists():
        if listed.language == "fr":
            lexicon = lexica[listed.band]
            assert (listed.hash, listed.words, listed.faces) == (lexicon.hash, lexicon.size, len(lexicon.faces))
            assert hashlib.sha256(builtin.blob("fr", listed.band)).hexdigest() == listed.hash


def test_all_splits_concatenate_to_their_word(rows):
    assert [row.word for row in rows if "".join(row.split) != row.word] == []


def test_every_syllable_has_a_vowel_and_only_letters(rows):
    syllables = {syllable for row in rows for syllable in row.split}
    assert [s for s in syllables if not VOWEL_LETTERS & set(s) or not re.fullmatch(r"[a-zàâäçéèêëîïôöùûüœæ]+", s)] == []


def test_every_word_is_short_and_once_in_the_table(rows):
    assert len({row.word for row in rows}) == len(rows)
    assert all(len(row.word) <= 12 and 2 <= len(row.split) <= 4 for row in rows)


def test_case_1_all_words_are_composed(rows):
    assert all(unicodedata.is_normalized("NFC", row.word + row.gloss) for row in rows)
    assert all(clean(row.word) == row.word for row in rows)


def test_case_3_ligatures_are_written_and_found_without(lexica):
    lexicon = lexica["16+"]
    assert not [entry.word for entry in lexicon.words if "oeu" in entry.word]
    (found,) = lexicon.spellings(["oeu", "vre"])
    assert found.word == "œuvre"
    assert lexicon.spellings(["coe", "xis", "ter"])[0].word == "coexister"


def test_all_words_that_are_played_were_reviewed(rows):
    assert all(row.review == "read" for row in rows if row.band == "8-10")
    assert all(row.review in ("read", "agreed") for row in rows if row.playable)
    assert {row.review for row in rows} <= {"read", "agreed", "open"}


def test_nearly_all_words_have_a_short_gloss(rows):
    assert all(len(row.gloss) <= 140 for row in rows)
    for band in builtin.BANDS:
        bands = builtin.BANDS[: builtin.BANDS.index(band) + 1]
        listed = [row for row in rows if row.band in bands]
        assert sum(bool(row.gloss) for row in listed) >= 0.98 * len(listed)


def test_no_blocked_word_is_in_any_list(rows):
    blocked = builtin.blocked("fr")
    assert {fold(word, "fr") for word in NAUGHTY} <= blocked
    assert [row.word for row in rows if fold(row.word, "fr") in blocked] == []


def test_blocking_reaches_inflections():
    assert {"merdes", "enculer", "enculees", "nazis", "putains"} <= builtin.blocked("fr")


def test_decisions_are_kept(rows):
    decided = load(builtin.folder("fr") / "curated")
    bands = {row.word: row.band for row in rows}
    for word, decision in decided.decisions.items():
        assert bands.get(word) in (None, decision), word
    assert all(decision in (*builtin.BANDS, "out") for decision in decided.decisions.values())
    assert all(row.split == decided.splits[row.word] for row in rows if row.word in decided.splits)


@pytest.mark.parametrize(("band", "least"), [("8-10", 1.6), ("11-15", 2.4), ("16+", 3.4)])
def test_hands_drawn_from_a_table_deck_make_words(lexica, band, least):
    """Mean words of eight different cards, drawn with weight words^0.75; the bars saw 2.13, 3.40 and 4.82."""
    lexicon = lexica[band]
    made = []
    for seed in range(300):
        rng = Rng(f"deck {seed}", 0)
        deck = lexicon.deck_faces(rng)
        assert 120 <= len(deck) <= 123
        cumulative = list(accumulate(len(lexicon.words_with(face)) ** 0.75 for face in deck))
        cards: dict[str, None] = {}
        while len(cards) < 8:
            cards.setdefault(rng.weighted(deck, cumulative))
        made.append(len(lexicon.find(list(cards)[:3], list(cards)[3:])))
    assert mean(made) >= least


def test_data_tells_its_licence_and_sources():
    folder = builtin.folder("fr")
    assert "Attribution-ShareAlike 4.0 International" in (folder / "LICENSE").read_text(encoding="utf-8")
    notice = (folder / "NOTICE").read_text(encoding="utf-8")
    for source in ("Lexique 3.83", "French Wiktionary", "naughty-words 1.2.0"):
        assert source in notice
    counted = json.loads((folder / "counts.json").read_text(encoding="utf-8"))
    readme = (folder / "README.md").read_text(encoding="utf-8")
    assert f"{counted['words']:,}" in readme
    assert all(f"{listed.words:,}" in readme for listed in builtin.all_lists() if listed.language == "fr")
