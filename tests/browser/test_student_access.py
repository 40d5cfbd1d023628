"""For every child: no barrier that axe can find, no other host, reading settings that stay on the device."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from tests.browser.tablets import PHONE, Tablet, a_class, tablet
from tests.factories import school_class, session, teacher
from tests.stack import Stack

SEVERE = {"moderate", "serious", "critical"}


def barriers(device: Tablet) -> list[str]:
    """What axe finds on the page as it is shown now."""
    device.page.wait_for_timeout(400)  # what fades in (240 ms at most) has not its full contrast yet
    found = Axe().run(device.page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{rule['id']}: {rule['help']}: {[node['target'] for node in rule['nodes']]}"
        for rule in found
        if rule["impact"] in SEVERE
    ]


def test_the_way_in_has_no_barrier(stack: Stack, chromium: Browser) -> None:
    owner = teacher()
    code = session(owner, school_class=school_class(owner)).code
    device = tablet(chromium, stack)
    for path in ("/", f"/j/{code}/", "/try/", "/back/", "/rules/syllables/", "/j/BBBBBBB/"):
        device.open(path)
        assert barriers(device) == [], path


def test_every_phase_of_the_game_has_no_barrier(stack: Stack, chromium: Browser) -> None:
    group = a_class(chromium, stack, "Aïcha", "Noé", sizes=(PHONE,))
    first, second = group.tablets
    assert barriers(first) == []
    group.start()
    assert barriers(first) == []
    first.do("hint")
    first.page.wait_for_selector("[data-hint]:visible")
    assert barriers(first) == []
    first.page.locator("[data-hint] .primary").click()
    first.do("swap")
    assert barriers(first) == []
    first.do("swap")
    first.page.locator(".play-tools [data-rules]").click()
    assert barriers(first) == []
    first.page.locator('#rules-dialog [value="close"]').click()
    first.do("ready")
    expect(first.page.locator("#board")).to_have_attribute("data-mode", "ready")
    assert barriers(first) == []
    second.tap(second.word(group.words))
    second.do("ready")
    first.sees_reveal()
    assert barriers(first) == []
    first.open("/play/words/")
    assert barriers(first) == []


def test_dark_and_strong_colours_have_no_barrier(stack: Stack, chromium: Browser) -> None:
    group = a_class(chromium, stack, "Aïcha", "Noé")
    group.start()
    first = group.tablets[0]
    first.tap(first.word(group.words))
    for colours in ("dark", "strong"):
        first.page.locator("#reading-open").click()
        first.page.locator(f'#reading-dialog [name="colours"][value="{colours}"]').check()
        assert barriers(first) == [], f"dialog {colours}"
        first.page.locator('#reading-dialog [value="close"]').click()
        assert barriers(first) == [], colours


def test_p5_no_other_host_is_asked_and_nothing_breaks_the_policy(stack: Stack, chromium: Browser) -> None:
    group = a_class(chromium, stack, "Aïcha", "Noé")
    group.start()
    group.finish_round()
    for device in group.tablets:
        device.open("/play/words/")
        assert device.strangers == []
        assert device.broken == []


def test_reading_settings_stay_on_the_device_and_come_back_after_a_reload(stack: Stack, chromium: Browser) -> None:
    device = tablet(chromium, stack)
    device.open()
    device.page.locator("#reading-open").click()
    device.page.locator('#reading-dialog [name="spacing"]').check()
    device.page.locator('#reading-dialog [value="close"]').click()
    device.page.reload()
    assert device.page.locator("html").get_attribute("data-spacing") == "wide"
    assert not [cookie for cookie in device.context.cookies() if "reading" in cookie["name"]]


def test_targets_are_large_enough_for_fingers(stack: Stack, chromium: Browser) -> None:
    group = a_class(chromium, stack, "Aïcha", "Noé", sizes=(PHONE,))
    group.start()
    for button in group.tablets[0].page.locator("#play button:visible").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 47.5, (button.get_attribute("class"), box)


def test_each_card_says_its_syllable_and_family(stack: Stack, chromium: Browser) -> None:
    group = a_class(chromium, stack, "Aïcha", "Noé")
    group.start()
    families = ["Dragons", "Hommes-caméléons", "Hiboux", "Renards", "Baleines"]
    hand = group.tablets[0].view()["private"]["hand"]
    for card in hand:
        tile = group.tablets[0].page.locator(f'[data-own] [data-card="{card["id"]}"]')
        assert tile.get_attribute("aria-label") == f"{card['text']}, {families[card['family']]}"
