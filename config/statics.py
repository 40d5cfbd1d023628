"""Static files: names with a digest once they are collected, plain names before that (tests, development)."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage


class Storage(CompressedManifestStaticFilesStorage):
    """Modules import each other under their digest names too, so that none is loaded twice or out of an old cache."""

    manifest_strict = False
    support_js_module_import_aggregation = True

    def stored_name(self, name: str) -> str:
        """What is not collected keeps its name and never breaks a page."""
        try:
            return str(super().stored_name(name))
        except ValueError:
            return name
