"""Settings come from the environment alone, and all of them are explained."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import polib
import pytest
from django.conf import settings

from config import translations

ROOT = Path(settings.BASE_DIR)
READ = re.compile(r"""(?:env\.\w+\(|os\.environ(?:\.get\(|\[))\s*["']([A-Z_]+)["']""")
EXPLAINED = re.compile(r"^([A-Z_]+)=", re.MULTILINE)


def setting(name: str, **environment: str) -> str:
    """A setting as a new process sees it."""
    code = f"from django.conf import settings; print(settings.{name})"
    clean = {key: value for key, value in os.environ.items() if key not in {"SECRET_KEY", "PUBLIC_URL"}}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**clean, "DJANGO_SETTINGS_MODULE": "config.settings", **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_the_example_names_exactly_what_is_read() -> None:
    read = {name for path in (ROOT / "config").glob("*.py") for name in READ.findall(path.read_text())}
    explained = set(EXPLAINED.findall((ROOT / ".env.example").read_text()))
    assert explained == read - {"DJANGO_SETTINGS_MODULE"}


def test_no_request_is_wrapped_in_a_transaction() -> None:
    assert settings.DATABASES["default"]["ATOMIC_REQUESTS"] is False


def test_new_passwords_are_hashed_with_argon2() -> None:
    assert settings.PASSWORD_HASHERS[0].endswith("Argon2PasswordHasher")


def test_cookies_are_secure_only_under_https() -> None:
    assert setting("SESSION_COOKIE_SECURE") == "False"
    assert setting("SESSION_COOKIE_SECURE", PUBLIC_URL="https://words.example") == "True"
    assert setting("CSRF_COOKIE_SECURE", PUBLIC_URL="https://words.example") == "True"
    assert setting("SESSION_COOKIE_SECURE", PUBLIC_URL="http://10.0.0.7:8000") == "False"


def test_a_forwarded_protocol_is_believed_only_behind_https() -> None:
    assert setting("SECURE_PROXY_SSL_HEADER") == "None"
    assert "X_FORWARDED_PROTO" in setting("SECURE_PROXY_SSL_HEADER", PUBLIC_URL="https://words.example")


def test_a_key_is_made_once_and_kept_for_its_owner(tmp_path: Path) -> None:
    first = setting("SECRET_KEY", DATA_DIR=str(tmp_path))
    assert len(first) >= 50
    assert setting("SECRET_KEY", DATA_DIR=str(tmp_path)) == first
    assert (tmp_path / "secret_key").stat().st_mode & 0o077 == 0
    assert setting("SECRET_KEY", DATA_DIR=str(tmp_path), SECRET_KEY="given") == "given"


def test_the_lan_may_call_this_machine_by_its_addresses() -> None:
    hosts = setting("ALLOWED_HOSTS")
    assert "'localhost'" in hosts
    assert "'*'" not in hosts
    assert "'words.example'" in setting("ALLOWED_HOSTS", PUBLIC_URL="https://words.example")


@pytest.mark.parametrize("address", ["postgresql://u:p%40ss@db.example:5433/name", "postgresql://u@%2Ftmp%2Fs/name"])
def test_a_database_address_is_read_whole(address: str) -> None:
    database = setting("DATABASES", DATABASE_URL=address)
    assert "'NAME': 'name'" in database
    assert ("'HOST': '/tmp/s'" in database) or ("'PASSWORD': 'p@ss'" in database and "'PORT': 5433" in database)


def test_a_language_is_offered_only_when_every_text_is_translated() -> None:
    """A German browser must not get an English page that calls itself German."""
    offered = {code for code, _name in settings.LANGUAGES} - {"en"}
    files = [folder / code / "LC_MESSAGES" / "django.po" for code in offered for folder in translations.folders(ROOT)]
    assert files
    assert {str(file): polib.pofile(str(file)).percent_translated() for file in files} == {
        str(file): 100 for file in files
    }
