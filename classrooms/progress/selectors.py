"""The report of a session. One query object for screen, CSV and API: all three show ``table(report, …)`` as it is."""

from __future__ import annotations

import zoneinfo
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from typing import Any
from uuid import UUID

from django.db.models import Count, Max, Q
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from classrooms import names
from classrooms.models import Participant, Session, Student, WordEvidence
from classrooms.sessions import selectors as sessions
from classrooms.sessions.selectors import Person
from classrooms.spreadsheet import Value
from games import selectors as tables
from games.rules import game
from games.selectors import Standing
from wordlists.selectors import lexicon

FAILED = ("wrong_split", "not_in_list")


@dataclass(frozen=True, slots=True)
class WordLine:
    """What one person did with one word."""

    word: str
    made: int
    assisted: int
    """Of those made, how many after the word's own hint."""
    failed: int
    hinted: int
    shown: int
    missed: int
    last_on: date
    """Day of the last time, in the school's time zone."""


@dataclass(frozen=True, slots=True)
class PersonLine:
    """One person's totals and words. ``state``: finished, unfinished (left, removed or stopped), not_begun, absent."""

    participant: UUID | None
    """None: a pupil of the class who did not come."""
    student: UUID | None
    name: str
    mark: str
    guest: bool
    was_guest: bool
    table: int | None
    state: str
    stars: int | None
    rank: int | None
    made: int | None
    """This and the counts below are None for whoever was not at a table: nothing to count is not nought."""
    failed: int | None
    hinted: int | None
    shown: int | None
    missed: int | None
    success: int | None
    """Percent of the words tried that counted; None where nothing was tried."""
    last_on: date | None
    words: tuple[WordLine, ...]

    @property
    def label(self) -> str:
        return f"{self.name} ({self.mark})" if self.mark else self.name


@dataclass(frozen=True, slots=True)
class WordTotal:
    """One word over the whole session."""

    word: str
    made: int
    failed: int
    missed: int


@dataclass(frozen=True, slots=True)
class SessionReport:
    """Everything that is reported of a session, computed at one moment."""

    session: Session
    class_name: str
    zone: str
    """Name of the school's time zone, in which all days are."""
    held_on: date
    computed_at: datetime
    complete: bool
    """The session is over: nothing here will change but by a verdict."""
    people: tuple[PersonLine, ...]
    words: tuple[WordTotal, ...]

    @property
    def finished(self) -> int:
        return sum(1 for row in self.people if row.state == "finished")

    @property
    def played(self) -> int:
        """People who were seated at a table."""
        return sum(1 for row in self.people if row.state in ("finished", "unfinished"))

    @property
    def success(self) -> int | None:
        """Mean of those who finished; unfinished work is not counted and shown apart."""
        done = [row.success for row in self.people if row.state == "finished" and row.success is not None]
        return round(sum(done) / len(done)) if done else None


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a report's table: key in the API, title on the screen and in the file, value of a row."""

    key: str
    title: str | Promise
    value: Callable[[Any], Value]


@dataclass(frozen=True, slots=True)
class ClosingWord:
    """A word for a child's closing page."""

    word: str
    gloss: str
    assisted: bool
    times: int


@dataclass(frozen=True, slots=True)
class Closing:
    """What a child takes along: own words and words that were there to be made."""

    made: tuple[ClosingWord, ...]
    missed: tuple[ClosingWord, ...]
    stars: int | None
    rank: int | None


def session_report(session: Session) -> SessionReport:
    """The report as of now. A fixed number of queries, whatever the size of the class."""
    school = session.teacher.school if session.teacher else None
    zone = school.time_zone if school else timezone.get_default_timezone_name()
    people = [row for row in sessions.people(session, marks=True, everybody=True) if not _came_to_nothing(row)]
    words = _words(session, zone)
    places = _places(session)
    lines = [_person_line(row, words.get(row.participant, []), places.get(row.participant)) for row in people]
    lines += [_absent_line(row) for row in _absent(session, people)]
    return SessionReport(
        session=session,
        class_name=session.school_class.name if session.school_class else "",
        zone=zone,
        held_on=_day(session.started_at or session.created_at, zone),
        computed_at=timezone.now(),
        complete=session.status == Session.Status.OVER,
        people=tuple(sorted(lines, key=_order)),
        words=_totals(lines),
    )


def people_columns(report: SessionReport) -> tuple[Column, ...]:
    """One row per person."""
    return (
        *_WHO,
        Column("state", _("State"), lambda row: row.state),
        Column("stars", _("Stars"), lambda row: row.stars),
        Column("rank", _("Rank"), lambda row: row.rank),
        Column("made", _("Words made"), lambda row: row.made),
        Column("failed", _("Did not count"), lambda row: row.failed),
        Column("hinted", _("Hints"), lambda row: row.hinted),
        Column("shown", _("Words shown"), lambda row: row.shown),
        Column("missed", _("Words missed"), lambda row: row.missed),
        Column("success", _("Success in %"), lambda row: row.success),
        Column("last_on", _day_title(report), lambda row: row.last_on),
    )


def word_columns(report: SessionReport) -> tuple[Column, ...]:
    """One row per person and word; a row is the pair (PersonLine, WordLine)."""
    who = tuple(Column(column.key, column.title, partial(_of_first, column.value)) for column in _WHO)
    return (
        *who,
        Column("word", _("Word"), lambda row: row[1].word),
        Column("made", _("Made"), lambda row: row[1].made),
        Column("assisted", _("With a hint"), lambda row: row[1].assisted),
        Column("failed", _("Did not count"), lambda row: row[1].failed),
        Column("hinted", _("Hints"), lambda row: row[1].hinted),
        Column("shown", _("Shown"), lambda row: row[1].shown),
        Column("missed", _("Missed"), lambda row: row[1].missed),
        Column("last_on", _day_title(report), lambda row: row[1].last_on),
    )


def table(report: SessionReport, which: str) -> tuple[tuple[Column, ...], list[list[Value]]]:
    """Columns and cells of the table ``which``: 'people' or 'words'. KeyError for another."""
    if which == "people":
        return _filled(people_columns(report), report.people)
    if which == "words":
        return _filled(word_columns(report), [(person, word) for person in report.people for word in person.words])
    raise KeyError(which)


def closing(participant: Participant) -> Closing:
    """A child's own and missed words, longest first, with glosses."""
    session = participant.session
    rows = WordEvidence.objects.filter(participant=participant, kind__in=["made", "missed"])
    counted = rows.values("kind", "word").annotate(times=Count("id"), helped=Count("id", filter=Q(assisted=True)))
    glosses = _glosses(session)
    made = [_closing_word(row, glosses) for row in counted if row["kind"] == "made"]
    own = {row.word for row in made}
    missed = [_closing_word(row, glosses) for row in counted if row["kind"] == "missed" and row["word"] not in own]
    stars, rank, _state = _places(session).get(participant.id, (None, None, ""))
    return Closing(made=_longest_first(made), missed=_longest_first(missed), stars=stars, rank=rank)


_WHO = (
    Column("name", _("Name"), lambda row: row.name),
    Column("mark", _("Mark"), lambda row: row.mark),
    Column("table", _("Table"), lambda row: row.table),
)


def _filled(columns: tuple[Column, ...], rows: Sequence[Any]) -> tuple[tuple[Column, ...], list[list[Value]]]:
    return columns, [[column.value(row) for column in columns] for row in rows]


def _of_first(value: Callable[[Any], Value], row: tuple[Any, Any]) -> Value:
    return value(row[0])


def _day_title(report: SessionReport) -> str:
    return str(_("Last on (%(zone)s)")) % {"zone": report.zone}


def _came_to_nothing(person: Person) -> bool:
    """Removed before there was a table."""
    return person.removed and person.table is None


def _words(session: Session, zone: str) -> dict[UUID, list[WordLine]]:
    rows = (
        WordEvidence.objects.filter(participant__session=session)
        .values("participant", "word")
        .annotate(
            made=Count("id", filter=Q(kind="made")),
            helped=Count("id", filter=Q(kind="made", assisted=True)),
            failed=Count("id", filter=Q(kind__in=FAILED)),
            hinted=Count("id", filter=Q(kind="hinted")),
            shown=Count("id", filter=Q(kind="shown")),
            missed=Count("id", filter=Q(kind="missed")),
            last=Max("at"),
        )
        .order_by("word")
    )
    found: dict[UUID, list[WordLine]] = {}
    for row in rows:
        found.setdefault(row["participant"], []).append(
            WordLine(
                word=row["word"],
                made=row["made"],
                assisted=row["helped"],
                failed=row["failed"],
                hinted=row["hinted"],
                shown=row["shown"],
                missed=row["missed"],
                last_on=_day(row["last"], zone),
            )
        )
    return found


Place = tuple[int | None, int | None, str]
"""Stars, rank, state."""


def _places(session: Session) -> dict[UUID, Place]:
    """Stars and rank of whoever sat down; those of a robot's successor or predecessor stay the seat's."""
    ids = [row.table for row in session.tables.all()]
    standings = tables.standings(ids)
    seats = [seat for row in tables.seats_of(ids).values() for seat in row]
    return {
        seat.participant: _place(standings[seat.table_id], seat.number, left=seat.left_at is not None)
        for seat in seats
        if seat.participant is not None and seat.table_id in standings
    }


def _place(standing: Standing, seat: int, *, left: bool) -> Place:
    stars = standing.scores[seat] if seat < len(standing.scores) else None
    whole = standing.status == "over" and not left
    if stars is None or not whole:
        return stars, None, "unfinished"
    better = sum(1 for other in _ranked_scores(standing) if other > stars)
    return stars, 1 + better, "finished"


def _ranked_scores(standing: Standing) -> list[int]:
    """Scores of the seats that have a rank: whoever left has none (X-07)."""
    shown = (standing.public or {}).get("seats") or [{} for _ in standing.scores]
    return [score for score, seat in zip(standing.scores, shown, strict=True) if not seat.get("left", False)]


def _person_line(person: Person, words: list[WordLine], place: Place | None) -> PersonLine:
    stars, rank, state = place or (None, None, "unfinished" if words or person.table else "not_begun")
    counts = _counts(words) if state != "not_begun" else _NO_COUNTS
    return PersonLine(
        participant=person.participant,
        student=person.student,
        name=person.name,
        mark=person.mark,
        guest=person.guest,
        was_guest=person.was_guest,
        table=person.table,
        state=state,
        stars=stars,
        rank=rank,
        last_on=max((row.last_on for row in words), default=None),
        words=tuple(words),
        **counts,
    )


_NO_COUNTS: dict[str, int | None] = dict.fromkeys(("made", "failed", "hinted", "shown", "missed", "success"))


def _counts(words: list[WordLine]) -> dict[str, int | None]:
    made, failed = sum(row.made for row in words), sum(row.failed for row in words)
    return {
        "made": made,
        "failed": failed,
        "hinted": sum(row.hinted for row in words),
        "shown": sum(row.shown for row in words),
        "missed": sum(row.missed for row in words),
        "success": round(100 * made / (made + failed)) if made + failed else None,
    }


def _absent(session: Session, people: list[Person]) -> list[Student]:
    """Pupils who were in the class when the session was held, and did not come."""
    if session.school_class_id is None:
        return []
    here = {row.student for row in people}
    end = session.ended_at or timezone.now()
    rows = Student.objects.filter(school_class=session.school_class_id, created_at__lte=end, name_row__isnull=False)
    begin = session.started_at or session.created_at
    listed = rows.filter(Q(left_class_at=None) | Q(left_class_at__gt=begin)).select_related("name_row")
    return [row for row in listed.order_by("number") if row.id not in here]


def _absent_line(student: Student) -> PersonLine:
    return PersonLine(
        participant=None,
        student=student.id,
        name=student.name_row.shown,
        mark=student.name_row.mark,
        guest=False,
        was_guest=False,
        table=None,
        state="absent",
        stars=None,
        rank=None,
        last_on=None,
        words=(),
        **_NO_COUNTS,
    )


def _order(line: PersonLine) -> tuple[bool, int, str, str]:
    """By table, then name; whoever did nothing comes last."""
    idle = line.state in ("not_begun", "absent")
    return idle, line.table or 0, names.same_name(line.name), line.mark


def _totals(lines: list[PersonLine]) -> tuple[WordTotal, ...]:
    sums: dict[str, list[int]] = {}
    for word in (word for line in lines for word in line.words):
        total = sums.setdefault(word.word, [0, 0, 0])
        total[0] += word.made
        total[1] += word.failed
        total[2] += word.missed
    met = {word: total for word, total in sums.items() if any(total)}
    return tuple(WordTotal(word, *met[word]) for word in sorted(met, key=names.same_name))


def _glosses(session: Session) -> dict[str, str]:
    words = lexicon(session.words_hash, game(session.game).lexicon)
    return {entry.word: entry.gloss for entry in words.words}


def _closing_word(row: Mapping[str, Any], glosses: dict[str, str]) -> ClosingWord:
    return ClosingWord(row["word"], glosses.get(row["word"], ""), row["helped"] > 0, row["times"])


def _longest_first(words: list[ClosingWord]) -> tuple[ClosingWord, ...]:
    return tuple(sorted(words, key=lambda row: (-len(row.word), row.word)))


def _day(moment: datetime, zone: str) -> date:
    return moment.astimezone(zoneinfo.ZoneInfo(zone)).date()
