"""Keep times run by themselves: what has been kept long enough is forgotten (P4)."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from classrooms.models import Claim, Participant, ReEntry, Session, Tries, UsedCode
from classrooms.sessions.services.opening import delete
from classrooms.sessions.services.running import by_itself
from games import services as games

GUESTS_KEPT = timedelta(days=30)
SOLO_KEPT = timedelta(hours=24)


def purge() -> None:
    """Forgets what has been kept long enough: solo games after a day, counters, used codes, unlinked guests."""
    now = timezone.now()
    for session in Session.objects.filter(teacher=None, created_at__lt=now - SOLO_KEPT):
        by_itself(session, delete)
    Tries.objects.filter(window__lt=now - timedelta(days=1)).delete()
    UsedCode.objects.filter(free_after__lt=now).delete()
    ReEntry.objects.filter(expires__lt=now - timedelta(days=1)).delete()
    Claim.objects.filter(until__lt=now - timedelta(days=1)).delete()
    old = Participant.objects.filter(student=None, session__ended_at__lt=now - GUESTS_KEPT)
    for participant in old:
        games.forget(participant.id)
    old.delete()
