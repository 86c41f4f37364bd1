"""Moments in the words of the visitor's own clock and language; on the server, and while hydrating, nothing."""

from datetime import datetime

import reflex as rx
from reflex.utils.imports import ImportVar


class Moment(rx.Component):
    """A moment given as an ISO text in UTC, as date and time, or with `is_short` as the date alone."""

    tag = "Moment"
    at: rx.Var[str]
    is_short: rx.Var[bool] = rx.Var.create(False)

    def add_imports(self) -> dict[str, list[ImportVar]]:
        """The hook that keeps what the server shows apart from what the browser knows."""
        return {"react": [ImportVar(tag="useSyncExternalStore")]}

    def add_custom_code(self) -> list[str]:
        """The component itself."""
        return [_MOMENT]


moment = Moment.create


def iso_text(at: datetime) -> str:
    """A moment in UTC as `moment` takes it."""
    return f"{at:%Y-%m-%dT%H:%M:%SZ}"


_MOMENT = """
function never() { return () => {}; }

function Moment({at, isShort}) {
  const isHere = useSyncExternalStore(never, () => true, () => false);
  const time = new Date(at);
  if (!isHere || !at || isNaN(time)) return null;
  const long = time.toLocaleString(undefined, {dateStyle: "medium", timeStyle: "short"});
  const text = isShort ? time.toLocaleDateString(undefined, {dateStyle: "medium"}) : long;
  return jsx("time", {dateTime: at, title: isShort ? long : undefined}, text);
}
"""
