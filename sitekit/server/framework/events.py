"""The event being handled, and which function handles an event.

Reflex 0.10.1 has no public interface for its registry of handlers, for the context of an event, or for sending values
without a state. Its own events, which the browser sends with every page, are recognised by their names.
"""

import inspect
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from typing import Any

from reflex.event import EventSpec
from reflex.state import BaseState, State
from reflex_base.event.context import EventContext
from reflex_base.registry import RegistrationContext

_OF_PAGES = frozenset({"hydrate_and_load", "hydrate", "on_load_internal", "set_is_hydrated", "update_vars_internal"})
HYDRATE_AND_LOAD = f"{State.get_full_name()}.hydrate_and_load"
HYDRATIONS = (f"{State.get_full_name()}.hydrate", HYDRATE_AND_LOAD)


def handler_of(event_name: str) -> Callable[..., Any] | None:
    """The function that handles an event; None for an unknown event."""
    registered = RegistrationContext.get().event_handlers.get(event_name)
    return registered.handler.fn if registered else None


def event_for(event_name: str, payload: Mapping[str, Any]) -> EventSpec:
    """The event of this name, to be handled next; the payload must have the handler's arguments."""
    handler = RegistrationContext.get().event_handlers[event_name].handler
    return handler(*inspect.signature(handler.fn).bind(None, **payload).args[1:])


def handlers() -> Iterator[tuple[type[BaseState], Callable[..., Any]]]:
    """All event handlers, each with the state it belongs to."""
    for registered in RegistrationContext.get().event_handlers.values():
        if registered.states:
            yield registered.states[0], registered.handler.fn


def serves_pages(handler: Callable[..., Any]) -> bool:
    """Whether a handler of Reflex is needed to serve pages; others, such as `setvar`, are not."""
    return handler.__module__ == BaseState.__module__ and handler.__name__ in _OF_PAGES


def load_events(path: str) -> list[Any]:
    """The `on_load` of the page with this path."""
    return list(RegistrationContext.get().app.get_load_events(path))


async def handled_within(state: BaseState, handler: Any) -> AsyncIterator[Any]:
    """Handle an event without arguments of another state as part of the present one; yields its replies.

    The browser gets what it changes with what the present one does, and not in a message of its own.
    """
    (owner, *_) = RegistrationContext.get().event_handlers[f"{handler.state_full_name}.{handler.fn.__name__}"].states
    async for reply in handler.fn(await state.get_state(owner)):
        yield reply


def current_socket() -> str | None:
    """The id of the socket whose event is being handled, empty if it has none; None outside of events."""
    try:
        return str(EventContext.get().router_data.get("sid", ""))
    except LookupError:
        return None


def send_delta(delta: Mapping[str, Mapping[str, Any]]) -> Coroutine[Any, Any, None]:
    """Send values of vars to the tab whose event is being handled, without changing its state."""
    return EventContext.get().emit_delta(delta)
