"""Coming into a session and going: codes, names, passes. Each service locks the session's row first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from classrooms.models import Participant, ReEntry, Session, Student
from classrooms.sessions import codes, push
from classrooms.sessions.services.rows import Status, living_session, locked_session, touch
from games import passes
from games import services as games
from wordlists import guest_names
from wordlists.refusals import Conflict, Forbidden, Gone, Invalid, Missing

MOST_PEOPLE = 40
ABSENT_AFTER = timedelta(seconds=45)
RE_ENTRY_LIFE = timedelta(minutes=10)
SEEN_EVERY = timedelta(seconds=10)


@dataclass(frozen=True, slots=True)
class Joined:
    """Somebody who sits in a session now, with the pass that proves it."""

    participant: Participant

    @property
    def token(self) -> str:
        row = self.participant
        owner = row.session.teacher_id
        return passes.seat_token(participant=row.id, session=row.session_id, epoch=row.epoch, owner=owner)


def session_by_code(code: str) -> Session:
    """The living session of a code. Raises Missing (``unknown_code``), Gone (``session_over``)."""
    found = (
        Session.objects.filter(code=codes.typed(code)).exclude(code="").order_by("-created_at").first()
        if codes.typed(code)
        else None
    )
    if found is None:
        raise Missing("unknown_code")
    if found.status == Status.OVER or found.expires <= timezone.now():
        raise Gone("session_over")
    return found


@transaction.atomic
def join(code: str, *, student: UUID | None = None, guest: str | None = None, device: str = "") -> Joined:
    """A seat for a pupil of the class (``student``) or for a guest (``guest``: '<adjective>-<animal>').

    The same pupil on the same device gets the same seat again, however often and at once. Raises Missing
    (``unknown_code``, ``unknown_student``), Gone (``session_over``), Forbidden (``removed``), Invalid
    (``who_are_you``, ``unknown_guest_name``), Conflict (``already_here``, ``session_locked``, ``session_full``,
    ``name_taken``, ``left``).
    """
    session = living_session(session_by_code(code).id)
    if (student is None) == (guest is None):
        raise Invalid("who_are_you")
    if student is not None:
        return Joined(_join_student(session, student, device=device))
    assert guest is not None
    return Joined(_join_guest(session, _guest_name(guest, session.language), device=device))


@transaction.atomic
def leave(participant: Participant) -> None:
    """The participant goes: out of the lobby without a trace, out of a running game for good, then signed out."""
    session = locked_session(participant.session_id)
    participant = _row(participant)
    if participant.left_at is not None:
        return
    participant.epoch += 1
    push.closed(participant)
    if session.status == Status.LOBBY:
        participant.delete()
    else:
        participant.left_at = timezone.now()
        participant.save(update_fields=["epoch", "left_at"])
    touch(session)
    _move_out_after_commit(session, participant)


@transaction.atomic
def remove(participant: Participant) -> None:
    """The teacher shows somebody the door; the pass is dead and this name and device stay out."""
    session = locked_session(participant.session_id)
    participant = _row(participant)
    if participant.removed_at is not None:
        return
    participant.removed_at = timezone.now()
    participant.epoch += 1
    participant.save(update_fields=["removed_at", "epoch"])
    push.closed(participant)
    touch(session)
    _move_out_after_commit(session, participant)


@transaction.atomic
def lock(session: Session) -> Session:
    """Nobody new comes in."""
    return _set_locked(session, locked=True)


@transaction.atomic
def unlock(session: Session) -> Session:
    """New people may come in again."""
    return _set_locked(session, locked=False)


@transaction.atomic
def link_guest(participant: Participant, *, student: Student | None) -> Participant:
    """Says which pupil a guest is (None: takes that back), in the lobby or long after; the evidence goes along.

    Raises Conflict: ``not_a_guest``, ``student_already_here``; Missing: ``unknown_student``.
    """
    session = locked_session(participant.session_id)
    participant = _row(participant)
    if participant.adjective is None:
        raise Conflict("not_a_guest")
    if student is not None:
        if session.teacher_id is None or student.school_class.teacher_id != session.teacher_id:
            raise Missing("unknown_student")
        if session.participants.filter(student=student).exclude(id=participant.id).exists():
            raise Conflict("student_already_here")
    participant.student = student
    participant.save(update_fields=["student"])
    touch(session)
    return participant


@transaction.atomic
def re_entry_code(participant: Participant) -> str:
    """Six signs that move the seat to another tablet, once, within ten minutes; an earlier one is dead."""
    living_session(participant.session_id)
    participant = _row(participant)
    if participant.removed_at or participant.left_at:
        raise Conflict("left")
    ReEntry.objects.filter(participant=participant).delete()
    code = codes.re_entry_code()
    ReEntry.objects.update_or_create(
        digest=codes.digest(code),
        defaults={"participant": participant, "expires": timezone.now() + RE_ENTRY_LIFE, "used_at": None},
    )
    return code


@transaction.atomic
def enter_again(code: str, *, device: str = "") -> Joined:
    """Takes the seat of a re-entry code over; the pass of the old tablet is dead. Raises Missing (``unknown_code``)."""
    digest = codes.digest(codes.typed(code))
    entry = ReEntry.objects.filter(digest=digest).select_related("participant").first()
    if entry is None:
        raise Missing("unknown_code")
    session = living_session(entry.participant.session_id)
    used = ReEntry.objects.filter(digest=digest, used_at=None, expires__gt=timezone.now())
    if used.update(used_at=timezone.now()) == 0:
        raise Missing("unknown_code")
    participant = _row(entry.participant)
    if participant.removed_at or participant.left_at:
        raise Missing("unknown_code")
    _move_to_device(participant, device=device)
    touch(session)
    return Joined(participant)


def seen(participant_id: UUID, *, last: datetime) -> None:
    """Notes that something was heard of a participant, at most every ten seconds."""
    now = timezone.now()
    if last >= now - SEEN_EVERY:
        return
    Participant.objects.filter(id=participant_id, seen_at__lt=now - SEEN_EVERY).update(seen_at=now)


def _join_student(session: Session, student_id: UUID, *, device: str) -> Participant:
    present = session.participants.filter(student_id=student_id).first()
    if present is not None:
        return _come_back(present, device=device)
    listed = Student.objects.filter(id=student_id, school_class=session.school_class_id, left_class_at=None)
    if session.school_class_id is None or not listed.exists():
        raise Missing("unknown_student")
    _check_room(session)
    participant = Participant.objects.create(session=session, student_id=student_id, device=device)
    touch(session)
    return participant


def _join_guest(session: Session, name: tuple[int, int], *, device: str) -> Participant:
    adjective, animal = name
    guests = session.participants.exclude(adjective=None)
    present = guests.filter(device=device, left_at=None).first() if device else None
    if present is not None:
        return _come_back(_renamed(session, present, name), device=device)
    _check_room(session)
    if guests.filter(adjective=adjective, animal=animal).exists():
        raise Conflict("name_taken")
    participant = Participant.objects.create(session=session, adjective=adjective, animal=animal, device=device)
    touch(session)
    return participant


def _renamed(session: Session, participant: Participant, name: tuple[int, int]) -> Participant:
    """A guest may think again while in the lobby."""
    if session.status != Status.LOBBY or (participant.adjective, participant.animal) == name:
        return participant
    adjective, animal = name
    if session.participants.filter(adjective=adjective, animal=animal).exists():
        raise Conflict("name_taken")
    participant.adjective, participant.animal = name
    participant.save(update_fields=["adjective", "animal"])
    touch(session)
    return participant


def _come_back(participant: Participant, *, device: str) -> Participant:
    """The same tablet has its seat at once; another one only where nothing was heard of the first for a while."""
    if participant.removed_at is not None:
        raise Forbidden("removed")
    if participant.left_at is not None:
        raise Conflict("left")
    if device and device == participant.device:
        return participant
    if participant.seen_at > timezone.now() - ABSENT_AFTER:
        raise Conflict("already_here")
    _move_to_device(participant, device=device)
    return participant


def _move_to_device(participant: Participant, *, device: str) -> None:
    participant.epoch += 1
    participant.device = device
    participant.seen_at = timezone.now()
    participant.save(update_fields=["epoch", "device", "seen_at"])
    push.closed(participant)


def _check_room(session: Session) -> None:
    if session.locked:
        raise Conflict("session_locked")
    if session.participants.filter(removed_at=None, left_at=None).count() >= MOST_PEOPLE:
        raise Conflict("session_full")


def _guest_name(text: str, language: str) -> tuple[int, int]:
    names = guest_names.names(language)
    first, _, second = text.partition("-")
    if not (first.isascii() and first.isdigit() and second.isascii() and second.isdigit() and len(text) < 12):
        raise Invalid("unknown_guest_name")
    if int(first) >= len(names.adjectives) or int(second) >= len(names.nouns):
        raise Invalid("unknown_guest_name")
    return int(first), int(second)


def _row(participant: Participant) -> Participant:
    """The participant as it is now, under the session's lock. Raises Gone where somebody left meanwhile."""
    found = Participant.objects.select_related("table").filter(id=participant.id).first()
    if found is None:
        raise Gone("left")
    return found


def _set_locked(session: Session, *, locked: bool) -> Session:
    session = living_session(session.id)
    if session.locked != locked:
        session.locked = locked
        session.save(update_fields=["locked"])
        touch(session)
    return session


def _move_out_after_commit(session: Session, participant: Participant) -> None:
    """The table is written in a transaction of its own; where that fails, the sweep does it, and who goes is gone."""
    if session.status in (Status.ACTIVE, Status.PAUSED) and participant.table is not None:
        table, who, robots = participant.table.table, participant.id, session.robots
        transaction.on_commit(lambda: games.move_out(table, who, robot_level=robots), robust=True)
