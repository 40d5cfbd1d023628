"""A demo school to start with: a teacher, a class of invented names, a session that waits in its lobby."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from django.utils import timezone

from classrooms import services
from classrooms.models import School, SchoolClass, Session, Teacher
from classrooms.sessions import services as sessions

EMAIL = "demo@example.org"
SCHOOL = "Demo school"
CLASS = "6b"
PUPILS = (
    "Aïcha Belkacem", "Noé Carron", "Zoë Muñoz", "Ștefan Ionescu", "Lou Maréchal", "Emma Martin", "Emma Martin",
    "Théo Œuvrard", "Žofia Kowalska", "Malik Traoré", "Inès d'Alba", "Jean-Luc Rey",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Demo:
    """What ``make run`` prints. ``password`` is empty where the teacher existed and none was asked for."""

    email: str
    password: str
    code: str
    session: Session


def ensure(*, password: str | None = None) -> Demo:
    """The demo school, made on first use; later calls keep what is there and open a lobby where none is open.

    With ``password`` the demo teacher's is set to it, so that what is printed is always right.
    """
    school, _ = School.objects.get_or_create(name=SCHOOL, defaults={"language": "fr", "time_zone": "Europe/Paris"})
    teacher, shown = _teacher(school, password)
    return _opened(teacher, _class(teacher), shown)


def _teacher(school: School, password: str | None) -> tuple[Teacher, str]:
    teacher = Teacher.objects.filter(email=EMAIL).first()
    if teacher is None:
        chosen = password or secrets.token_urlsafe(9)
        return services.create_teacher(school, email=EMAIL, name="Demo", password=chosen), chosen
    if password and not teacher.check_password(password):
        teacher.set_password(password)
        teacher.save(update_fields=["password"])
    return teacher, password or ""


def _class(teacher: Teacher) -> SchoolClass:
    found = SchoolClass.objects.filter(teacher=teacher, name=CLASS, archived_at=None).first()
    return found or services.create_class(teacher, name=CLASS, pupils=PUPILS)


def _opened(teacher: Teacher, school_class: SchoolClass, password: str) -> Demo:
    waiting = Session.objects.filter(teacher=teacher, status=Session.Status.LOBBY, expires__gt=timezone.now())
    session = waiting.order_by("-created_at").first() or sessions.create_session(
        teacher, game="syllables", band="8-10", school_class=school_class
    )
    return Demo(email=teacher.email, password=password, code=session.code, session=session)
