"""The same stream by Channels with Redis, for comparison only: ``uvicorn tests.load.rival:application``."""

from __future__ import annotations

import os
from typing import Any

import django
from channels.consumer import AsyncConsumer  # type: ignore[import-untyped, import-not-found, unused-ignore]
from django.conf import settings

from tests.load.bench_tables import RIVAL_GROUP, redis_host

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
settings.CHANNEL_LAYERS = {
    "default": {"BACKEND": "channels_redis.core.RedisChannelLayer", "CONFIG": {"hosts": [redis_host()]}}
}
django.setup()


class Stream(AsyncConsumer):  # type: ignore[misc, unused-ignore]
    """One page's stream, a member of the group."""

    async def lifespan_startup(self, message: dict[str, Any]) -> None:
        await self.send({"type": "lifespan.startup.complete"})

    async def lifespan_shutdown(self, message: dict[str, Any]) -> None:
        await self.send({"type": "lifespan.shutdown.complete"})

    async def http_request(self, message: dict[str, Any]) -> None:
        headers = [(b"content-type", b"text/event-stream")]
        await self.send({"type": "http.response.start", "status": 200, "headers": headers})
        await self.channel_layer.group_add(RIVAL_GROUP, self.channel_name)
        await self._write(b"event: resync\ndata: {}\n\n")

    async def change(self, event: dict[str, Any]) -> None:
        await self._write(event["chunk"])

    async def http_disconnect(self, message: dict[str, Any]) -> None:
        await self.channel_layer.group_discard(RIVAL_GROUP, self.channel_name)

    async def _write(self, chunk: bytes) -> None:
        await self.send({"type": "http.response.body", "body": chunk, "more_body": True})


application = Stream.as_asgi()
