"""Settings come from the environment alone."""

from django.conf import settings


def test_no_request_is_wrapped_in_a_transaction():
    assert settings.DATABASES["default"]["ATOMIC_REQUESTS"] is False


def test_new_passwords_are_hashed_with_argon2():
    assert settings.PASSWORD_HASHERS[0].endswith("Argon2PasswordHasher")
