"""The top floor: schools, teachers, classes, sessions and what pupils learnt in them."""

from django.apps import AppConfig


class ClassroomsConfig(AppConfig):
    name = "classrooms"
    default_auto_field = "django.db.models.BigAutoField"
