"""Gives every event an id, a log line and a metric."""

import asyncio
import hashlib
import logging
import time
from typing import Any

import reflex as rx
from reflex.event import Event
from reflex.state import BaseState, StateUpdate

from ...base import request_context
from ...base.db.rate_limits import network_of
from ...base.event_outcome import EventOutcome, Outcome, current_outcome
from ...base.observability import audit_log, metrics, tracing
from ...base.observability.log_config import TRAFFIC
from ...base.server_status import ServerStatus
from ...base.site import get_site
from ...base.text import escape_controls

log = logging.getLogger(TRAFFIC)


class EventLog(rx.Middleware):
    """Reflex middleware: gives each event an id, and logs and measures the event when it has ended."""

    def __init__(self, status: ServerStatus) -> None:
        self._status = status

    async def preprocess(self, app: rx.App, state: BaseState, event: Event) -> StateUpdate | None:
        """Begin to measure; a callback of the event's task logs its end. Every event passes."""
        router: Any = state.router
        audit_log.network.set(network_of(router.session.client_ip))
        task = asyncio.current_task()
        if task is None or task in self._status.events:
            return None
        name, started, noted = _begin(router.session), time.perf_counter(), EventOutcome()
        current_outcome.set(noted)
        trace = tracing.Trace("event", is_root=bool(router.session.session_id))
        self._status.events.add(task)
        task.add_done_callback(lambda ended: self._ended(ended, noted, event.name, name, started, trace))
        return None

    def _ended(
        self,
        task: asyncio.Task[Any],
        noted: EventOutcome,
        event: str,
        name: str,
        started: float,
        trace: tracing.Trace,
    ) -> None:
        self._status.events.discard(task)
        if not task.cancelled() and (error := task.exception()):
            request_context.attach(error)
        outcome = Outcome.CANCELLED if task.cancelled() else Outcome.FAILED if task.exception() else noted.value
        seconds = time.perf_counter() - started
        metrics.events.labels(outcome).inc()
        metrics.event_seconds.observe(seconds)
        short = escape_controls(event.rpartition("____")[2])
        trace.end(
            f"event {short}", {f"{get_site().short_name}.outcome": str(outcome)}, failed=outcome is Outcome.FAILED
        )
        facts = {"event": short, "id": name, "outcome": outcome, "ms": round(seconds * 1000, 1)}
        log.info("event %s %s", short, outcome, extra={"facts": facts})


def _begin(session: Any) -> str:
    """Set the id of an event and the tab it came from; one that the server runs for a request keeps the request's."""
    if session.session_id or not request_context.request_id.get():
        return request_context.begin(tab=tab_of(session.client_token))
    return request_context.request_id.get()


def tab_of(token: str) -> str:
    """The id of a tab in the log: a hash of its token, which would give access to its state."""
    return hashlib.blake2b(token.encode("utf-8", "replace"), digest_size=6).hexdigest()
