"""The outcome of the current event: handlers reply to errors instead of raising them, so its task does not show it."""

from contextvars import ContextVar
from enum import StrEnum

import sqlalchemy as sa

from .errors import ServiceError

_OUTAGES = (sa.exc.OperationalError, sa.exc.InterfaceError, sa.exc.TimeoutError)


class Outcome(StrEnum):
    """How an event ended. `REFUSED`: the user may not do it, or has to change something first."""

    DONE = "done"
    REFUSED = "refused"
    FAILED = "failed"
    CANCELLED = "cancelled"


def is_outage(error: BaseException) -> bool:
    """Whether an error that is shown to people was caused by a database that cannot be reached."""
    return isinstance(error.__cause__, _OUTAGES)


class EventOutcome:
    """The outcome of one event so far; shared by the tasks that handle it."""

    def __init__(self) -> None:
        self.value = Outcome.DONE

    def note(self, error: BaseException) -> None:
        """Count the event as refused or failed; once failed, it stays so."""
        if not isinstance(error, ServiceError) or is_outage(error):
            self.value = Outcome.FAILED
        elif self.value is Outcome.DONE:
            self.value = Outcome.REFUSED


current_outcome: ContextVar[EventOutcome | None] = ContextVar("current_outcome", default=None)


def note_error(error: BaseException) -> None:
    """Count the current event, if there is one, as refused or failed by this error."""
    if (outcome := current_outcome.get()) is not None:
        outcome.note(error)
