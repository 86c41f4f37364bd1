"""The tree of service errors; each carries the sentence a person sees.

ServiceError
├── InvalidInput        what was sent does not fit; `fields` says which field and why
├── NotFound            no such record, or not for this reader
│   └── Moved           it has another slug now, `slug`
├── Conflict            somebody else changed or took it first
│   └── SavedSince      it was saved after it was read; `name` and `at`
├── Forbidden           this person may not do this
└── TooManyAttempts     wait `retry_after` seconds
"""

from collections.abc import Mapping
from datetime import datetime


class ServiceError(Exception):
    """An error that may be shown to the person: `message` is in plain words."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class InvalidInput(ServiceError):
    """What was sent does not fit; `fields` maps a field's name to the sentence shown beside it."""

    def __init__(self, message: str, fields: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.fields = dict(fields or {})


class NotFound(ServiceError):
    """No such record, or none this reader may see."""


class Moved(NotFound):
    """No record has this slug any more; `slug` is what the one that had it is called now."""

    def __init__(self, message: str, slug: str) -> None:
        super().__init__(message)
        self.slug = slug


class Conflict(ServiceError):
    """Another user changed the record, or took its name, first."""


class SavedSince(Conflict):
    """The record was saved after it was read, by a person of this name, at this moment in UTC."""

    def __init__(self, name: str, at: datetime) -> None:
        super().__init__(f"{name} saved this after you opened it.")
        self.name, self.at = name, at


class Forbidden(ServiceError):
    """This person may not do this."""


class TooManyAttempts(ServiceError):
    """Refused for now; `retry_after` is the wait in seconds."""

    def __init__(self, message: str, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after
