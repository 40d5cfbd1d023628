"""A private PostgreSQL and Valkey out of wheels, for machines that bring neither.

Both run detached in the folder of their data, so that a killed ``make run`` harms nothing: the next start finds them by
a protocol answer, never by a pid file, and takes them over or clears what a crash has left.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from config import postgres, valkey
from config.postgres import Postgres
from config.private import Unavailable
from config.valkey import Valkey


@dataclass(frozen=True)
class Servers:
    """Those of the two servers that the environment does not name."""

    servers: tuple[Postgres | Valkey, ...]
    say: Callable[[str], None]

    def start(self) -> None:
        for server in self.servers:
            server.start()

    def revive(self) -> None:
        """Starts again what has crashed; called every few seconds while the service runs."""
        for server in self.servers:
            if not server.answers():
                self.say(f"{type(server).__name__} has stopped; starting it again.")
                server.start()

    def stop(self) -> None:
        for server in reversed(self.servers):
            server.stop()


def needed(data_dir: Path, *, say: Callable[[str], None] = print, durable: bool = True) -> Servers:
    """The private servers that this environment asks for: none where both addresses are set."""
    wanted: list[Postgres | Valkey] = []
    if not os.environ.get("DATABASE_URL"):
        wanted.append(Postgres(data_dir, say, durable))
    if not os.environ.get("REDIS_URL"):
        wanted.append(Valkey(data_dir, say))
    return Servers(tuple(wanted), say)


def can_run_here() -> bool:
    """Whether the binaries are installed."""
    try:
        return postgres.programs().exists() and valkey.program().exists()
    except Unavailable:
        return False


if __name__ == "__main__":
    from django.conf import settings

    if sys.argv[1:] == ["stop"]:
        needed(settings.DATA_DIR).stop()
