"""The teacher's computer: a browser context, with what a teacher does on the pages."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass

from playwright.sync_api import Browser, Locator, Page, ViewportSize

from classrooms.models import Teacher
from classrooms.sessions.codes import JOIN_LENGTH
from tests import factories
from tests.stack import Stack

SCREEN: ViewportSize = {"width": 1366, "height": 768}
Cells = list[list[str]]


@dataclass
class Desk:
    """Signed in, somewhere on the teacher's pages."""

    site: str
    page: Page
    teacher: Teacher

    def make_class(self, name: str, pupils: list[str]) -> None:
        """By pasting names."""
        self.page.goto(f"{self.site}/teacher/classes/new/")
        self.page.fill("#id_name", name)
        self.page.fill("#id_names", "\n".join(pupils))
        self.page.locator('#preview [value="save"]').click()
        self.page.wait_for_url("**/teacher/classes/*-*/")

    def open_session(self, *, school_class: str, robots: str, band: str = "8-10") -> str:
        """In four choices; the join code."""
        self.page.goto(f"{self.site}/teacher/sessions/new/")
        self.page.locator('[name="game"][value="syllables"]').check(force=True)
        self.page.locator(f'[name="band"][value="{band}"]').check(force=True)
        self.page.locator(".answer", has_text=school_class).click()
        self.page.locator(f'[name="robots"][value="{robots}"]').check(force=True)
        self.page.locator(".summary-bar button").click()
        self.page.wait_for_selector(".lobby")
        shown = self.page.locator(".way-in .code-display").first.inner_text()
        return "".join(shown.split())[:JOIN_LENGTH]

    def start(self) -> None:
        self.page.locator(".start-bar button").click()
        self.page.wait_for_selector(".live")

    def people_table(self) -> Cells:
        """What stands in the table of students, cell by cell, as the file should have it."""
        head, *rows = self.page.locator("#people-table tr").all()
        cells = [[str(cell.get_attribute("data-value")) for cell in row.locator("th, td").all()] for row in rows]
        return [head.locator("th").all_inner_texts(), *cells]

    def marks(self) -> dict[tuple[str, str], dict[str, int]]:
        """The table of words and students: what each one did with each word, and how often."""
        names = self.page.locator("#matrix thead th bdi").all_text_contents()
        found: dict[tuple[str, str], dict[str, int]] = {}
        for row in self.page.locator("#matrix tbody tr:not(.apart)").all():
            word = row.locator("th").inner_text()
            for name, cell in zip(names, row.locator("td").all(), strict=True):
                if signs := dict(_sign(sign) for sign in cell.locator(".sign").all()):
                    found[name, word] = signs
        return found

    def file(self, which: str) -> Cells:
        """The rows of a CSV file, fetched as the page's link fetches it."""
        address = self.page.locator(f'a[href*="table={which}"]').first.get_attribute("href") or ""
        text = self.page.evaluate("path => fetch(path).then(answer => answer.text())", address)
        separator = ";" if "%3B" in address else ","
        return list(csv.reader(io.StringIO(str(text).removeprefix("\ufeff")), delimiter=separator))


def desk(chromium: Browser, stack: Stack) -> Desk:
    """A teacher who has just signed in."""
    teacher = factories.teacher()
    context = chromium.new_context(viewport=SCREEN, locale="fr-FR")
    context.set_default_timeout(15_000)
    page = context.new_page()
    page.goto(f"{stack.site}/teacher/sign-in/")
    page.fill("#id_username", teacher.email)
    page.fill("#id_password", factories.PASSWORD)
    page.locator("main form button").click()
    page.wait_for_url("**/teacher/")
    return Desk(stack.site, page, teacher)


def _sign(sign: Locator) -> tuple[str, int]:
    kind = next(name for name in str(sign.get_attribute("class")).split() if name != "sign")
    times = sign.locator("small").all_inner_texts()
    return kind, int(times[0].lstrip("×")) if times else 1
