"""The times at which a draft is published and its record hidden, in the site's time zone."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from ..base.db.database import now
from ..base.errors import InvalidInput
from ..base.site import get_site
from ..base.text import one_line
from . import draft_texts as texts
from .proposals import Proposal

# The inputs of a form.
PUBLISH_AT, HIDE_AT = "draft_publish_at", "draft_hide_at"
TIME_INPUT = "%Y-%m-%dT%H:%M"
LEAST_AHEAD = timedelta(minutes=1)


def input_time(at: datetime | None) -> str:
    """A time as its input shows it; empty for none."""
    return f"{at.astimezone(get_site().zone):{TIME_INPUT}}" if at else ""


def typed_times(
    typed: Mapping[str, object], draft: Proposal | None, *, is_public: bool
) -> tuple[datetime | None, datetime | None]:
    """The times to publish and to hide that were typed; raises `InvalidInput` about both.

    One that the draft has already may have passed. Hiding needs a record that is public, or will be.
    """
    errors: dict[str, str] = {}
    before = {PUBLISH_AT: draft.publish_at, HIDE_AT: draft.hide_at} if draft else {}
    times = {name: _time(name, typed, before.get(name), errors) for name in (PUBLISH_AT, HIDE_AT)}
    publish_at, hide_at = times[PUBLISH_AT], times[HIDE_AT]
    if hide_at and not is_public and not publish_at and HIDE_AT not in errors:
        errors[HIDE_AT] = texts.NOTHING_TO_HIDE
    if publish_at and hide_at and hide_at <= publish_at and not errors:
        errors[HIDE_AT] = texts.NOT_AFTER
    if errors:
        raise InvalidInput(next(iter(errors.values())), errors)
    return publish_at, hide_at


def _time(name: str, typed: Mapping[str, object], before: datetime | None, errors: dict[str, str]) -> datetime | None:
    text = one_line(typed.get(name))
    if not text:
        return None
    if text == input_time(before):
        return before
    try:
        at = datetime.strptime(text[:16], TIME_INPUT).replace(tzinfo=get_site().zone)
    except ValueError:
        errors[name] = texts.NOT_A_TIME
        return None
    if at < now() + LEAST_AHEAD:
        errors[name] = texts.NOT_AHEAD
    return at
