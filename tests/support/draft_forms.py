"""Forms of records that have drafts: what they send, and how a record is shown."""

from typing import Any

from tests.support.event_client import EventClient
from tests.support.record_screens import Screen


def form_of(tab: EventClient, screen: Screen) -> dict[str, Any]:
    """What the open form sends if nothing is typed."""
    form = tab.vars(screen.form)["form"]
    return {**form.inputs(), "record": str(form.id), "version": str(form.version)}


def save(tab: EventClient, screen: Screen, where: dict[str, Any], then: str = "", **typed: str) -> Any:
    return tab.send(screen.form.save, **where, form_data={**form_of(tab, screen), **typed, "then": then})


def shown(screen: Screen) -> dict[str, Any]:
    publishing = screen.sample.record_type.publishing
    return {publishing.column: publishing.public}
