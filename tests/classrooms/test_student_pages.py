"""The pupil's pages over HTTP: they work without scripts, speak one language and are never kept."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import polib
import pytest
from django.conf import settings
from django.test import Client

from classrooms.models import Participant, Session
from classrooms.sessions import services as sessions
from games import passes
from tests import factories

TRANSLATED = re.compile(r'{% translate (["\'])(.*?)\1')
FILLED_IN = re.compile(r"{% blocktranslate[^%]*%}(.*?){% (?:plural|endblocktranslate)")
VALUE = re.compile(r"{{ (\w+) }}")
PAGES = ["templates/student", "templates/base.html", "templates/reading.html", "templates/error.html"]
BOARD = "games/rules/syllables/templates/games/syllables"


def page(client: Client, path: str) -> Any:
    return client.get(path, headers={"accept-language": "fr"})


@pytest.fixture
def lobby(db: None) -> Session:
    school_class = factories.school_class(factories.teacher(), "Aïcha", "Noé", "<<a>b>Zoe")
    return factories.session(school_class.teacher, school_class=school_class)


def tapped(client: Client, session: Session, name: str) -> Any:
    """The answer to tapping that name."""
    assert session.school_class is not None
    student = session.school_class.students.get(name_row__shown=name)
    return client.post(f"/j/{session.code}/", {"student": str(student.id)})


def test_a_pupil_comes_in_plays_and_leaves_without_scripts(lobby: Session) -> None:
    client = Client()
    assert page(client, f"/j/?code={lobby.code.lower()}").url == f"/j/{lobby.code}/"
    answer = tapped(client, lobby, "Aïcha")
    assert (answer.status_code, answer.url) == (302, "/play/")
    assert client.cookies[passes.SEAT_COOKIE]["httponly"]
    assert "Aïcha" in page(client, "/play/").content.decode()
    left: Any = client.post("/play/leave/")
    assert left.url == "/"
    assert left["Clear-Site-Data"] == '"cache", "storage"'
    assert page(client, "/play/").url == "/"
    assert not Participant.objects.filter(session=lobby, left_at=None).exists()


@pytest.mark.parametrize("path", ["/", "/try/", "/back/", "/rules/syllables/"])
def test_no_page_of_a_pupil_is_kept(db: None, path: str) -> None:
    assert "no-store" in page(Client(), path)["Cache-Control"]


def test_a_class_reads_its_schools_language_whatever_the_tablet_is_set_to(lobby: Session) -> None:
    answer = Client().get(f"/j/{lobby.code}/", headers={"accept-language": "en"})
    assert '<html lang="fr">' in answer.content.decode()
    assert answer["Content-Language"] == "fr"
    assert "Qui es-tu" in answer.content.decode()


def test_case_77_a_name_is_shown_as_it_was_typed(lobby: Session) -> None:
    html = page(Client(), f"/j/{lobby.code}/").content.decode()
    assert "&lt;&lt;a&gt;b&gt;Zoe" in html
    assert "<a>b" not in html


@pytest.mark.parametrize(
    ("path", "data", "status", "code"),
    [
        ("/j/{code}/", {"guest": "9999-0"}, 400, "unknown_guest_name"),
        ("/j/{code}/", {}, 400, "who_are_you"),
        ("/j/{code}/", {"student": "00000000-0000-4000-8000-000000000000"}, 404, "unknown_student"),
        ("/j/BBBBBBB/", {"guest": "1-1"}, 404, "unknown_code"),
        ("/back/", {"code": "BBBBBB"}, 404, "unknown_code"),
        ("/try/", {"band": "3-4"}, 400, "unknown_band"),
    ],
)
def test_a_refusal_is_a_sentence_with_its_code(
    lobby: Session, path: str, data: dict[str, str], status: int, code: str
) -> None:
    answer = Client().post(path.format(code=lobby.code), data, headers={"accept-language": "fr"})
    assert answer.status_code == status
    assert f'<span class="code">{code}</span>' in answer.content.decode()


def test_a_locked_session_says_that_its_door_is_closed(lobby: Session) -> None:
    sessions.lock(lobby)
    answer = tapped(Client(), lobby, "Noé")
    assert answer.status_code == 409
    assert "La porte est fermée" in answer.content.decode()


def test_an_unknown_game_has_no_rules_page(db: None) -> None:
    assert page(Client(), "/rules/chess/").status_code == 404


def test_every_text_of_the_pupils_pages_and_the_board_is_translated() -> None:
    root = Path(settings.BASE_DIR)
    places = [root / name for name in (*PAGES, BOARD)]
    files = [page for place in places for page in (sorted(place.glob("*.html")) if place.is_dir() else [place])]
    catalogues = (*root.glob("*/locale/fr/LC_MESSAGES/*.po"), *root.glob("games/rules/*/locale/fr/LC_MESSAGES/*.po"))
    read = [polib.pofile(str(path)) for path in (root / "locale/fr/LC_MESSAGES/django.po", *catalogues)]
    known = {entry.msgid for catalogue in read for entry in catalogue if entry.translated()}
    texts = [file.read_text() for file in files]
    used = {match[1] for text in texts for match in TRANSLATED.findall(text)}
    used |= {VALUE.sub(r"%(\1)s", text) for page in texts for text in FILLED_IN.findall(page)}
    assert len(used) > 150
    assert used - known == set()
