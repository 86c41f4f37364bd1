"""The mails about an enquiry: to the firm, to the visitor, and to the person who answers."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from sitekit.accounts.mails import StaffMail
from sitekit.base.mail.transport import Message
from sitekit.base.settings import get_settings
from sitekit.base.text import is_mailable
from sitekit.base.times import day_text

from .. import routes
from ..content.firm import FIRM
from .form import EnquiryData
from .models import Enquiry
from .texts import STAGES

SUBJECT = f"Your message to {FIRM.name}"
STAGE_LABELS = {option.value: option.label for option in STAGES}
_REPLY = "Reply at the desk"
# What was typed stands below the link, so that no text of a visitor can stand for it.
_ASSIGNED = StaffMail(
    "{name}'s enquiry is yours",
    ("{name}’s enquiry has been assigned to you{by}.",),
    (_REPLY, "{site}{page}"),
    ("{typed}",),
)
_TAKEN_OVER = StaffMail(
    "{taker} has taken over {name}'s enquiry",
    ("{taker} has taken over {name}’s enquiry from you. You need not reply.",),
    ("See the enquiry", "{site}{page}"),
)
_OVERDUE = StaffMail(
    "Overdue: {what}",
    ("You have {what} with an overdue first reply.",),
    ("See the enquiries", f"{{site}}{routes.ADMIN_ENQUIRIES}?filter=mine"),
)
_OVERDUE_UNOWNED = StaffMail(
    "Overdue: {what} without an owner",
    ("A first reply is overdue for {what} that nobody has taken.",),
    ("See the enquiries", f"{{site}}{routes.ADMIN_ENQUIRIES}?filter=new"),
)


def full_name(enquiry: Any) -> str:
    """The name of the visitor who sent an enquiry, a draft or a row."""
    return f"{enquiry.first_name} {enquiry.last_name}".strip()


def notification(enquiry: Enquiry | EnquiryData) -> Message:
    """The mail to the firm's mailbox, as plain text, with a link to the enquiry; its Reply-To is the visitor."""
    number = enquiry.id if isinstance(enquiry, Enquiry) else None
    link = f"{_REPLY}: {get_settings().public_url}{routes.enquiry_page(number)}\n\n" if number else ""
    subject, text = f"Enquiry from {full_name(enquiry)}", f"{link}{_typed(enquiry)}\n"
    reply_to = enquiry.email if is_mailable(enquiry.email) else ""
    return Message(to=FIRM.email, subject=subject, text=text, reply_to=reply_to, is_automatic=True)


def _typed(enquiry: Enquiry | EnquiryData) -> str:
    facts = (
        ("Name", full_name(enquiry)),
        ("Email", enquiry.email),
        ("Company", enquiry.company),
        ("Stage", STAGE_LABELS.get(enquiry.stage, "")),
    )
    head = "\n".join(f"{label}: {value}" for label, value in facts if value)
    return f"{head}\n\n{enquiry.message}"


def acknowledgement(email: str, due: datetime, thread: str) -> Message:
    """The mail that tells the visitor that the message has arrived; nothing that was typed is in it.

    `thread` is the Message-ID of the mail that took the message to the firm, to which this is an automatic reply.
    """
    signature = f"{FIRM.legal_name}\n{FIRM.email}"
    promise = f"Thank you for writing. A partner will reply by {day_text(due)}."
    text = f"{promise}\n\nRather talk? Book 30 minutes:\n{FIRM.call_booking_url}\n\n{signature}\n"
    return Message(email, SUBJECT, text, reply_to=FIRM.email, thread_id=thread, is_automatic=True)


def reply(email: str, text: str, thread: str) -> Message:
    """A reply to the visitor; `thread` is the Message-ID of the first mail to them, if there was one."""
    return Message(to=email, subject=f"Re: {SUBJECT}", text=f"{text}\n", reply_to=FIRM.email, thread_id=thread)


def assigned(email: str, first_name: str, enquiry: Enquiry, by: str = "") -> Message:
    """The mail to the new owner of an enquiry, with the name of who assigned it; its Reply-To is the visitor."""
    page, typed = routes.enquiry_page(enquiry.id or 0), _typed(enquiry)
    message = _ASSIGNED(email, first_name, name=full_name(enquiry), page=page, typed=typed, by=by and f" by {by}")
    return replace(message, reply_to=enquiry.email)


def taken_over(email: str, first_name: str, enquiry: Enquiry, taker: str) -> Message:
    """The mail to the former owner of an enquiry that a colleague has now."""
    return _TAKEN_OVER(
        email, first_name, name=full_name(enquiry), page=routes.enquiry_page(enquiry.id or 0), taker=taker
    )


def overdue(email: str, first_name: str, count: int, is_owned: bool) -> Message:
    """The mail about enquiries without a first reply in time: the recipient's own, or those that nobody has."""
    what = "1 enquiry" if count == 1 else f"{count} enquiries"
    return (_OVERDUE if is_owned else _OVERDUE_UNOWNED)(email, first_name, what=what)
