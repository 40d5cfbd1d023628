"""Compiles translations with polib, so that no gettext program has to be installed."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import polib


def folders(root: Path) -> list[Path]:
    """Where texts are translated: the shell, each app, each game."""
    return [path for pattern in ("locale", "*/locale", "games/rules/*/locale") for path in sorted(root.glob(pattern))]


def compile_in(folders: Iterable[Path]) -> None:
    """Writes a ``.mo`` beside each ``.po`` that is newer; put in place whole, whoever else does the same."""
    for source in (found for folder in folders for found in folder.glob("*/LC_MESSAGES/*.po")):
        target = source.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime >= source.stat().st_mtime:
            continue
        draft = target.with_name(f"{target.name}.{os.getpid()}")
        polib.pofile(str(source)).save_as_mofile(str(draft))
        draft.replace(target)
