"""Tablets and phones of a class: a browser context each, with what a child does on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page, Request

from classrooms.models import Session
from classrooms.sessions import services as sessions
from tests import factories
from tests.stack import Stack
from wordlists.lexicon.syllables import SyllableLexicon
from wordlists.selectors import lexicon

TABLET = {"width": 1024, "height": 768}
UPRIGHT = {"width": 768, "height": 1024}
PHONE = {"width": 390, "height": 844}
CALM = {"reduced_motion": "reduce"}


@dataclass
class Tablet:
    """One device. ``strangers``: every request to another host; ``broken``: everything the page complained about."""

    site: str
    context: BrowserContext
    page: Page
    strangers: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)

    def watch(self) -> None:
        host = urlsplit(self.site).netloc
        self.page.on("request", lambda request: self._note(request, host))
        self.page.on("pageerror", lambda error: self.broken.append(str(error)))
        self.page.on("console", lambda line: self.broken.append(line.text) if "Content Security" in line.text else None)

    def _note(self, request: Request, host: str) -> None:
        if urlsplit(request.url).netloc != host:
            self.strangers.append(request.url)

    def open(self, path: str = "/") -> None:
        self.page.goto(f"{self.site}{path}")

    def join(self, code: str, name: str) -> None:
        """From the start page to the waiting room, by one's own name."""
        self.open()
        self.page.fill("#code", code.lower())
        self.page.keyboard.press("Enter")
        self.page.locator(f'.name[data-name="{name}"]').click()
        self.page.locator('#question [value="yes"]').click()
        self.page.wait_for_selector('[data-screen="waiting"]:visible')

    def join_as_guest(self, code: str) -> str:
        """From the start page to the waiting room, by one of the offered names; answers that name."""
        self.open()
        self.page.fill("#code", code)
        self.page.keyboard.press("Enter")
        if self.page.locator(".guest-door").count():
            self.page.locator(".guest-door summary").click()
        guest = self.page.locator(".guest").first
        name = guest.inner_text().strip()
        guest.click()
        self.page.wait_for_selector('[data-screen="waiting"]:visible')
        return name

    def sees_board(self, seconds: float = 10) -> None:
        self.page.wait_for_selector("#board:visible", timeout=seconds * 1000)

    def sees_reveal(self, seconds: float = 10) -> None:
        self.page.wait_for_selector("#board-reveal:visible", timeout=seconds * 1000)

    def view(self) -> dict[str, Any]:
        """The table as the API shows it to this seat."""
        table = self._fetch("/api/v1/me/")["table"]
        return dict(self._fetch(f"/api/v1/tables/{table}/"))

    def _fetch(self, path: str) -> dict[str, Any]:
        script = "path => fetch(path, {headers: {'Wordtable-Viewer': 'seat'}}).then(answer => answer.json())"
        return dict(self.page.evaluate(script, path))

    def word(self, words: SyllableLexicon) -> list[str]:
        """Cards of a word that this seat can make now, in order."""
        view = self.view()
        hand, centre = view["private"]["hand"], view["public"]["centre"]
        found = words.find([card["text"] for card in hand], [card["text"] for card in centre])
        return [[*hand, *centre][place]["id"] for place in found[0].picks]

    def tap(self, cards: list[str]) -> None:
        for card in cards:
            self.page.locator(f'[data-own] [data-card="{card}"], [data-centre] [data-card="{card}"]').click()

    def do(self, action: str) -> None:
        self.page.locator(f'[data-do="{action}"]:visible').click()

    def built(self) -> list[str]:
        """Ids of the cards in the tray."""
        return [str(tile.get_attribute("data-card")) for tile in self.page.locator("[data-built] [data-card]").all()]

    def hand(self) -> list[str]:
        return [tile.inner_text() for tile in self.page.locator("[data-own] .syl-text").all()]

    def seconds_left(self) -> int:
        """What the timer shows."""
        minutes, seconds = self.page.locator("[data-time]").inner_text().split(":")
        return int(minutes) * 60 + int(seconds)


@dataclass
class Class:
    """A session with its tablets, seated at one table without robots."""

    session: Session
    tablets: list[Tablet]

    @property
    def words(self) -> SyllableLexicon:
        found = lexicon(self.session.words_hash, "syllables")
        assert isinstance(found, SyllableLexicon)
        return found

    def start(self) -> None:
        sessions.start(self.session)
        for tablet in self.tablets:
            tablet.sees_board()

    def finish_round(self) -> None:
        """Everybody plays a word; the reveal shows."""
        for tablet in self.tablets:
            tablet.tap(tablet.word(self.words))
            tablet.do("ready")
        for tablet in self.tablets:
            tablet.sees_reveal()

    def go_on(self) -> None:
        """Everybody taps on; the next round shows, at the latest when the reveal's own 20 s are over."""
        for tablet in self.tablets:
            tablet.do("seen")
        for tablet in self.tablets:
            tablet.sees_board(30)


def tablet(chromium: Browser, stack: Stack, size: dict[str, int] = TABLET, **options: Any) -> Tablet:
    """A fresh device whose browser speaks French."""
    settings: dict[str, Any] = {"viewport": size, "locale": "fr-FR", "has_touch": True} | options
    context = chromium.new_context(**settings)
    context.set_default_timeout(15_000)
    found = Tablet(site=stack.site, context=context, page=context.new_page())
    found.watch()
    return found


def a_class(
    chromium: Browser, stack: Stack, *names: str, sizes: tuple[dict[str, int], ...] = (), **options: Any
) -> Class:
    """A session whose pupils have come in and wait; the first tablets have the given sizes."""
    school_class = factories.school_class(factories.teacher(), *names)
    session = factories.session(school_class.teacher, school_class=school_class, robots=None)
    tablets = []
    for place, name in enumerate(names):
        size = sizes[place] if place < len(sizes) else TABLET
        tablets.append(tablet(chromium, stack, size, **({**CALM, **options})))
        tablets[-1].join(session.code, name)
    return Class(session, tablets)
