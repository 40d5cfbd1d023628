"""The only writers of word lists."""

from __future__ import annotations

import hashlib

from wordlists import builtin, selectors
from wordlists.models import WordList


def ensure_builtin(language: str, band: str) -> WordList:
    """The row of a built-in list, made on first use; Missing when there is no such list.

    Two processes may make it at once: the unique hash lets one win, and both get its row.
    """
    listed = selectors.builtin_list(language, band)
    row = WordList.objects.defer("blob").filter(hash=listed.hash).first()
    if row is not None:
        return row
    blob = builtin.blob(language, band)
    assert hashlib.sha256(blob).hexdigest() == listed.hash, f"lists.json is older than words.tsv of {language}"
    row, _ = WordList.objects.get_or_create(
        hash=listed.hash,
        defaults={
            "kind": listed.kind,
            "language": language,
            "band": band,
            "title": listed.title,
            "licence": listed.licence,
            "words": listed.words,
            "blob": blob,
        },
    )
    return row
