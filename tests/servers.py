"""Gives tests their servers: loaded before the settings are, so that these find the addresses in the environment.

Where DATABASE_URL and REDIS_URL are both set, those servers are used; otherwise private ones in ``.data/test``, apart
from those of ``make run``.
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path

import pytest

from config import translations

ROOT = Path(__file__).resolve().parent.parent
DATA_DIR = ROOT / ".data" / "test"
OWN_SERVERS = bool(os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL"))
NAMES_OF_SETTINGS = ("PUBLIC_URL", "ALLOWED_HOSTS", "STATIC_ROOT", "DATABASE_DIRECT_URL", "LANGUAGE_CODE", "TIME_ZONE")

os.environ["DATA_DIR"] = str(DATA_DIR)
os.environ["ENV_FILE"] = ""
os.environ["SECRET_KEY"] = "for-tests-only"
os.environ["REDIS_PREFIX"] = f"test-{os.environ.get('PYTEST_XDIST_WORKER', 'main')}:"
(DATA_DIR / "staticfiles").mkdir(mode=0o700, parents=True, exist_ok=True)
for name in NAMES_OF_SETTINGS:
    os.environ.pop(name, None)
if not OWN_SERVERS:
    os.environ.pop("DATABASE_URL", None)
    os.environ.pop("REDIS_URL", None)

# Compiled before Django looks for them; by the process that hands out the tests alone.
if "PYTEST_XDIST_WORKER" not in os.environ:
    translations.compile_in(translations.folders(ROOT))

_held = ExitStack()


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """In the process that hands out the tests, not in its workers."""
    if OWN_SERVERS or hasattr(config, "workerinput"):
        return
    from config import embedded, private

    try:
        _held.enter_context(private.sole_user(DATA_DIR))
        servers = embedded.needed(DATA_DIR, durable=False)
        _held.callback(servers.stop)
        servers.start()
    except private.Unavailable as refusal:
        _held.close()
        raise pytest.UsageError(str(refusal)) from None


@pytest.hookimpl(trylast=True)
def pytest_unconfigure() -> None:
    _held.close()
