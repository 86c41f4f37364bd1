"""The request to prove again who one is: it opens a dialog, and afterwards the refused event is handled again."""

from contextvars import ContextVar
from typing import Any, ClassVar

import reflex as rx

from ..server.framework.event_marks import ChainedEvent, public_event

# The name and payload of the event whose guarded handler runs.
current_event: ContextVar[tuple[str, dict[str, Any]] | None] = ContextVar("current_event", default=None)


class ReauthenticationRequestState(rx.State):
    """Whether the dialog is open, and which event waits for the reauthentication.

    The event is only what this browser asked for: it is checked again when it is handled.
    """

    is_asked: bool = False
    _name: str = ""
    _payload: dict[str, Any] = {}

    is_for_staff: ClassVar[bool] = True

    @public_event
    def ask(self, name: str, payload: dict[str, Any]) -> None:
        """Open the dialog."""
        self.is_asked, self._name, self._payload = True, name, payload

    def _pop(self) -> tuple[str, dict[str, Any]]:
        """Close the dialog, and return the name and payload of the event that waited."""
        waited = self._name, dict(self._payload)
        self.is_asked, self._name, self._payload = False, "", {}
        return waited


def request_reauthentication() -> ChainedEvent:
    """The event that opens the dialog for the event being handled."""
    name, payload = current_event.get() or ("", {})
    return ReauthenticationRequestState.ask(name, payload)
