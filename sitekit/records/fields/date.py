"""A date, stored as ISO text, which sorts as dates do."""

from datetime import date
from typing import Annotated

from ...base import messages
from .line import LineField


def is_date(text: str) -> bool:
    """Whether a text is a date such as "2026-11-25", and nothing else."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


class DateField(LineField):
    """A date: browsers send it as ISO text, whatever their own control shows. Visitors read "25 November 2026"."""

    def public(self, value: str | None) -> str:
        if not value or not is_date(value):
            return ""
        day = date.fromisoformat(value)
        return f"{day.day} {day:%B %Y}"


Date = Annotated[str, DateField(rule=(is_date, messages.DATE_INVALID), attributes={"type_": "date"})]
