"""Writing the data of one language, and refusing a build whose counts have moved."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, fields
from pathlib import Path

from wordlists.builtin import BANDS, BuiltinList, Row, syllable_lexicon
from wordlists.spelling import fold

TOLERANCE = 0.01
"""A count that moves by more than this share fails the build: inputs or rules have changed more than meant."""


def files(
    language: str, rows: Sequence[Row], blocked: frozenset[str], titles: dict[str, str], licence: str
) -> dict[str, bytes]:
    """The content of every derived file by name; the same rows give the same bytes."""
    ordered = sorted(rows, key=lambda row: (fold(row.word, language), row.word))
    lists = [_list(language, ordered, blocked, band, titles[band], licence) for band in BANDS]
    return {
        "words.tsv": _table(ordered),
        "blocked.txt": "".join(f"{form}\n" for form in sorted(blocked)).encode(),
        "lists.json": _json([asdict(listed) for listed in lists]),
        "counts.json": _json(counts(ordered)),
    }


def counts(rows: Sequence[Row]) -> dict[str, int]:
    """What is watched from build to build."""
    found: Counter[str] = Counter()
    for row in rows:
        found["words"] += 1
        found[f"band {row.band}"] += 1
        found[f"{len(row.split)} syllables"] += 1
        found[f"review {row.review}"] += 1
        found["with gloss"] += bool(row.gloss)
    found["distinct syllables"] = len({syllable for row in rows for syllable in row.split})
    return dict(sorted(found.items()))


def moved(before: dict[str, int], now: dict[str, int]) -> list[str]:
    """One line for each count that moved by more than the tolerance."""
    names = sorted(before.keys() | now.keys())
    pairs = ((name, before.get(name, 0), now.get(name, 0)) for name in names)
    return [f"{name}: {old} -> {new}" for name, old, new in pairs if abs(new - old) > TOLERANCE * old]


def recorded_counts(folder: Path) -> dict[str, int]:
    """The counts of the data in ``folder``; empty before the first build."""
    path = folder / "counts.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def _list(
    language: str, rows: Sequence[Row], blocked: Iterable[str], band: str, title: str, licence: str
) -> BuiltinList:
    lexicon = syllable_lexicon(language, rows, band, blocked)
    return BuiltinList(
        language=language,
        band=band,
        kind="syllables",
        hash=lexicon.hash,
        title=title,
        licence=licence,
        words=lexicon.size,
        faces=len(lexicon.faces),
    )


def _table(rows: Sequence[Row]) -> bytes:
    names = [field.name for field in fields(Row)]
    lines = ["\t".join(names), *("\t".join(_cell(getattr(row, name)) for name in names) for row in rows), ""]
    return "\n".join(lines).encode()


def _cell(value: object) -> str:
    if isinstance(value, tuple):
        return "-".join(value)
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def _json(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()
