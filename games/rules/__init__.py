"""The games, found by folder: every package here whose ``rules`` module holds a ``GAME`` is one."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import Any

from games.engine.contract import Game


@cache
def games() -> dict[str, Game[Any, Any, Any]]:
    """All games by slug."""
    found = (
        importlib.import_module(f"{__name__}.{module.name}.rules").GAME
        for module in pkgutil.iter_modules(__path__)
        if module.ispkg
    )
    return {game.slug: game for game in found}


def game(slug: str) -> Game[Any, Any, Any]:
    """The game of that slug; KeyError when there is none."""
    return games()[slug]
