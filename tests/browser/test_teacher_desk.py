"""The teacher's pages in a real browser: no barrier, no other host, fresh without a reload, alive without a script."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, expect

from classrooms import selectors, services
from classrooms.models import Participant, SchoolClass, Session, Teacher
from classrooms.sessions import services as sessions
from games import selectors as tables
from games import services as games
from tests import factories
from tests.browser.desk import Desk, desk
from tests.stack import Stack
from wordlists.viewer import Viewer

SEVERE = {"moderate", "serious", "critical"}
PHONE: ViewportSize = {"width": 390, "height": 844}
NAMES = ("Emma Martin", "Noé", "Emma Martin", "<b>Max</b>", "Luc")
SMALLEST_TARGET = 44
WALL_TEXT = 28
WALL_CARD = 64


class Watch:
    """What the page asks other hosts for and complains about."""

    def __init__(self, page: Page, site: str) -> None:
        self.strangers: list[str] = []
        self.complaints: list[str] = []
        host = urlsplit(site).netloc
        page.on("request", lambda request: self._note(request.url, host))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda line: self.complaints.append(line.text) if line.type == "error" else None)

    def _note(self, url: str, host: str) -> None:
        if urlsplit(url).netloc != host:
            self.strangers.append(url)


@pytest.fixture
def ana(stack: Stack, chromium: Browser) -> Desk:
    return desk(chromium, stack)


def a_session(owner: Teacher, *, students: int = 0, guests: int = 0, robots: str | None = None) -> Session:
    """A lobby with some people in it."""
    session = factories.session(owner, school_class=factories.school_class(owner, *NAMES), robots=robots)
    come(session, students=students, guests=guests)
    return session


def come(session: Session, *, students: int = 0, guests: int = 0) -> list[Participant]:
    assert session.school_class is not None
    pupils = selectors.pupils(session.school_class)[:students]
    joined = [sessions.join(session.code, student=pupil.id) for pupil in pupils]
    joined += [sessions.join(session.code, guest=f"{number}-1") for number in range(guests)]
    return [row.participant for row in joined]


def play(person: Participant, kind: str, **fields: object) -> None:
    """A move as the tablet of that person would send it; the site hears of it through the database."""
    person.refresh_from_db()
    assert person.table is not None
    viewer = Viewer(kind="participant", id=person.id, session=person.session_id)
    number = tables.table_view(person.table.table, viewer)["public"]["round"]
    games.play(person.table.table, viewer, {"type": f"syllables.{kind}", "round": number, **fields})


def barriers(page: Page) -> list[str]:
    """What axe finds on the page as it is shown now."""
    page.wait_for_timeout(400)  # what fades in (240 ms at most) has not its full contrast yet
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{rule['id']}: {rule['help']}: {[node['target'] for node in rule['nodes']]}"
        for rule in found
        if rule["impact"] in SEVERE
    ]


def small_targets(page: Page) -> list[str]:
    """Buttons and links that stand alone and are smaller than a finger."""
    return [
        f"{at['text']}: {at['width']:.0f} x {at['height']:.0f}"
        for at in page.evaluate(
            """() => [...document.querySelectorAll("button, summary, select, .button, .list-row, nav a, .answer")]
            .map((node) => ({ text: node.innerText || node.outerHTML, ...node.getBoundingClientRect().toJSON() }))
            .filter((at) => at.width > 0)"""
        )
        if at["width"] < SMALLEST_TARGET or at["height"] < SMALLEST_TARGET
    ]


def finished(owner: Teacher) -> tuple[Session, Participant]:
    """A session that is over, and somebody who made nothing in it."""
    session = a_session(owner, students=3, guests=1)
    person = session.participants.first()
    assert person is not None
    sessions.start(session)
    play(person, "ready", cards=[])
    return sessions.end(session), person


def test_no_page_has_a_barrier_or_asks_another_host(ana: Desk) -> None:
    watch = Watch(ana.page, ana.site)
    lobby, running = a_session(ana.teacher, students=4, guests=1), a_session(ana.teacher, students=3, guests=1)
    sessions.start(running)
    over, person = finished(ana.teacher)
    listed = SchoolClass.objects.filter(teacher=ana.teacher).first()
    assert listed is not None
    services.archive_class(factories.school_class(ana.teacher, name="old"))
    at = "/teacher/sessions"
    pages = [
        "/teacher/",
        "/teacher/classes/",
        "/teacher/classes/new/",
        f"/teacher/classes/{listed.id}/",
        "/teacher/words/",
        "/teacher/password/",
        f"{at}/",
        f"{at}/new/",
        f"{at}/{lobby.id}/",
        f"{at}/{lobby.id}/projector/",
        f"{at}/{lobby.id}/delete/",
        f"{at}/{running.id}/",
        f"{at}/{running.id}/projector/",
        f"{at}/{running.id}/projector/1/",
        f"{at}/{running.id}/end/",
        f"{at}/{over.id}/",
        f"{at}/{over.id}/people/{person.id}/moves/",
    ]
    found: dict[str, list[str]] = {}
    for path in pages:
        ana.page.goto(f"{ana.site}{path}")
        found[path] = barriers(ana.page) + small_targets(ana.page)
    assert {path: faults for path, faults in found.items() if faults} == {}
    assert watch.strangers == []
    assert watch.complaints == []


def test_open_menus_and_messages_have_no_barrier(ana: Desk) -> None:
    running = a_session(ana.teacher, students=3, guests=1)
    sessions.start(running)
    ana.page.goto(f"{ana.site}/teacher/sessions/{running.id}/")
    ana.page.locator(".seat summary").first.click()
    assert barriers(ana.page) == []
    ana.page.locator("#pause-all").click()
    expect(ana.page.locator(".a-table.paused")).to_have_count(1)
    assert barriers(ana.page) == []
    ana.page.goto(f"{ana.site}/teacher/classes/new/")
    ana.page.fill("#id_names", "Aïcha\nQuelqu’un au nom bien trop long")
    expect(ana.page.locator("#preview .faults li")).to_have_count(1)
    assert barriers(ana.page) == []


def test_the_sign_in_page_has_no_barrier(stack: Stack, chromium: Browser) -> None:
    page = chromium.new_context().new_page()
    page.goto(f"{stack.site}/teacher/sign-in/")
    assert barriers(page) == []
    assert "create_teacher" in page.inner_text("main")


def test_names_drop_into_the_lobby_and_onto_the_wall_without_a_reload(ana: Desk) -> None:
    session = a_session(ana.teacher)
    ana.page.goto(f"{ana.site}/teacher/sessions/{session.id}/")
    wall = ana.page.context.new_page()
    wall.goto(f"{ana.site}/teacher/sessions/{session.id}/projector/")
    expect(ana.page.locator(".person")).to_have_count(0)
    ana.page.evaluate("window.stayed = true")
    come(session, students=4)
    expect(ana.page.locator(".person")).to_have_count(4, timeout=5_000)
    expect(wall.locator(".wall-names li")).to_have_count(4, timeout=5_000)
    assert wall.locator(".wall-names li").all_inner_texts() == list(NAMES[:4])
    assert ana.page.evaluate("window.stayed")


def test_the_grid_follows_the_tables_and_leaves_an_open_menu_open(ana: Desk) -> None:
    session = a_session(ana.teacher, students=3, guests=1)
    sessions.start(session)
    ana.page.goto(f"{ana.site}/teacher/sessions/{session.id}/")
    first, second, *_ = session.participants.order_by("joined_at", "id")
    ana.page.locator(f"#menu-{second.id} > summary").click()
    ana.page.locator(f"#menu-{second.id} a").focus()
    play(first, "ready", cards=[])
    expect(ana.page.locator(".seat.ready")).to_have_count(1, timeout=5_000)
    expect(ana.page.locator(f"#menu-{second.id}")).to_have_attribute("open", "")
    assert ana.page.evaluate(f"document.activeElement.closest('#menu-{second.id}') !== null")
    play(first, "unready")
    expect(ana.page.locator(".seat.ready")).to_have_count(0, timeout=5_000)


def test_pause_all_stands_in_the_same_place_and_stops_the_clock(ana: Desk) -> None:
    session = a_session(ana.teacher, students=3, guests=1)
    sessions.start(session)
    ana.page.goto(f"{ana.site}/teacher/sessions/{session.id}/")
    button = ana.page.locator("#pause-all")
    before = button.bounding_box()
    button.click()
    expect(ana.page.locator(".a-table.paused")).to_have_count(1)
    after = button.bounding_box()
    assert before is not None
    assert after is not None
    assert (before["x"], before["y"]) == (after["x"], after["y"])
    stood = ana.page.locator(".clock").inner_text()
    ana.page.wait_for_timeout(1_500)
    assert ana.page.locator(".clock").inner_text() == stood
    button.click()
    expect(ana.page.locator(".a-table.play")).to_have_count(1)
    expect(ana.page.locator(".clock")).not_to_have_text(stood, timeout=5_000)


def test_l5_a_phone_takes_the_session_over_when_the_laptop_is_shut(ana: Desk, chromium: Browser, stack: Stack) -> None:
    session = a_session(ana.teacher, students=3, guests=1)
    ana.page.goto(f"{ana.site}/teacher/sessions/{session.id}/")
    ana.start()
    ana.page.context.close()
    phone = chromium.new_context(viewport=PHONE, has_touch=True).new_page()
    phone.goto(f"{stack.site}/teacher/sign-in/")
    phone.fill("#id_username", ana.teacher.email)
    phone.fill("#id_password", factories.PASSWORD)
    phone.locator("main form button").click()
    phone.locator(".running .button").click()
    expect(phone.locator(".seat")).to_have_count(4)
    pause = phone.locator("#pause-all").bounding_box()
    assert pause is not None
    assert pause["y"] + pause["height"] <= PHONE["height"]
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    phone.locator("#pause-all").click()
    expect(phone.locator(".a-table.paused")).to_have_count(1)


def test_the_open_page_becomes_the_report_when_the_session_ends(ana: Desk) -> None:
    session = a_session(ana.teacher, students=3, guests=1)
    sessions.start(session)
    ana.page.goto(f"{ana.site}/teacher/sessions/{session.id}/")
    expect(ana.page.locator(".seat")).to_have_count(4)
    sessions.end(session)
    expect(ana.page.locator(".in-short")).to_be_visible(timeout=8_000)


def test_the_wall_can_be_read_from_the_last_row(ana: Desk) -> None:
    session = a_session(ana.teacher, students=3, guests=1)
    sessions.start(session)
    for path in ("projector/", "projector/1/"):
        ana.page.goto(f"{ana.site}/teacher/sessions/{session.id}/{path}")
        ana.page.wait_for_selector(".syl-wall")
        sizes = ana.page.evaluate(
            """() => [...document.querySelectorAll(".wall *")]
            .filter((node) => [...node.childNodes].some((text) => text.nodeType === 3 && text.nodeValue.trim()))
            .filter((node) => !node.closest(".visually-hidden, [hidden]") && node.getBoundingClientRect().width > 1)
            .map((node) => [node.textContent.trim().slice(0, 30), parseFloat(getComputedStyle(node).fontSize)])"""
        )
        assert [row for row in sizes if row[1] < WALL_TEXT] == [], path
        cards = ana.page.locator(".syl-tile").evaluate_all("tiles => tiles.map((tile) => tile.offsetHeight)")
        assert cards
        assert min(cards) >= WALL_CARD
        assert ana.page.evaluate("document.documentElement.scrollHeight <= innerHeight")


def test_everything_up_to_the_grid_works_without_a_script(stack: Stack, chromium: Browser) -> None:
    teacher = factories.teacher()
    page = chromium.new_context(java_script_enabled=False).new_page()
    page.goto(f"{stack.site}/teacher/sign-in/")
    page.fill("#id_username", teacher.email)
    page.fill("#id_password", factories.PASSWORD)
    page.locator("main form button").click()
    page.locator(".big-thing").nth(1).click()
    page.locator("main .button.primary").first.click()
    page.fill("#id_name", "6b")
    page.fill("#id_names", "Aïcha\nNoé")
    page.locator('[name="do"][value="check"]').click()
    page.locator('[name="do"][value="save"]').click()
    page.locator(".head .button.primary").click()
    page.locator(".summary-bar button").click()
    session = Session.objects.get()
    come(session, students=2)
    page.reload()
    page.locator(".start-bar button").click()
    expect(page.locator(".seat")).to_have_count(3)
    page.locator("#pause-all").click()
    expect(page.locator(".a-table.paused")).to_have_count(1)
    page.locator(".toolbar a.danger").click()
    page.locator('[name="sure"]').click()
    expect(page.locator(".in-short")).to_contain_text("2 ")


def test_a_double_click_makes_one_class_and_one_session(ana: Desk) -> None:
    page = ana.page
    page.goto(f"{ana.site}/teacher/classes/new/")
    page.fill("#id_name", "6b")
    page.fill("#id_names", "Aïcha\nNoé")
    page.locator('#preview [value="save"]').dblclick()
    page.wait_for_url("**/teacher/classes/*-*/")
    assert SchoolClass.objects.count() == 1
    page.goto(f"{ana.site}/teacher/sessions/new/")
    page.locator(".summary-bar button").dblclick()
    page.wait_for_selector(".lobby")
    assert Session.objects.count() == 1


def test_the_sentence_follows_the_choices(ana: Desk) -> None:
    factories.school_class(ana.teacher, name="6b")
    page = ana.page
    page.goto(f"{ana.site}/teacher/sessions/new/")
    page.locator(".answer", has_text="11").first.click()
    page.locator(".answer:has([name=school_class][value=open])").click()
    page.locator(".answer:has([name=robots][value=none])").click()
    said = page.locator("#summary").inner_text()
    assert "11" in said
    for field in ("band", "school_class", "robots"):
        part = page.locator(f"[name={field}]:checked").get_attribute("data-says")
        assert part
        assert part in said
