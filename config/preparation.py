"""What has to be in place before the service starts; each step does nothing where nothing has changed."""

from __future__ import annotations

import fcntl
import hashlib
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

from config import translations


def everything() -> None:
    """In the order in which the steps need each other."""
    translations.compile_in(settings.LOCALE_PATHS)
    call_command("migrate", verbosity=0, interactive=False)
    collect_static_files()
    ensure_lists()


def collect_static_files() -> None:
    """Collects only when a file has come, gone or changed: hashing and compressing all of them takes seconds."""
    root = settings.STATIC_ROOT
    root.parent.mkdir(parents=True, exist_ok=True)
    with root.with_name(f"{root.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        mark = root / ".fingerprint"
        fingerprint = _fingerprint()
        if mark.exists() and mark.read_text() == fingerprint:
            return
        call_command("collectstatic", verbosity=0, interactive=False, clear=root.exists())
        mark.write_text(fingerprint)


def ensure_lists() -> None:
    """The built-in word lists."""
    from wordlists import selectors, services

    for language, band in selectors.builtin_lists():
        services.ensure_builtin(language, band)


def _fingerprint() -> str:
    digest = hashlib.sha256()
    for finder in get_finders():
        for path, storage in finder.list([]):
            state = Path(storage.path(path)).stat()
            digest.update(f"{path} {state.st_size} {state.st_mtime_ns}\n".encode())
    return digest.hexdigest()
