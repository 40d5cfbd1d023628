"""Static files: names with a digest once they are collected, plain names before that (tests, development)."""

from __future__ import annotations

from django.contrib.staticfiles.storage import ManifestStaticFilesStorage
from whitenoise.storage import CompressedManifestStaticFilesStorage

_IMPORTS = ManifestStaticFilesStorage._js_module_import_aggregation_patterns[1]  # type: ignore[attr-defined]


class Storage(CompressedManifestStaticFilesStorage):
    """Our modules import each other under their digest names too: none is loaded twice or out of an old cache.

    Only ours: Django's own switch for this reads every package's scripts and trips over an import in a comment.
    """

    manifest_strict = False
    patterns = (*ManifestStaticFilesStorage.patterns, ("js/*.js", _IMPORTS), ("games/*.js", _IMPORTS))

    def stored_name(self, name: str) -> str:
        """What is not collected keeps its name and never breaks a page."""
        try:
            return str(super().stored_name(name))
        except ValueError:
            return name
