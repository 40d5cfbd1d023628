"""Built-in lists in the database, in the process and over HTTP."""

import threading

import pytest
from django.db import IntegrityError, connection, transaction

from wordlists import builtin, selectors, services
from wordlists.models import WordList
from wordlists.refusals import Missing

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _forget_structures():
    selectors.lexicon.cache_clear()
    yield
    selectors.lexicon.cache_clear()


def test_a_list_is_made_on_first_use_and_only_once():
    first = services.ensure_builtin("fr", "8-10")
    second = services.ensure_builtin("fr", "8-10")
    assert first.pk == second.pk
    assert WordList.objects.count() == 1
    assert bytes(WordList.objects.get().blob) == builtin.blob("fr", "8-10")


def test_a_list_that_exists_costs_one_query(django_assert_num_queries):
    services.ensure_builtin("fr", "8-10")
    with django_assert_num_queries(1):
        services.ensure_builtin("fr", "8-10")


@pytest.mark.django_db(transaction=True)
def test_two_processes_that_need_a_list_at_once_get_the_same_row():
    made, errors, together = [], [], threading.Barrier(4)

    def need():
        try:
            together.wait(timeout=10)
            made.append(services.ensure_builtin("fr", "8-10").pk)
        except Exception as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=need) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert len(set(made)) == 1
    assert WordList.objects.count() == 1


@pytest.mark.parametrize(("language", "band"), [("xx", "8-10"), ("fr", "5-7")])
def test_a_list_that_does_not_ship_is_missing(language, band):
    with pytest.raises(Missing, match="no_such_list"):
        services.ensure_builtin(language, band)


def test_the_lexicon_is_built_once_for_a_process(django_assert_num_queries):
    listed = services.ensure_builtin("fr", "8-10")
    lexicon = selectors.lexicon(listed.hash, "syllables")
    assert lexicon.hash == listed.hash
    assert lexicon.size == listed.words
    with django_assert_num_queries(0):
        assert selectors.lexicon(listed.hash, "syllables") is lexicon


def test_a_lexicon_of_an_unknown_list_is_missing_and_not_remembered_as_such():
    listed = selectors.builtin_list("fr", "8-10")
    with pytest.raises(Missing):
        selectors.lexicon(listed.hash, "syllables")
    services.ensure_builtin("fr", "8-10")
    assert selectors.lexicon(listed.hash, "syllables").size == listed.words


def test_the_database_refuses_a_second_row_of_one_content_and_a_wrong_hash():
    listed = services.ensure_builtin("fr", "8-10")
    rest = {
        "kind": "syllables",
        "language": "fr",
        "band": "8-10",
        "title": "x",
        "licence": "x",
        "words": 1,
        "blob": b"",
    }
    for wrong in (listed.hash, "abc"):
        with pytest.raises(IntegrityError), transaction.atomic():
            WordList.objects.create(hash=wrong, **rest)


def test_the_api_lists_what_can_be_played(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        answer = client.get("/api/v1/wordlists/")
    assert answer.status_code == 200
    listed = {(entry["language"], entry["band"]): entry for entry in answer.json()}
    assert set(listed) == set(selectors.builtin_lists())
    assert listed["fr", "8-10"]["words"] >= 5_000
    assert listed["fr", "8-10"]["licence"] == "CC BY-SA 4.0"


def test_the_admin_only_shows_lists(admin_client):
    listed = services.ensure_builtin("fr", "8-10")
    assert admin_client.get("/admin/wordlists/wordlist/").status_code == 200
    page = admin_client.get(f"/admin/wordlists/wordlist/{listed.pk}/change/")
    assert page.status_code == 200
    assert b'name="_save"' not in page.content
    assert admin_client.get("/admin/wordlists/wordlist/add/").status_code == 403
    assert admin_client.post(f"/admin/wordlists/wordlist/{listed.pk}/delete/").status_code == 403
