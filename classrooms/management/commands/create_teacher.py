"""Makes a teacher's account, the first one of an installation above all."""

from __future__ import annotations

import getpass
import secrets
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from classrooms import services
from classrooms.models import School
from wordlists.refusals import Refused

REASONS = {
    "email": "That is no e-mail address.",
    "email_taken": "There is an account with this address already.",
    "weak_password": "The password is too weak: at least 10 signs, not a common one, not the name.",
}


class Command(BaseCommand):
    help = "Create a teacher. Asks for the password, or makes one with --generate."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email")
        parser.add_argument("--name", default="")
        parser.add_argument("--school", default="Our school", help="its name; made where it does not exist")
        parser.add_argument("--language", default="fr")
        parser.add_argument("--time-zone", default="Europe/Paris")
        parser.add_argument("--staff", action="store_true", help="may use the admin pages")
        parser.add_argument("--generate", action="store_true", help="make a password and print it once")
        parser.add_argument("--password", default=None, help="for scripts; better leave it out and be asked")

    def handle(self, *args: Any, **options: Any) -> None:
        password = self._password(options)
        school, _ = School.objects.get_or_create(
            name=options["school"], defaults={"language": options["language"], "time_zone": options["time_zone"]}
        )
        try:
            teacher = services.create_teacher(
                school,
                email=options["email"],
                name=options["name"] or options["email"].partition("@")[0],
                password=password,
                language=options["language"],
                is_staff=options["staff"],
            )
        except Refused as refusal:
            raise CommandError(REASONS.get(refusal.code, refusal.code)) from refusal
        self.stdout.write(f"Teacher {teacher.email} created")
        if options["generate"]:
            self.stdout.write(f"Password: {password}")

    def _password(self, options: dict[str, Any]) -> str:
        if options["generate"]:
            return secrets.token_urlsafe(12)
        return options["password"] or getpass.getpass("Password: ")
