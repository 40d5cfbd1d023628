"""A teacher, her client and a session in its lobby."""

from __future__ import annotations

import pytest

from classrooms.models import Session, Teacher
from tests import factories
from tests.classrooms.people import Tutor


@pytest.fixture
def ana(transactional_db: None) -> Teacher:
    return factories.teacher()


@pytest.fixture
def tutor(ana: Teacher) -> Tutor:
    return Tutor(ana)


@pytest.fixture
def session(ana: Teacher) -> Session:
    return factories.session(ana, school_class=factories.school_class(ana))
