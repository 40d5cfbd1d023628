"""Sessions as lines of a list: what, when, who, how it stands."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from classrooms.models import Session
from classrooms.sessions import selectors
from classrooms.web_teacher import labels
from wordlists.viewer import Viewer

PER_PAGE = 25
TONES = {"lobby": "info", "active": "right", "paused": "careful", "over": ""}


@dataclass(frozen=True, slots=True)
class Line:
    """One session in a list. ``when`` is aware; the page shows it in the school's time zone."""

    id: UUID
    title: str
    when: datetime
    people_text: str
    status: str
    status_text: str
    status_tone: str

    @property
    def running(self) -> bool:
        return self.status != Session.Status.OVER


def lines(viewer: Viewer, *, most: int, school_class: UUID | None = None) -> list[Line]:
    """The newest sessions, running ones first; of one class where given. One query."""
    rows = selectors.sessions(viewer)
    if school_class is not None:
        rows = rows.filter(school_class=school_class)
    return [line(row) for row in rows[:most]]


def page_of_lines(viewer: Viewer, number: str | None) -> tuple[Page[Session], list[Line]]:
    """A page of the list. Two queries."""
    rows: QuerySet[Session] = selectors.sessions(viewer)
    page = Paginator(rows, PER_PAGE).get_page(number)
    return page, [line(row) for row in page]


def line(row: Session) -> Line:
    return Line(
        id=row.id,
        title=title(row),
        when=row.started_at or row.created_at,
        people_text=labels.people(row.people),  # type: ignore[attr-defined]
        status=row.status,
        status_text=labels.statuses()[row.status],
        status_tone=TONES[row.status],
    )


def heading(session: Session) -> dict[str, str]:
    """What a page of a session begins with."""
    return {"title": title(session), "summary": summary(session)}


def title(session: Session) -> str:
    """The class, or that the code was open, and the game."""
    who = session.school_class.name if session.school_class else _("Open group")
    return f"{who} · {dict(labels.games()).get(session.game, session.game)}"


def summary(session: Session) -> str:
    """Settings in a line."""
    robots = dict(labels.robots()).get(session.robots or "")
    parts = [
        _("8 rounds"),
        dict(labels.bands())[session.band],
        _("one %(level)s robot at every table") % {"level": robots.lower()} if robots else _("no robots"),
    ]
    return " · ".join(parts)
