"""Tables for site staff, to look at only; the seed and the state are secret while a table runs, so never shown."""

from __future__ import annotations

from typing import Any

from django.contrib import admin

from games.models import Table


@admin.register(Table)
class TableAdmin(admin.ModelAdmin):
    list_display = ["id", "game", "band", "language", "status", "version", "created_at"]
    list_filter = ["game", "status", "language"]
    fields = ("id", "session", "owner", "game", "rules_version", "band", "language", "status", "version", "deadline")
    readonly_fields = fields

    def has_add_permission(self, *args: Any) -> bool:
        return False

    def has_change_permission(self, *args: Any) -> bool:
        return False

    def has_delete_permission(self, *args: Any) -> bool:
        return False
