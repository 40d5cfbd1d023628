"""Shapes of the API. What comes in is named field by field, so nothing else can be set (A3)."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers as s

from classrooms.models import BANDS, ROBOT_LEVELS, SchoolClass, Session

LONGEST_EXTENSION_MS = 3_600_000


class Credentials(s.Serializer[Any]):
    email = s.CharField(max_length=254)
    password = s.CharField(max_length=256, trim_whitespace=False)


class TeacherToken(s.Serializer[Any]):
    token = s.CharField()
    expires_in = s.IntegerField(help_text="Seconds.")


class ClassIn(s.Serializer[Any]):
    name = s.CharField(max_length=80)
    names = s.ListField(child=s.CharField(max_length=400), max_length=60, required=False, default=list)


class ClassChange(s.Serializer[Any]):
    name = s.CharField(max_length=80, required=False)
    archived = s.BooleanField(required=False)


class StudentsIn(s.Serializer[Any]):
    names = s.ListField(child=s.CharField(max_length=400), min_length=1, max_length=60)


class StudentChange(s.Serializer[Any]):
    name = s.CharField(max_length=400)
    mark = s.CharField(max_length=40, required=False, allow_blank=True)


class StudentOut(s.Serializer[Any]):
    id = s.UUIDField()
    number = s.IntegerField()
    name = s.CharField()
    mark = s.CharField(help_text="Tells two pupils of one name apart; for teachers only.")


class ClassOut(s.ModelSerializer[SchoolClass]):
    archived = s.SerializerMethodField()
    pupils = s.IntegerField()

    class Meta:
        model = SchoolClass
        fields = ["id", "name", "archived", "pupils", "created_at"]
        read_only_fields = fields

    def get_archived(self, row: SchoolClass) -> bool:
        return row.archived_at is not None


class ClassDetail(ClassOut):
    students = StudentOut(many=True)

    class Meta(ClassOut.Meta):
        fields = [*ClassOut.Meta.fields, "students"]
        read_only_fields = fields


class SessionIn(s.Serializer[Any]):
    game = s.CharField(max_length=32)
    band = s.ChoiceField(choices=BANDS)
    language = s.CharField(max_length=8, required=False, allow_null=True, default=None)
    school_class = s.UUIDField(required=False, allow_null=True, default=None)
    robots = s.ChoiceField(choices=ROBOT_LEVELS, required=False, allow_null=True, default="medium")
    options = s.DictField(required=False, default=dict)


class SessionTableOut(s.Serializer[Any]):
    number = s.IntegerField()
    table = s.UUIDField()


class SessionOut(s.ModelSerializer[Session]):
    code = s.SerializerMethodField(help_text="Empty once the session is over.")
    tables = SessionTableOut(many=True)

    class Meta:
        model = Session
        fields = [
            "id", "game", "band", "language", "school_class", "robots", "options", "status", "locked", "code",
            "version", "created_at", "started_at", "ended_at", "expires", "tables",
        ]  # fmt: skip
        read_only_fields = fields

    def get_code(self, row: Session) -> str:
        return "" if row.status == Session.Status.OVER else row.code


class SessionPage(s.Serializer[Any]):
    next = s.IntegerField(allow_null=True, help_text="Offset of the next page.")
    results = SessionOut(many=True)


class Extension(s.Serializer[Any]):
    ms = s.IntegerField(min_value=1_000, max_value=LONGEST_EXTENSION_MS)


class PersonOut(s.Serializer[Any]):
    participant = s.UUIDField()
    name = s.CharField()
    mark = s.CharField(help_text="For the teacher only.")
    guest = s.BooleanField()
    table = s.IntegerField(allow_null=True)
    table_id = s.UUIDField(allow_null=True)
    seat = s.IntegerField(allow_null=True)
    left = s.BooleanField()
    removed = s.BooleanField()


class LinkIn(s.Serializer[Any]):
    student = s.UUIDField(allow_null=True)


class SeatIn(s.Serializer[Any]):
    table = s.IntegerField(required=False, allow_null=True, default=None, min_value=1, max_value=1000)


class CodeOut(s.Serializer[Any]):
    code = s.CharField()


class NameChoiceOut(s.Serializer[Any]):
    key = s.CharField()
    name = s.CharField()
    number = s.IntegerField(allow_null=True)
    here = s.BooleanField()


class EntranceOut(s.Serializer[Any]):
    session = s.UUIDField()
    game = s.CharField()
    band = s.CharField()
    language = s.CharField()
    status = s.CharField()
    locked = s.BooleanField()
    class_name = s.CharField()
    students = NameChoiceOut(many=True)
    guests = NameChoiceOut(many=True)


class JoinIn(s.Serializer[Any]):
    code = s.CharField(max_length=32)
    student = s.UUIDField(required=False, allow_null=True, default=None)
    guest = s.CharField(max_length=12, required=False, allow_null=True, default=None)


class CodeIn(s.Serializer[Any]):
    code = s.CharField(max_length=32)


class PlaceOut(s.Serializer[Any]):
    participant = s.UUIDField()
    name = s.CharField()
    session = s.UUIDField()
    status = s.CharField()
    version = s.IntegerField()
    game = s.CharField()
    band = s.CharField()
    language = s.CharField()
    table = s.UUIDField(allow_null=True)
    seat = s.IntegerField(allow_null=True)
    solo = s.BooleanField()


class JoinedOut(PlaceOut):
    token = s.CharField(help_text="Bearer token of the seat.")


class SoloIn(s.Serializer[Any]):
    band = s.ChoiceField(choices=BANDS)
    language = s.CharField(max_length=8, required=False, allow_null=True, default=None)


class ClosingWordOut(s.Serializer[Any]):
    word = s.CharField()
    gloss = s.CharField()
    assisted = s.BooleanField()
    times = s.IntegerField()


class ClosingOut(s.Serializer[Any]):
    made = ClosingWordOut(many=True)
    missed = ClosingWordOut(many=True)
    stars = s.IntegerField(allow_null=True)
    rank = s.IntegerField(allow_null=True)


class ReportPerson(s.Serializer[Any]):
    name = s.CharField()
    mark = s.CharField()
    table = s.IntegerField(allow_null=True)
    state = s.ChoiceField(choices=["finished", "unfinished", "not_begun", "absent"])
    stars = s.IntegerField(allow_null=True)
    rank = s.IntegerField(allow_null=True)
    made = s.IntegerField(allow_null=True)
    failed = s.IntegerField(allow_null=True)
    hinted = s.IntegerField(allow_null=True)
    shown = s.IntegerField(allow_null=True)
    missed = s.IntegerField(allow_null=True)
    success = s.IntegerField(allow_null=True, help_text="Percent.")
    last_on = s.DateField(allow_null=True)


class ReportWord(s.Serializer[Any]):
    name = s.CharField()
    mark = s.CharField()
    table = s.IntegerField(allow_null=True)
    word = s.CharField()
    made = s.IntegerField()
    assisted = s.IntegerField()
    failed = s.IntegerField()
    hinted = s.IntegerField()
    shown = s.IntegerField()
    missed = s.IntegerField()
    last_on = s.DateField()


class ReportOut(s.Serializer[Any]):
    session = s.UUIDField()
    class_name = s.CharField()
    zone = s.CharField(help_text="Time zone of all days.")
    held_on = s.DateField()
    computed_at = s.DateTimeField()
    complete = s.BooleanField()
    finished = s.IntegerField()
    played = s.IntegerField()
    success = s.IntegerField(allow_null=True, help_text="Mean percent of those who finished.")
    people = ReportPerson(many=True)
    words = ReportWord(many=True)
