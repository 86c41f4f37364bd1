"""Gives every event an id, a log line and a metric."""

import asyncio
import logging
import time
from typing import Any

import reflex as rx
from reflex.event import Event
from reflex.state import BaseState, StateUpdate

from ..core.event_outcome import EventOutcome, Outcome, current_outcome
from ..core.text import escape_controls
from ..db.rate_limits import network_of
from ..http.server_status import ServerStatus
from . import audit_log, metrics
from .log_config import TRAFFIC, new_request_id

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
        name, started, noted = new_request_id(), time.perf_counter(), EventOutcome()
        current_outcome.set(noted)
        self._status.events.add(task)
        task.add_done_callback(lambda ended: self._ended(ended, noted, event.name, name, started))
        return None

    def _ended(self, task: asyncio.Task[Any], noted: EventOutcome, event: str, name: str, started: float) -> None:
        self._status.events.discard(task)
        outcome = Outcome.CANCELLED if task.cancelled() else Outcome.FAILED if task.exception() else noted.value
        seconds = time.perf_counter() - started
        metrics.events.labels(outcome).inc()
        metrics.event_seconds.observe(seconds)
        short = escape_controls(event.rpartition("____")[2])
        facts = {"event": short, "id": name, "outcome": outcome, "ms": round(seconds * 1000, 1)}
        log.info("event %s %s", short, outcome, extra={"facts": facts})
