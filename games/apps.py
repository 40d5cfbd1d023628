"""The middle floor: plays tables; knows owners, sessions and participants only as opaque uuids."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"
    default_auto_field = "django.db.models.BigAutoField"
