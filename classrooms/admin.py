"""Schools and accounts for the operator; pupils and their evidence are looked at in the teacher's pages only."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.http import HttpRequest

from classrooms.models import School, Session, Teacher


@admin.register(School)
class SchoolAdmin(admin.ModelAdmin):
    list_display = ["name", "language", "time_zone"]
    search_fields = ["name"]


@admin.register(Teacher)
class TeacherAdmin(UserAdmin):
    list_display = ["email", "name", "school", "is_active", "is_staff"]
    list_filter = ["is_active", "is_staff"]
    list_select_related = ["school"]
    search_fields = ["email", "name"]
    ordering = ["email"]
    readonly_fields = ["last_login", "created_at"]
    fieldsets = [
        (None, {"fields": ["email", "password", "name", "school", "language"]}),
        (None, {"fields": ["is_active", "is_staff", "is_superuser", "last_login", "created_at"]}),
    ]
    add_fieldsets = [(None, {"fields": ["email", "name", "school", "password1", "password2"]})]


@admin.register(Session)
class SessionAdmin(admin.ModelAdmin):
    """To see what runs; never codes, names or words."""

    list_display = ["id", "game", "band", "language", "status", "created_at", "ended_at"]
    list_filter = ["status", "game", "language"]
    fields = ("id", "game", "band", "language", "robots", "status", "created_at", "started_at", "ended_at", "expires")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Session | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Session | None = None) -> bool:
        return False
