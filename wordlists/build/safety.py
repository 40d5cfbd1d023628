"""Words unfit for children: blocked lemmas with all their inflections, compared as folded."""

from __future__ import annotations

import json
from collections.abc import Iterable

from wordlists.build.lexique import Form
from wordlists.spelling import fold

NAUGHTY_FILE = "package/fr.json"


def naughty_words(content: bytes) -> list[str]:
    return list(json.loads(content))


def blocked(lemmas: Iterable[str], forms: Iterable[Form], language: str) -> frozenset[str]:
    """The folded forms that are never played: the words themselves and every form whose lemma is one of them."""
    roots = {fold(word, language) for word in lemmas}
    inflected = {fold(form.word, language) for form in forms if fold(form.lemma, language) in roots}
    return frozenset(roots | inflected)
