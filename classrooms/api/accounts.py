"""Bearer tokens of teachers, and their classes."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib.auth import authenticate
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from classrooms import access, limits, selectors, services
from classrooms.api import serializers as shapes
from classrooms.api.answering import NO_KEY, Api, device_of, once, taken, viewer_of
from classrooms.models import SchoolClass
from games import passes
from wordlists.refusals import Unknown


class TeacherTokens(Api):
    """Sign in for the API."""

    @extend_schema(parameters=[NO_KEY], request=shapes.Credentials, responses={201: shapes.TeacherToken}, auth=[])
    def post(self, request: Request) -> Response:
        data = taken(shapes.Credentials, request)
        account = data["email"].strip().lower()
        device = device_of(request)
        limits.check_passwords(account, device=device)
        teacher = authenticate(request._request, username=account, password=data["password"])
        if teacher is None:
            limits.count_wrong_password(account, device=device)
            raise Unknown("wrong_credentials")
        token = passes.teacher_token(teacher=teacher.id, school=teacher.school_id, epoch=teacher.tokens_epoch)
        return Response({"token": token, "expires_in": passes.TEACHER_MAX_AGE}, status=201)

    @extend_schema(request=None, responses={204: None})
    def delete(self, request: Request) -> HttpResponse:
        """All bearer tokens of the account are dead."""
        teacher = access.the_teacher(viewer_of(request))
        return once(request, lambda: services.revoke_tokens(teacher))


class Classes(Api):
    """The teacher's classes."""

    @extend_schema(responses=shapes.ClassOut(many=True))
    def get(self, request: Request) -> Response:
        return Response(shapes.ClassOut(selectors.classes(viewer_of(request)), many=True).data)

    @extend_schema(request=shapes.ClassIn, responses={201: shapes.ClassDetail})
    def post(self, request: Request) -> HttpResponse:
        teacher = access.the_teacher(viewer_of(request))
        data = taken(shapes.ClassIn, request)
        return once(
            request,
            lambda: _detail(services.create_class(teacher, name=data["name"], pupils=data["names"])),
            status=201,
        )


class OneClass(Api):
    """A class with its list."""

    @extend_schema(responses=shapes.ClassDetail)
    def get(self, request: Request, class_id: UUID) -> Response:
        return Response(_detail(access.own_class(viewer_of(request), class_id)))

    @extend_schema(request=shapes.ClassChange, responses=shapes.ClassDetail)
    def patch(self, request: Request, class_id: UUID) -> HttpResponse:
        school_class = access.own_class(viewer_of(request), class_id)
        data = taken(shapes.ClassChange, request)
        return once(request, lambda: _changed(school_class, data))


class ClassStudents(Api):
    """More pupils for a class."""

    @extend_schema(request=shapes.StudentsIn, responses={201: shapes.ClassDetail})
    def post(self, request: Request, class_id: UUID) -> HttpResponse:
        school_class = access.own_class(viewer_of(request), class_id)
        names = taken(shapes.StudentsIn, request)["names"]

        def act() -> Any:
            services.add_students(school_class, pupils=names)
            return _detail(school_class)

        return once(request, act, status=201)


class OneStudent(Api):
    """A pupil of a class."""

    @extend_schema(request=shapes.StudentChange, responses=shapes.StudentOut)
    def patch(self, request: Request, student_id: UUID) -> HttpResponse:
        student = access.own_student(viewer_of(request), student_id)
        data = taken(shapes.StudentChange, request)

        def act() -> Any:
            services.rename_student(student, name=data["name"], mark=data.get("mark"))
            student.refresh_from_db()
            return shapes.StudentOut(selectors.pupil(student)).data

        return once(request, act)

    @extend_schema(request=None, responses={204: None})
    def delete(self, request: Request, student_id: UUID) -> HttpResponse:
        """Out of the class; what was learnt stays."""
        student = access.own_student(viewer_of(request), student_id)
        return once(request, lambda: services.remove_student(student))


def _changed(school_class: SchoolClass, data: dict[str, Any]) -> Any:
    if "name" in data:
        services.rename_class(school_class, name=data["name"])
    if "archived" in data:
        (services.archive_class if data["archived"] else services.restore_class)(school_class)
    return _detail(school_class)


def _detail(school_class: SchoolClass) -> Any:
    students = selectors.pupils(school_class)
    school_class.pupils = len(students)  # type: ignore[attr-defined]
    shown = shapes.ClassOut(school_class).data
    return {**shown, "students": shapes.StudentOut(students, many=True).data}
