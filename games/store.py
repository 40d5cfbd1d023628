"""The hand-written SQL of tables: their row lock, their read, their write, drafts, counters and NOTIFY.

Everything here is on the path of a move, where DRF and the ORM cost four times as much. Times are wall-clock
milliseconds; JSON crosses as text, so that msgspec reads it straight into the engine's types.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
import psycopg
from django.conf import settings
from django.db import connection

CHANNEL = "wordtable"
PREPARE_AFTER = 2
"""Runs of a statement on a connection before it is prepared."""
ROW_LOCK = "FOR UPDATE"
"""Emptied by one test alone: the control run that shows what happens without the lock (M3)."""

_COLUMNS = """id, owner, session, game, rules_version, band, language, words_hash, options::text AS options, status,
 seed, state::text AS state, version, clock_offset, (extract(epoch FROM paused_at) * 1000)::bigint AS paused_at,
 (extract(epoch FROM deadline) * 1000)::bigint AS deadline, result::text AS result"""
_WALL = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
_SEATS = """SELECT coalesce(json_agg(json_build_object('number', number, 'participant', participant,
 'robot_level', robot_level, 'time_factor', time_factor, 'hints', hints,
 'robot_due', (extract(epoch FROM robot_due) * 1000)::bigint, 'draft', draft, 'draft_round', draft_round,
 'draft_number', draft_number, 'closes_at', (extract(epoch FROM closes_at) * 1000)::bigint,
 'left_at', (extract(epoch FROM left_at) * 1000)::bigint) ORDER BY number), '[]')::text
 FROM games_seat WHERE table_id = """

LOCK = f"""WITH locked AS MATERIALIZED (SELECT {_COLUMNS} FROM games_table WHERE id = %s {{how}})
 SELECT locked.*, {_WALL} FROM locked"""
SEATS = f"{_SEATS} %s"
WRITE = """WITH logged AS (
  INSERT INTO games_tableevent (table_id, turn, seat, move, facts, now, at, digest)
  SELECT %(id)s, e.turn, e.seat, e.move, e.facts, e.now, clock_timestamp(), e.digest
  FROM jsonb_to_recordset(%(events)s::jsonb)
   AS e(turn int, seat int, move jsonb, facts jsonb, now bigint, digest text)
), seated AS (
  UPDATE games_seat s SET participant = c.participant, robot_level = c.robot_level, draft_round = c.draft_round,
   robot_due = to_timestamp(c.robot_due / 1000.0), closes_at = to_timestamp(c.closes_at / 1000.0),
   left_at = to_timestamp(c.left_at / 1000.0), draft = CASE WHEN c.clear THEN NULL ELSE s.draft END
  FROM jsonb_to_recordset(%(changes)s::jsonb) AS c(number int, participant uuid, robot_level text,
   robot_due bigint, draft_round int, closes_at bigint, left_at bigint, clear boolean)
  WHERE s.table_id = %(id)s AND s.number = c.number
)
UPDATE games_table SET state = %(state)s::jsonb, version = %(version)s, status = %(status)s,
 rules_version = %(rules_version)s, clock_offset = %(clock_offset)s, result = %(result)s::jsonb,
 paused_at = to_timestamp(%(paused_at)s / 1000.0), deadline = to_timestamp(%(deadline)s / 1000.0),
 ended_at = CASE WHEN %(ended)s THEN coalesce(ended_at, clock_timestamp()) END
WHERE id = %(id)s"""
COUNT = """INSERT INTO games_allowance AS a (actor, scope, since, count)
 VALUES (%(actor)s, %(scope)s, clock_timestamp(), 1)
 ON CONFLICT (actor, scope) DO UPDATE SET
  count = CASE WHEN a.since <= excluded.since - %(seconds)s * interval '1 second' THEN 1 ELSE a.count + 1 END,
  since = CASE WHEN a.since <= excluded.since - %(seconds)s * interval '1 second' THEN excluded.since ELSE a.since END
 RETURNING count, (extract(epoch FROM since - clock_timestamp()) + %(seconds)s)::float"""
UNFLUSHED_COUNT = COUNT.replace("RETURNING", "RETURNING set_config('synchronous_commit', 'off', true) IS NULL,")
NOTIFY = "SELECT set_config('synchronous_commit', 'off', true), pg_notify(%s, %s)"


class TableRow(msgspec.Struct):
    """A row of games_table; JSON columns are still text. ``wall`` is the database's clock when it was read."""

    id: UUID
    owner: UUID | None
    session: UUID
    game: str
    rules_version: int
    band: str
    language: str
    words_hash: str
    options: str
    status: str
    seed: str
    state: str | None
    version: int
    clock_offset: int
    paused_at: int | None
    deadline: int | None
    result: str | None
    wall: int

    @property
    def now(self) -> int:
        """Match time: it stands while the table is paused."""
        return (self.wall if self.paused_at is None else self.paused_at) - self.clock_offset

    @property
    def ended(self) -> bool:
        return self.status in ("over", "stopped", "abandoned")


class SeatRow(msgspec.Struct):
    """A row of games_seat."""

    number: int
    participant: UUID | None
    robot_level: str | None
    time_factor: int
    hints: int | None
    robot_due: int | None
    draft: Any
    draft_round: int | None
    draft_number: int
    closes_at: int | None
    left_at: int | None


class SeatChange(msgspec.Struct):
    """What a write may change of a seat. Drafts are only ever cleared here: their own statement sets them."""

    number: int
    participant: UUID | None
    robot_level: str | None
    robot_due: int | None
    draft_round: int | None
    closes_at: int | None
    left_at: int | None
    clear: bool


class EventRow(msgspec.Struct):
    """A line for games_tableevent."""

    turn: int
    seat: int
    move: dict[str, Any]
    facts: list[dict[str, Any]]
    now: int
    digest: str


_seats_decoder = msgspec.json.Decoder(list[SeatRow])


@contextmanager
def _prepared() -> Iterator[psycopg.Cursor[Any]]:
    """A cursor whose statements PostgreSQL plans once per connection: Django's would have each planned anew, which
    doubles what a move costs there. Not through a pooler, which may hand the plan's connection to somebody else."""
    connection.close_if_health_check_failed()
    connection.ensure_connection()
    is_direct = settings.DATABASE_URL == settings.DATABASE_DIRECT_URL
    connection.connection.prepare_threshold = PREPARE_AFTER if is_direct else None
    with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as cursor:
        yield cursor


def _one(cursor: psycopg.Cursor[Any]) -> tuple[Any, ...]:
    """The row of a statement that always has one."""
    row: tuple[Any, ...] | None = cursor.fetchone()
    assert row is not None
    return row


class Counter(NamedTuple):
    """What to count: one more ``scope`` of the actor, in spans of so many seconds."""

    actor: str
    scope: str
    seconds: int


class Counted(NamedTuple):
    """How many in the running span, and the seconds until the next one."""

    number: int
    left: float


class Locked(NamedTuple):
    """A table whose row is locked until the transaction ends, and its seats."""

    table: TableRow
    seats: list[SeatRow]
    counted: Counted | None


def lock(table_id: UUID, *, skip_locked: bool = False, counter: Counter | None = None) -> Locked | None:
    """Lock the table's row and read it with its seats. None where there is none, or somebody else holds it.

    The clock is read outside the locking part, hence after any wait for the lock, never before it. The seats are a
    statement of their own, since a snapshot taken while waiting is stale. BEGIN and all statements travel together:
    each way to the server and back costs a move as much as its rules do.
    """
    how = f"{ROW_LOCK} SKIP LOCKED" if skip_locked else ROW_LOCK
    with _prepared() as counting, counting.connection.pipeline():
        locking, seating = psycopg.Cursor(counting.connection), psycopg.Cursor(counting.connection)
        if counter is not None:
            counting.execute(COUNT, counter._asdict())
        locking.execute(LOCK.format(how=how), [table_id])
        seating.execute(SEATS, [table_id])
        counted = None if counter is None else Counted(*_one(counting))
        row, (seats_text,) = locking.fetchone(), _one(seating)
    return Locked(TableRow(*row), _seats_decoder.decode(seats_text), counted) if row else None


def seats(table_id: UUID) -> list[SeatRow]:
    """The table's seats in order."""
    with _prepared() as cursor:
        cursor.execute(SEATS, [table_id])
        return _seats_decoder.decode(_one(cursor)[0])


def lock_seats(table_id: UUID, numbers: list[int]) -> list[SeatRow]:
    """Lock those seats, so that a draft on its way is in or out, and read all anew."""
    with _prepared() as cursor:
        cursor.execute(
            "SELECT number FROM games_seat WHERE table_id = %s AND number = ANY(%s) ORDER BY number FOR UPDATE",
            [table_id, numbers],
        )
    return seats(table_id)


def read(table_id: UUID) -> tuple[TableRow, list[SeatRow]] | None:
    """A table and its seats from one snapshot, without a lock."""
    sql = f"SELECT {_COLUMNS}, {_WALL}, ({_SEATS} games_table.id) FROM games_table WHERE id = %s"
    with _prepared() as cursor:
        cursor.execute(sql, [table_id])
        row = cursor.fetchone()
    return (TableRow(*row[:-1]), _seats_decoder.decode(row[-1])) if row else None


def read_many(table_ids: list[UUID]) -> list[TableRow]:
    """Many tables without their seats, in one query."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {_COLUMNS}, {_WALL} FROM games_table WHERE id = ANY(%s)", [table_ids])
        return [TableRow(*row) for row in cursor.fetchall()]


def write(table: TableRow, *, state: bytes, events: list[EventRow], changes: list[SeatChange]) -> None:
    """State, log and seats in one statement; (table, turn) being unique refuses a turn that was taken."""
    values: dict[str, Any] = {
        "id": table.id,
        "state": state.decode(),
        "events": msgspec.json.encode(events).decode(),
        "changes": msgspec.json.encode(changes).decode(),
        "ended": table.ended,
    }
    for name in ("version", "status", "rules_version", "clock_offset", "result", "paused_at", "deadline"):
        values[name] = getattr(table, name)
    with _prepared() as cursor:
        cursor.execute(WRITE, values)


def save_draft(
    table_id: UUID, participant: UUID, session: UUID, *, round: int, number: int, draft: bytes, elapsed_ms: float
) -> bool:
    """Store a draft where its round is open, its number the largest yet and its receipt in time; else change nothing.

    Durable by itself: run outside a transaction it is one, and it never touches the table's row.
    """
    sql = """UPDATE games_seat SET draft = %(draft)s::jsonb, draft_number = %(number)s
     WHERE table_id = %(table)s AND participant = %(participant)s AND left_at IS NULL
      AND EXISTS (SELECT FROM games_table t WHERE t.id = table_id AND t.session = %(session)s)
      AND draft_round = %(round)s AND draft_number < %(number)s
      AND (closes_at IS NULL OR clock_timestamp() - %(elapsed)s * interval '1 millisecond' <= closes_at)"""
    with _prepared() as cursor:
        cursor.execute(
            sql,
            {
                "draft": draft.decode(),
                "number": number,
                "table": table_id,
                "participant": participant,
                "session": session,
                "round": round,
                "elapsed": elapsed_ms,
            },
        )
        return cursor.rowcount == 1


def due_tables(*, lag_ms: int, limit: int) -> list[UUID]:
    """Running tables with something to do: a deadline that came ``lag_ms`` ago, or a robot whose moment has come."""
    sql = """SELECT id FROM games_table
      WHERE status = 'active' AND deadline <= clock_timestamp() - %s * interval '1 millisecond'
     UNION SELECT t.id FROM games_seat s JOIN games_table t ON t.id = s.table_id
      WHERE s.robot_due <= clock_timestamp() AND t.status = 'active' LIMIT %s"""
    with connection.cursor() as cursor:
        cursor.execute(sql, [lag_ms, limit])
        return [row[0] for row in cursor.fetchall()]


def count(counter: Counter) -> Counted:
    """Count by itself. One atomic statement, so that a hundred parallel tries are a hundred (B3); it is not flushed,
    since a counter may be lost."""
    with _prepared() as cursor:
        cursor.execute(UNFLUSHED_COUNT, counter._asdict())
        return Counted(*_one(cursor)[1:])


def notify(payload: str) -> None:
    """Tell the hubs, in a transaction of its own that is not flushed: NOTIFY inside a durable commit would serialise
    the commits of the whole cluster. At most 7,999 bytes."""
    with _prepared() as cursor:
        cursor.execute(NOTIFY, [CHANNEL, payload])
