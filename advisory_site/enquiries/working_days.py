"""When a first reply is due: by the evening of the next working day, in the firm's own time."""

from datetime import date, datetime, time, timedelta
from functools import cache

from holidays import country_holidays

from sitekit.base.site import get_site
from sitekit.base.times import clock_text, local, short_day, span_text

from ..content.firm import FIRM
from . import admin_texts as texts

COUNTRY = "SG"
DUE, REMINDED = time(18), time(9)
ONE_DAY = timedelta(days=1)
SATURDAY = 5


@cache
def _holidays(year: int) -> frozenset[date]:
    return frozenset(country_holidays(COUNTRY, years=year))


def is_working_day(day: date) -> bool:
    """Whether somebody replies on this day: Monday to Friday, but for public holidays and the firm's closed days."""
    return day.weekday() < SATURDAY and day.isoformat() not in FIRM.closed_days and day not in _holidays(day.year)


def next_working_day(day: date) -> date:
    """The first working day after this one."""
    day += ONE_DAY
    while not is_working_day(day):
        day += ONE_DAY
    return day


def due_after(at: datetime) -> datetime:
    """When the first reply to a message of this moment is due."""
    return datetime.combine(next_working_day(local(at).date()), DUE, get_site().zone)


def begin_of(day: date) -> datetime:
    """When the firm begins to work on a day."""
    return datetime.combine(day, REMINDED, get_site().zone)


def due_text(due: datetime | None, at: datetime) -> str:
    """How long there is until something is due, or since when it is overdue; empty if nothing is due."""
    if due is None:
        return ""
    if due <= at:
        return texts.OVERDUE.format(time=span_text(at - due))
    days = (local(due).date() - local(at).date()).days
    names = {0: texts.DUE_TODAY, 1: texts.DUE_TOMORROW}
    return names.get(days, texts.DUE).format(day=short_day(due), time=clock_text(due))
