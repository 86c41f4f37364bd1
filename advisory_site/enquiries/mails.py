"""The mails about an enquiry: to the firm, to the visitor, and to who answers."""

from datetime import datetime
from typing import Any

from sitekit.accounts.mails import staff_mail
from sitekit.base.mail.transport import Message
from sitekit.base.settings import get_settings
from sitekit.base.text import is_mailable
from sitekit.base.times import day_text

from .. import routes
from ..content.firm import FIRM
from .form import EnquiryDraft
from .models import Enquiry
from .texts import STAGES

SUBJECT = f"Your message to {FIRM.name}"
STAGE_LABELS = {option.value: option.label for option in STAGES}


def full_name(enquiry: Any) -> str:
    """The name of the visitor who sent an enquiry, a draft or a row."""
    return f"{enquiry.first_name} {enquiry.last_name}".strip()


def notification(enquiry: Enquiry | EnquiryDraft) -> Message:
    """The mail to the firm's mailbox, as plain text; its Reply-To is the visitor."""
    facts = (
        ("Name", full_name(enquiry)),
        ("Email", enquiry.email),
        ("Company", enquiry.company),
        ("Stage", STAGE_LABELS.get(enquiry.stage, "")),
    )
    head = "\n".join(f"{label}: {value}" for label, value in facts if value)
    return Message(
        to=FIRM.email,
        subject=f"Enquiry from {full_name(enquiry)}",
        text=f"{head}\n\n{enquiry.message}\n",
        # Addresses for which there is no Reply-To are in the text.
        reply_to=enquiry.email if is_mailable(enquiry.email) else "",
        is_automatic=True,
    )


def acknowledgement(email: str, due: datetime, thread: str) -> Message:
    """The mail that tells the visitor that the message has arrived; nothing that was typed is in it.

    `thread` is the Message-ID of the mail that took the message to the firm, to which this is an automatic reply.
    """
    signature = f"{FIRM.legal_name}\n{FIRM.email}"
    text = f"We have your message. A partner replies by {day_text(due)}.\n\n{signature}\n"
    return Message(email, SUBJECT, text, reply_to=FIRM.email, thread_id=thread, is_automatic=True)


def reply(email: str, text: str, thread: str) -> Message:
    """A reply to the visitor; `thread` is the Message-ID of the first mail to them, if there was one."""
    return Message(to=email, subject=f"Re: {SUBJECT}", text=f"{text}\n", reply_to=FIRM.email, thread_id=thread)


def assigned(email: str, first_name: str, enquiry: Enquiry) -> Message:
    """The mail to the new owner of an enquiry."""
    name = full_name(enquiry)
    before = [f"You are to answer {name}'s enquiry."]
    return staff_mail(email, f"{name}'s enquiry is yours", first_name, before, _open(enquiry.id or 0), [])


def overdue(email: str, first_name: str, count: int, is_owned: bool) -> Message:
    """The mail about enquiries without a first reply in time: the recipient's own, or those that nobody has."""
    what = "1 enquiry" if count == 1 else f"{count} enquiries"
    subject, said = (
        (f"Overdue: {what}", f"The first reply to {what} of yours is overdue.")
        if is_owned
        else (f"Overdue: {what} that nobody has", f"The first reply to {what} is overdue, and nobody has taken it.")
    )
    address = f"{get_settings().public_url}{routes.ADMIN_ENQUIRIES}?filter={'mine' if is_owned else 'new'}"
    return staff_mail(email, subject, first_name, [said], ("See the enquiries", address), [])


def _open(number: int) -> tuple[str, str]:
    return "Open the enquiry", f"{get_settings().public_url}{routes.enquiry_page(number)}"
