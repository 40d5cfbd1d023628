"""The only writers of sessions, their tables' plan and their people."""

from classrooms.sessions.services.joining import (
    Joined,
    enter_again,
    join,
    leave,
    link_guest,
    lock,
    re_entry_code,
    remove,
    seen,
    unlock,
)
from classrooms.sessions.services.keeping import purge
from classrooms.sessions.services.opening import create_session, create_solo, delete, play_again
from classrooms.sessions.services.running import (
    command_table,
    end,
    extend,
    next_round,
    pause,
    resume,
    settle,
    sweep,
)
from classrooms.sessions.services.seating import finish_starts, seat_late_comer, start

__all__ = [
    "Joined",
    "command_table",
    "create_session",
    "create_solo",
    "delete",
    "end",
    "enter_again",
    "extend",
    "finish_starts",
    "join",
    "leave",
    "link_guest",
    "lock",
    "next_round",
    "pause",
    "play_again",
    "purge",
    "re_entry_code",
    "remove",
    "resume",
    "seat_late_comer",
    "seen",
    "settle",
    "start",
    "sweep",
    "unlock",
]
