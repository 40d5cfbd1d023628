"""Cleaning and folding of words."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordlists.spelling import LANGUAGES, SpellingError, clean, fold

TEXTS = st.text(max_size=30)
LANGUAGE = st.sampled_from(LANGUAGES)
PUZZLING = st.text(alphabet="aeéèœŒæßẞİıșşțţăâîÄöÜ'’-‐\u0301\u0308\u0327\u0345 ", max_size=12)


@given(TEXTS | PUZZLING, LANGUAGE)
def test_folding_twice_changes_nothing_more(text, language):
    once = fold(text, language)
    assert fold(once, language) == once


@given(TEXTS | PUZZLING, LANGUAGE)
def test_composed_and_decomposed_forms_fold_alike(text, language):
    assert fold(unicodedata.normalize("NFD", text), language) == fold(unicodedata.normalize("NFC", text), language)


@given(st.text(alphabet="aéèœæşțăâîäöü'-\u0301\u0308 ", max_size=12), LANGUAGE)
def test_capitals_fold_like_small_letters(text, language):
    assert fold(text.upper(), language) == fold(text, language)


@given(TEXTS)
def test_cleaning_twice_changes_nothing_more(text):
    try:
        once = clean(text)
    except SpellingError:
        return
    assert clean(once) == once
    assert unicodedata.is_normalized("NFC", once)
    assert once == once.strip()


def test_case_1_decomposed_accents_become_composed_ones():
    typed = "e\u0301le\u0300ve"
    assert len(typed) == 7
    assert clean(typed) == "élève"
    assert len(clean(typed)) == 5


@pytest.mark.parametrize(
    ("listed", "typed"), [("cœur", "coeur"), ("œuf", "oeuf"), ("ex æquo", "ex aequo"), ("CŒUR", "coeur")]
)
def test_case_3_ligatures_match_their_two_letters(listed, typed):
    assert fold(listed, "fr") == fold(typed, "fr") == typed


@pytest.mark.parametrize("typed", ["Straße", "STRASSE", "STRAẞE", "strasse"])
def test_case_5_sharp_s_folds_to_two_letters(typed):
    assert fold(typed, "de") == "strasse"


@pytest.mark.parametrize(("comma", "cedilla"), [("ni\u0219te", "ni\u015fte"), ("\u021bar\u0103", "\u0163ar\u0103")])
def test_case_7_comma_and_cedilla_are_equal_in_romanian(comma, cedilla):
    assert fold(comma, "ro") == fold(cedilla, "ro")


@pytest.mark.parametrize("language", LANGUAGES)
def test_case_13_all_apostrophes_are_equal(language):
    assert len({fold(f"l{sign}eau", language) for sign in "'’ʼ´‘"}) == 1


@pytest.mark.parametrize(
    ("text", "language", "folded"),
    [
        ("Pêche", "fr", "peche"),
        ("aujourd'hui", "fr", "aujourdhui"),
        ("arc-en-ciel", "fr", "arcenciel"),
        ("Perché", "it", "perche"),
        ("Äpfel", "de", "aepfel"),
        ("A\u0308pfel", "de", "aepfel"),
        ("Café", "de", "cafe"),
        ("Încă", "ro", "inca"),
        ("Naïve", "en", "naïve"),
    ],
)
def test_x_13_each_language_folds_by_its_rule(text, language, folded):
    assert fold(text, language) == folded


def test_an_unknown_language_is_refused():
    with pytest.raises(SpellingError, match="unknown_language"):
        fold("ilik", "tr")


@pytest.mark.parametrize(
    "text", ["a\x00b", "a\nb", "a\u202eb", "a\u200bb", "a\u00adb", "\ufeffa", "a\u200db", "\ud800"]
)
def test_unseen_characters_are_refused(text):
    with pytest.raises(SpellingError, match="unseen_character"):
        clean(text)


@pytest.mark.parametrize("text", ["", " ", "\u00a0", "\t"])
def test_nothing_is_refused(text):
    with pytest.raises(SpellingError, match="empty"):
        clean(text)


def test_case_17_blanks_around_a_word_go():
    assert clean(" Chat\u00a0 ") == "Chat"
    assert clean("ex \u00a0 æquo") == "ex æquo"


def test_a_joined_emoji_stays_whole():
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    assert clean(family) == family
