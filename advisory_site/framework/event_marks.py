"""The mark every event handler wears: who may call it. A handler without one is refused before it runs.

Every public method of a Reflex state is an unauthenticated remote call. `public_event` says that this is meant;
`accounts/guard.py` has the marks for staff and for admins, which look the session up on every call.
"""

from collections.abc import Callable
from typing import Any

import reflex as rx

DOOR = "__door__"
PUBLIC = "public"


def public_event(handler: Callable[..., Any]) -> Any:
    """An event anybody may send, any number of times, with any payload: its handler checks what it gets."""
    setattr(handler, DOOR, PUBLIC)
    return rx.event(handler)


def door_of(handler: Callable[..., Any]) -> str | None:
    """Who may call this handler, or None where nobody said."""
    return getattr(handler, DOOR, None)
