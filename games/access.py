"""Who may see or touch a table, one condition per line. A table that one may not know of is a missing table."""

from __future__ import annotations

from collections.abc import Sequence

from games.store import SeatRow, TableRow
from wordlists.refusals import Forbidden, Missing
from wordlists.viewer import Viewer


def see(viewer: Viewer, table: TableRow, seats: Sequence[SeatRow]) -> SeatRow | None:
    """The viewer's own seat; None for the table's teacher and for the others of its session, who see what all see."""
    if viewer.is_teacher and viewer.id is not None and viewer.id == table.owner:
        return None
    if viewer.is_participant and viewer.session == table.session:
        return next((seat for seat in seats if seat.participant == viewer.id), None)
    raise Missing("not_found")


def seat_of(viewer: Viewer, table: TableRow, seats: Sequence[SeatRow]) -> SeatRow:
    """The seat that the viewer plays."""
    seat = see(viewer, table, seats)
    if seat is None:
        raise Forbidden("no_seat")
    return seat


def direct(viewer: Viewer, table: TableRow) -> None:
    """The teacher's commands are the owner's alone."""
    see(viewer, table, ())
    if not viewer.is_teacher:
        raise Forbidden("teacher_only")


def read_log(viewer: Viewer, table: TableRow, seats: Sequence[SeatRow]) -> SeatRow | None:
    """The log is for the table's teacher and for its seats."""
    return None if see(viewer, table, seats) is None and viewer.is_teacher else seat_of(viewer, table, seats)
