"""Replies to an action: `success` and `failure`, which handlers return, and the notices that show them."""

import logging
import secrets
import traceback

import reflex as rx

from ..content import messages
from ..errors import ServiceError
from ..events import public_event
from ..parsing import clean_text, escape_controls
from .browser import Notices

KEPT = 5
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


def unforeseen(exception: Exception) -> rx.event.EventSpec:
    """The reply to an event whose handler let an error pass."""
    return failure(exception, messages.UNEXPECTED_ERROR)


def reason(error: BaseException) -> str:
    """An error in one line that is safe to log.

    The further lines of an error are left out, because they repeat what a form or a query held.
    """
    return f"{type(error).__name__}: {escape_controls((str(error).splitlines() or [''])[0])}"


def notices() -> rx.Component:
    """Where replies appear; stands once, around all pages, so that a reply outlives its page."""
    return Notices.create(items=NoticeState.notices)
