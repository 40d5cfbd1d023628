"""The main job, end to end: a class of four and a robot play eight rounds in real browsers, and the report comes out.

One child reloads in the middle of each phase, another loses the network for twenty seconds. Nobody may lose anything.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.db.models.functions import Now
from playwright.sync_api import Browser, Locator, expect

from classrooms.models import Participant, Session
from games.models import Seat, Table, TableEvent
from tests.browser.desk import Desk, desk
from tests.browser.tablets import PHONE, TABLET, UPRIGHT, Class, Tablet, tablet
from tests.stack import Stack, wait_until

NAMES = ["Aïcha", "Noé", "Zoë", "Ilan"]
SIZES = [TABLET, PHONE, UPRIGHT, PHONE]
ROUNDS = 8
OFFLINE_MS = 20_000
OFFLINE_ROUND = 4
RELOADS_IN_ALL_PHASES = (1, 3, 5, 8)
REPORT_MS = 5_000
SETTLE_SECONDS = 8.0
MARKED = ("made", "failed", "hinted", "missed")
WORD_COLUMNS = ("name", "mark", "table", "word", "made", "assisted", "failed", "hinted", "shown", "missed", "last_on")


def test_four_students_and_a_robot_play_eight_rounds_and_the_teacher_reads_the_report(
    stack: Stack, chromium: Browser
) -> None:
    ana = desk(chromium, stack)
    ana.make_class("6b", NAMES)
    code = ana.open_session(school_class="6b", robots="easy")
    tablets = [tablet(chromium, stack, size, reduced_motion="reduce") for size in SIZES]
    for each, name in zip(tablets, NAMES, strict=True):
        each.join(code, name)
    group = Class(Session.objects.get(code=code), tablets)
    _reload_in_the_waiting_room(tablets[0])
    ana.start()
    table = _one_table_with_a_robot(group)
    for number in range(1, ROUNDS + 1):
        _play(group, table, number)
    _the_report_is_there_in_time(ana, table)
    for each in tablets:
        each.page.wait_for_selector("#board-ranking:visible")
    _the_end_survives_a_reload(tablets[0])
    _the_report_shows_each_word(ana, group, table)
    _the_files_equal_the_screen(ana)
    for each in tablets:
        _takes_the_words_home(each, table)
    assert [each.broken for each in tablets] == [[]] * len(tablets)
    assert [each.strangers for each in tablets] == [[]] * len(tablets)


def _play(group: Class, table: UUID, number: int) -> None:
    """One round: all build, seal, look at the reveal and tap on."""
    reloader, offliner, *others = group.tablets
    for each in group.tablets:
        each.page.wait_for_selector("#board:visible")
        _shows_its_view(each, number)
    _builds_with_help_and_swap(reloader, group, number)
    _keeps_all(reloader, lambda: _reload_twice(reloader))
    if number == OFFLINE_ROUND:
        _loses_the_network(offliner, group)
    reloader.do("ready")
    _has_sealed(reloader)
    if number in RELOADS_IN_ALL_PHASES:
        _keeps_all(reloader, lambda: _reload_twice(reloader))
    for each in (offliner, *others):
        each.tap([card for card in each.word(group.words) if card not in each.built()])
        each.do("ready")
    _hurry_robots(table)
    for each in group.tablets:
        each.sees_reveal(seconds=15)
    if number in RELOADS_IN_ALL_PHASES:
        _keeps_all(reloader, lambda: _reload_twice(reloader))
        reloader.sees_reveal()
    for each in group.tablets:
        each.do("seen")
    _hurry_robots(table)


def _reload_in_the_waiting_room(each: Tablet) -> None:
    for _ in range(2):
        each.page.reload()
        each.page.wait_for_selector('[data-screen="waiting"]:visible')


def _one_table_with_a_robot(group: Class) -> UUID:
    for each in group.tablets:
        each.sees_board()
    (row,) = Table.objects.filter(session=group.session.id)
    assert Seat.objects.filter(table=row).count() == len(NAMES) + 1
    assert Seat.objects.filter(table=row, robot_level="easy").count() == 1
    return row.id


def _builds_with_help_and_swap(each: Tablet, group: Class, number: int) -> None:
    """In the first three rounds by the word of a hint, in two others after a swap, else by an own word."""
    if number <= 3:
        each.do("hint")
        each.page.locator("[data-hint] .primary").click()
        expect(each.page.locator("[data-hints]")).to_have_text(str(3 - number))
    elif number in (5, 6):
        given = _card_to_spare(each, group)
        each.do("swap")
        each.page.locator(f'[data-own] [data-card="{given}"]').click()
        each.page.locator('#question [value="yes"]').click()
        expect(each.page.locator('[data-do="swap"]')).to_be_disabled()
        each.tap(each.word(group.words))
    else:
        each.tap(each.word(group.words))
    _draft_is_kept(each)


def _card_to_spare(each: Tablet, group: Class) -> str:
    """A hand card without which a word can still be made: a swap may take the last one away (2.2 #11)."""
    view = each.view()
    hand, centre = view["private"]["hand"], view["public"]["centre"]
    for word in group.words.find([card["text"] for card in hand], [card["text"] for card in centre]):
        spare = [card["id"] for place, card in enumerate(hand) if place not in word.picks]
        if spare:
            return str(spare[0])
    raise AssertionError("every word takes all three hand cards")


def _draft_is_kept(each: Tablet) -> None:
    wait_until(lambda: (each.view()["draft"] or {"move": {}})["move"].get("cards") == each.built(), seconds=5)


def _has_sealed(each: Tablet) -> None:
    expect(each.page.locator("#board")).to_have_attribute("data-mode", "ready")


def _keeps_all(each: Tablet, disturb: Callable[[], None]) -> None:
    """Seat, cards, draft, stars and hints are the same before and after."""
    before = _belongings(each)
    disturb()
    settled = time.monotonic() + SETTLE_SECONDS
    while _belongings(each) != before and time.monotonic() < settled:
        each.page.wait_for_timeout(100)
    assert _belongings(each) == before


def _belongings(each: Tablet) -> dict[str, Any]:
    """What the server keeps for this child, and what the page shows of it."""
    view = each.view()
    private, shown = view["private"], view["public"]["seats"][view["seat"]]
    kept = {name: private[name] for name in ("hand", "hints_left", "hint", "ready_cards", "best")}
    kept |= {"seat": view["seat"], "stars": shown["stars"], "swap_used": shown["swap_used"], "draft": view["draft"]}
    kept |= {"round": view["public"]["round"], "phase": view["public"]["phase"]}
    page: dict[str, object] = {"stars": each.page.locator("[data-stars]").inner_text()}
    if view["public"]["phase"] == "play":
        page |= {"built": each.built(), "hints": each.page.locator("[data-hints]").text_content()}
        if private["ready_cards"] is None:
            page |= {"hand": each.hand()}
    return {"kept": kept, "page": page}


def _reload_twice(each: Tablet) -> None:
    for _ in range(2):
        each.page.reload()
        each.page.wait_for_selector('[data-screen="table"]:visible')


def _loses_the_network(each: Tablet, group: Class) -> None:
    """Twenty seconds; what is tapped meanwhile arrives when it is back."""
    word = each.word(group.words)
    each.tap(word[:1])
    _draft_is_kept(each)
    before = _belongings(each)["kept"] | {"draft": None}
    each.context.set_offline(True)
    gone_at = time.monotonic()
    each.tap(word[1:])
    expect(each.page.locator("#play-banner")).to_be_visible(timeout=OFFLINE_MS)
    each.page.wait_for_timeout(max(0.0, OFFLINE_MS - (time.monotonic() - gone_at) * 1000))
    each.context.set_offline(False)
    expect(each.page.locator("#play-banner")).to_be_hidden(timeout=10_000)
    _draft_is_kept(each)
    assert each.built() == word
    assert _belongings(each)["kept"] | {"draft": None} == before


def _shows_its_view(each: Tablet, number: int) -> None:
    """The page shows what the server says, not something older."""
    wait_until(lambda: each.view()["public"]["round"] == number, seconds=10)
    view = each.view()
    wait_until(lambda: each.hand() == [card["text"] for card in view["private"]["hand"]], seconds=5)
    expect(each.page.locator("[data-stars]")).to_have_text(str(view["public"]["seats"][view["seat"]]["stars"]))


def _hurry_robots(table: UUID) -> None:
    """Robots think for up to 25 s; here they do so at once, by the same sweep."""
    Seat.objects.filter(table=table, robot_due__gt=Now()).update(robot_due=Now())


def _the_end_survives_a_reload(each: Tablet) -> None:
    before = each.page.locator(".syl-ranks li").all_inner_texts()
    assert len(before) == len(NAMES) + 1
    _reload_twice(each)
    each.page.wait_for_selector("#board-ranking:visible")
    expect(each.page.locator(".syl-ranks li")).to_have_text(before, use_inner_text=True)


def _the_report_is_there_in_time(ana: Desk, table: UUID) -> None:
    """Within five seconds of the last round, without a reload of the teacher's."""
    wait_until(lambda: Table.objects.get(id=table).status == "over", seconds=15)
    ana.page.wait_for_selector("#people-table", timeout=REPORT_MS)


def _the_report_shows_each_word(ana: Desk, group: Class, table: UUID) -> None:
    assert ana.marks() == _words_of_the_log(group, table)
    rows = {row[0]: row for row in ana.people_table()[1:]}
    assert sorted(rows) == sorted(NAMES)


def _words_of_the_log(group: Class, table: UUID) -> dict[tuple[str, str], dict[str, int]]:
    """What each child made, missed, tried in vain or was helped with, counted from the table's log."""
    names = {
        person.id: person.student.name_row.shown
        for person in Participant.objects.filter(session=group.session).select_related("student__name_row")
        if person.student
    }
    by_seat = {seat.number: names[seat.participant] for seat in Seat.objects.filter(table=table, robot_level=None)}
    found: dict[tuple[str, str], Counter[str]] = {}
    for event in TableEvent.objects.filter(table=table).order_by("turn"):
        for fact in event.facts:
            if fact["seat"] in by_seat and fact["kind"] != "shown":
                kind = "assisted" if fact["kind"] == "made" and fact["assisted"] else fact["kind"]
                found.setdefault((by_seat[fact["seat"]], fact["word"]), Counter())[kind] += 1
    for marks in found.values():
        if "assisted" in marks:
            marks.pop("hinted", None)
    return {cell: dict(marks) for cell, marks in found.items() if marks}


def _the_files_equal_the_screen(ana: Desk) -> None:
    assert ana.file("people") == ana.people_table()
    rows = [dict(zip(WORD_COLUMNS, row, strict=True)) for row in ana.file("words")[1:]]
    filed = {(row["name"], row["word"]): row for row in rows}
    shown = ana.marks()
    assert set(shown) == {cell for cell, row in filed.items() if any(int(row[kind]) for kind in MARKED)}
    for cell, marks in shown.items():
        assert int(filed[cell]["made"]) == marks.get("made", 0) + marks.get("assisted", 0)
        assert int(filed[cell]["assisted"]) == marks.get("assisted", 0)
        assert int(filed[cell]["missed"]) == marks.get("missed", 0)
        assert int(filed[cell]["failed"]) == marks.get("wrong_split", 0) + marks.get("not_in_list", 0)


def _takes_the_words_home(each: Tablet, table: UUID) -> None:
    """Each child's closing page: the words of its own that count."""
    seat = each.view()["seat"]
    facts = [fact for event in TableEvent.objects.filter(table=table) for fact in event.facts if fact["seat"] == seat]
    each.page.locator("[data-my-words]").click()
    each.page.wait_for_selector(".words-page")
    shown = _words(each.page.locator(".my-words.found .word"))
    assert shown == {fact["word"] for fact in facts if fact["kind"] == "made"}


def _words(cells: Locator) -> set[str]:
    return {text.split("\n")[0].strip() for text in cells.all_inner_texts()}
