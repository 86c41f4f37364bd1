"""Errors of authentication; each carries the message that the user sees.

ServiceError
├── NotSignedIn          base/errors.py
│   ├── SessionMissing   no user is signed in
│   └── InvalidToken     forged, malformed, used or revoked
│       └── UnusableToken genuine, but not valid now; the refresh token may still be valid
│           └── ExpiredToken genuine, but expired
├── InvalidCredentials   unknown email or wrong password; the reply is the same for both
├── ChallengeOver        a sign-in that waited too long for a factor, or got too many wrong codes
├── FactorUnreadable     codes cannot be checked, because the secret in the settings has changed
├── EmailNotConfirmed    right password, but the email address has not been confirmed
├── PasskeyRefused       a passkey's response that cannot be verified, or that came too late
└── InvalidInput
    ├── WrongCode        a code that is wrong or was used before
    └── WeakPassword     with the `reasons`
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import sqlalchemy.exc

from ..base import messages
from ..base.errors import InvalidInput, NotSignedIn, ServiceError, Unavailable


class SessionMissing(NotSignedIn):
    """No user is signed in."""

    def __init__(self) -> None:
        super().__init__(messages.SESSION_MISSING)


class InvalidCredentials(ServiceError):
    """Unknown email or wrong password; `pause` is the delay of the response in seconds."""

    def __init__(self, pause: float = 0) -> None:
        super().__init__(messages.INVALID_CREDENTIALS)
        self.pause = pause


class EmailNotConfirmed(ServiceError):
    """The password was right, but the address has not been confirmed."""

    def __init__(self) -> None:
        super().__init__(messages.EMAIL_NOT_CONFIRMED)


class ChallengeOver(ServiceError):
    """A sign-in that waited too long for its second factor, got too many wrong codes, or was completed elsewhere."""

    def __init__(self) -> None:
        super().__init__(messages.CHALLENGE_OVER)


class FactorUnreadable(ServiceError):
    """The codes of an app cannot be checked, because the key that encrypted its secret is no longer configured."""

    def __init__(self) -> None:
        super().__init__(messages.FACTOR_UNREADABLE)


class WrongCode(InvalidInput):
    """A code that is wrong or was used before; `pause` is the delay of the response in seconds."""

    def __init__(self, pause: float = 0) -> None:
        super().__init__(messages.CODE_WRONG, {"code": messages.CODE_WRONG})
        self.pause = pause


class InvalidToken(NotSignedIn):
    """A token that is forged, malformed, used or revoked."""

    def __init__(self, message: str = messages.TOKEN_INVALID) -> None:
        super().__init__(message)


class UnusableToken(InvalidToken):
    """A genuine token that is not valid now, such as one of an earlier version of the program."""


class ExpiredToken(UnusableToken):
    """A genuine token that has expired."""


class PasskeyRefused(ServiceError):
    """A passkey whose response is forged, malformed, too late, or not enough alone."""

    def __init__(self, message: str = messages.PASSKEY_REFUSED) -> None:
        super().__init__(message)


class WeakPassword(InvalidInput):
    """A password that is too easy to guess."""

    def __init__(self, reasons: Sequence[str]) -> None:
        message = messages.PASSWORD_WEAK.format(reasons=", ".join(reasons))
        super().__init__(message, {"password": message})
        self.reasons = tuple(reasons)


def is_retryable(error: BaseException) -> bool:
    """Whether a retry may succeed."""
    return isinstance(error, Unavailable)


@contextmanager
def database_errors_as_unavailable() -> Iterator[None]:
    """Raise `Unavailable` in place of database errors."""
    try:
        yield
    except (
        sqlalchemy.exc.OperationalError,
        sqlalchemy.exc.InterfaceError,
        sqlalchemy.exc.TimeoutError,
    ) as error:
        raise Unavailable from error
