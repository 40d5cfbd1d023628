"""Fixtures for every test: the running service (``stack``) and a browser (``chromium``)."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.stack import HOST, Stack, patient_flush, running_stack

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
REQUIRED = os.environ.get("BROWSER_TESTS") == "required"
CHROMIUM_OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--host-resolver-rules=MAP {HOST} 127.0.0.1",
]


def pytest_report_header() -> str | None:
    if CHROMIUM or REQUIRED:
        return None
    return "No Chromium found: the browser tests are skipped."


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever uses the fixture is a browser test."""
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="module")
def _running_stack(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """For one file at a time: its worker would do the background work of other files' tests behind their back."""
    with patient_flush(), running_stack(tmp_path_factory.mktemp("stack")) as stack:
        yield stack


@pytest.fixture
def stack(transactional_db: None, _running_stack: Stack) -> Iterator[Stack]:
    """The running service on an empty database; what the test killed is started again after it."""
    from config.celery import app

    app.control.purge()
    yield _running_stack
    _running_stack.mend()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The system's Chromium; every player gets a context of its own out of it."""
    if CHROMIUM is None:
        if REQUIRED:
            pytest.fail("Chromium is required (BROWSER_TESTS=required) and was not found.")
        pytest.skip("no Chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright, pytest.MonkeyPatch.context() as patch:
        # Playwright keeps an event loop in this thread, which Django would otherwise take for an async view's.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        browser = playwright.chromium.launch(executable_path=str(Path(CHROMIUM)), args=CHROMIUM_OPTIONS)
        yield browser
        browser.close()
