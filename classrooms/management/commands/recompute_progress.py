"""Rebuilds the evidence from the tables' logs, or says whether it is what they tell."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from classrooms.progress import services


class Command(BaseCommand):
    help = "Rebuild word evidence from the tables' logs; with --verify only compare."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--verify", action="store_true", help="change nothing; fail where something differs")

    def handle(self, *args: Any, **options: Any) -> None:
        tables = services.all_tables()
        if options["verify"]:
            self._verify(tables)
            return
        for table in tables:
            services.rebuild(table)
        self.stdout.write(f"{len(tables)} tables rebuilt")

    def _verify(self, tables: list[Any]) -> None:
        found = [difference for table in tables if (difference := services.verify(table)) is not None]
        for difference in found:
            self.stdout.write(f"{difference.table}: {difference.missing} missing, {difference.extra} too many")
        total = sum(difference.missing + difference.extra for difference in found)
        self.stdout.write(f"{len(tables)} tables, {total} differences")
        if total:
            raise CommandError("The evidence is not what the logs tell; run recompute_progress.")
