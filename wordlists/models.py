"""Word lists as tables name them: immutable, one row for each content, found by its hash."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q


class WordList(models.Model):
    """The bytes of one list. Editing a list makes another row; a row stays while a table may name it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    hash = models.CharField(max_length=64)
    kind = models.CharField(max_length=20)
    language = models.CharField(max_length=8)
    band = models.CharField(max_length=8)
    title = models.CharField(max_length=120)
    licence = models.CharField(max_length=120)
    words = models.PositiveIntegerField()
    blob = models.BinaryField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["hash"], name="wordlist_hash_unique"),
            models.CheckConstraint(condition=Q(hash__regex=r"^[0-9a-f]{64}$"), name="wordlist_hash_is_sha256"),
            models.CheckConstraint(condition=Q(words__gt=0), name="wordlist_has_words"),
        ]

    def __str__(self) -> str:
        return self.title
