"""Sends logged errors to a tracker with Sentry's protocol, if one is set: what failed and where, nothing about people.

An event is built here from a list of what may be sent. Its `id` leads to the lines of the log, which have the rest.
"""

import asyncio
import linecache
import logging
import re
import traceback
from collections.abc import Iterator
from typing import Any

from ..request_context import facts, request_id
from ..settings import ROOT, get_settings
from ..site import get_site
from ..threads import BACKGROUND
from .log_format import AtMostSoMany

# In seconds, for sending what is left when the server stops.
FLUSH_TIMEOUT = 2.0
MAX_CHAIN, MAX_FRAMES, MAX_VALUE = 5, 60, 300
_FACTS = ("tab", "trace")
_SENT = ("event_id", "timestamp", "platform", "level", "logger", "logentry", "exception", "tags", "release", "sdk")
# Their own errors would come back to them.
_SENDERS = ("sentry_sdk", "urllib3", "opentelemetry", "requests")
# What may be about a person in the first line of an error: quoted values, addresses, networks, queries, tokens.
_PRIVATE = re.compile(
    r"""(["'`]).*\1|\S*(?:@|%40)\S*|\b\d{1,3}(?:\.\d{1,3}){3}\b|(?<![\w:])(?:[0-9a-f]{0,4}:){2,}[0-9a-f.]*|\?\S+"""
    r"""|[\w+/=.-]{20,}""",
    re.IGNORECASE,
)


class ErrorTracker(logging.Handler):
    """A handler of the log that sends errors; a background thread of the library does so."""

    def __init__(self, dsn: str) -> None:
        # Not imported above: the library is only installed where it is used.
        import sentry_sdk

        super().__init__(logging.ERROR)
        self._bound = AtMostSoMany()
        self._client = sentry_sdk.Client(
            dsn=dsn,
            release=get_site().version,
            default_integrations=False,
            auto_enabling_integrations=False,
            auto_session_tracking=False,
            send_client_reports=False,
            max_breadcrumbs=0,
            before_send=lambda event, _hint: {name: event[name] for name in _SENT if name in event},  # type: ignore[literal-required,return-value,arg-type,misc,unused-ignore]
        )

    def emit(self, record: logging.LogRecord) -> None:
        """Queue the event of a record."""
        if record.name.startswith(_SENDERS) or not self._bound.passes(record)[0]:
            return
        try:
            self._client.capture_event(event_of(record))  # type: ignore[arg-type,unused-ignore]
        except Exception:
            self.handleError(record)

    def stop(self) -> None:
        """Send what is left, and end the thread."""
        self._client.close(timeout=FLUSH_TIMEOUT)


def event_of(record: logging.LogRecord) -> dict[str, Any]:
    """The event of a log record: its message without values, the chain of exceptions, and what leads to the log."""
    error = record.exc_info[1] if record.exc_info else getattr(record, "error", None)
    tags = {"id": request_id.get()} | {name: facts()[name] for name in _FACTS if name in facts()}
    event = {
        "level": record.levelname.lower(),
        "logger": record.name,
        # With the values, the message could quote what a visitor has sent.
        "logentry": {"message": str(record.msg) if record.args else scrubbed(str(record.msg))},
        "tags": {name: value for name, value in tags.items() if value},
    }
    if isinstance(error, BaseException):
        event["exception"] = {"values": [_exception(cause) for cause in reversed([*_chain(error)][:MAX_CHAIN])]}
    return event


def scrubbed(text: str) -> str:
    """The first line of a text without what may be about a person."""
    return _PRIVATE.sub("(...)", (text.splitlines() or [""])[0][:MAX_VALUE])


def _chain(error: BaseException) -> Iterator[BaseException]:
    """An exception and those that caused it."""
    seen: set[int] = set()
    following: BaseException | None = error
    while following is not None and id(following) not in seen:
        seen.add(id(following))
        yield following
        following = following.__cause__ or (None if following.__suppress_context__ else following.__context__)


def _exception(error: BaseException) -> dict[str, Any]:
    frames = [_frame(frame) for frame in traceback.extract_tb(error.__traceback__)[-MAX_FRAMES:]]
    kind = type(error)
    return {
        "type": kind.__qualname__,
        "module": kind.__module__,
        "value": scrubbed(str(error)),
        "stacktrace": {"frames": frames},
    }


def _frame(frame: traceback.FrameSummary) -> dict[str, Any]:
    """A place in the source, without the values of its variables."""
    name = frame.filename.removeprefix(f"{ROOT}/").rpartition("site-packages/")[2]
    return {
        "filename": name,
        "function": frame.name,
        "lineno": frame.lineno,
        "context_line": linecache.getline(frame.filename, frame.lineno or 0).rstrip(),
        "in_app": name.startswith((f"{get_site().package}/", "sitekit/")),
    }


async def track_errors() -> None:
    """Send the errors of this process until cancelled."""
    tracker = ErrorTracker(get_settings().sentry_dsn)
    logging.getLogger().addHandler(tracker)
    try:
        await asyncio.Event().wait()
    finally:
        logging.getLogger().removeHandler(tracker)
        await BACKGROUND.run(tracker.stop)
