"""The state of the contact form: stores an enquiry, or shows an error beside each invalid field."""

import secrets
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import reflex as rx

from ..content import messages
from ..core.errors import InvalidInput
from ..core.text import clean_text, iso_text
from ..framework.event_marks import EventReply, public_event
from ..records.form_fields import complaint
from ..ui.feedback import error_notice, subject_of, success_notice
from ..ui.marks import Check, with_check
from . import submission
from . import texts as contact
from .form import EnquiryDraft

MAX_ID = 64
FIELDS = tuple(field.name for field in contact.FIELDS)


class ContactState(rx.State):
    """The form of one visitor. Inputs are uncontrolled; `accepted` is the id of the form that was stored last.

    `drawn_errors`, `typed` and `is_sent` are only set for the page that answers a plain post.
    """

    errors: dict[str, str] = {}
    checks: dict[str, Check] = {}
    accepted: str = ""
    accepted_at: str = ""
    submission_id: str = ""
    is_busy: bool = False
    times_sent: int = 0
    times_refused: int = 0
    drawn_errors: dict[str, str] = dict.fromkeys(FIELDS, "")
    typed: dict[str, str] = dict.fromkeys(FIELDS, "")
    is_sent: bool = False

    @public_event
    def load(self) -> None:
        """Reset the form and give it an id, by which a form posted twice without scripts is recognised."""
        self.errors, self.checks = {}, {}
        self.submission_id = self.submission_id or secrets.token_hex(16)

    @public_event
    def check(self, name: str, edit: int, typed: dict[str, Any]) -> None:
        """Check an invalid field again while typing pauses."""
        self.checks = with_check(self.checks, name, Check(edit, complaint(EnquiryDraft.read, name, typed)))

    @public_event
    async def send(self, form_data: dict[str, Any]) -> AsyncIterator[EventReply]:
        """Store the form."""
        self.is_busy = True
        yield None
        try:
            await submission.receive(form_data, self.router.session.client_ip)
        except Exception as error:
            self.errors = error.fields if isinstance(error, InvalidInput) else {}
            self.times_refused += 1
            yield error_notice(error, messages.ENQUIRY_NOT_STORED, subject_of(self))
        else:
            self._accept(form_data)
            yield success_notice(messages.ENQUIRY_SENT, subject_of(self))
        finally:
            self.is_busy = False

    def _accept(self, form_data: dict[str, Any]) -> None:
        """Set the id of the form that was stored, so that the browser empties only that one."""
        self.errors, self.checks = {}, {}
        self.accepted = clean_text(form_data.get("submission"))[:MAX_ID]
        self.accepted_at = iso_text(datetime.now(UTC))
        self.submission_id = secrets.token_hex(16)
        self.times_sent += 1
