"""The report of a session: the same cells as JSON and as CSV."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from classrooms import access, spreadsheet
from classrooms.api import serializers as shapes
from classrooms.api.answering import Api, viewer_of
from classrooms.models import Session
from classrooms.progress import selectors, services
from classrooms.progress.selectors import SessionReport
from wordlists.refusals import Invalid

TABLES = ("people", "words")
SEPARATORS = (",", ";", "\t")


class Report(Api):
    """Totals of each person, and each person's words."""

    @extend_schema(responses=shapes.ReportOut)
    def get(self, request: Request, session_id: UUID) -> Response:
        report = _report(access.own_session(viewer_of(request), session_id))
        return Response(_summary(report) | {which: _rows(report, which) for which in TABLES})


class ReportFile(Api):
    """The same as a file for a spreadsheet."""

    @extend_schema(
        parameters=[
            OpenApiParameter("table", str, enum=TABLES, default="words"),
            OpenApiParameter("separator", str, enum=SEPARATORS, default=","),
        ],
        responses={(200, "text/csv"): OpenApiResponse(OpenApiTypes.STR)},
    )
    def get(self, request: Request, session_id: UUID) -> HttpResponse:
        session = access.own_session(viewer_of(request), session_id)
        which = request.query_params.get("table", "words")
        separator = request.query_params.get("separator", ",")
        if which not in TABLES or separator not in SEPARATORS:
            raise Invalid("unknown_table" if which not in TABLES else "unknown_separator")
        response = HttpResponse(csv(_report(session), which, separator), content_type="text/csv; charset=utf-8")
        response["Content-Disposition"] = f'attachment; filename="wordtable-{which}-{session.created_at:%Y-%m-%d}.csv"'
        return response


def csv(report: SessionReport, which: str, separator: str = ",") -> bytes:
    """The file of one of the report's tables."""
    columns, rows = selectors.table(report, which)
    return spreadsheet.write([str(column.title) for column in columns], rows, separator=separator)


def _report(session: Session) -> SessionReport:
    services.catch_up(session)
    return selectors.session_report(session)


def _rows(report: SessionReport, which: str) -> list[dict[str, Any]]:
    columns, rows = selectors.table(report, which)
    return [{column.key: value for column, value in zip(columns, row, strict=True)} for row in rows]


def _summary(report: SessionReport) -> dict[str, Any]:
    return {
        "session": report.session.id,
        "class_name": report.class_name,
        "zone": report.zone,
        "held_on": report.held_on,
        "computed_at": report.computed_at,
        "complete": report.complete,
        "finished": report.finished,
        "played": report.played,
        "success": report.success,
    }
