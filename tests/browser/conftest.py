"""Closes every browser context that a test has left open."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(autouse=True)
def _tidy(chromium: Browser) -> Iterator[None]:
    yield
    for context in chromium.contexts:
        context.close()
