"""The immutable word structures that games receive as ``words``; pure, built from the bytes of a word list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wordlists.lexicon.syllables import SyllableLexicon

KINDS: dict[str, Callable[[bytes], Any]] = {"syllables": SyllableLexicon.from_bytes}
"""How each kind of structure, as games name it (``Game.lexicon``), is built from a list's bytes."""
