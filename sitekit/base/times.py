"""Times as text, most of them in the site's time zone."""

from datetime import datetime, timedelta

from .site import get_site


def local(at: datetime) -> datetime:
    """A moment in the site's time zone."""
    return at.astimezone(get_site().zone)


def iso_text(at: datetime | None) -> str:
    """A time in UTC as ISO text: `2026-11-21T19:26:00Z`; empty for None."""
    return f"{at:%Y-%m-%dT%H:%M:%SZ}" if at else ""


def date_text(at: datetime) -> str:
    """The local date of a moment: `2026-11-22`."""
    return f"{local(at):%Y-%m-%d}"


def day_text(at: datetime) -> str:
    """The local day of a moment, as a mail names it: `Thursday, 26 November`."""
    day = local(at)
    return f"{day:%A}, {day.day} {day:%B}"


def short_day(at: datetime) -> str:
    """The local day of a moment: `Mon 30 Nov`."""
    day = local(at)
    return f"{day:%a} {day.day} {day:%b}"


def clock_text(at: datetime) -> str:
    """The local time of day: `9:00 am`."""
    return f"{local(at):%I:%M %p}".lstrip("0").lower()


def time_in_zone(at: datetime) -> str:
    """A moment with the name of the site's time zone: `3 Dec 2026, 9:00 am (UTC)`."""
    day = local(at)
    return f"{day.day} {day:%b %Y}, {clock_text(at)} ({get_site().zone_name})"


def time_text(at: datetime) -> str:
    """A local moment with its distance to UTC: `24 Nov 2026, 18:32 (UTC+08:00)`."""
    day = local(at)
    return f"{day.day} {day:%b %Y, %H:%M} (UTC{(day.tzname() or '').removeprefix('UTC')})"


def span_text(span: timedelta) -> str:
    """A span in its largest unit, rounded down: `40 min`, `3 h`, `2 days`."""
    minutes = int(span.total_seconds() // 60)
    if minutes < 60:
        return f"{max(1, minutes)} min"
    hours = minutes // 60
    return f"{hours} h" if hours < 48 else f"{hours // 24} days"


def ago(at: datetime, since: datetime) -> str:
    """How long ago something happened: `just now`, `2 minutes ago`, `3 hours ago`, `2 days ago`."""
    minutes = int((at - since).total_seconds() // 60)
    for size, unit in ((1440, "day"), (60, "hour"), (1, "minute")):
        if number := minutes // size:
            return f"{number} {unit}{'s' * (number > 1)} ago"
    return "just now"
