"""Join and re-entry codes: signs that cannot be mixed up and spell nothing."""

from __future__ import annotations

import hmac
import secrets

from django.conf import settings

ALPHABET = "BCDFGHJKMNPQRTVWX279"
"""20 signs, no vowel, none that looks like another; seven of them are 30.25 bits (B1)."""
JOIN_LENGTH = 7
RE_ENTRY_LENGTH = 6
MOST_TRIES = 200

BLOCKED = (
    "FCK", "FKC", "FVCK", "FGT", "KKK", "KGB", "WTF", "FDP", "NTM", "PTN", "PTR", "CNT", "CVNT", "DCK", "BTCH", "NGR",
    "NGG", "TWT", "CRP", "PRN", "CNN", "CRT", "MRD", "BT9", "BDSM", "PTM", "MRT", "TCC", "PDR", "FTG", "DRG", "NPD",
    "PVT", "FMM", "MNC", "CZZ", "FTT", "HDF", "KRD", "RPF", "WXR", "27BK", "NVT", "PDM", "FTM",
)  # fmt: skip
"""Skeletons of rude words and signs in the five languages: no code holds one, spoken aloud or read."""


def join_code() -> str:
    """A fresh join code; whether it is free is for the database to say."""
    return _clean(JOIN_LENGTH)


def re_entry_code() -> str:
    """A fresh code that moves a seat to another tablet."""
    return _clean(RE_ENTRY_LENGTH)


def typed(text: str) -> str:
    """A code as somebody typed it: any case, with blanks or hyphens."""
    return "".join(text.split()).replace("-", "").upper()[:16]


def digest(code: str) -> str:
    """What is kept of a secret code."""
    return hmac.digest(settings.SECRET_KEY.encode(), code.encode(), "sha256").hex()


def is_blocked(code: str) -> bool:
    return any(word in code for word in BLOCKED)


def _clean(length: int) -> str:
    for _ in range(MOST_TRIES):
        code = "".join(secrets.choice(ALPHABET) for _ in range(length))
        if not is_blocked(code):
            return code
    raise RuntimeError("no clean code found; is the block list too long?")
