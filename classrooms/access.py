"""Who may see or change what on the top floor. A foreign id answers as a missing one."""

from __future__ import annotations

from uuid import UUID

from classrooms.models import Participant, SchoolClass, Session, Student, Teacher
from wordlists.refusals import Forbidden, Missing, Unknown
from wordlists.viewer import Viewer


def the_teacher(viewer: Viewer) -> Teacher:
    """The signed-in teacher. Raises Unknown for anonymous, Forbidden for a participant."""
    teacher = Teacher.objects.select_related("school").filter(id=teachers_only(viewer), is_active=True).first()
    if teacher is None:
        raise Unknown("sign_in")
    return teacher


def teachers_only(viewer: Viewer) -> UUID:
    """The id of the teacher who asks, without a query."""
    if viewer.kind == "anonymous":
        raise Unknown("sign_in")
    if viewer.kind != "teacher" or viewer.id is None:
        raise Forbidden("teachers_only")
    return viewer.id


def own_class(viewer: Viewer, class_id: UUID) -> SchoolClass:
    """A class of the teacher who asks."""
    teacher = teachers_only(viewer)
    found = SchoolClass.objects.select_related("school").filter(id=class_id, teacher=teacher).first()
    if found is None:
        raise Missing("not_found")
    return found


def own_student(viewer: Viewer, student_id: UUID) -> Student:
    """A pupil of a class of the teacher who asks."""
    teacher = teachers_only(viewer)
    found = (
        Student.objects.select_related("school_class", "name_row")
        .filter(id=student_id, school_class__teacher=teacher)
        .first()
    )
    if found is None:
        raise Missing("not_found")
    return found


def own_session(viewer: Viewer, session_id: UUID) -> Session:
    """A session of the teacher who asks."""
    teacher = teachers_only(viewer)
    found = (
        Session.objects.select_related("teacher__school", "school_class").filter(id=session_id, teacher=teacher).first()
    )
    if found is None:
        raise Missing("not_found")
    return found


def own_participant(viewer: Viewer, session_id: UUID, participant_id: UUID) -> Participant:
    """Somebody in a session of the teacher who asks; both ids have to fit."""
    session = own_session(viewer, session_id)
    found = (
        Participant.objects.select_related("session", "student__name_row", "table")
        .filter(id=participant_id, session=session)
        .first()
    )
    if found is None:
        raise Missing("not_found")
    return found


def seen_session(viewer: Viewer, session_id: UUID) -> Session:
    """A session that the viewer takes part in or owns."""
    if viewer.kind == "anonymous":
        raise Unknown("sign_in")
    if viewer.kind == "teacher":
        return own_session(viewer, session_id)
    found = Session.objects.filter(id=session_id).first() if viewer.session == session_id else None
    if found is None:
        raise Missing("not_found")
    return found


def myself(viewer: Viewer) -> Participant:
    """The participant who asks."""
    if viewer.kind != "participant" or viewer.id is None:
        raise Unknown("join_first")
    found = (
        Participant.objects.select_related("session__teacher__school", "student__name_row", "table")
        .filter(id=viewer.id, removed_at=None)
        .first()
    )
    if found is None:
        raise Unknown("join_first")
    return found
