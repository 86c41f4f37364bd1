"""Replies to an action: `success` and `failure`, which handlers return, and the notices that show them."""

import asyncio
import logging
import secrets
import traceback

import reflex as rx
from redis.exceptions import RedisError
from reflex_base.event.context import EventContext

from ..content import messages
from ..errors import ServiceError
from ..events import public_event
from ..parsing import clean_text, escape_controls
from .browser import Notices

KEPT = 5
_being_said: set[asyncio.Task[None]] = set()
MAX_LENGTH = 500

log = logging.getLogger(__name__)


class NoticeState(rx.State):
    """The latest replies of this tab. The browser remembers which of them it has shown."""

    notices: list[dict[str, str]] = []

    @public_event
    def show(self, kind: str, text: str):
        """Put a notice on the page of whoever sends this, and nobody else's."""
        shown = clean_text(text)[:MAX_LENGTH].strip()
        if shown and kind in ("success", "error"):
            notice = {"id": secrets.token_hex(8), "kind": kind, "text": shown}
            self.notices = [*self.notices[1 - KEPT :], notice]


def success(text: str) -> rx.event.EventSpec:
    """What a handler returns when it has done what was asked."""
    return NoticeState.show("success", text)


def failure(error: Exception, fallback: str) -> rx.event.EventSpec:
    """What a handler returns when it has not: logs the error, and shows its sentence or the fallback.

    Only errors that nobody foresaw are logged with the lines of code they passed through.
    """
    if isinstance(error, ServiceError):
        log.info("Refused: %s", escape_controls(error.message))
        return NoticeState.show("error", error.message)
    where = "".join(traceback.format_tb(error.__traceback__))
    log.error("%s: %s\n%s", fallback, reason(error), where)
    return NoticeState.show("error", fallback)


def unforeseen(exception: Exception) -> rx.event.EventSpec | None:
    """The reply to an event whose handler let an error pass, or that found no state to work on."""
    if isinstance(exception, RedisError):
        log.error("Redis is away: %s", reason(exception))
        _say_without_state("error", messages.STATE_AWAY)
        return None
    return failure(exception, messages.UNEXPECTED_ERROR)


def _say_without_state(kind: str, text: str) -> None:
    """Show a notice to whoever sent this event although no state can be read or written: straight to the socket."""
    notice = {"id": secrets.token_hex(8), "kind": kind, "text": text}
    delta = {NoticeState.get_full_name(): {"notices_rx_state_": [notice]}}
    task = asyncio.get_running_loop().create_task(EventContext.get().emit_delta(delta))
    _being_said.add(task)
    task.add_done_callback(_being_said.discard)


def reason(error: BaseException) -> str:
    """An error in one line that is safe to log.

    The further lines of an error are left out, because they repeat what a form or a query held.
    """
    return f"{type(error).__name__}: {escape_controls((str(error).splitlines() or [''])[0])}"


def notices() -> rx.Component:
    """Where replies appear; stands once, around all pages, so that a reply outlives its page."""
    return Notices.create(items=NoticeState.notices)
