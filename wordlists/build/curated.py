"""What people decided about words, kept as data beside the lists: ``data/<language>/curated``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

DROPPED = "out"


@dataclass(frozen=True, slots=True)
class Curated:
    """Decisions of one language."""

    blocked: tuple[str, ...]
    """Lemmas that are blocked with their inflections."""
    unfit_stems: tuple[str, ...]
    """Beginnings of words that make a gloss unfit."""
    decisions: dict[str, str]
    """Word → its band, or ``out``."""
    splits: dict[str, tuple[str, ...]]
    """Words whose syllables the rules do not find."""
    read: frozenset[tuple[str, ...]]
    """Splits that somebody looked at and found right."""


def load(folder: Path) -> Curated:
    """All files of a ``curated`` folder."""
    splits = [tuple(line.split("-")) for line in _lines(folder / "splits.txt")]
    return Curated(
        blocked=tuple(_lines(folder / "blocklist.txt")),
        unfit_stems=tuple(_lines(folder / "gloss_stems.txt")),
        decisions=dict(line.split("\t")[:2] for line in _lines(folder / "decisions.tsv")),
        splits={"".join(split): split for split in splits},
        read=frozenset(tuple(line.split("-")) for line in _lines(folder / "read.txt")) | frozenset(splits),
    )


def _lines(path: Path) -> list[str]:
    """Lines without comments and blanks."""
    lines = (line.split("#")[0].rstrip() for line in path.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line.strip()]
