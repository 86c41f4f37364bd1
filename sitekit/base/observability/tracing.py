"""Traces of requests and events for a collector with OpenTelemetry's protocol, if one is set.

A span has the route, the outcome and times; no address, path, value of a query, or account.
"""

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa

from ..request_context import add_fact, request_id
from ..settings import get_settings
from ..site import get_site
from ..threads import BACKGROUND

# In seconds, for one transfer to the collector.
EXPORT_TIMEOUT = 3.0
_TABLE = re.compile(r'\b(?:FROM|INTO|UPDATE)\s+"?(\w+)', re.IGNORECASE)
_tracer: Any = None


class Trace:
    """The span of a request or event; without a collector it does nothing."""

    def __init__(self, name: str, *, is_root: bool = True) -> None:
        """Begin a span of the current task. `is_root`: not part of what the task has done before."""
        self._span: Any = None
        if _tracer is None:
            return
        from opentelemetry import context, trace

        self._span = _tracer.start_span(name, context.Context() if is_root else None)
        context.attach(trace.set_span_in_context(self._span))
        add_fact("trace", f"{self._span.get_span_context().trace_id:032x}")

    def end(self, name: str, attributes: Mapping[str, str | int], *, failed: bool) -> None:
        """End the span; only now its name and its attributes are known."""
        if self._span is None:
            return
        from opentelemetry.trace import StatusCode

        self._span.update_name(name)
        self._span.set_attributes({f"{get_site().short_name}.id": request_id.get(), **attributes})
        if failed:
            self._span.set_status(StatusCode.ERROR)
        self._span.end()


@contextmanager
def span(name: str) -> Iterator[None]:
    """A part of a request or event."""
    if _tracer is None:
        yield
        return
    with _tracer.start_as_current_span(name, record_exception=False, set_status_on_exception=False):
        yield


class Collector:
    """Sends spans in the background, and makes one of every database statement within a request or event."""

    def __init__(self, url: str) -> None:
        # Not imported above: the libraries are only installed where they are used.
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        global _tracer
        site = get_site()
        resource = Resource({"service.name": site.package, "service.version": site.version})
        self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        exporter = OTLPSpanExporter(f"{url}/v1/traces", timeout=EXPORT_TIMEOUT)
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        _tracer = self._provider.get_tracer(site.package)
        for name, listener in _LISTENERS.items():
            sa.event.listen(sa.Engine, name, listener)

    def stop(self) -> None:
        """Send what is left, and end the thread."""
        global _tracer
        _tracer = None
        for name, listener in _LISTENERS.items():
            sa.event.remove(sa.Engine, name, listener)
        self._provider.shutdown()


def _begin_statement(_connection: Any, _cursor: Any, statement: str, _values: Any, context: Any, _many: bool) -> None:
    from opentelemetry import trace

    if _tracer is not None and context is not None and trace.get_current_span().is_recording():
        context.trace_span = _tracer.start_span(_name_of(statement))


def _end_statement(_connection: Any, _cursor: Any, _statement: str, _values: Any, context: Any, _many: bool) -> None:
    if (begun := getattr(context, "trace_span", None)) is not None:
        begun.end()


def _fail_statement(failure: Any) -> None:
    _end_statement(None, None, "", None, failure.execution_context, False)


_LISTENERS: dict[str, Callable[..., Any]] = {
    "before_cursor_execute": _begin_statement,
    "after_cursor_execute": _end_statement,
    "handle_error": _fail_statement,
}


def _name_of(statement: str) -> str:
    """The verb and the table of a statement, without its values."""
    table = _TABLE.search(statement)
    return " ".join(part for part in (statement.split(maxsplit=1)[0].upper(), table and table[1]) if part)


async def send_traces() -> None:
    """Send the traces of this process until cancelled."""
    collector = Collector(get_settings().otlp_url)
    try:
        await asyncio.Event().wait()
    finally:
        await BACKGROUND.run(collector.stop)
