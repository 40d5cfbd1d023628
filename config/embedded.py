"""A private PostgreSQL and Valkey out of wheels, for machines that bring neither."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from urllib.parse import quote

LONGEST_SOCKET_PATH = 100
"""Bytes; the kernel takes 107 (Linux) or 103 (macOS)."""


def socket_dir(data_dir: Path) -> Path:
    """Where the sockets live: inside ``data_dir``, or in a short folder of the same owner where that path is too long."""
    inside = data_dir / "run"
    if len(os.fsencode(inside / ".s.PGSQL.5432.lock")) <= LONGEST_SOCKET_PATH:
        return inside
    digest = hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:12]
    return Path("/tmp") / f"wordtable-{os.getuid()}-{digest}"


def database_url(data_dir: Path, name: str = "wordtable") -> str:
    """Address of the private PostgreSQL."""
    return f"postgresql://wordtable@{quote(str(socket_dir(data_dir)), safe='')}/{name}"


def redis_url(data_dir: Path) -> str:
    """Address of the private Valkey."""
    return f"redis+socket://{socket_dir(data_dir) / 'valkey.sock'}"
