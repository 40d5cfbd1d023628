"""The whole site on one port: the event hub under its own path, Django (WSGI, on threads) everywhere else.

Django's own ASGI handler costs four to ten times WSGI per request; only the long streams need an event loop.
"""

from __future__ import annotations

from typing import Any, cast

from a2wsgi import WSGIMiddleware

from config.bodies import App, Receive, Scope, Send, WholeBodyFirst
from config.wsgi import application as wsgi
from games.hub import Hub

STREAM_PATH = "/api/v1/stream/"
THREADS = 32


class Site:
    """Sends a request to the hub or to Django, and starts and stops the hub with the server."""

    def __init__(self, django: App, hub: Hub) -> None:
        self.django = django
        self.hub = hub

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1000})
        elif scope["path"].startswith(STREAM_PATH):
            await self.hub(scope, receive, send)
        else:
            await self.django(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        await self.hub.start()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.hub.stop()
        await send({"type": "lifespan.shutdown.complete"})


def on_threads(wsgi_application: Any, *, threads: int = THREADS) -> App:
    """A WSGI application behind ASGI."""
    return WholeBodyFirst(cast(App, WSGIMiddleware(wsgi_application, workers=threads)))


application = Site(on_threads(wsgi), Hub())
