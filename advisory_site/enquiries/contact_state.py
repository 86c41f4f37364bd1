"""The state of the contact form: stores an enquiry, or shows an error beside each invalid field."""

import secrets
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any, ClassVar

import reflex as rx

from sitekit.base.text import clean_text
from sitekit.base.times import iso_text
from sitekit.server.framework.event_marks import EventReply, public_event
from sitekit.ui.feedback import subject_of, success_notice
from sitekit.ui.form import Form

from . import messages, submission
from . import texts as contact
from .form import EnquiryDraft

MAX_ID = 64
FIELDS = tuple(field.name for field in contact.FIELDS)


class ContactState(Form, rx.State):
    """The form of one visitor. Inputs are uncontrolled; `accepted` is the id of the form that was stored last.

    `drawn_errors`, `typed` and `is_sent` are only set for the page that answers a plain post.
    """

    accepted: str = ""
    accepted_at: str = ""
    submission_id: str = ""
    times_sent: int = 0
    drawn_errors: dict[str, str] = dict.fromkeys(FIELDS, "")
    typed: dict[str, str] = dict.fromkeys(FIELDS, "")
    is_sent: bool = False

    draft: ClassVar = EnquiryDraft

    @public_event
    def load(self) -> None:
        """Reset the form and give it an id, by which a form posted twice without scripts is recognised."""
        self.errors, self.checks = {}, {}
        self.submission_id = self.submission_id or secrets.token_hex(16)

    @public_event
    def check(self, name: str, edit: int, typed: dict[str, Any]) -> None:
        """Check an invalid field again while typing pauses."""
        self._check(name, edit, typed)

    @public_event
    async def send(self, form_data: dict[str, Any]) -> AsyncIterator[EventReply]:
        """Store the form."""
        self.is_busy = True
        yield None
        try:
            await submission.receive(form_data, self.router.session.client_ip)
        except Exception as error:
            yield self._refuse(error, messages.ENQUIRY_NOT_STORED)
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
