"""The tree of service errors; each carries the message that the user sees.

ServiceError
├── InvalidInput        the input is not valid; `fields` has the message of each
├── NotFound            no such record, or not for this reader
│   └── Moved           it has another slug now, `slug`
├── Conflict            another user changed or took it first
│   ├── SavedSince      another user saved it after it was read: `name` and `at`
│   └── ConfirmationNeeded    it is also the work of others, and the user was not asked
├── NotSignedIn         no user is signed in, or what should say which is not valid
├── Forbidden           this user may not do this
│   └── ReauthenticationNeeded     the user has to prove again who they are, and may do it then
├── TooManyAttempts     wait `retry_after` seconds
└── Unavailable         the database or the workers cannot be reached now; the only retryable kind
"""

from collections.abc import Mapping
from datetime import datetime

from . import messages


class ServiceError(Exception):
    """An error whose `message` may be shown to the user."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class InvalidInput(ServiceError):
    """The input is not valid; `fields` maps a field's name to the message shown beside it.

    `row` says which one of several inputs, counted from 0.
    """

    def __init__(self, message: str, fields: Mapping[str, str] | None = None, row: int = 0) -> None:
        super().__init__(message)
        self.fields, self.row = dict(fields or {}), row


class NotFound(ServiceError):
    """There is no such record, or the user may not see it."""


class RecordMoved(NotFound):
    """The record that had this slug has another one now, `slug`."""

    def __init__(self, message: str, slug: str) -> None:
        super().__init__(message)
        self.slug = slug


class Conflict(ServiceError):
    """Another user changed the record or took its slug first."""


class SavedSince(Conflict):
    """The record was saved after it was read: by whom, and when in UTC; or its draft, by this id."""

    def __init__(self, name: str, at: datetime, draft: int = 0) -> None:
        super().__init__(f"{name} saved this after you opened it.")
        self.name, self.at, self.draft = name, at, draft


class ConfirmationNeeded(Conflict):
    """It is also the work of others: the message is the question to the user, `yes` the label that agrees."""

    def __init__(self, question: str, yes: str) -> None:
        super().__init__(question)
        self.yes = yes


class NotSignedIn(ServiceError):
    """No user is signed in, or the session, token or link that should say which is not valid."""


class Forbidden(ServiceError):
    """The user may not do this."""


class ReauthenticationNeeded(Forbidden):
    """The user may do this, but last proved too long ago who they are."""


class TooManyAttempts(ServiceError):
    """Refused for now; `retry_after` is the wait in seconds."""

    def __init__(self, message: str, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Unavailable(ServiceError):
    """The database or the workers cannot be reached now; a retry may succeed."""

    def __init__(self) -> None:
        super().__init__(messages.SERVICE_UNAVAILABLE)
