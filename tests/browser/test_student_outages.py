"""Reloads, lost networks, sleeping tabs and wrong clocks: nobody loses a seat, a card, a draft or a star."""

from __future__ import annotations

import datetime as dt
import os
import signal

import pytest
from playwright.sync_api import Browser, expect

from classrooms.sessions import services as sessions
from tests.browser.tablets import PHONE, Class, Tablet, a_class
from tests.stack import Stack


def test_case_29_a_reload_in_each_phase_loses_nothing(stack: Stack, chromium: Browser) -> None:
    group = a_class(chromium, stack, "Aïcha", "Noé")
    first, second = group.tablets
    first.page.reload()
    first.page.wait_for_selector('[data-screen="waiting"]:visible')
    group.start()
    hand, word = first.hand(), first.word(group.words)
    first.tap(word)
    _reloaded(first)
    first.sees_board()
    assert (first.hand(), first.built()) == (hand, word)
    first.do("ready")
    expect(first.page.locator("#board")).to_have_attribute("data-mode", "ready")
    _reloaded(first)
    expect(first.page.locator("#board")).to_have_attribute("data-mode", "ready")
    assert first.view()["private"]["ready_cards"] == word
    second.tap(second.word(group.words))
    second.do("ready")
    first.sees_reveal()
    stars = first.page.locator("[data-stars]").inner_text()
    _reloaded(first)
    first.sees_reveal()
    assert first.page.locator("[data-stars]").inner_text() == stars
    group.go_on()


def test_the_end_survives_a_reload_and_shows_own_words(stack: Stack, chromium: Browser) -> None:
    group = a_class(chromium, stack, "Aïcha", "Noé", sizes=(PHONE,))
    group.start()
    group.finish_round()
    group.session.refresh_from_db()
    sessions.end(group.session)
    first = group.tablets[0]
    first.page.wait_for_selector("#board-ranking:visible")
    _reloaded(first)
    first.page.wait_for_selector("#board-ranking:visible")
    expect(first.page.locator(".syl-ranks li")).to_have_count(2)
    first.page.locator("[data-my-words]").click()
    expect(first.page.locator(".my-words.found .word")).to_have_count(1)


def test_case_31_twenty_seconds_without_network_cost_nothing(stack: Stack, chromium: Browser) -> None:
    group = a_class(chromium, stack, "Aïcha", "Noé")
    group.start()
    first, second = group.tablets
    word = first.word(group.words)
    first.context.set_offline(True)
    expect(first.page.locator("#play-banner")).to_be_visible(timeout=10_000)
    first.tap(word)
    first.do("ready")
    second.tap(second.word(group.words))
    second.do("ready")
    first.page.wait_for_timeout(18_000)
    assert second.view()["public"]["phase"] == "play"
    first.context.set_offline(False)
    first.sees_reveal(seconds=8)
    expect(first.page.locator("#play-banner")).to_be_hidden()
    own = next(made for made in first.view()["public"]["reveal"]["words"] if made["seat"] == first.view()["seat"])
    assert own["result"] == "valid"
    assert len(own["cards"]) == len(word)


def test_l3_a_server_that_falls_silent_is_told_within_ten_seconds(stack: Stack, chromium: Browser) -> None:
    """The process is stopped, its sockets stay open: no close event reaches the page."""
    group = a_class(chromium, stack, "Aïcha", "Noé")
    group.start()
    banner = group.tablets[0].page.locator("#play-banner")
    web = stack.processes.running["web"].pid
    os.kill(web, signal.SIGSTOP)
    try:
        expect(banner).to_be_visible(timeout=10_500)
    finally:
        os.kill(web, signal.SIGCONT)
    expect(banner).to_be_hidden(timeout=10_000)
    word = group.tablets[0].word(group.words)
    group.tablets[0].tap(word)
    group.tablets[0].do("ready")
    expect(group.tablets[0].page.locator("#board")).to_have_attribute("data-mode", "ready")


def test_a_server_that_is_started_anew_finds_every_page_back_on_its_stream(stack: Stack, chromium: Browser) -> None:
    group = a_class(chromium, stack, "Aïcha", "Noé")
    group.start()
    page = group.tablets[0].page
    web = stack.processes.running["web"]
    web.terminate()
    web.wait(20)
    with page.expect_response(lambda answer: "/api/v1/stream/?" in answer.url and answer.ok, timeout=30_000):
        stack.start("web")
    expect(page.locator("#play-banner")).to_be_hidden(timeout=10_000)
    assert page.locator('[data-screen="table"]').is_visible()


@pytest.mark.parametrize(
    "clock",
    [dt.datetime(1970, 1, 1, tzinfo=dt.UTC), dt.datetime.now(dt.UTC) + dt.timedelta(days=1)],
    ids=["1970", "tomorrow"],
)
def test_t2_case_37_a_wrong_clock_changes_no_countdown(stack: Stack, chromium: Browser, clock: dt.datetime) -> None:
    group = a_class(chromium, stack, "Aïcha", "Noé")
    first, second = group.tablets
    first.page.clock.set_system_time(clock)
    first.page.reload()
    group.start()
    assert _difference(group) <= 1
    word = first.word(group.words)
    first.tap(word)
    first.do("ready")
    second.tap(second.word(group.words))
    second.do("ready")
    first.sees_reveal()
    assert first.page.locator(".syl-result.own.valid").count() == 1


def test_t3_case_35_a_hidden_tab_is_right_within_a_second_of_its_return(stack: Stack, chromium: Browser) -> None:
    """The hidden tab's timers stand still, as browsers let them; only the server's time counts on return."""
    group = a_class(chromium, stack, "Aïcha", "Noé")
    first = group.tablets[0]
    first.page.clock.install()
    first.page.reload()
    group.start()
    first.page.clock.pause_at(dt.datetime.now(dt.UTC) + dt.timedelta(seconds=1))
    group.tablets[1].page.wait_for_timeout(12_000)
    first.page.clock.resume()
    first.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    first.page.wait_for_timeout(700)
    assert _difference(group) <= 1


def _difference(group: Class) -> float:
    """Seconds by which the first tablet's timer is off. The server is asked before and after it is read, so that
    a slow machine does not count as a wrong timer."""
    first, second = group.tablets
    before = _left(second)
    shown = first.seconds_left()
    after = _left(second)
    return max(0.0, after - shown, shown - before)


def _left(tablet: Tablet) -> float:
    view = tablet.view()
    return float(view["public"]["deadline"] - view["now"]) / 1000


def _reloaded(tablet: Tablet) -> None:
    tablet.page.reload()
    tablet.page.wait_for_selector('#play:not([data-at="loading"])')
