"""The cookies of a pupil's device: the seat's pass, and a random mark that tells one tablet from another."""

from __future__ import annotations

import secrets

from django.core import signing
from django.http import HttpRequest, HttpResponseBase

from classrooms.models import Teacher
from games import passes

DEVICE_COOKIE = "wt_device"
DEVICE_AGE = 180 * 24 * 3600
_SALT = "wordtable.device"


def hold_seat(response: HttpResponseBase, request: HttpRequest, token: str) -> None:
    """The seat's pass, out of reach of scripts; Secure only under https, because a class plays over plain http."""
    _set(response, request, passes.SEAT_COOKIE, token, passes.SEAT_MAX_AGE)


def drop_seat(response: HttpResponseBase) -> None:
    """Nothing of the pupil stays on a shared tablet."""
    response.delete_cookie(passes.SEAT_COOKIE, samesite="Lax")


def hold_stream(response: HttpResponseBase, request: HttpRequest, teacher: Teacher) -> None:
    """The teacher's pass for the event stream, set at sign-in."""
    token = passes.teacher_token(teacher=teacher.id, school=teacher.school_id, epoch=teacher.tokens_epoch)
    _set(response, request, passes.TEACHER_COOKIE, token, passes.TEACHER_MAX_AGE)


def drop_stream(response: HttpResponseBase) -> None:
    """At sign-out."""
    response.delete_cookie(passes.TEACHER_COOKIE, samesite="Lax")


def device_of(request: HttpRequest) -> str:
    """The mark that came with the request; empty where there is none or a forged one."""
    try:
        return str(signing.Signer(salt=_SALT).unsign(request.COOKIES.get(DEVICE_COOKIE, "")))
    except signing.BadSignature:
        return ""


def mark_device(response: HttpResponseBase, request: HttpRequest) -> None:
    """Gives the device its mark."""
    signed = signing.Signer(salt=_SALT).sign(secrets.token_urlsafe(16))
    _set(response, request, DEVICE_COOKIE, signed, DEVICE_AGE)


def _set(response: HttpResponseBase, request: HttpRequest, name: str, value: str, age: int) -> None:
    response.set_cookie(name, value, max_age=age, httponly=True, samesite="Lax", secure=request.is_secure())
