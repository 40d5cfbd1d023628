"""``python -m config.run``: the whole service on one machine, from nothing to the address on the screen."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
import urllib.request
from urllib.error import URLError

import django
import segno
from django.conf import settings
from django.contrib.auth import authenticate, get_user_model

from config import addresses, embedded, private, processes, secret

READY_SECONDS = 60.0
CHECK_SECONDS = 3.0


def main() -> int:
    """The exit status: 0 after Ctrl-C or SIGTERM, 1 with a message where it could not start."""
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    try:
        with private.sole_user(settings.DATA_DIR):
            _serve(_port(), stop)
    except private.Unavailable as error:
        _say(str(error))
        return 1
    return 0


def _serve(port: int, stop: threading.Event) -> None:
    began = time.monotonic()
    servers = embedded.needed(settings.DATA_DIR, say=_say)
    service = processes.Processes(
        {"web": processes.web(port), "work": processes.worker(), "clock": processes.clock(), "beat": processes.beat()},
        folder=settings.DATA_DIR / "logs",
        env=os.environ,
        say=_say,
    )
    try:
        service.end_leftovers()
        _check_port(port)
        servers.start()
        demo = _prepare()
        # The web process first: on two cores all at once would keep a person waiting a third longer.
        service.start("web")
        if _wait_for_web(port, service, stop):
            service.start("work", "clock", "beat")
            _welcome(port, demo, time.monotonic() - began)
        while not stop.wait(CHECK_SECONDS):
            servers.revive()
            service.revive()
        _say("\nStopping …")
    finally:
        service.stop()
        servers.stop()


def _port() -> int:
    text = os.environ.get("PORT") or "8000"
    if not text.isdigit() or not 0 < int(text) < 65536:
        raise private.Unavailable(f"PORT is {text!r}; it has to be a number from 1 to 65535.")
    return int(text)


def _check_port(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("0.0.0.0", port))
        except OSError as error:
            raise private.Unavailable(
                f"Port {port} cannot be used ({error.strerror}). Take another one: PORT={port + 1} make run"
            ) from None


def _prepare() -> tuple[str, str, str]:
    """Database, files and demo school; its teacher's e-mail and password, and the code of its open session."""
    django.setup()
    from classrooms import demo
    from config import preparation

    preparation.everything()
    password = secret.kept(settings.DATA_DIR / "demo_password", size=9)
    is_new = not get_user_model().objects.filter(email=demo.EMAIL).exists()
    made = demo.ensure(password=password if is_new else None)
    # A teacher who has chosen another password keeps it; it is not ours to show or to set back.
    valid = authenticate(username=made.email, password=password) is not None
    return made.email, password if valid else "(the password that you chose)", made.code


def _wait_for_web(port: int, service: processes.Processes, stop: threading.Event) -> bool:
    deadline = time.monotonic() + READY_SECONDS
    while not stop.wait(0.1):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=2):
                return True
        except (URLError, OSError):
            if service.running["web"].poll() is not None:
                raise private.Unavailable(f"The web server ended at once; see {service.log('web')}.") from None
        if time.monotonic() > deadline:
            raise private.Unavailable(f"The web server did not answer within {READY_SECONDS:.0f} s.")
    return False


def _welcome(port: int, demo: tuple[str, str, str], seconds: float) -> None:
    base = settings.PUBLIC_URL or f"http://{(addresses.lan_addresses() or ['localhost'])[0]}:{port}"
    email, password, code = demo
    join = f"{base}/j/{code}/"
    _say(f"\nWordtable is ready ({seconds:.1f} s). Ctrl-C stops it.\n")
    _say(f"  Teacher    {base}/teacher/")
    _say(f"             {email}   {password}")
    _say(f"  Students   {join}   code {code}")
    _say(f"  On this machine also http://localhost:{port} · logs in {settings.DATA_DIR / 'logs'}\n")
    if (sys.stdout.encoding or "").lower().startswith("utf"):
        segno.make(join).terminal(compact=True)
    sys.stdout.flush()


def _say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main())
