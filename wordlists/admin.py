"""Word lists in the admin, to look at only."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from wordlists.models import WordList


@admin.register(WordList)
class WordListAdmin(admin.ModelAdmin):
    list_display = ["title", "language", "band", "kind", "words", "created_at"]
    list_filter = ["language", "band", "kind"]
    exclude = ["blob"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
