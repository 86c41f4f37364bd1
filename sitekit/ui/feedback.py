"""Replies to an action: `success_notice`, `undo_notice` and `error_notice`, which handlers return; and the notices.

Before a redirect in the `on_load` of a page, `show_error` takes the place of `error_notice`.
"""

import asyncio
import logging
import secrets
import traceback
from typing import Any, Protocol

import reflex as rx
from redis.exceptions import RedisError
from reflex.event import EventCallback, EventSpec

from ..base import event_outcome, messages, request_context
from ..base.errors import InvalidInput, ReauthenticationNeeded, ServiceError
from ..base.text import clean_text, escape_controls
from ..server.framework.event_marks import ChainedEvent, public_event
from ..server.framework.events import send_delta
from ..server.framework.state_vars import var_key
from .notices import Notices
from .reauthentication_request import request_reauthentication

KEPT = 3
SUCCESS_MS = 4000
BRIEF_MS = 2500
UNDO_MS = 12_000
_push_tasks: set[asyncio.Task[None]] = set()
MAX_LENGTH = 500

log = logging.getLogger(__name__)


class NoticeState(rx.State):
    """The latest notices of this tab. The browser tracks which of them it has shown, and for how long."""

    notices: list[dict[str, Any]] = []

    @public_event
    def show(self, level: str, text: str, subject: str = "", is_brief: bool = False) -> None:
        """Show a notice; it replaces those with the same subject or text."""
        sentence = clean_text(text)[:MAX_LENGTH].strip()
        if sentence and level in ("success", "error"):
            self._put(notice(level, sentence, clean_text(subject)[:MAX_LENGTH], is_brief=is_brief))

    @public_event
    def show_failure(self, text: str, subject: str, reference: str) -> None:
        """Show an error, with the reference, if there is one, that people mention in a report."""
        self._show_error(text, subject, reference)

    @public_event
    def offer_undo(self, text: str, subject: str, batch: str, name: str = "") -> None:
        """Show a success with a button that undoes a batch, and below it the name of what it is about."""
        sentence, about, undo, named = (clean_text(part)[:MAX_LENGTH].strip() for part in (text, subject, batch, name))
        if sentence and undo:
            self._put(notice("success", sentence, about, undo=undo) | ({"mention": named} if named else {}))

    @public_event
    def withdraw(self, subject: str) -> None:
        """Remove the error about a subject; success notices stay."""
        about_it = clean_text(subject)[:MAX_LENGTH]
        if about_it and any(entry["subject"] == about_it and entry["level"] == "error" for entry in self.notices):
            self._put(notice("", "", about_it))

    def _show_error(self, text: str, subject: str, reference: str) -> None:
        sentence, about, mention = (clean_text(part)[:MAX_LENGTH].strip() for part in (text, subject, reference))
        if sentence:
            self._put(notice("error", sentence, about, reference=mention))

    def _put(self, new: dict[str, Any]) -> None:
        """Add a notice. One with a text takes the Undo from the earlier ones; one without only withdraws errors."""

        def is_replaced(entry: dict[str, Any]) -> bool:
            is_about_it = bool(new["subject"] and entry["subject"] == new["subject"])
            if not new["text"]:
                return is_about_it and bool(entry["level"] != "success")
            return is_about_it or bool(entry["text"] == new["text"])

        left = [entry for entry in self.notices if not is_replaced(entry)]
        self.notices = [*(entry | {"undo": ""} for entry in left), new][-KEPT:] if new["text"] else [*left, new][-KEPT:]


def notice(
    level: str, text: str, subject: str = "", *, is_brief: bool = False, undo: str = "", reference: str = ""
) -> dict[str, Any]:
    """A notice as the browser gets it; an error stays until it is dismissed, and asks to mention its `reference`."""
    ms = BRIEF_MS if is_brief else UNDO_MS if undo else SUCCESS_MS
    shown_for = ms if level == "success" else 0
    new = {"id": secrets.token_hex(8), "level": level, "text": text, "subject": subject, "ms": shown_for, "undo": undo}
    return new | ({"mention": messages.MENTION.format(reference=reference)} if reference else {})


class Named(Protocol):
    """Anything with a full name that a notice can be about, such as a state."""

    @classmethod
    def get_full_name(cls) -> str: ...


def subject_of(state: Named | type[Named], row: object = "") -> str:
    """The subject of a notice: a state's form or list, or one row of it."""
    return f"{state.get_full_name()}:{row}"


def success_notice(text: str, subject: str = "", *, is_brief: bool = False) -> ChainedEvent:
    """The event that shows a success; replaces earlier notices about the `subject`."""
    return NoticeState.show("success", text, subject, is_brief)


def undo_notice(text: str, subject: str, batch: str, name: str = "") -> ChainedEvent:
    """The event that shows a success with an Undo button, which undoes the batch; without a button if it is empty.

    A `name` stands below the text. `revisions.batch_of` has the batch of a transaction.
    """
    return NoticeState.offer_undo(text, subject, batch, name) if batch else success_notice(text, subject)


def error_notice(error: Exception, fallback: str, subject: str = "") -> ChainedEvent:
    """Log and count an error, and return the event that shows its message, or the fallback for an unexpected error.

    Only unexpected errors are logged with a traceback. Their notice, and that of an outage, has the reference with
    which their lines are found in the log. The notice replaces earlier ones about the `subject`. For
    `ReauthenticationNeeded` the event opens a dialog instead, and the refused event is handled again afterwards.
    """
    text, mention = _note(error, fallback)
    if isinstance(error, ReauthenticationNeeded):
        return request_reauthentication()
    return NoticeState.show_failure(text, subject, mention)


def in_place_of_content(error: Exception, fallback: str, subject: str = "") -> tuple[str, list[ChainedEvent]]:
    """What a page says in place of its content after an error; an unexpected one has a notice, too."""
    if isinstance(error, ServiceError):
        return error.message, []
    return fallback, [error_notice(error, fallback, subject)]


async def show_error(state: rx.State, error: Exception, fallback: str, subject: str = "") -> None:
    """Log and count an error, and show its message, or the fallback, with the update of the handler itself.

    For handlers of `on_load` that redirect. Reflex sends a redirect before it handles further events, and cancels those
    of an `on_load` as soon as the browser asks for the next page.
    """
    text, mention = _note(error, fallback)
    (await state.get_state(NoticeState))._show_error(text, subject, mention)


def _note(error: Exception, fallback: str) -> tuple[str, str]:
    """Log and count an error; returns its message, or the fallback, and the reference to mention if there is one."""
    event_outcome.note_error(error)
    if isinstance(error, ServiceError) and event_outcome.is_outage(error):
        log.error("%s (%s)", escape_controls(error.message), reason(error.__cause__ or error), extra={"error": error})
        return error.message, request_context.reference()
    if isinstance(error, ServiceError):
        log.info("Refused: %s", escape_controls(error.message))
        return error.message, ""
    where = "".join(traceback.format_tb(error.__traceback__))
    log.error("%s: %s\n%s", fallback, reason(error), where, extra={"error": error})
    return fallback, request_context.reference()


def refusal(error: Exception, fallback: str, subject: str) -> ChainedEvent:
    """`error_notice` for a form; if the message is shown beside a field, only removes earlier notices."""
    reply = error_notice(error, fallback, subject)
    is_beside_field = isinstance(error, InvalidInput) and error.message in error.fields.values()
    return NoticeState.withdraw(subject) if is_beside_field else reply


def on_unhandled_exception(exception: Exception) -> EventSpec | None:
    """The reply to an event whose handler raised an exception, or whose state could not be loaded."""
    request_context.resume(exception)
    if isinstance(exception, RedisError):
        event_outcome.note_error(exception)
        mention = request_context.reference()
        log.error("Redis does not answer: %s", reason(exception))
        _push_notice("error", messages.STATE_AWAY, mention)
        return None
    # Reflex checks the annotations of this function, so they must be its own types.
    return error_notice(exception, messages.UNEXPECTED_ERROR)  # type: ignore[return-value]


def _push_notice(level: str, text: str, reference: str) -> None:
    """Send a notice directly to the socket of this event, without loading a state."""
    delta = {NoticeState.get_full_name(): {var_key("notices"): [notice(level, text, reference=reference)]}}
    task = asyncio.get_running_loop().create_task(send_delta(delta))
    _push_tasks.add(task)
    task.add_done_callback(_push_tasks.discard)


def mentioning(sentence: str) -> str:
    """A sentence about a failure with its reference, for an answer that is no notice."""
    return f"{sentence} {messages.MENTION.format(reference=request_context.reference())}"


def reason(error: BaseException) -> str:
    """The first line of an error, safe to log.

    Further lines are left out, because they may repeat values of a form or a query.
    """
    return f"{type(error).__name__}: {escape_controls((str(error).splitlines() or [''])[0])}"


def notices(undo: EventCallback[str] | None) -> rx.Component:
    """The container of notices; added once around all pages, so that a notice stays after a navigation.

    `undo` takes the batch of the notice whose Undo is pressed; without it, no notice has the button.
    """
    has_undo = {"on_undo": undo} if undo else {}
    return Notices.create(items=NoticeState.notices, unstored=messages.NOTHING_STORED, **has_undo)
