"""Errors of signing in, by kind; each carries the sentence that people see.

ServiceError
├── SessionMissing       nobody is signed in
├── InvalidCredentials   unknown email or wrong password, which nobody can tell apart
├── EmailNotConfirmed    right password, but the address waits for its link to be opened
├── InvalidToken         forged, malformed, spent, revoked
│   └── UnusableToken    genuine, but of other rules; the refresh token may still serve
│       └── ExpiredToken genuine, but its time is over
├── Unavailable          the one retryable kind: the database or the workers cannot be reached now
└── InvalidInput
    └── WeakPassword     `reasons` says why
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import sqlalchemy.exc

from ..content import messages
from ..core.errors import InvalidInput, ServiceError


class SessionMissing(ServiceError):
    """Nobody is signed in."""

    def __init__(self) -> None:
        super().__init__(messages.SESSION_MISSING)


class InvalidCredentials(ServiceError):
    """Unknown email or wrong password; `pause` is how many seconds the answer is held back."""

    def __init__(self, pause: float = 0) -> None:
        super().__init__(messages.INVALID_CREDENTIALS)
        self.pause = pause


class EmailNotConfirmed(ServiceError):
    """The password was right, but the address has not been confirmed."""

    def __init__(self) -> None:
        super().__init__(messages.EMAIL_NOT_CONFIRMED)


class InvalidToken(ServiceError):
    """A token that is forged, malformed, spent or revoked."""

    def __init__(self, message: str = messages.TOKEN_INVALID) -> None:
        super().__init__(message)


class UnusableToken(InvalidToken):
    """A genuine token that cannot be used, such as one of an earlier version of the program."""


class ExpiredToken(UnusableToken):
    """A genuine token whose time is over."""


class Unavailable(ServiceError):
    """Cannot be reached now; trying again may help."""

    def __init__(self) -> None:
        super().__init__(messages.SERVICE_UNAVAILABLE)


class WeakPassword(InvalidInput):
    """A password that is guessed too easily."""

    def __init__(self, reasons: Sequence[str]) -> None:
        message = messages.PASSWORD_WEAK.format(reasons=", ".join(reasons))
        super().__init__(message, {"password": message})
        self.reasons = tuple(reasons)


def is_retryable(error: BaseException) -> bool:
    """Whether a retry may succeed."""
    return isinstance(error, Unavailable)


@contextmanager
def database_errors_as_unavailable() -> Iterator[None]:
    """Turn a database that cannot be reached into the retryable kind."""
    try:
        yield
    except (
        sqlalchemy.exc.OperationalError,
        sqlalchemy.exc.InterfaceError,
        sqlalchemy.exc.TimeoutError,
    ) as error:
        raise Unavailable from error
