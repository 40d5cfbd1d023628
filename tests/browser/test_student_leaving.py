"""Shared tablets: who leaves takes everything along."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser, expect

from classrooms.models import Participant
from tests.browser.tablets import a_class
from tests.factories import session, teacher
from tests.stack import Stack

KEPT = """async () => [
  JSON.stringify({...localStorage}), JSON.stringify({...sessionStorage}), document.cookie,
  ...(window.caches ? await caches.keys() : []),
]"""
STATUS = "path => fetch(path, {headers: {'Wordtable-Viewer': 'seat'}}).then(answer => answer.status)"


def test_case_67_s5_back_shows_nothing_of_the_pupil_before(stack: Stack, chromium: Browser) -> None:
    group = a_class(chromium, stack, "Aïcha", "Noé")
    group.start()
    first = group.tablets[0]
    page = first.page
    page.locator("#reading-open").click()
    page.locator('#reading-dialog [name="text"]').check()
    page.locator('#reading-dialog [value="close"]').click()
    table = first.view()["table"]
    page.locator(".play-tools [data-leave]").click()
    page.locator('#question [value="yes"]').click()
    page.wait_for_url(f"{first.site}/")
    assert not [text for text in page.evaluate(KEPT) if "wordtable" in text or "Aïcha" in text]
    assert "wt_seat" not in {cookie["name"] for cookie in first.context.cookies()}
    assert page.evaluate(STATUS, f"/api/v1/tables/{table}/") in (401, 403, 404)
    other = session(teacher())
    name = first.join_as_guest(other.code)
    assert "Aïcha" not in name
    for _ in range(5):
        if page.go_back() is None and page.url == "about:blank":
            break
        assert "Aïcha" not in page.content()
        page.reload()
        assert "Aïcha" not in page.content()


def test_pages_of_a_pupil_are_never_kept_by_the_browser(stack: Stack, chromium: Browser) -> None:
    group = a_class(chromium, stack, "Aïcha", "Noé")
    first = group.tablets[0]
    kept: dict[str, Any] = {}
    first.page.on("response", lambda answer: kept.update({answer.url: answer.headers.get("cache-control", "")}))
    first.page.reload()
    first.page.wait_for_selector('[data-screen="waiting"]:visible')
    own = {url: value for url, value in kept.items() if "/static/" not in url and "/stream/" not in url}
    assert own
    assert all("no-store" in value for value in own.values()), own


def test_leaving_the_lobby_frees_the_name(stack: Stack, chromium: Browser) -> None:
    group = a_class(chromium, stack, "Aïcha", "Noé")
    first = group.tablets[0]
    first.page.locator(".play-tools [data-leave]").click()
    first.page.locator('#question [value="no"]').click()
    expect(first.page.locator('[data-screen="waiting"]')).to_be_visible()
    first.page.locator(".play-tools [data-leave]").click()
    first.page.locator('#question [value="yes"]').click()
    first.page.wait_for_url(f"{first.site}/")
    assert Participant.objects.filter(session=group.session, left_at=None).count() == 1
    first.join(group.session.code, "Aïcha")


def test_finishing_on_the_page_of_own_words_cleans_the_tablet(stack: Stack, chromium: Browser) -> None:
    group = a_class(chromium, stack, "Aïcha", "Noé")
    group.start()
    first = group.tablets[0]
    first.open("/play/words/")
    first.page.locator("[data-leave-form] button").click()
    first.page.wait_for_url(f"{first.site}/")
    first.page.evaluate("history.back()")
    first.page.wait_for_timeout(500)
    assert "Aïcha" not in first.page.content()
