"""The access mark of event handlers. A handler without one is refused before it runs.

Every public method of a Reflex state is an unauthenticated remote call. `public_event` marks those for which this is
intended; `admin/guard.py` has the marks for staff and for admins, which look the session up on every call.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from typing import Any, TypeAlias, TypeVarTuple, Unpack

import reflex as rx
from reflex.event import EventCallback, EventSpec

ACCESS = "__access__"
PUBLIC = "public"

Args = TypeVarTuple("Args")

# An event to be handled next. Calling a handler of ours on its state makes an `EventSpec`, which Reflex types
# as an `EventCallback`.
ChainedEvent: TypeAlias = EventSpec | EventCallback[*tuple[Any, ...]]
# What a handler may return or yield.
EventReply: TypeAlias = ChainedEvent | Sequence[ChainedEvent | None] | None
# The result of calling a handler of any of the four kinds.
Handling: TypeAlias = AsyncIterator[EventReply] | Iterator[EventReply] | Awaitable[EventReply] | EventReply


def public_event(handler: Callable[[Any, Unpack[Args]], Handling]) -> EventCallback[*Args]:
    """Mark a handler that any client may call at any rate with any payload; it checks the payload itself."""
    setattr(handler, ACCESS, PUBLIC)
    return rx.event(handler)  # type: ignore[return-value]  # mypy ignores what `__new__` returns


def access_of(handler: Callable[..., Any]) -> str | None:
    """Who may call a handler; None without a mark."""
    return getattr(handler, ACCESS, None)
