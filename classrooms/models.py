"""Schools, teachers, classes and pupils; sessions with their people; the evidence that play leaves behind.

Foreign keys point downwards only: tables are known by their uuid. A pupil's shown name stands in a row of its own,
so that erasing it touches nothing else.
"""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone

BANDS = [("8-10", "8-10"), ("11-15", "11-15"), ("16+", "16+")]
ROBOT_LEVELS = [("easy", "easy"), ("medium", "medium"), ("hard", "hard")]


class School(models.Model):
    """A school; its time zone dates every report."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=200)
    language = models.CharField(max_length=8, default="fr")
    time_zone = models.CharField(max_length=64, default="Europe/Paris")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return self.name


class TeacherManager(BaseUserManager["Teacher"]):
    """Accounts by e-mail address, whatever its case."""

    def get_by_natural_key(self, username: str | None) -> Teacher:
        return self.get(email__iexact=username)

    async def aget_by_natural_key(self, username: str | None) -> Teacher:
        return await self.aget(email__iexact=username)

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> Teacher:
        teacher = self.model(email=email.strip().lower(), **fields)
        teacher.set_password(password)
        teacher.save(using=self._db)
        return teacher

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> Teacher:
        school = fields.pop("school", None) or School.objects.create(name=email)
        return self.create_user(email, password, school=school, is_staff=True, is_superuser=True, **fields)


class Teacher(AbstractBaseUser, PermissionsMixin):
    """Who signs in. Pupils never have an account."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    email = models.EmailField(max_length=254, unique=True)
    name = models.CharField(max_length=120)
    school = models.ForeignKey(School, on_delete=models.PROTECT, related_name="teachers")
    language = models.CharField(max_length=8, default="fr")
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)
    tokens_epoch = models.PositiveIntegerField(default=1)
    """Raised by a password change or sign-out everywhere; bearer tokens of an earlier epoch are dead."""
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS = ["name"]

    objects: ClassVar[TeacherManager] = TeacherManager()

    class Meta:
        constraints = [models.UniqueConstraint(Lower("email"), name="teacher_email_unique")]

    def __str__(self) -> str:
        return self.email


class SchoolClass(models.Model):
    """A teacher's class: a list of pupils that can sit down in a session."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    school = models.ForeignKey(School, on_delete=models.CASCADE, related_name="classes")
    teacher = models.ForeignKey(Teacher, on_delete=models.CASCADE, related_name="classes")
    name = models.CharField(max_length=80)
    archived_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name_plural = "school classes"
        indexes = [models.Index(fields=["teacher", "archived_at"], name="class_by_teacher")]

    def __str__(self) -> str:
        return self.name


class Student(models.Model):
    """A pupil of a class, known by number. Everything is keyed by the uuid, nothing by the name."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    school_class = models.ForeignKey(SchoolClass, on_delete=models.CASCADE, related_name="students")
    number = models.PositiveSmallIntegerField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    left_class_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["school_class", "number"], name="student_number_unique")]

    def __str__(self) -> str:
        return f"no. {self.number}"


class StudentName(models.Model):
    """The shown name of a pupil, apart so that erasure removes it and leaves the rest."""

    student = models.OneToOneField(Student, primary_key=True, on_delete=models.CASCADE, related_name="name_row")
    shown = models.CharField(max_length=400)
    """1-20 graphemes; a grapheme may take many code points."""
    mark = models.CharField(max_length=40, blank=True)
    """Seen by the teacher only; tells two pupils of one name apart."""

    def __str__(self) -> str:
        return f"name of {self.student_id}"


class Session(models.Model):
    """One sitting of a class or an open group: settings, a join code while it lives, its tables."""

    class Status(models.TextChoices):
        LOBBY = "lobby"
        ACTIVE = "active"
        PAUSED = "paused"
        OVER = "over"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    teacher = models.ForeignKey(Teacher, null=True, on_delete=models.CASCADE, related_name="sessions")
    """None: a solo try-out that belongs to nobody."""
    school_class = models.ForeignKey(
        SchoolClass, null=True, blank=True, on_delete=models.SET_NULL, related_name="sessions"
    )
    game = models.CharField(max_length=32)
    band = models.CharField(max_length=8, choices=BANDS)
    language = models.CharField(max_length=8)
    words_hash = models.CharField(max_length=128)
    options = models.JSONField(default=dict, blank=True)
    robots = models.CharField(max_length=8, choices=ROBOT_LEVELS, null=True, blank=True)
    """Level of the robots that fill tables; None: people only."""
    code = models.CharField(max_length=7, blank=True)
    """Dead once the session is over or past ``expires``; a solo session has none."""
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.LOBBY)
    locked = models.BooleanField(default=False)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    expires = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["code"], condition=~Q(status="over") & ~Q(code=""), name="session_live_code_unique"
            ),
            models.CheckConstraint(
                condition=Q(status__in=["lobby", "active", "paused", "over"]), name="session_status_known"
            ),
        ]
        indexes = [
            models.Index(fields=["teacher", "-created_at"], name="session_by_teacher"),
            models.Index(fields=["expires"], condition=~Q(status="over"), name="session_to_expire"),
        ]

    def __str__(self) -> str:
        return f"session {self.id}"


class UsedCode(models.Model):
    """A join code that was given out and may not come again before ``free_after``; outlives its session."""

    code = models.CharField(max_length=7, primary_key=True)
    free_after = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return "a used code"


class SessionTable(models.Model):
    """A table of a session. The row is the plan and is written first; the table itself follows, by the same uuid."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField()
    table = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    robots = models.PositiveSmallIntegerField(default=0)
    dealt_at = models.DateTimeField(null=True, blank=True)
    """None until the table was created and started; the sweep finishes what a crash left."""
    over_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["session", "number"], name="session_table_number_unique")]

    def __str__(self) -> str:
        return f"table {self.number}"


class Participant(models.Model):
    """Somebody in a session: a pupil of the class or a guest with a picked name; games know the uuid only."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="participants")
    student = models.ForeignKey(Student, null=True, blank=True, on_delete=models.SET_NULL, related_name="sittings")
    adjective = models.PositiveSmallIntegerField(null=True, blank=True)
    animal = models.PositiveSmallIntegerField(null=True, blank=True)
    table = models.ForeignKey(
        SessionTable, null=True, blank=True, on_delete=models.SET_NULL, related_name="participants"
    )
    epoch = models.PositiveIntegerField(default=1)
    """A token of an earlier epoch is dead."""
    device = models.CharField(max_length=64, blank=True)
    """Digest of the device's cookie: tells a second tap on the same tablet from another tablet."""
    joined_at = models.DateTimeField(default=timezone.now, editable=False)
    seen_at = models.DateTimeField(default=timezone.now)
    left_at = models.DateTimeField(null=True, blank=True)
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["session", "student"], condition=Q(student__isnull=False), name="participant_student_once"
            ),
            models.UniqueConstraint(
                fields=["session", "adjective", "animal"],
                condition=Q(adjective__isnull=False),
                name="participant_guest_name_once",
            ),
            models.CheckConstraint(
                condition=Q(adjective__isnull=True, animal__isnull=True)
                | Q(adjective__isnull=False, animal__isnull=False),
                name="participant_guest_name_whole",
            ),
        ]
        indexes = [models.Index(fields=["session", "joined_at"], name="participant_by_session")]

    def __str__(self) -> str:
        return f"participant {self.id}"


class ReEntry(models.Model):
    """A code that moves a seat to another tablet, once, within ten minutes. Only its digest is kept."""

    digest = models.CharField(max_length=64, primary_key=True)
    participant = models.ForeignKey(Participant, on_delete=models.CASCADE, related_name="re_entries")
    expires = models.DateTimeField(db_index=True)
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return "a re-entry code"


class Tries(models.Model):
    """How often something limited was tried in a window; counted by one atomic statement."""

    scope = models.CharField(max_length=32)
    key = models.CharField(max_length=64)
    window = models.DateTimeField()
    count = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = "tries"
        constraints = [models.UniqueConstraint(fields=["scope", "key", "window"], name="tries_once_per_window")]
        indexes = [models.Index(fields=["window"], name="tries_by_window")]

    def __str__(self) -> str:
        return self.scope


class Claim(models.Model):
    """Somebody is at it: a request whose effect takes several transactions. Void after ``until``, should it crash."""

    name = models.CharField(max_length=64, primary_key=True)
    until = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return "a claim"


class ProgressMark(models.Model):
    """How far a table's log has been projected into evidence; its row lock makes projections take turns."""

    table = models.UUIDField(primary_key=True)
    turn = models.PositiveIntegerField(default=0)
    seating = models.JSONField(default=list)
    """Who sat where after ``turn``: participant uuids or None by seat."""
    at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"mark of {self.table}"


class WordEvidence(models.Model):
    """One thing that a person did or met with a word: a fact of the log with its person. Can be rebuilt at any time."""

    participant = models.ForeignKey(Participant, on_delete=models.CASCADE, related_name="evidence")
    table = models.UUIDField()
    turn = models.PositiveIntegerField()
    place = models.PositiveSmallIntegerField()
    """Index of the fact within its event."""
    round = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=16)
    """As the game names it: 'made', 'wrong_split', 'not_in_list', 'hinted', 'shown', 'missed' …"""
    word = models.CharField(max_length=120)
    tried = models.CharField(max_length=200, blank=True)
    assisted = models.BooleanField(default=False)
    at = models.DateTimeField()
    """When it happened."""

    class Meta:
        verbose_name_plural = "word evidence"
        constraints = [models.UniqueConstraint(fields=["table", "turn", "place"], name="evidence_once_per_fact")]
        indexes = [models.Index(fields=["participant", "kind"], name="evidence_by_participant")]

    def __str__(self) -> str:
        return f"evidence {self.table}:{self.turn}:{self.place}"
