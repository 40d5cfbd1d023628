"""Cells that a spreadsheet takes for what they are: text never runs as a formula, numbers stay numbers (I2)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import date

Value = str | int | bool | date | None
DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
GUARD = "'"
BOM = "\ufeff"


def cell(value: Value) -> str:
    """Text of a cell. Nothing is empty; text that a spreadsheet would calculate is led by an apostrophe."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, date):
        return value.isoformat()
    return f"{GUARD}{value}" if value.startswith((*DANGEROUS, GUARD)) else value


def plain(text: str) -> str:
    """The value that ``cell`` led by an apostrophe: what goes out comes back as it was."""
    rest = text.removeprefix(GUARD)
    return rest if rest != text and rest.startswith((*DANGEROUS, GUARD)) else text


def write(header: Sequence[str], rows: Iterable[Sequence[Value]], *, separator: str = ",") -> bytes:
    """A CSV file: UTF-8 with its mark, so that accents survive a double click."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=separator, lineterminator="\r\n")
    writer.writerow([cell(title) for title in header])
    writer.writerows([cell(value) for value in row] for row in rows)
    return (BOM + text.getvalue()).encode("utf-8")
