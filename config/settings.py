"""Settings, from the environment only; every name that is read here stands in ``.env.example``."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

import environ
from celery.schedules import crontab
from django.utils.translation import gettext_lazy as _

from config import addresses, postgres, secret, translations, valkey

BASE_DIR = Path(__file__).resolve().parent.parent

env = environ.Env()
if (env_file := env.str("ENV_FILE", default=str(BASE_DIR / ".env"))) and Path(env_file).exists():
    env.read_env(env_file)

DATA_DIR = Path(env.str("DATA_DIR", default="") or BASE_DIR / ".data").absolute()
DEBUG = env.bool("DEBUG", default=False)
PUBLIC_URL = env.str("PUBLIC_URL", default="").rstrip("/")
HTTPS = PUBLIC_URL.startswith("https://")
SECRET_KEY = env.str("SECRET_KEY", default="") or secret.kept(DATA_DIR / "secret_key")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=[]) or [
    *addresses.local_names(),
    *filter(None, [urlsplit(PUBLIC_URL).hostname]),
]
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL] if PUBLIC_URL else []

INSTALLED_APPS = [
    "wordlists",
    "games",
    "classrooms",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "django_htmx",
]

MIDDLEWARE = [
    "config.headers.PolicyMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.errors.ProblemMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "classrooms.middleware.ViewerMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates", *sorted(BASE_DIR.glob("games/rules/*/templates"))],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# One database, persistent connections (without them a move costs three times as much), no transaction per request:
# services open their own, and a durable one refuses to be nested.
DATABASE_URL = env.str("DATABASE_URL", default="") or postgres.database_url(DATA_DIR)
DATABASE_DIRECT_URL = env.str("DATABASE_DIRECT_URL", default="") or DATABASE_URL
_database = env.db_url_config(DATABASE_URL)
DATABASES = {
    "default": {
        **_database,
        "HOST": unquote(_database["HOST"]),
        "CONN_MAX_AGE": None,
        "CONN_HEALTH_CHECKS": True,
        "ATOMIC_REQUESTS": False,
    }
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

LOGIN_URL = "teacher:sign_in"
LOGIN_REDIRECT_URL = "teacher:home"
AUTH_USER_MODEL = "classrooms.Teacher"
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

LANGUAGE_CODE = env.str("LANGUAGE_CODE", default="fr")
# Only what is translated whole: a half-translated page speaks two languages and says it is one.
LANGUAGES = [("fr", _("French")), ("en", _("English"))]
LOCALE_PATHS = translations.folders(BASE_DIR)
TIME_ZONE = env.str("TIME_ZONE", default="Europe/Zurich")
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = Path(env.str("STATIC_ROOT", default="") or DATA_DIR / "staticfiles")
STATICFILES_DIRS = [
    path for path in [BASE_DIR / "static", *sorted(BASE_DIR.glob("games/rules/*/static"))] if path.is_dir()
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.statics.Storage"},
}
WHITENOISE_USE_FINDERS = DEBUG

# A class plays over plain http on the LAN: Secure cookies exist only where the public address is https.
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_AGE = 12 * 3600
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "config.errors.csrf_failure"
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin" if HTTPS else None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000
CONTENT_SECURITY_POLICY = (
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)

REST_FRAMEWORK = {
    "EXCEPTION_HANDLER": "config.errors.handler",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["config.parsers.StrictJSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Wordtable",
    "OAS_VERSION": "3.1.1",
    "VERSION": "1",
    "DESCRIPTION": "Word games for a class: sessions, tables, moves, reports.",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": [],
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    # Who asks is told by our middleware and not by DRF, so the schema is told by hand.
    "AUTHENTICATION_WHITELIST": [],
    "APPEND_COMPONENTS": {
        "securitySchemes": {
            "token": {"type": "http", "scheme": "bearer"},
            "seat": {"type": "apiKey", "in": "cookie", "name": "wt_seat"},
            "teacher": {"type": "apiKey", "in": "cookie", "name": "sessionid"},
        }
    },
    "SECURITY": [{"token": []}, {"seat": []}, {"teacher": []}, {}],
    "POSTPROCESSING_HOOKS": ["drf_spectacular.hooks.postprocess_schema_enums", "games.api.add_moves"],
}

REDIS_URL = env.str("REDIS_URL", default="") or valkey.redis_url(DATA_DIR)
REDIS_PREFIX = env.str("REDIS_PREFIX", default="wordtable:")
# For those who send out of a request: one try and no waiting. Workers are more patient (config.celery).
CELERY_BROKER_URL = REDIS_URL
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "global_keyprefix": REDIS_PREFIX,
    "socket_connect_timeout": 0.3,
    "socket_timeout": 0.3,
    "max_retries": 0,
}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_DEFAULT_QUEUE = "work"
# Sweeps have a queue and a process of their own, so that long work never delays a deadline.
CELERY_TASK_ROUTES = {"*.tasks.sweep": {"queue": "clock"}}
CELERY_BEAT_SCHEDULER = "celery.beat.Scheduler"
CELERY_BEAT_SCHEDULE = {
    "tables": {"task": "games.tasks.sweep", "schedule": 1.0, "options": {"expires": 2}},
    "progress": {"task": "classrooms.progress.tasks.sweep", "schedule": 10.0, "options": {"expires": 10}},
    "sessions": {"task": "classrooms.sessions.tasks.sweep", "schedule": 30.0, "options": {"expires": 30}},
    "purge_sessions": {"task": "classrooms.sessions.tasks.purge", "schedule": 3600.0},
    "purge_requests": {"task": "games.tasks.purge", "schedule": 3600.0},
    "verify_tables": {"task": "games.tasks.verify", "schedule": crontab(hour=3, minute=20)},
}
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_SEND_TASK_EVENTS = False
CELERY_TIMEZONE = TIME_ZONE

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="INFO")},
    "loggers": {
        # Its lines hold addresses, and those hold join codes; config.errors says what went wrong.
        "django.request": {"level": "CRITICAL"},
        "django.security.DisallowedHost": {"level": "CRITICAL"},
        "celery.worker.strategy": {"level": "WARNING"},
        "celery.app.trace": {"level": "WARNING"},
    },
}
