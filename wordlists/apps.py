"""The bottom floor: languages, word lists and the structures that games search in."""

from django.apps import AppConfig


class WordlistsConfig(AppConfig):
    name = "wordlists"
    default_auto_field = "django.db.models.BigAutoField"
