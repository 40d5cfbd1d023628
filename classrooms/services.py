"""The only writer of schools, teachers, classes and pupils."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone

from classrooms import names
from classrooms.models import School, SchoolClass, Student, StudentName, Teacher
from classrooms.sessions import push
from wordlists.refusals import Conflict, Invalid

LONGEST_CLASS_NAME = 80


def create_teacher(
    school: School, *, email: str, name: str, password: str, language: str = "fr", is_staff: bool = False
) -> Teacher:
    """An account. Raises Invalid (``email``, ``weak_password``) and Conflict (``email_taken``)."""
    email = email.strip().lower()
    try:
        validate_email(email)
    except ValidationError as error:
        raise Invalid("email") from error
    teacher = Teacher(school=school, email=email, name=names.spelling.clean(name), language=language, is_staff=is_staff)
    _check_password(password, teacher)
    teacher.set_password(password)
    try:
        with transaction.atomic():
            teacher.save()
    except IntegrityError as error:
        raise Conflict("email_taken") from error
    return teacher


@transaction.atomic
def change_password(teacher: Teacher, *, old: str, new: str) -> None:
    """Raises Invalid: ``wrong_password``, ``weak_password``. Tokens and stream passes given out before are dead."""
    teacher = Teacher.objects.select_for_update().get(id=teacher.id)
    if not teacher.check_password(old):
        raise Invalid("wrong_password")
    _check_password(new, teacher)
    teacher.set_password(new)
    teacher.save(update_fields=["password"])
    revoke_tokens(teacher)


def change_language(teacher: Teacher, *, language: str) -> None:
    """The language of the teacher's own pages."""
    teacher.language = language
    teacher.save(update_fields=["language"])


@transaction.atomic
def revoke_tokens(teacher: Teacher) -> None:
    """Bearer tokens and stream passes given out so far are dead, open streams end."""
    teacher = Teacher.objects.select_for_update().get(id=teacher.id)
    teacher.tokens_epoch += 1
    teacher.save(update_fields=["tokens_epoch"])
    push.signed_out(teacher)


@transaction.atomic
def create_class(teacher: Teacher, *, name: str, pupils: Sequence[str] = ()) -> SchoolClass:
    """A class with its pupils. Raises Invalid (``class_name``, ``name_…``, ``too_many_names``)."""
    school_class = SchoolClass.objects.create(school=teacher.school, teacher=teacher, name=_class_name(name))
    add_students(school_class, pupils=pupils)
    return school_class


def rename_class(school_class: SchoolClass, *, name: str) -> None:
    """Raises Invalid (``class_name``)."""
    school_class.name = _class_name(name)
    school_class.save(update_fields=["name"])


def archive_class(school_class: SchoolClass) -> None:
    """Out of the way; its reports stay."""
    school_class.archived_at = school_class.archived_at or timezone.now()
    school_class.save(update_fields=["archived_at"])


def restore_class(school_class: SchoolClass) -> None:
    """Back in use."""
    school_class.archived_at = None
    school_class.save(update_fields=["archived_at"])


@transaction.atomic
def add_students(school_class: SchoolClass, *, pupils: Sequence[str]) -> list[Student]:
    """Pupils at the end of the class list. Names are cleaned; namesakes get a mark."""
    SchoolClass.objects.select_for_update().get(id=school_class.id)
    cleaned = [names.clean_name(name) for name in pupils]
    present = school_class.students.filter(left_class_at=None).count()
    if present + len(cleaned) > names.MOST_LINES:
        raise Invalid("too_many_names")
    last = school_class.students.aggregate(last=Max("number"))["last"] or 0
    students = [Student(school_class=school_class, number=last + place) for place in range(1, len(cleaned) + 1)]
    Student.objects.bulk_create(students)
    StudentName.objects.bulk_create(
        StudentName(student=student, shown=name) for student, name in zip(students, cleaned, strict=True)
    )
    _mark_namesakes(school_class)
    return students


@transaction.atomic
def rename_student(student: Student, *, name: str, mark: str | None = None) -> None:
    """A new shown name, and the teacher's own mark where given. Raises Invalid (``name_…``)."""
    row, _ = StudentName.objects.select_for_update().get_or_create(student=student)
    row.shown = names.clean_name(name)
    if mark is not None:
        row.mark = names.clean_name(mark) if mark.strip() else ""
    row.save()
    _mark_namesakes(student.school_class)


def remove_student(student: Student) -> None:
    """Out of the class; what was learnt stays until it is erased."""
    student.left_class_at = student.left_class_at or timezone.now()
    student.save(update_fields=["left_class_at"])


def restore_student(student: Student) -> None:
    """Back into the class."""
    student.left_class_at = None
    student.save(update_fields=["left_class_at"])


def _mark_namesakes(school_class: SchoolClass) -> None:
    """A number for namesakes that have no mark yet; marks that a teacher chose stay."""
    rows = list(StudentName.objects.filter(student__school_class=school_class).order_by("student__number"))
    by_name: dict[str, list[StudentName]] = {}
    for row in rows:
        by_name.setdefault(names.same_name(row.shown), []).append(row)
    changed = []
    for namesakes in by_name.values():
        taken = {row.mark for row in namesakes}
        free = (str(number) for number in range(1, len(rows) + 1) if str(number) not in taken)
        unmarked = [row for row in namesakes if len(namesakes) > 1 and not row.mark]
        for row in unmarked:
            row.mark = next(free)
        changed += unmarked
    StudentName.objects.bulk_update(changed, ["mark"])


def _class_name(name: str) -> str:
    try:
        cleaned = names.spelling.clean(name)
    except names.spelling.SpellingError as error:
        raise Invalid("class_name") from error
    if len(cleaned) > LONGEST_CLASS_NAME:
        raise Invalid("class_name")
    return cleaned


def _check_password(password: str, teacher: Teacher) -> None:
    try:
        validate_password(password, teacher)
    except ValidationError as error:
        raise Invalid("weak_password") from error
