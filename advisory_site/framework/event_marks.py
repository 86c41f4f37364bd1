"""The access mark of event handlers. A handler without one is refused before it runs.

Every public method of a Reflex state is an unauthenticated remote call. `public_event` says that this is meant;
`accounts/guard.py` has the marks for staff and for admins, which look the session up on every call.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from typing import Any, TypeAlias, TypeVarTuple, Unpack

import reflex as rx
from reflex.event import EventCallback, EventSpec

ACCESS = "__access__"
PUBLIC = "public"

Args = TypeVarTuple("Args")

# An event that is to follow. A handler of ours that is called on its state makes an `EventSpec`, which Reflex types
# as an `EventCallback`.
ChainedEvent: TypeAlias = EventSpec | EventCallback[*tuple[Any, ...]]
# What a handler may return, or yield each time.
EventReply: TypeAlias = ChainedEvent | Sequence[ChainedEvent | None] | None
# What calling a handler gives, of whichever of the four kinds it is.
Handling: TypeAlias = AsyncIterator[EventReply] | Iterator[EventReply] | Awaitable[EventReply] | EventReply


def public_event(handler: Callable[[Any, Unpack[Args]], Handling]) -> EventCallback[*Args]:
    """An event anybody may send, any number of times, with any payload: its handler checks what it gets."""
    setattr(handler, ACCESS, PUBLIC)
    return rx.event(handler)  # type: ignore[return-value]  # mypy passes over what `__new__` returns


def access_of(handler: Callable[..., Any]) -> str | None:
    """Who may call a handler; None without a mark."""
    return getattr(handler, ACCESS, None)
