"""Names that guests pick from."""

import pytest

from wordlists.guest_names import names

LANGUAGES = ("fr", "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_at_least_forty_of_each(language):
    offered = names(language)
    assert len(offered.nouns) >= 40
    assert len(offered.adjectives) >= 40


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_pair_makes_another_short_name(language):
    offered = names(language)
    made = [offered.name(a, n) for a in range(len(offered.adjectives)) for n in range(len(offered.nouns))]
    assert len(set(made)) == len(made)
    assert all(name[0].isupper() and len(name) <= 30 for name in made)


def test_french_adjectives_agree_with_their_animal():
    offered = names("fr")
    curious = next(index for index, forms in enumerate(offered.adjectives) if forms["m"] == "curieux")
    by_noun = {noun: index for index, (noun, _) in enumerate(offered.nouns)}
    assert offered.name(curious, by_noun["loutre"]) == "Loutre curieuse"
    assert offered.name(curious, by_noun["renard"]) == "Renard curieux"


def test_english_puts_the_adjective_first():
    offered = names("en")
    assert offered.name(0, 0) == "Agile fox"


def test_a_language_without_names_gets_english_ones():
    assert names("it") == names("en")
