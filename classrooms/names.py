"""Names of pupils: cleaned once at the entrance, shown as text everywhere, never a key and never in a log.

A list of a class comes pasted, or as the bytes of a file that a spreadsheet saved; one bad line never costs a good one.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import regex

from classrooms.spreadsheet import plain
from wordlists import spelling
from wordlists.refusals import Invalid

LONGEST = 20
"""Graphemes."""
MOST_CODE_POINTS = 400
MOST_LINES = 60

_ENTITY = regex.compile(r"&#?\w+;")
_HEADERS = {
    "nom", "prénom", "prenom", "noms", "prénoms", "élève", "élèves", "name", "names", "first name", "last name",
    "firstname", "lastname", "pupil", "student", "vorname", "nachname", "cognome", "nome", "nume", "prenume",
}  # fmt: skip
_GIVEN_NAMES = {"prénom", "prenom", "prénoms", "first name", "firstname", "vorname", "nome", "prenume"}
_FAMILY_NAMES = {"nom", "noms", "last name", "lastname", "nachname", "cognome", "nume"}


@dataclass(frozen=True, slots=True)
class NameRow:
    """A good line: ``mark`` tells duplicates apart ('1', '2' …, empty where the name is alone)."""

    line: int
    name: str
    mark: str = ""


@dataclass(frozen=True, slots=True)
class NameFault:
    """A line that cannot be taken. ``code``: name_empty, name_too_long, name_unseen_character, too_many_names."""

    line: int
    text: str
    code: str


@dataclass(frozen=True, slots=True)
class NameList:
    """What a pasted list holds, line by line."""

    rows: tuple[NameRow, ...]
    faults: tuple[NameFault, ...]
    encoding: str = "utf-8"
    """The guessed one where the list came as bytes; the preview names it."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(row.name for row in self.rows)


def clean_name(text: str) -> str:
    """NFC, 1-20 graphemes, nothing unseen. Raises Invalid: name_empty, name_too_long, name_unseen_character."""
    try:
        name = spelling.clean(text)
    except spelling.SpellingError as error:
        raise Invalid(f"name_{error.code}") from error
    if len(graphemes(name)) > LONGEST or len(name) > MOST_CODE_POINTS:
        raise Invalid("name_too_long")
    if not any(_is_seen(sign) for sign in name):
        raise Invalid("name_empty")
    return name


def graphemes(text: str) -> list[str]:
    """What a reader counts as one sign each."""
    return regex.findall(r"\X", text)


def read_names(text: str) -> NameList:
    """A pasted list: one name a line, or columns out of a spreadsheet (tab or semicolon), header line or not."""
    rows: list[NameRow] = []
    faults: list[NameFault] = []
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    header = _header(lines)
    for number, line in enumerate(lines, start=1):
        if not line.strip() or (header and number == 1):
            continue
        _read_line(number, _joined(line, header), rows=rows, faults=faults)
    return NameList(rows=tuple(_marked(rows)), faults=tuple(faults))


def read_name_file(data: bytes) -> NameList:
    """The same out of a file: UTF-8, UTF-16 with its mark, else the code page of western spreadsheets."""
    text, encoding = _decoded(data)
    listed = read_names(text)
    return NameList(rows=listed.rows, faults=listed.faults, encoding=encoding)


def same_name(name: str) -> str:
    """Names with an equal result look the same to a class."""
    return unicodedata.normalize("NFKC", name).casefold()


def _read_line(number: int, text: str, *, rows: list[NameRow], faults: list[NameFault]) -> None:
    try:
        name = clean_name(text)
    except Invalid as error:
        faults.append(NameFault(number, text[:200], error.code))
        return
    if len(rows) >= MOST_LINES:
        faults.append(NameFault(number, name, "too_many_names"))
        return
    rows.append(NameRow(number, name))


def _marked(rows: Sequence[NameRow]) -> list[NameRow]:
    total = Counter(same_name(row.name) for row in rows)
    seen: Counter[str] = Counter()
    result = []
    for row in rows:
        key = same_name(row.name)
        seen[key] += 1
        result.append(NameRow(row.line, row.name, str(seen[key]) if total[key] > 1 else ""))
    return result


def _header(lines: Sequence[str]) -> list[str]:
    """The cells of the first line where all of them are headings; else nothing."""
    cells = [cell.casefold() for cell in _cells(lines[0])] if lines else []
    return cells if cells and all(cell in _HEADERS for cell in cells) else []


def _cells(line: str) -> list[str]:
    """Columns of a spreadsheet; a semicolon that ends an entity is part of a name (case 77)."""
    separator = "\t" if "\t" in line else ";"
    if separator == ";" and _ENTITY.search(line):
        return [plain(line.strip())]
    return [plain(_unquoted(cell.strip())) for cell in line.split(separator)]


def _unquoted(cell: str) -> str:
    quoted = len(cell) > 1 and cell[0] == cell[-1] == '"'
    return cell[1:-1].strip() if quoted else cell


def _joined(line: str, header: Sequence[str]) -> str:
    """The shown name: given name first where the header says which column that is."""
    cells = _cells(line)
    if len(cells) == 1:
        return cells[0]
    if not header:
        return " ".join(filter(None, cells))
    named = dict(zip(header, cells, strict=False))
    given = [cell for head, cell in named.items() if head in _GIVEN_NAMES]
    family = [cell for head, cell in named.items() if head in _FAMILY_NAMES]
    return " ".join(filter(None, [*given, *family])) or " ".join(filter(None, cells))


def _decoded(data: bytes) -> tuple[str, str]:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", errors="strict"), "utf-16"
    try:
        return data.decode("utf-8-sig"), "utf-8"
    except UnicodeDecodeError:
        pass
    try:
        return data.decode("cp1252"), "cp1252"
    except UnicodeDecodeError as error:
        raise Invalid("unknown_encoding") from error


def _is_seen(sign: str) -> bool:
    return unicodedata.category(sign)[0] not in "ZMC"
