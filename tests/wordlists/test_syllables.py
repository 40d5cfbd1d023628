"""The syllable lexicon against brute force on small lists."""

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.rng import Rng
from wordlists.lexicon.syllables import SyllableLexicon
from wordlists.spelling import fold

SYLLABLES = ("é", "e", "co", "le", "ma", "gie", "pê", "pe", "che", "ché")
SPLITS = st.lists(st.sampled_from(SYLLABLES), min_size=2, max_size=4).map(tuple)
LISTS = st.lists(SPLITS, max_size=25, unique=True)
HANDS = st.lists(st.sampled_from(SYLLABLES), max_size=3)
CENTRES = st.lists(st.sampled_from(SYLLABLES), max_size=4)


def lexicon_of(*splits, language="fr"):
    return SyllableLexicon(language, [(split.split("-") if isinstance(split, str) else split, "") for split in splits])


def brute_force(lexicon, own, shared, min_own):
    """Every choice of cards, each compared with the list."""
    cards = [*own, *shared]
    for length in range(2, len(cards) + 1):
        for picks in permutations(range(len(cards)), length):
            if sum(place < len(own) for place in picks) >= min_own:
                key = tuple(fold(cards[place], "fr") for place in picks)
                first = next((entry for entry in lexicon.words if entry.key == key), None)
                if first:
                    yield first, picks


@settings(max_examples=150, deadline=None)
@given(LISTS, HANDS, CENTRES, st.integers(0, 2))
def test_find_equals_brute_force(splits, own, shared, min_own):
    lexicon = lexicon_of(*splits)
    expected = set(brute_force(lexicon, own, shared, min_own))
    assert set(lexicon.find(own, shared, min_own=min_own, every_pick=True)) == expected
    found = lexicon.find(own, shared, min_own=min_own)
    assert {formable.entry for formable in found} == {entry for entry, _ in expected}
    assert set(found) <= expected
    assert len({formable.entry.key for formable in found}) == len(found)


@given(LISTS, HANDS, CENTRES)
def test_find_answers_in_the_same_order_each_time(splits, own, shared):
    assert lexicon_of(*splits).find(own, shared) == lexicon_of(*splits).find(own, shared)


@given(LISTS)
def test_a_list_survives_its_bytes(splits):
    lexicon = lexicon_of(*splits)
    again = SyllableLexicon.from_bytes(lexicon.to_bytes())
    assert (again.hash, again.words, again.faces, again.weights) == (
        lexicon.hash,
        lexicon.words,
        lexicon.faces,
        lexicon.weights,
    )


@given(LISTS)
def test_faces_and_their_words_agree_with_the_list(splits):
    lexicon = lexicon_of(*splits)
    assert list(lexicon.weights) == sorted(lexicon.weights, reverse=True)
    for face, weight in zip(lexicon.faces, lexicon.weights, strict=True):
        words = lexicon.words_with(face)
        assert len(words) == weight
        assert all(fold(face, "fr") in entry.key for entry in words)
        assert all(face in lexicon.cards(entry) for entry in words)
    for entry in lexicon.words:
        assert entry in lexicon.entries(lexicon.cards(entry))


def test_other_content_has_another_hash():
    assert lexicon_of("é-co-le").hash != lexicon_of("é-co-les").hash
    assert lexicon_of("é-co-le").hash != lexicon_of("é-co-le", language="it").hash


def test_a_glance_at_its_bytes():
    lexicon = SyllableLexicon("fr", [(("é", "co", "le"), "Lieu où l’on apprend."), (("a", "mi"), "")])
    assert lexicon.to_bytes().decode() == "wordtable syllables 1 fr\né-co-le\tLieu où l’on apprend.\na-mi\t\n"


@pytest.mark.parametrize("blob", [b"a-mi\t", b"wordtable syllables 1 fr\nmot\t", b"wordtable syllables 1 fr\na--mi\t"])
def test_other_bytes_are_refused(blob):
    with pytest.raises(ValueError, match="syllable"):
        SyllableLexicon.from_bytes(blob)


def test_case_21_neighbouring_cards_that_spell_a_blocked_word_are_told():
    lexicon = SyllableLexicon("fr", [(("zu", "lu"), ""), (("con", "te"), "")], ["zut", "con", "zute"])
    assert lexicon.shows_blocked(["le", "zù", "te"])
    assert lexicon.shows_blocked(["z", "ut", "a", "b"])
    assert not lexicon.shows_blocked(["te", "zu"])
    assert not lexicon.shows_blocked(["zu", "a", "te"])
    assert not lexicon.shows_blocked(["con"])
    again = SyllableLexicon.from_bytes(lexicon.to_bytes())
    assert (again.blocked, again.words, again.hash) == (lexicon.blocked, lexicon.words, lexicon.hash)
    assert lexicon.to_bytes().decode().endswith("con-te\t\n!con\n!zut\n!zute\n")


def test_words_that_fold_alike_share_one_key():
    lexicon = lexicon_of("pê-che", "pé-ché")
    assert [entry.word for entry in lexicon.entries(["pe", "che"])] == ["pêche", "péché"]
    (only,) = lexicon.find(["pe"], ["che"])
    assert only.entry.word == "pêche"


def test_syl_09_accents_do_not_count():
    assert lexicon_of("é-co-le").entries(["E", "co", "le"])[0].word == "école"


def test_a_wrong_split_is_spelled_but_no_entry():
    lexicon = lexicon_of("é-co-le")
    assert lexicon.entries(["éc", "o", "le"]) == ()
    assert [entry.word for entry in lexicon.spellings(["éc", "o", "le"])] == ["école"]
    assert lexicon.spellings(["éc", "o"]) == ()


def test_case_3_a_ligature_is_found_by_its_two_letters_and_shown():
    lexicon = lexicon_of("cœur-é", "œu-vre")
    assert lexicon.entries(["oeu", "vre"])[0].word == "œuvre"


def test_own_cards_are_picked_before_shared_ones():
    (only,) = lexicon_of("ma-ma").find(["ma"], ["ma"])
    assert only.picks == (0, 1)


def test_the_commonest_written_form_is_the_face():
    lexicon = lexicon_of("té-lé", "té-ta", "te-le")
    assert lexicon.faces == ("té", "le", "ta")
    assert lexicon.cards(lexicon.words[2]) == ("té", "le")


@settings(deadline=None)
@given(LISTS, st.integers(2, 8), st.integers(0, 1000))
def test_every_face_of_a_deck_is_playable(splits, size, seed):
    lexicon = lexicon_of(*splits)
    deck = lexicon.deck_faces(Rng(str(seed), 0), size)
    assert deck == lexicon.deck_faces(Rng(str(seed), 0), size)
    assert min(size, len(lexicon.faces)) <= len(deck) == len(set(deck))
    assert len(deck) <= size + max((len(split) for split in splits), default=0)
    known = set(deck)
    playable = [lexicon.cards(entry) for entry in lexicon.words if known.issuperset(lexicon.cards(entry))]
    assert {face for cards in playable for face in cards} == known


def words_of(lexicon, deck):
    return {entry.word for entry in lexicon.words if set(deck).issuperset(lexicon.cards(entry))}


def test_focus_words_are_formable_in_every_deck():
    lexicon = lexicon_of(*(f"{a}-{b}" for a in SYLLABLES for b in SYLLABLES))
    for seed in range(50):
        deck = lexicon.deck_faces(Rng(str(seed), 0), 4, focus=["magie", "pêche"])
        assert {"magie", "pêche"} <= words_of(lexicon, deck)


def test_over_many_decks_every_word_comes_up():
    lexicon = lexicon_of(*(f"{a}-{b}" for a in ("ma", "le", "co") for b in ("gie", "che", "ta", "ri")))
    decks = [lexicon.deck_faces(Rng(str(seed), 0), 3) for seed in range(200)]
    assert set.union(*(words_of(lexicon, deck) for deck in decks)) == {entry.word for entry in lexicon.words}


@given(LISTS, HANDS, CENTRES, st.lists(st.sampled_from(SYLLABLES), max_size=6))
def test_completions_count_the_words_that_one_more_card_gives(splits, hand, centre, more):
    lexicon = lexicon_of(*splits)
    cards = [*hand, *centre]

    def keys(faces):
        return {found.entry.key for found in lexicon.find(faces, [], min_own=0)}

    gained = {lexicon.folded(face): len(keys([*cards, face]) - keys(cards)) for face in more}
    counted = {lexicon.folded(face): words for face, words in lexicon.completions(cards, more).items()}
    assert counted == {face: words for face, words in gained.items() if words}
