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
        if not value or not is_date(value):
            return ""
        day = date.fromisoformat(value)
        return f"{day.day} {day:%B %Y}"


Date = Annotated[str, DateField(rule=(is_date, messages.DATE_INVALID), attributes={"type_": "date"})]
PastDate = Annotated[str, DateField(rule=(is_past_date, messages.DATE_NOT_PAST), attributes={"type_": "date"})]
