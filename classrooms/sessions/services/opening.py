"""Opening a session, opening it once more, and deleting it with everything in it."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Any

import msgspec
from django.db import connection, transaction
from django.utils import timezone

from classrooms.models import BANDS, ROBOT_LEVELS, Participant, ProgressMark, SchoolClass, Session, Teacher
from classrooms.sessions import codes, push
from classrooms.sessions.services import running, seating
from classrooms.sessions.services.joining import Joined
from classrooms.sessions.services.rows import locked_session
from games import requests, rules
from games import services as games
from games.engine.contract import Game
from wordlists import guest_names
from wordlists import services as words
from wordlists.refusals import Conflict, Invalid, Missing

LIFE = timedelta(hours=24)
CODE_REST = timedelta(days=30)
MOST_CODES_TRIED = 20


def create_session(
    teacher: Teacher,
    *,
    game: str,
    band: str,
    language: str | None = None,
    school_class: SchoolClass | None = None,
    robots: str | None = "medium",
    options: dict[str, Any] | None = None,
) -> Session:
    """A session in its lobby, with a fresh code. ``language`` None: the school's, or the game's own.

    Raises Invalid: unknown_game, unknown_band, unknown_language, unknown_level, unknown_option, no_such_list.
    """
    session = _planned(teacher, game=game, band=band, language=language, robots=robots, options=options)
    session.school_class = school_class
    with transaction.atomic():
        session.code = _fresh_code()
        session.save(force_insert=True)
        push.changed(session)
    return session


def create_solo(*, band: str, language: str | None = None, game: str = "syllables", device: str = "") -> Joined:
    """A game against one robot that belongs to nobody and has no code; started at once."""
    session = _planned(None, game=game, band=band, language=language, robots="easy", options=None)
    names = guest_names.names(session.language)
    with transaction.atomic():
        session.save(force_insert=True)
        participant = Participant.objects.create(
            session=session,
            adjective=secrets.randbelow(len(names.adjectives)),
            animal=secrets.randbelow(len(names.nouns)),
            device=device,
        )
    seating.start(session, fewest=2)
    participant.refresh_from_db()
    return Joined(participant=participant)


def play_again(session: Session) -> Session:
    """The same class and settings, a new code and an empty lobby."""
    assert session.teacher is not None
    return create_session(
        session.teacher,
        game=session.game,
        band=session.band,
        language=session.language,
        school_class=session.school_class,
        robots=session.robots,
        options=session.options,
    )


def delete(session: Session) -> None:
    """Ends the session where it runs, then removes tables, logs, people, evidence and what was answered about it.

    Safe to call again.
    """
    running.end(session)
    for table in session.tables.all():
        games.delete(table.table)
    with transaction.atomic():
        session = locked_session(session.id)
        tables = [row.table for row in session.tables.all()]
        for participant in session.participants.all():
            participant.epoch += 1
            push.closed(participant)
        ProgressMark.objects.filter(table__in=tables).delete()
        requests.forget_answers_about(str(session.id))
        session.delete()


def _planned(
    teacher: Teacher | None,
    *,
    game: str,
    band: str,
    language: str | None,
    robots: str | None,
    options: dict[str, Any] | None,
) -> Session:
    played = _game(game)
    if band not in dict(BANDS):
        raise Invalid("unknown_band")
    if robots is not None and robots not in dict(ROBOT_LEVELS):
        raise Invalid("unknown_level")
    language = _language(played, language, teacher)
    return Session(
        teacher=teacher,
        game=game,
        band=band,
        language=language,
        words_hash=_words(language, band),
        options=_options(played, options or {}),
        robots=robots,
        expires=timezone.now() + LIFE,
    )


def _game(slug: str) -> Game[Any, Any, Any]:
    try:
        return rules.game(slug)
    except KeyError as error:
        raise Invalid("unknown_game") from error


def _language(game: Game[Any, Any, Any], asked: str | None, teacher: Teacher | None) -> str:
    if asked is None:
        school = teacher.school.language if teacher else ""
        return school if school in game.languages else game.languages[0]
    if asked not in game.languages:
        raise Invalid("unknown_language")
    return asked


def _words(language: str, band: str) -> str:
    try:
        return words.ensure_builtin(language, band).hash
    except Missing as error:
        raise Invalid("no_such_list") from error


def _options(game: Game[Any, Any, Any], raw: dict[str, Any]) -> dict[str, Any]:
    """Refused unless each one is known; kept as given, so that a later default reaches whoever did not choose."""
    if set(raw) - set(game.Options.__struct_fields__):
        raise Invalid("unknown_option")
    try:
        game.options_from(raw)
    except msgspec.ValidationError as error:
        raise Invalid("unknown_option") from error
    return raw


def _fresh_code() -> str:
    """A code that nobody had within 30 days; reserved by one atomic statement."""
    now = timezone.now()
    for _ in range(MOST_CODES_TRIED):
        code = codes.join_code()
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO classrooms_usedcode (code, free_after) VALUES (%s, %s) ON CONFLICT (code)"
                " DO UPDATE SET free_after = EXCLUDED.free_after WHERE classrooms_usedcode.free_after < %s"
                " RETURNING code",
                [code, now + LIFE + CODE_REST, now],
            )
            if cursor.fetchone():
                return code
    raise Conflict("no_code_free")
