"""Teachers and pupils as HTTP clients: each has cookies and a token of its own, all come from one address."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from django.test import Client

from classrooms.models import Session, Teacher
from games import passes


class Answering:
    """A client of the API; ``token`` is sent as bearer where there is one."""

    def __init__(self, token: str = "") -> None:
        self.client = Client(enforce_csrf_checks=True)
        self.token = token

    def get(self, path: str, **headers: str) -> Any:
        return self._call("get", path, None, headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self._call("post", path, body, headers)

    def patch(self, path: str, body: Any = None, **headers: str) -> Any:
        return self._call("patch", path, body, headers)

    def delete(self, path: str, **headers: str) -> Any:
        return self._call("delete", path, None, headers)

    def _call(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Any:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        more = {} if method == "get" else {"content_type": "application/json", "data": {} if body is None else body}
        return getattr(self.client, method)(f"/api/v1/{path}", headers=sent, **more)


class Tutor(Answering):
    """A teacher with a bearer token."""

    def __init__(self, teacher: Teacher) -> None:
        token = passes.teacher_token(teacher=teacher.id, school=teacher.school_id, epoch=teacher.tokens_epoch)
        super().__init__(token)
        self.teacher = teacher


class Pupil(Answering):
    """A tablet: keeps its device cookie, and the seat's token as an API client does."""

    def __init__(self) -> None:
        super().__init__()
        self.seat: dict[str, Any] = {}

    def open_door(self, code: str) -> Any:
        return self.get(f"join/{code}/")

    def join(self, session: Session, **who: Any) -> Any:
        """Joins as ``student`` or ``guest``, or as the first guest that is offered."""
        entrance = self.open_door(session.code)
        if not who:
            who = {"guest": entrance.json()["guests"][0]["key"]}
        self.token = ""
        answer = self.post("join/", {"code": session.code, **{key: str(value) for key, value in who.items()}})
        if answer.status_code == 201:
            self.take(answer)
        return answer

    def take(self, answer: Any) -> None:
        """From here on the tablet speaks for the seat of that answer; the cookie would ask for a CSRF token."""
        self.seat = answer.json()
        self.token = self.seat["token"]
        self.client.cookies.pop(passes.SEAT_COOKIE, None)

    @property
    def participant(self) -> UUID:
        return UUID(self.seat["participant"])

    def me(self) -> dict[str, Any]:
        answer = self.get("me/")
        assert answer.status_code == 200, answer.content
        return dict(answer.json())

    def table(self) -> dict[str, Any]:
        """The view of the own table."""
        answer = self.get(f"tables/{self.me()['table']}/")
        assert answer.status_code == 200, answer.content
        return dict(answer.json())

    def move(self, kind: str, **fields: Any) -> Any:
        table = self.me()["table"]
        return self.post(
            f"tables/{table}/moves/", {"type": f"syllables.{kind}", **fields}, Idempotency_Key=str(uuid4())
        )


def code_of(answer: Any) -> tuple[int, str]:
    """Status and stable code of a refusal."""
    assert answer["Content-Type"] == "application/problem+json", answer.content
    return answer.status_code, answer.json()["code"]
