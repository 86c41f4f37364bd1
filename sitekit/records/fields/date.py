"""A date, stored as ISO text, which sorts as dates do."""

from datetime import date
from typing import Annotated

from ...base import messages
from ...base.db.database import now
from ...base.times import date_text
from .line import LineField

EARLIEST = "1990-01-01"  # of what was written or done; an older one is a mistyped year


def is_date(text: str) -> bool:
    """Whether a text is a date such as "2026-11-25", and nothing else."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def is_past_date(text: str) -> bool:
    """Whether a text is a date from 1990 to today, which is the day in the site's time zone."""
    return is_date(text) and EARLIEST <= text <= date_text(now())


class DateField(LineField):
    """A date: browsers send it as ISO text, whatever their own control shows. Visitors read "25 November 2026"."""

    def public(self, value: str | None) -> str:
        return _written(value, "%B %Y")


def short_date(value: str | None) -> str:
    """A stored date as the back office writes it: "25 Nov 2026"; empty for anything else."""
    return _written(value, "%b %Y")


def _written(value: str | None, month: str) -> str:
    day = date.fromisoformat(value) if value and is_date(value) else None
    return f"{day.day} {day:{month}}" if day else ""


Date = Annotated[str, DateField(rule=(is_date, messages.DATE_INVALID), attributes={"type_": "date"})]
PastDate = Annotated[str, DateField(rule=(is_past_date, messages.DATE_NOT_PAST), attributes={"type_": "date"})]
