"""Coming in and playing rounds, by tap and by keyboard, on tablet and phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from classrooms.models import Participant
from classrooms.sessions import services as sessions
from tests.browser.tablets import PHONE, TABLET, UPRIGHT, Tablet, a_class, tablet
from tests.factories import session as a_session
from tests.factories import teacher
from tests.stack import Stack

NO_SCROLL = """() => [document.scrollingElement, document.querySelector('.play-stage')]
  .every(box => box.scrollHeight <= box.clientHeight && box.scrollWidth <= box.clientWidth)"""


def test_a_class_plays_a_round_by_tap_and_goes_on(stack: Stack, chromium: Browser) -> None:
    group = a_class(chromium, stack, "Aïcha", "Noé", sizes=(TABLET, PHONE))
    group.start()
    group.finish_round()
    for one in group.tablets:
        assert one.page.locator(".syl-result").count() == 2
        assert one.page.locator(".syl-result.own").count() == 1
        assert one.page.locator(".syl-result.won").count() >= 1
    group.go_on()
    assert {one.view()["public"]["round"] for one in group.tablets} == {2}
    assert [one.broken for one in group.tablets] == [[], []]


def test_a_round_can_be_played_by_keyboard_alone(stack: Stack, chromium: Browser) -> None:
    group = a_class(chromium, stack, "Aïcha", "Noé")
    group.start()
    first, second = group.tablets
    view = first.view()
    keys = {
        card["id"]: str(place + 1) for place, card in enumerate([*view["private"]["hand"], *view["public"]["centre"]])
    }
    word = first.word(group.words)
    first.page.keyboard.press(keys[word[1]])
    first.page.keyboard.press("Backspace")
    for card in word:
        first.page.keyboard.press(keys[card])
    assert first.built() == word
    first.page.keyboard.press("Enter")
    expect(first.page.locator("#board")).to_have_attribute("data-mode", "ready")
    second.page.keyboard.press("h")
    expect(second.page.locator("[data-hint]")).to_be_visible()
    second.page.locator("[data-hint] .primary").click()
    second.do("ready")
    first.sees_reveal()
    first.page.keyboard.press("Enter")
    second.sees_reveal()
    second.page.keyboard.press("Enter")
    first.sees_board()


def test_nothing_scrolls_while_playing(stack: Stack, chromium: Browser) -> None:
    group = a_class(chromium, stack, "Aïcha", "Noé", "Zoë", sizes=(TABLET, UPRIGHT, PHONE))
    group.start()
    for one in group.tablets:
        assert one.page.evaluate(NO_SCROLL), one.page.viewport_size
        one.tap(one.word(group.words))
        assert one.page.evaluate(NO_SCROLL), one.page.viewport_size
    group.tablets[0].do("ready")
    expect(group.tablets[0].page.locator("#board")).to_have_attribute("data-mode", "ready")
    assert group.tablets[0].page.evaluate(NO_SCROLL)


def test_a_swap_asks_first_and_takes_the_top_card(stack: Stack, chromium: Browser) -> None:
    group = a_class(chromium, stack, "Aïcha", "Noé")
    group.start()
    first = group.tablets[0]
    before = first.view()
    top, given = before["public"]["exchange"]["top"], before["private"]["hand"][1]
    first.do("swap")
    first.page.locator("[data-own] .syl-tile").nth(1).click()
    first.page.locator('#question [value="no"]').click()
    assert first.view()["private"]["hand"] == before["private"]["hand"]
    first.do("swap")
    first.page.locator("[data-own] .syl-tile").nth(1).click()
    first.page.locator('#question [value="yes"]').click()
    expect(first.page.locator(f'[data-own] [data-card="{given["id"]}"]')).to_have_count(0)
    assert [card["text"] for card in first.view()["private"]["hand"]].count(top["text"]) >= 1
    expect(first.page.locator('[data-do="swap"]')).to_be_disabled()


def test_ready_without_a_word_is_asked_and_can_be_taken_back(stack: Stack, chromium: Browser) -> None:
    group = a_class(chromium, stack, "Aïcha", "Noé")
    group.start()
    first = group.tablets[0]
    first.do("ready")
    first.page.locator('#question [value="no"]').click()
    assert first.view()["private"]["ready_cards"] is None
    first.do("ready")
    first.page.locator('#question [value="yes"]').click()
    expect(first.page.locator("#board")).to_have_attribute("data-mode", "ready")
    first.do("ready")
    expect(first.page.locator("#board")).to_have_attribute("data-mode", "build")
    assert first.view()["private"]["ready_cards"] is None


def test_one_card_is_no_word_and_the_child_is_told_what_to_do(stack: Stack, chromium: Browser) -> None:
    group = a_class(chromium, stack, "Aïcha", "Noé")
    group.start()
    first = group.tablets[0]
    first.page.locator("[data-own] .syl-tile").first.click()
    first.do("ready")
    expect(first.page.locator("#play-toast")).to_contain_text("deux cartes")
    assert first.view()["private"]["ready_cards"] is None


def test_case_33_two_tabs_of_one_pupil_are_one_seat(stack: Stack, chromium: Browser) -> None:
    group = a_class(chromium, stack, "Aïcha", "Noé")
    group.start()
    first = group.tablets[0]
    word = first.word(group.words)
    first.tap(word)
    other = Tablet(first.site, first.context, first.context.new_page())
    other.open("/play/")
    other.sees_board()
    expect(other.page.locator("[data-built] [data-card]")).to_have_count(len(word))
    assert other.built() == word
    other.do("ready")
    expect(first.page.locator("#board")).to_have_attribute("data-mode", "ready")
    other.page.close()
    group.tablets[1].tap(group.tablets[1].word(group.words))
    group.tablets[1].do("ready")
    first.sees_reveal()
    assert Participant.objects.filter(session=group.session, left_at=None).count() == 2


def test_a_guest_picks_a_name_and_waits_with_something_to_do(stack: Stack, chromium: Browser) -> None:
    session = a_session(teacher())
    guest = tablet(chromium, stack, PHONE)
    name = guest.join_as_guest(session.code)
    expect(guest.page.locator("#waiting-title")).to_have_text(name)
    expect(guest.page.locator("[data-warm-up]")).to_be_visible()
    assert guest.page.locator("[data-warm-cards] button").count() >= 2


def test_alone_against_a_robot(stack: Stack, chromium: Browser) -> None:
    alone = tablet(chromium, stack, PHONE)
    alone.open("/try/")
    alone.page.locator('.band[value="8-10"]').click()
    alone.sees_board()
    expect(alone.page.locator(".syl-seat")).to_have_count(1)
    expect(alone.page.locator(".syl-seat")).to_contain_text("Bip")


def test_a_wrong_code_says_so_in_the_childs_language(stack: Stack, chromium: Browser) -> None:
    lost = tablet(chromium, stack)
    lost.open()
    lost.page.fill("#code", "BBBBBBB")
    lost.page.keyboard.press("Enter")
    expect(lost.page.get_by_role("alert")).to_contain_text("Ce code n’ouvre rien")
    expect(lost.page.get_by_role("alert")).to_contain_text("unknown_code")


def test_a_code_to_come_back_moves_the_seat_to_another_tablet(stack: Stack, chromium: Browser) -> None:
    group = a_class(chromium, stack, "Aïcha", "Noé")
    group.start()
    old = group.tablets[0]
    hand = old.hand()
    code = sessions.re_entry_code(Participant.objects.get(session=group.session, student__name_row__shown="Aïcha"))
    new = tablet(chromium, stack, PHONE)
    new.open("/back/")
    new.page.fill("#code", code.lower())
    new.page.keyboard.press("Enter")
    new.sees_board()
    assert new.hand() == hand
    old.page.wait_for_selector('[data-screen="gone"]:visible')


def test_the_teachers_pause_covers_the_board_and_keeps_the_cards(stack: Stack, chromium: Browser) -> None:
    group = a_class(chromium, stack, "Aïcha", "Noé")
    group.start()
    first = group.tablets[0]
    word = first.word(group.words)
    first.tap(word)
    sessions.pause(group.session)
    expect(first.page.locator("[data-pause]")).to_be_visible()
    shown = first.seconds_left()
    first.page.wait_for_timeout(1_500)
    assert first.seconds_left() == shown
    group.session.refresh_from_db()
    sessions.resume(group.session)
    expect(first.page.locator("[data-pause]")).to_be_hidden()
    assert first.built() == word


@pytest.mark.parametrize("locale", ["fr-FR", "en-GB"])
def test_no_text_of_the_start_page_is_in_another_language(stack: Stack, chromium: Browser, locale: str) -> None:
    device = tablet(chromium, stack, locale=locale)
    device.open()
    heading = {"fr-FR": "Tape le code de ta partie", "en-GB": "Type the code of your game"}[locale]
    expect(device.page.get_by_role("heading", level=1)).to_have_text(heading)
    assert device.page.locator("html").get_attribute("lang") == locale[:2]
