"""Schools, classes and sessions for tests, made by the services that the product uses."""

from __future__ import annotations

import itertools
from typing import Any

import factory
from factory.django import DjangoModelFactory

from classrooms import services
from classrooms.models import School, SchoolClass, Session, Teacher
from classrooms.sessions import services as sessions

PASSWORD = "tilleul-orange-42"
_number = itertools.count(1)


class SchoolFactory(DjangoModelFactory[School]):
    class Meta:
        model = School

    name = factory.Sequence(lambda number: f"École {number}")
    language = "fr"
    time_zone = "Europe/Paris"


def teacher(**fields: Any) -> Teacher:
    """A teacher of a school of its own unless ``school`` is given."""
    number = next(_number)
    values = {"email": f"ana{number}@ecole.example", "name": f"Ana {number}", "password": PASSWORD} | fields
    school = values.pop("school", None) or SchoolFactory.create()
    return services.create_teacher(school, **values)


def school_class(owner: Teacher, *names: str, name: str = "6b") -> SchoolClass:
    return services.create_class(owner, name=name, pupils=names or ("Aïcha", "Noé", "Zoë", "Luc"))


def session(owner: Teacher, **fields: Any) -> Session:
    return sessions.create_session(owner, **({"game": "syllables", "band": "8-10", "robots": "easy"} | fields))
