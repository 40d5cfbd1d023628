"""What has to be in place before the service starts; each step does nothing where nothing has changed."""

from __future__ import annotations

import hashlib
from pathlib import Path

import polib
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

from wordlists import selectors, services


def everything() -> None:
    """In the order in which the steps need each other."""
    compile_translations()
    call_command("migrate", verbosity=0, interactive=False)
    collect_static_files()
    ensure_lists()


def compile_translations() -> None:
    """Writes a ``.mo`` beside each ``.po`` that is newer; polib, so that no gettext program is needed."""
    for folder in settings.LOCALE_PATHS:
        for source in Path(folder).glob("*/LC_MESSAGES/*.po"):
            target = source.with_suffix(".mo")
            if not target.exists() or target.stat().st_mtime < source.stat().st_mtime:
                polib.pofile(str(source)).save_as_mofile(str(target))


def collect_static_files() -> None:
    """Collects only when a file has come, gone or changed: hashing and compressing all of them takes seconds."""
    mark = settings.STATIC_ROOT / ".fingerprint"
    fingerprint = _fingerprint()
    if mark.exists() and mark.read_text() == fingerprint:
        return
    call_command("collectstatic", verbosity=0, interactive=False, clear=settings.STATIC_ROOT.exists())
    mark.write_text(fingerprint)


def ensure_lists() -> None:
    """The built-in word lists."""
    for language, band in selectors.builtin_lists():
        services.ensure_builtin(language, band)


def _fingerprint() -> str:
    digest = hashlib.sha256()
    for finder in get_finders():
        for path, storage in finder.list([]):
            state = Path(storage.path(path)).stat()
            digest.update(f"{path} {state.st_size} {state.st_mtime_ns}\n".encode())
    return digest.hexdigest()
