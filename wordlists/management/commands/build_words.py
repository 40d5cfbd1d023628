"""``manage.py build_words fr``: makes ``wordlists/data/fr`` anew out of the pinned packages."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from wordlists import builtin
from wordlists.build import french, output
from wordlists.build.inputs import InputError

PIPELINES = {"fr": french.build}


class Command(BaseCommand):
    help = "Build the word data of a language; refuses when a count moves by more than 1 %."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("language", choices=sorted(PIPELINES))
        parser.add_argument(
            "--check", action="store_true", help="write nothing; fail unless the data is what comes out"
        )
        parser.add_argument("--accept-counts", action="store_true", help="the counts are meant to move")

    def handle(self, *args: Any, language: str, check: bool, accept_counts: bool, **options: Any) -> None:
        folder = builtin.folder(language)
        try:
            files, counts = PIPELINES[language](Path(settings.DATA_DIR) / "build-inputs", folder / "curated")
        except InputError as error:
            raise CommandError(str(error)) from error
        for name, count in counts.items():
            self.stdout.write(f"{count:>8}  {name}")
        moves = output.moved(output.recorded_counts(folder), counts)
        if moves and not accept_counts:
            raise CommandError("counts moved by more than 1 %: " + "; ".join(moves))
        if check:
            self._compare(folder, files)
            return
        for name, content in files.items():
            (folder / name).write_bytes(content)

    def _compare(self, folder: Path, files: dict[str, bytes]) -> None:
        other = [name for name, content in files.items() if (folder / name).read_bytes() != content]
        if other:
            raise CommandError("not what the pipeline makes: " + ", ".join(other))
        self.stdout.write("the data is what the pipeline makes, byte for byte")
