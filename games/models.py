"""Tables, their seats and their log. Only ``services`` writes here; names of people never enter."""

from __future__ import annotations

import secrets
import uuid

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now


def new_seed() -> str:
    """The one secret that all randomness of a table comes from (X-04)."""
    return secrets.token_hex(16)


class Table(models.Model):
    """One game being played. ``state`` is the truth for play, ``version`` the number of its last event."""

    class Status(models.TextChoices):
        LOBBY = "lobby"
        ACTIVE = "active"
        PAUSED = "paused"
        OVER = "over"
        STOPPED = "stopped"
        ABANDONED = "abandoned"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.UUIDField(null=True, help_text="The teacher; none for a game tried out alone.")
    session = models.UUIDField(db_index=True)
    game = models.CharField(max_length=32)
    rules_version = models.PositiveIntegerField()
    band = models.CharField(max_length=8)
    language = models.CharField(max_length=8)
    words_hash = models.CharField(max_length=128)
    options = models.JSONField(default=dict)
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.LOBBY)
    seed = models.CharField(max_length=64, default=new_seed)
    state = models.JSONField(null=True)
    version = models.PositiveIntegerField(default=0)
    clock_offset = models.BigIntegerField(default=0, help_text="Match time = wall time in ms - this.")
    paused_at = models.DateTimeField(null=True)
    deadline = models.DateTimeField(null=True, help_text="The earliest deadline of a seat, without grace.")
    result = models.JSONField(null=True)
    created_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="table_state_unless_lobby",
                condition=Q(status="lobby", state__isnull=True, version=0)
                | (~Q(status="lobby") & Q(version__gt=0) & Q(state__isnull=False)),
            ),
            models.CheckConstraint(
                name="table_paused_at_iff_paused",
                condition=Q(status="paused", paused_at__isnull=False)
                | (~Q(status="paused") & Q(paused_at__isnull=True)),
            ),
            models.CheckConstraint(
                name="table_result_iff_ended",
                condition=Q(status__in=["over", "stopped", "abandoned"], result__isnull=False, ended_at__isnull=False)
                | (Q(status__in=["lobby", "active", "paused"]) & Q(result__isnull=True)),
            ),
        ]
        indexes = [models.Index(name="table_due", fields=["deadline"], condition=Q(status="active"))]

    def __str__(self) -> str:
        return f"{self.game} {self.id}"


class Seat(models.Model):
    """A place at a table, held by a participant or by a robot; holds the draft, which is no part of the game."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    participant = models.UUIDField(null=True, db_index=True)
    robot_level = models.CharField(max_length=8, null=True)
    time_factor = models.PositiveSmallIntegerField(default=100, help_text="Percent of the table's time.")
    hints = models.PositiveSmallIntegerField(null=True)
    robot_due = models.DateTimeField(null=True)
    draft = models.JSONField(null=True)
    draft_round = models.PositiveSmallIntegerField(null=True, help_text="The round that a draft may be for now.")
    draft_number = models.BigIntegerField(default=0)
    closes_at = models.DateTimeField(null=True, help_text="Last moment at which a draft counts: deadline + grace.")
    left_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(name="seat_once_per_table", fields=["table", "number"]),
            models.UniqueConstraint(
                name="seat_participant_once_per_table",
                fields=["table", "participant"],
                condition=Q(participant__isnull=False),
            ),
            models.CheckConstraint(
                name="seat_participant_or_robot", condition=Q(participant__isnull=True) | Q(robot_level__isnull=True)
            ),
            models.CheckConstraint(
                name="seat_due_only_for_robots", condition=Q(robot_due__isnull=True) | Q(robot_level__isnull=False)
            ),
            models.CheckConstraint(name="seat_time_factor_positive", condition=Q(time_factor__gt=0)),
            models.CheckConstraint(name="seat_draft_number_not_negative", condition=Q(draft_number__gte=0)),
        ]
        indexes = [models.Index(name="seat_robot_due", fields=["robot_due"], condition=Q(robot_due__isnull=False))]

    def __str__(self) -> str:
        return f"seat {self.number} of {self.table_id}"


class TableEvent(models.Model):
    """One line of a table's log, append-only. ``seat`` is -1 for CLOCK and -2 for TEACHER or the house."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="events")
    turn = models.PositiveIntegerField()
    seat = models.SmallIntegerField()
    move = models.JSONField()
    facts = models.JSONField(default=list)
    now = models.BigIntegerField(help_text="Match time in ms.")
    at = models.DateTimeField()
    digest = models.CharField(max_length=64)

    class Meta:
        ordering = ["table", "turn"]
        constraints = [
            models.UniqueConstraint(name="event_turn_once_per_table", fields=["table", "turn"]),
            models.CheckConstraint(name="event_turn_from_one", condition=Q(turn__gte=1)),
            models.CheckConstraint(name="event_seat_known", condition=Q(seat__gte=-2)),
        ]

    def __str__(self) -> str:
        return f"turn {self.turn} of {self.table_id}"


class Request(models.Model):
    """What was answered to an idempotency key (X-02); written in the same transaction as its effect."""

    actor = models.CharField(max_length=64)
    scope = models.CharField(max_length=128)
    key = models.CharField(max_length=128)
    body_hash = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField()
    answer = models.TextField()
    at = models.DateTimeField(db_default=Now(), db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="request_key_once", fields=["actor", "scope", "key"]),
            models.CheckConstraint(name="request_status_http", condition=Q(status__gte=200, status__lt=600)),
        ]

    def __str__(self) -> str:
        return f"{self.scope} by {self.actor}"


class Allowance(models.Model):
    """How often an actor did a thing in the running span; one atomic counter, never per address."""

    actor = models.CharField(max_length=64)
    scope = models.CharField(max_length=64)
    since = models.DateTimeField()
    count = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="allowance_once", fields=["actor", "scope"]),
            models.CheckConstraint(name="allowance_counts", condition=Q(count__gte=1)),
        ]

    def __str__(self) -> str:
        return f"{self.scope} by {self.actor}"
