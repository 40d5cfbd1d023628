"""Static files: names with a digest once they are collected, plain names before that (tests, development)."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage


class Storage(CompressedManifestStaticFilesStorage):
    """A missing entry is served under its plain name and never breaks a page."""

    manifest_strict = False
