"""JSON bodies as the API takes them: strict UTF-8, no NUL, an object of moderate depth."""

from __future__ import annotations

from collections.abc import Mapping
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
    if b"\x00" in body or b"\\u0000" in body:
        raise Invalid("nul_character")
    try:
        return msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Invalid("malformed_json") from error


class StrictJSONParser(JSONParser):
    """An empty body is an empty object; lone surrogates and NUL never reach the database."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        body = stream.read()
        return parsed(body) if body.strip() else {}
