"""Playing: the page that holds a game's board, leaving it, the words to take home, and the rules."""

from __future__ import annotations

import random
from typing import Any

from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from classrooms import access, cookies
from classrooms.middleware import ViewerRequest
from classrooms.models import Participant
from classrooms.progress import selectors as evidence
from classrooms.progress import services as progress
from classrooms.sessions import selectors, services
from classrooms.web_student import animals
from classrooms.web_student.language import page
from games import rules as games
from wordlists.refusals import Refused
from wordlists.selectors import lexicon as words_by_hash

WARM_UP_WORDS = 8
WARM_UP_FROM = 400
"""The warm-up takes its words from the commonest of the list."""


@require_safe
def play(request: ViewerRequest) -> HttpResponseBase:
    """Waiting room, board and ranking; the page's script asks the API for everything that changes."""
    participant = _seated(request)
    if participant is None:
        return redirect("student:start")
    session = participant.session
    context = {
        "place": selectors.place(participant),
        "picture": _picture(participant),
        "game": session.game,
        "board_template": f"games/{session.game}/board.html",
        "rules_template": f"games/{session.game}/rules_body.html",
        "board_script": f"games/{session.game}/board.js",
        "board_style": f"games/{session.game}/board.css",
        "warm_up": _warm_up(participant),
    }
    return page(request, "student/play.html", context, session=session)


@require_POST
def leave(request: ViewerRequest) -> HttpResponseBase:
    """Out for good. The answer takes everything of the pupil from the tablet (case 67)."""
    participant = _seated(request)
    if participant is not None:
        services.leave(participant)
    response = redirect("student:start")
    cookies.drop_seat(response)
    response["Clear-Site-Data"] = '"cache", "storage"'
    response["Cache-Control"] = "no-store, private"
    return response


@require_safe
def words(request: ViewerRequest) -> HttpResponseBase:
    """The pupil's own words of this session: found, missed and met, each with its gloss."""
    participant = _seated(request)
    if participant is None:
        return redirect("student:start")
    progress.catch_up(participant.session)
    context = {"place": selectors.place(participant), "closing": evidence.closing(participant)}
    return page(request, "student/words.html", context, session=participant.session)


@require_safe
def rules(request: ViewerRequest, slug: str) -> HttpResponse:
    """The rules of a game on a page of their own."""
    try:
        games.game(slug)
    except KeyError as error:
        raise Http404 from error
    context = {
        "game": slug,
        "rules_template": f"games/{slug}/rules_body.html",
        "board_style": f"games/{slug}/board.css",
    }
    return page(request, "student/rules.html", context)


def _seated(request: ViewerRequest) -> Participant | None:
    try:
        return access.myself(request.viewer)
    except Refused:
        return None


def _picture(participant: Participant) -> str:
    if participant.animal is None:
        return ""
    return animals.drawing(participant.session.language, participant.animal)


def _warm_up(participant: Participant) -> list[dict[str, Any]]:
    """Well-known words whose syllables are to be put in order while the class comes in; none once there is a table,
    or where the game's words have no syllables."""
    session = participant.session
    kind = games.game(session.game).lexicon
    if participant.table is not None or kind != "syllables":
        return []
    lexicon = words_by_hash(session.words_hash, kind)
    known = [entry for entry in lexicon.words[:WARM_UP_FROM] if 2 <= len(set(entry.split)) == len(entry.split) <= 4]
    chosen = random.sample(known, min(WARM_UP_WORDS, len(known)))
    return [{"word": entry.word, "gloss": entry.gloss, **_mixed(entry.split)} for entry in chosen]


def _mixed(split: tuple[str, ...]) -> dict[str, Any]:
    """The syllables and an order to show them in that is not theirs."""
    order = list(range(len(split)))
    while order == sorted(order):
        random.shuffle(order)
    return {"split": list(split), "order": order}
