"""The id of the current request or event, and the facts about it; all log lines written meanwhile contain them."""

import random
from contextvars import ContextVar
from typing import Any

request_id: ContextVar[str] = ContextVar("request_id", default="")
_facts: ContextVar[dict[str, Any] | None] = ContextVar("facts", default=None)

# Where a prepared page has the reference; the response replaces it by that of the request.
PLACEHOLDER = "reference-of-this-request"
_ATTRIBUTE = "_request_context"


def begin(name: str = "", **facts: Any) -> str:
    """Set the id and the facts of a new request or event; returns the id, a new one unless it is given."""
    # Not a secret; `random` is many times faster than `secrets`.
    name = name or f"{random.getrandbits(48):012x}"
    request_id.set(name)
    _facts.set(facts)
    return name


def add_fact(name: str, value: Any) -> None:
    """Add a fact about the current request or event; nothing happens outside of both."""
    if (facts := _facts.get()) is not None:
        facts[name] = value


def facts() -> dict[str, Any]:
    """The facts about the current request or event, shared by all tasks and threads that work on it."""
    return _facts.get() or {}


def reference() -> str:
    """What people are asked to mention in a report: the id up to its first hyphen.

    The site's own ids have none. Of a UUID that a proxy has given, eight characters are easier to read out.
    """
    return (request_id.get() or begin()).partition("-")[0]


def attach(error: BaseException) -> None:
    """Make an error keep the id and the facts of the event that raised it."""
    setattr(error, _ATTRIBUTE, (request_id.get(), facts()))


def resume(error: BaseException) -> None:
    """Continue under the id of the event that raised an error. Reflex handles it in a task of its own."""
    name, raised_with = getattr(error, _ATTRIBUTE, ("", {}))
    if name:
        begin(name, **raised_with)
