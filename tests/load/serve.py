"""The service as it is, with ``tests.load.plain`` beside and no limit on moves; for uvicorn, as ``application``."""

from __future__ import annotations

import os
from importlib import import_module

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from django.conf import settings

settings.ROOT_URLCONF = "tests.load.plain"
settings.ALLOWANCES = {"move": (10**9, 10)}
application = import_module("config.asgi").application
