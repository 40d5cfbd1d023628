"""Tables for tests: made through the services, played through HTTP or the services, looked at through both."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import msgspec
from django.db import connection
from django.utils import timezone

from classrooms.models import Participant, School, Session, Teacher
from games import passes, services
from games.models import Table
from games.services import SeatPlan
from wordlists.services import ensure_builtin
from wordlists.viewer import Viewer

BAND = "8-10"


def made(
    *,
    people: int = 3,
    robots: int = 0,
    level: str = "medium",
    owner: UUID | None = None,
    session: UUID | None = None,
    factors: dict[int, int] | None = None,
    **options: Any,
) -> Table:
    """A table in the lobby: people first, then robots. ``factors`` are time factors by seat."""
    plans = [SeatPlan(participant=uuid4(), time_factor=(factors or {}).get(seat, 100)) for seat in range(people)]
    plans += [SeatPlan(robot_level=level) for _ in range(robots)]
    return services.create_table(
        owner=owner or uuid4(),
        session=session or uuid4(),
        game="syllables",
        band=BAND,
        language="fr",
        words_hash=words_hash(),
        options=options,
        seats=plans,
    )


def started(**plan: Any) -> Table:
    table = made(**plan)
    services.start(table.id)
    return Table.objects.get(id=table.id)


def words_hash() -> str:
    return str(ensure_builtin("fr", BAND).hash)


def teacher_of(table: Table) -> Viewer:
    return Viewer(kind="teacher", id=table.owner, school=uuid4())


def viewer(table: Table, seat: int) -> Viewer:
    participant = table.seats.get(number=seat).participant
    assert participant is not None
    return Viewer(kind="participant", id=participant, session=table.session)


def token(table: Table, seat: int) -> str:
    who = viewer(table, seat)
    assert who.id is not None
    return passes.seat_token(participant=who.id, session=table.session, epoch=1)


def view(table: Table, seat: int | None = None) -> dict[str, Any]:
    who = teacher_of(table) if seat is None else viewer(table, seat)
    found, _ = services.view(table.id, who)
    assert found is not None
    return found


def play(table: Table, seat: int, move: dict[str, Any], **more: Any) -> dict[str, Any]:
    return services.play(table.id, viewer(table, seat), move, **more).content


def command(table: Table, kind: str, **fields: Any) -> dict[str, Any]:
    return services.command(table.id, teacher_of(table), {"type": kind, **fields}).content


def admitted(table: Table) -> Table:
    """The rows upstairs that let the table's people and teacher in: HTTP tests need them."""
    school = School.objects.create(name="École des Tilleuls")
    teacher = Teacher.objects.create(id=table.owner, email=f"{table.id}@ecole.example", name="Ana", school=school)
    session = Session.objects.create(
        id=table.session,
        teacher=teacher,
        game=table.game,
        band=table.band,
        language=table.language,
        words_hash=table.words_hash,
        status="active",
        expires=timezone.now() + timedelta(days=1),
    )
    people = [seat.participant for seat in table.seats.all() if seat.participant is not None]
    Participant.objects.bulk_create(Participant(id=person, session=session) for person in people)
    return table


def teacher_token(table: Table) -> str:
    teacher = Teacher.objects.get(id=table.owner)
    return passes.teacher_token(teacher=teacher.id, school=teacher.school_id, epoch=teacher.tokens_epoch)


def ready(round: int = 1, cards: list[str] | None = None) -> dict[str, Any]:
    return {"type": "syllables.ready", "round": round, "cards": cards or []}


def seen(round: int = 1) -> dict[str, Any]:
    return {"type": "syllables.seen", "round": round}


def pair(view: dict[str, Any]) -> list[str]:
    """Two cards that may be sealed, whether they spell a word or not: one of the hand, one of the centre."""
    return [view["private"]["hand"][0]["id"], view["public"]["centre"][0]["id"]]


def play_round(table: Table, number: int) -> None:
    """Everybody is ready without a word, then taps on."""
    for kind in (ready, seen):
        for seat in range(table.seats.count()):
            play(table, seat, kind(number))


def played_out(table: Table) -> None:
    for number in range(1, 9):
        play_round(table, number)


def log(table: Table) -> list[tuple[int, str]]:
    return [(event.seat, event.move["type"]) for event in table.events.order_by("turn")]


def age(table: Table, ms: int) -> None:
    """Let ``ms`` have passed at the table: all that it keeps in wall time lies so much earlier."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE games_table SET clock_offset = clock_offset - %s,"
            " deadline = deadline - %s * interval '1 millisecond',"
            " paused_at = paused_at - %s * interval '1 millisecond' WHERE id = %s",
            [ms, ms, ms, table.id],
        )
        cursor.execute(
            "UPDATE games_seat SET closes_at = closes_at - %s * interval '1 millisecond',"
            " robot_due = robot_due - %s * interval '1 millisecond' WHERE table_id = %s",
            [ms, ms, table.id],
        )


def snapshot(table: Table) -> bytes:
    """Everything stored of a table, to see that nothing has changed."""
    rows: list[Any] = []
    with connection.cursor() as cursor:
        for query in (
            "SELECT to_jsonb(t)::text FROM games_table t WHERE id = %s",
            "SELECT to_jsonb(s)::text FROM games_seat s WHERE table_id = %s ORDER BY number",
            "SELECT to_jsonb(e)::text FROM games_tableevent e WHERE table_id = %s ORDER BY turn",
        ):
            cursor.execute(query, [table.id])
            rows.extend(cursor.fetchall())
    return msgspec.json.encode(rows)
