"""JSON bodies as the API takes them: strict UTF-8, no NUL."""

from __future__ import annotations

from typing import IO, Any

import msgspec
from rest_framework.parsers import JSONParser

from wordlists.refusals import Invalid


def parsed(body: bytes) -> Any:
    """The JSON value of ``body``. Raises Invalid: ``malformed_json``, ``not_utf8``, ``nul_character``."""
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Invalid("not_utf8") from error
    try:
        value = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Invalid("malformed_json") from error
    if b"\\u0000" in body and _holds_nul(value):
        raise Invalid("nul_character")
    return value


def _holds_nul(value: Any) -> bool:
    """Without recursion: the decoder allows more depth than is left of Python's stack."""
    todo = [value]
    while todo:
        part = todo.pop()
        if isinstance(part, str) and "\x00" in part:
            return True
        if isinstance(part, dict):
            todo += [*part.keys(), *part.values()]
        elif isinstance(part, list):
            todo += part
    return False


class StrictJSONParser(JSONParser):
    """An empty body is an empty object; lone surrogates and NUL never reach the database."""

    def parse(self, stream: IO[Any], media_type: Any = None, parser_context: Any = None) -> Any:
        body = stream.read()
        return parsed(body) if body.strip() else {}
