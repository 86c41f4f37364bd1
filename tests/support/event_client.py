"""A browser tab without a browser: sends events through Reflex's event processor, with states in memory."""

import asyncio
import copy
import dataclasses
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import reflex as rx
from reflex.state import OnLoadInternalState
from reflex.utils.format import format_event_handler
from reflex_base.event import Event
from reflex_base.event.processor import BaseStateEventProcessor

from sitekit.base import paths
from sitekit.server.framework.tab_states import TabStates

ON_LOAD = format_event_handler(OnLoadInternalState.event_handlers["on_load_internal"])


@dataclass
class Reply:
    """The server's reply to one event, including events that it triggered on the server."""

    delta: dict[str, Any] = field(default_factory=dict)  # "CompanyListState.companies" -> value
    deltas: list[dict[str, Any]] = field(default_factory=list)  # the same, one by one
    events: list[tuple[str, dict[str, Any]]] = field(default_factory=list)  # events for the browser
    errors: list[Exception] = field(default_factory=list)

    def var(self, name: str) -> Any:
        """The last value of a var, by "state.var" in snake case."""
        return self.delta[name]


class EventClient:
    """One browser tab: keeps its token, so that its state is kept between events."""

    def __init__(self, app: rx.App, client_ip: str = "203.0.113.7") -> None:
        self.app, self.token, self.client_ip = app, str(uuid.uuid4()), client_ip
        self.socket = str(uuid.uuid4())
        self.opens_redirects = False  # at once, before the handler that redirects goes on
        # Reflex overloads the abstract methods of the base class, and mypy wants each overload overridden.
        self._manager = TabStates(  # type: ignore[abstract, unused-ignore]
            is_connected=lambda _: True, is_signed_in=lambda _: False
        )

    def reconnect(self) -> None:
        """Continue with the same token over a new socket, as any client with the token can."""
        self.socket = str(uuid.uuid4())

    def send(
        self,
        handler: Callable[..., Any] | str,
        /,
        *,
        path: str = paths.PRIVACY,
        query: dict[str, str] | None = None,
        **payload: Any,
    ) -> Reply:
        """Send one event with its payload, and wait until all events that it triggered have ended.

        The first event of a tab also runs the on_load of the page at `path`; the default page has none.
        """
        return asyncio.run(self._send(handler, path, query or {}, payload))

    def vars(self, state: type[rx.State]) -> dict[str, Any]:
        """The vars of one state on the server, including backend vars; empty before the tab's first event."""
        roots = list(self._manager.states.values())
        held = roots[0].get_substate(state.get_full_name().split(".")) if roots else None
        own = [name for name, one in state.__fields__.items() if one._owner is state] if held is not None else []
        return {name: copy.deepcopy(held.__dict__.get(name, getattr(held, name))) for name in own}

    async def _send(
        self, handler: Callable[..., Any] | str, path: str, query: dict[str, str], payload: dict[str, Any]
    ) -> Reply:
        reply = Reply()
        with self.app.set_contexts():
            # A lock belongs to one event loop, and every `send` has a new one.
            self._manager._states_locks.clear()
            self._manager._state_manager_lock = asyncio.Lock()
            self._manager._expiration_task = None
            processor = BaseStateEventProcessor(middleware=self.app, backend_exception_handler=reply.errors.append)
            processor.configure(state_manager=self._manager)

            async def emit_event(token: str, *events: Event) -> None:
                reply.events.extend((event.name, dict(event.payload)) for event in events)
                for event in events if self.opens_redirects else ():
                    if event.name == "_redirect":
                        await self._open(processor, event.payload["path"])

            assert processor._root_context is not None
            processor._root_context = dataclasses.replace(processor._root_context, emit_event_impl=emit_event)
            event = Event(
                # As an attribute of its class, a handler is an EventHandler, which Reflex types as a callback.
                name=handler if isinstance(handler, str) else format_event_handler(handler),  # type: ignore[arg-type]
                payload=payload,
                router_data=self._router_data(path, query),
            )
            async with processor:
                try:
                    async for delta in processor.enqueue_stream_delta(self.token, event):
                        reply.deltas.append(_named(delta))
                        reply.delta.update(reply.deltas[-1])
                except Exception as error:
                    if error not in reply.errors:
                        reply.errors.append(error)
        return reply

    async def _open(self, processor: BaseStateEventProcessor, address: str) -> None:
        """Ask for the `on_load` of a page, whose updates no test looks at."""
        url = urlsplit(address)
        data = self._router_data(url.path, dict(parse_qsl(url.query)))
        assert processor._root_context is not None
        await processor.enqueue(
            self.token,
            Event(name=ON_LOAD, payload={}, router_data=data),
            ev_ctx=processor._root_context.fork(token=self.token, router_data=data),
        )

    def _router_data(self, path: str, query: dict[str, str]) -> dict[str, Any]:
        return {
            "pathname": path,
            "asPath": path,
            "query": query,
            "token": self.token,
            "sid": self.socket,
            "ip": self.client_ip,
            "headers": {},
        }


def _named(delta: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    return {
        f"{state.split('.')[-1].split('____')[-1]}.{name.removesuffix('_rx_state_')}": value
        for state, values in delta.items()
        for name, value in values.items()
    }
