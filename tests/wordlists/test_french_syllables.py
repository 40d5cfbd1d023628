"""Written syllables of French words, as ``wordlists/data/fr/README.md`` states the convention."""

from pathlib import Path

import pytest

from wordlists.build.french_syllables import split

GOLD = [line.split("\t") for line in (Path(__file__).parent / "gold.tsv").read_text(encoding="utf-8").splitlines()]


def cut(word, pronunciation):
    found = split(word, pronunciation)
    return found and "-".join(found.syllables)


def test_the_open_sample_comes_out_as_taught():
    assert len(GOLD) == 60
    wrong = {word: cut(word, sound) for word, sound, taught in GOLD if cut(word, sound) not in taught.split("|")}
    assert len(wrong) <= 2, wrong


@pytest.mark.parametrize(
    ("word", "pronunciation", "syllables"),
    [
        ("tortue", "tORty", "tor-tue"),
        ("table", "tabl", "ta-ble"),
        ("accès", "aksE", "ac-cès"),
        ("diagnostic", "djagnostik", "diag-nos-tic"),
        ("montagne", "m§taN", "mon-ta-gne"),
        ("déshabiller", "dezabije", "dés-ha-bil-ler"),
        ("paysan", "peiz@", "pa-y-san"),
        ("frayeur", "fREj9R", "fra-yeur"),
        ("copier", "kopje", "co-pier"),
        ("crier", "kRije", "cri-er"),
        ("nageoire", "naZwaR", "na-geoi-re"),
        ("jouer", "Zwe", "jou-er"),
        ("souhaiter", "swete", "sou-hai-ter"),
        ("évanouir", "evanwiR", "é-va-nou-ir"),
        ("cueillir", "k9jiR", "cueil-lir"),
        ("aquarium", "akwaRjOm", "a-qua-rium"),
        ("influence", "5fly@s", "in-flu-en-ce"),
        ("ouest", "wEst", "ouest"),
    ],
)
def test_each_point_of_the_convention_has_an_example(word, pronunciation, syllables):
    assert cut(word, pronunciation) == syllables


def test_letters_that_do_not_fit_the_sounds_are_not_cut():
    assert split("mlle", "madmwazEl") is None


def test_the_syllables_heard_are_the_vowels_of_the_pronunciation():
    assert split("école", "ekOl") == (("é", "co", "le"), 2)
    assert split("nuage", "n8aZ") == (("nu", "a", "ge"), 1)
