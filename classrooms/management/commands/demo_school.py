"""Makes the demo school and prints how to come in."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from classrooms import demo


class Command(BaseCommand):
    help = "Make a demo school with a teacher, a class and a session in its lobby. Safe to run again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--password", default=None, help="of the demo teacher; made up when left out")
        parser.add_argument("--json", action="store_true", help="print for another program")

    def handle(self, *args: Any, **options: Any) -> None:
        made = demo.ensure(password=options["password"])
        shown = {"email": made.email, "password": made.password, "code": made.code}
        if options["json"]:
            self.stdout.write(json.dumps(shown))
            return
        self.stdout.write(f"Teacher: {made.email}  Password: {made.password or '(unchanged)'}  Code: {made.code}")
