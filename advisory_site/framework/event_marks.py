"""The mark every event handler wears: who may call it. A handler without one is refused before it runs.

Every public method of a Reflex state is an unauthenticated remote call. `public_event` says that this is meant;
`accounts/guard.py` has the marks for staff and for admins, which look the session up on every call.
"""

from collections.abc import Callable
from typing import Any

import reflex as rx

ACCESS = "__access__"
PUBLIC = "public"


def public_event(handler: Callable[..., Any]) -> Any:
    """An event anybody may send, any number of times, with any payload: its handler checks what it gets."""
    setattr(handler, ACCESS, PUBLIC)
    return rx.event(handler)


def access_of(handler: Callable[..., Any]) -> str | None:
    """Who may call this handler, or None where nobody said."""
    return getattr(handler, ACCESS, None)
