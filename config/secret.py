"""Secrets for installations that were given none: made once, kept in a file that only its owner reads."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path


def kept(path: Path, *, size: int = 50) -> str:
    """The text in ``path``, made there of ``size`` random bytes when missing; two at once get the same one."""
    with contextlib.suppress(FileNotFoundError):
        return path.read_text()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(secrets.token_urlsafe(size))
    with contextlib.suppress(FileExistsError):
        os.link(draft, path)
    draft.unlink()
    return path.read_text()
