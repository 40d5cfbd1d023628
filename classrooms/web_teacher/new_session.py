"""A new session in four choices, with a sentence that sums them up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from classrooms import selectors
from classrooms.models import SchoolClass
from classrooms.sessions import selectors as sessions
from classrooms.sessions import services
from classrooms.web_teacher import labels, words
from classrooms.web_teacher.gate import TOLD, TeacherRequest, refusal_text, teacher_page
from classrooms.web_teacher.sending import new_key, once

OPEN = "open"
NO_ROBOTS = "none"


@dataclass(frozen=True, slots=True)
class Answer:
    """One card to tap. ``says``: its part of the summary sentence."""

    value: str
    title: str
    hint: str
    says: str
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """A choice with its cards."""

    title: str
    field: Any
    answers: Sequence[Answer]
    link: str = ""


class NewSessionForm(forms.Form):
    """Checks the four choices; the cards are drawn from ``questions``."""

    game = forms.ChoiceField(initial="syllables", choices=labels.games)
    band = forms.ChoiceField(initial="8-10", choices=labels.bands)
    school_class = forms.ChoiceField(initial=OPEN)
    robots = forms.ChoiceField(initial="medium", choices=lambda: [(NO_ROBOTS, ""), *labels.robots()])

    def __init__(self, data: Any = None, *, classes: Sequence[SchoolClass], chosen: str | None = None) -> None:
        super().__init__(data, initial={"school_class": chosen or OPEN})
        self.classes = {str(row.id): row for row in classes}
        self.fields["school_class"].choices = [(OPEN, ""), *((key, "") for key in self.classes)]  # type: ignore[attr-defined]

    def chosen_class(self) -> SchoolClass | None:
        return self.classes.get(self.cleaned_data["school_class"])

    def chosen_robots(self) -> str | None:
        level: str = self.cleaned_data["robots"]
        return None if level == NO_ROBOTS else level


@teacher_page
def session_new(request: TeacherRequest) -> HttpResponse:
    """Asks, then opens the lobby."""
    classes = selectors.classes(request.viewer)
    chosen = _likely_class(request, classes)
    form = NewSessionForm(request.POST or None, classes=classes, chosen=chosen)
    if form.is_valid():
        opened = _opened(request, form)
        if opened:
            return redirect(opened)
    return render(request, "teacher/session_new.html", _context(form))


def _opened(request: TeacherRequest, form: NewSessionForm) -> str:
    """The page of the new session; empty where it was refused."""

    def create() -> str:
        choices = form.cleaned_data
        session = services.create_session(
            request.user,
            game=choices["game"],
            band=choices["band"],
            school_class=form.chosen_class(),
            robots=form.chosen_robots(),
        )
        return reverse("teacher:session", args=[session.id])

    try:
        return once(request, create)
    except TOLD as refusal:
        form.add_error(None, refusal_text(refusal))
        return ""


def _likely_class(request: TeacherRequest, classes: Sequence[SchoolClass]) -> str | None:
    """The class that the address names, else the one that played last, else the only one."""
    ids = [str(row.id) for row in classes]
    asked = request.GET.get("class", "")
    if asked in ids or not ids:
        return asked or None
    last = sessions.sessions(request.viewer).values_list("school_class", flat=True).order_by("-created_at").first()
    return str(last) if str(last) in ids else ids[0] if len(ids) == 1 else None


def _context(form: NewSessionForm) -> dict[str, Any]:
    questions = _questions(form)
    sentence = _("8 rounds of {game}, French words, {band}, {school_class}, tables of 3 or 4, {robots}.")
    chosen = {q.field.name: next((a.says for a in q.answers if a.chosen), "…") for q in questions}
    summary = sentence.format(**chosen)
    return {"form": form, "questions": questions, "sentence": sentence, "summary": summary, "key": new_key()}


def _questions(form: NewSessionForm) -> list[Question]:
    return [
        _question(form, "game", _("Which game?"), _games()),
        _question(form, "band", _("How old are they?"), _bands()),
        _question(form, "school_class", _("Who plays?"), _classes(form.classes), link=_class_link(form.classes)),
        _question(form, "robots", _("Robots?"), _robots()),
    ]


def _question(form: NewSessionForm, name: str, title: str, cards: list[Answer], link: str = "") -> Question:
    field = form[name]
    value = str(field.value() or "")
    answers = [Answer(c.value, c.title, c.hint, c.says, chosen=c.value == value) for c in cards]
    return Question(title, field, answers, link)


def _games() -> list[Answer]:
    hints = {"syllables": _("Build the longest word from syllable cards. About 20 minutes.")}
    return [Answer(slug, name, hints.get(slug, ""), name) for slug, name in labels.games()]


def _bands() -> list[Answer]:
    counts = words.counts("fr")
    return [Answer(band, name, _word_count(counts.get(band)), name) for band, name in labels.bands()]


def _word_count(count: int | None) -> str:
    return ngettext("%(n)s word", "%(n)s words", count) % {"n": labels.number(count)} if count else ""


def _classes(classes: dict[str, Any]) -> list[Answer]:
    cards = [
        Answer(key, row.name, labels.students(row.pupils), _("class %(name)s") % {"name": row.name})
        for key, row in classes.items()
    ]
    open_code = Answer(OPEN, _("Open code"), _("Everybody picks a two-word name."), _("open code"))
    return [*cards, open_code]


def _class_link(classes: dict[str, Any]) -> str:
    if classes:
        return ""
    return format_html('<a href="{}">{}</a>', reverse("teacher:class_new"), _("Make a class from a list of names"))


def _robots() -> list[Answer]:
    hints = {
        "easy": _("Short words; often takes any."),
        "medium": _("A fair player."),
        "hard": _("Nearly always the longest word."),
    }
    levels = [
        Answer(level, name, hints[level], _("one %(level)s robot at every table") % {"level": name.lower()})
        for level, name in labels.robots()
    ]
    nobody = Answer(NO_ROBOTS, _("No robots"), _("Only students sit at the tables."), _("no robots"))
    return [*levels, nobody]
