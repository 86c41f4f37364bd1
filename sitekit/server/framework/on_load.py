"""Runs a page's on_load without a browser.

Reflex 0.10.1 runs it only for a connected tab. Here a separate event processor with its own states handles the event
that a browser would send, and its updates are collected.
"""

import json
import uuid
from collections.abc import Callable
from typing import Any

import reflex as rx
from reflex.istate.delta import _resolve_delta
from reflex.istate.manager.memory import StateManagerMemory
from reflex.state import State
from reflex.utils.format import json_dumps
from reflex_base.event import Event
from reflex_base.event.processor import BaseStateEventProcessor

from .events import HYDRATE_AND_LOAD

# By state, the values of its vars.
Vars = dict[str, dict[str, Any]]


async def default_vars(app: rx.App) -> Vars:
    """The vars of a new tab."""
    with app.set_contexts():
        fresh = State(_reflex_internal_init=True)  # type: ignore[call-arg]
        return _plain(await _resolve_delta(fresh.dict(initial=True)))


async def run_on_load(
    app: rx.App, route: str, path: str, params: dict[str, str], on_error: Callable[[Exception], None]
) -> Vars:
    """The vars that the on_load of a page sends to a new tab; exceptions of handlers are passed to `on_error`."""
    merged: Vars = {}
    with app.set_contexts():
        processor = BaseStateEventProcessor(middleware=app, backend_exception_handler=on_error)
        states = StateManagerMemory()  # type: ignore[abstract, unused-ignore]  # Reflex defines them by overloads
        processor.configure(state_manager=states)
        try:
            async with processor:
                event = Event(
                    name=HYDRATE_AND_LOAD,
                    router_data={"pathname": route, "asPath": path, "query": params, "headers": {}},
                )
                async for delta in processor.enqueue_stream_delta(str(uuid.uuid4()), event):
                    for name, values in delta.items():
                        merged.setdefault(name, {}).update(values)
        finally:
            await states.close()  # type: ignore[no-untyped-call]
    return _plain(merged)


def _plain(vars: Any) -> Vars:
    """The vars as the browser receives them, in JSON."""
    plain: Vars = json.loads(json_dumps(vars))
    return plain
