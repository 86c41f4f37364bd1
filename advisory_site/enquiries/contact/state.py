"""The state of the contact form: stores an enquiry, or shows an error beside each invalid field."""

import secrets
from collections.abc import AsyncIterator, Mapping
from typing import Any, ClassVar

import reflex as rx

from sitekit.base.text import MAX_EMAIL_LENGTH, clean_text, one_line
from sitekit.base.times import day_text
from sitekit.server.framework.event_marks import EventReply, public_event
from sitekit.ui.feedback import NoticeState, subject_of
from sitekit.ui.form import Form

from .. import messages, submission
from .. import texts as contact
from ..form import EnquiryData

MAX_ID = 64
FIELDS = tuple(field.name for field in contact.FIELDS)
THANKS = ("name", "day", "email", "mailed")


def thanks(form_data: Mapping[str, object], receipt: submission.Receipt) -> dict[str, str]:
    """What the thanks for a form name: its sender, the day of the reply, and the address, "mailed" to or not."""
    name, email = (
        one_line(form_data.get(field.name))[:MAX_EMAIL_LENGTH] for field in (contact.FIRST_NAME, contact.EMAIL)
    )
    return dict(zip(THANKS, (name, day_text(receipt.due), email, "yes" if receipt.is_mailed else ""), strict=True))


class ContactState(Form, rx.State):
    """The form of one visitor. Inputs are uncontrolled; `accepted` is the id of the form that was stored last.

    `thanks` fills the sentences that stand in place of the form then. `drawn_errors`, `typed` and `is_sent` are only
    set for the page that answers a plain post.
    """

    accepted: str = ""
    thanks: dict[str, str] = dict.fromkeys(THANKS, "")
    submission_id: str = ""
    times_sent: int = 0
    drawn_errors: dict[str, str] = dict.fromkeys(FIELDS, "")
    typed: dict[str, str] = dict.fromkeys(FIELDS, "")
    is_sent: bool = False

    data_class: ClassVar = EnquiryData

    @public_event
    def load(self) -> None:
        """Reset the form and give it an id, by which a form posted twice without scripts is recognised."""
        self.errors, self.checks, self.thanks = {}, {}, dict.fromkeys(THANKS, "")
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
            receipt = await submission.receive(form_data, self.router.session.client_ip)
        except Exception as error:
            yield self._refuse(error, messages.ENQUIRY_NOT_STORED)
        else:
            self._accept(form_data)
            self.thanks = thanks(form_data, receipt)
            yield NoticeState.withdraw(subject_of(self))
        finally:
            self.is_busy = False

    def _accept(self, form_data: dict[str, Any]) -> None:
        """Set the id of the form that was stored, so that the browser empties only that one."""
        self.errors, self.checks = {}, {}
        self.accepted = clean_text(form_data.get("submission"))[:MAX_ID]
        self.submission_id = secrets.token_hex(16)
        self.times_sent += 1
