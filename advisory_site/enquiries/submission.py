"""Stores each enquiry once, with its notification, within rate limits."""

import asyncio
import hashlib
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from ..content import messages
from ..content.firm import FIRM
from ..core.errors import ServiceError, TooManyAttempts
from ..core.event_outcome import Outcome
from ..core.text import is_mailable
from ..core.threads import WRITERS
from ..db import rate_limits
from ..db.database import delete_some, transaction
from ..mail import outbox, transport
from ..observability import metrics
from .form import EnquiryDraft
from .models import Enquiry, columns
from .texts import HONEYPOT, STAGES

BUCKET = "enquiry"
KEPT_YEARS = 2
# In seconds. A thread, a connection and a lock are waited for up to five each; but who has sent a statement to a server
# of PostgreSQL that then falls silent would wait until it speaks again.
ANSWER_WITHIN = 20.0
ALLOWED = ((5, timedelta(hours=1)), (20, timedelta(days=1)))


async def receive(form_data: object, client_address: str) -> None:
    """Store the enquiry in a form. A bot that fills in the honeypot gets the same reply, and nothing is stored.

    Raises `InvalidInput`, what `submit` raises, or `TimeoutError`: then it may be stored all the same, and is stored
    once if it is sent again.
    """
    typed = form_data if isinstance(form_data, dict) else {}
    if typed.get(HONEYPOT.name):
        return
    try:
        draft = EnquiryDraft.read(typed)
        async with asyncio.timeout(ANSWER_WITHIN):
            # In a thread, because a locked database takes seconds to time out.
            await WRITERS.run(_store, draft, typed.get("submission"), client_address)
    except ServiceError:
        metrics.enquiries.labels(Outcome.REFUSED).inc()
        raise
    except Exception:
        metrics.enquiries.labels(Outcome.FAILED).inc()
        raise
    metrics.enquiries.labels(Outcome.DONE).inc()


def _store(draft: EnquiryDraft, form_id: object, client_address: str) -> None:
    with transaction() as session:
        submit(session, draft, form_id if isinstance(form_id, str) else "", client_address)


def submit(session: Session, draft: EnquiryDraft, submission_id: str, client_address: str) -> bool:
    """Store an enquiry and its notification; idempotent for the same form. Returns whether it is new.

    Raises `TooManyAttempts`, with the wait in words, for more than five per hour or twenty per day from one client
    network.
    """
    key = _submission_key(submission_id, draft)
    if session.execute(sa.select(columns.id).where(columns.submission_id == key)).first():
        return False
    sender = rate_limits.network_of(client_address)
    rate_limits.serialize(session, (BUCKET, sender))
    _refuse_floods(session, sender)
    try:
        with session.begin_nested():
            session.add(Enquiry(submission_id=key, **draft.model_dump()))
    except IntegrityError:
        # The same form was sent twice at the same time, and the other request has stored it.
        return False
    rate_limits.record(session, BUCKET, sender)
    outbox.enqueue(session, notification(draft))
    return True


def _submission_key(submission_id: str, draft: EnquiryDraft) -> str:
    """A hash of the form's id and content; the id alone is not unique, because cached pages contain the same one."""
    content = "\0".join((submission_id, *map(str, draft.model_dump().values())))
    return hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()


def _refuse_floods(session: Session, sender: str) -> None:
    wait = max(rate_limits.seconds_to_wait(session, BUCKET, sender, most, within) for most, within in ALLOWED)
    if wait:
        raise TooManyAttempts(messages.ENQUIRY_TOO_MANY.format(wait=rate_limits.in_words(wait)), wait)


def notification(draft: EnquiryDraft) -> transport.Message:
    """The mail about an enquiry, as plain text; its Reply-To is the visitor."""
    name = f"{draft.first_name} {draft.last_name}"
    stage = next((option.label for option in STAGES if option.value == draft.stage), "")
    facts = (("Name", name), ("Email", draft.email), ("Company", draft.company), ("Stage", stage))
    head = "\n".join(f"{label}: {value}" for label, value in facts if value)
    return transport.Message(
        to=FIRM.email,
        subject=f"Enquiry from {name}",
        text=f"{head}\n\n{draft.message}\n",
        # Addresses for which there is no Reply-To are in the text.
        reply_to=draft.email if is_mailable(draft.email) else "",
    )


def delete_expired(session: Session, at: datetime, most: int) -> int:
    """Delete at most `most` enquiries that were sent, and if handled also handled, two years before `at`."""
    before = _years_before(at)
    is_old = sa.and_(columns.created_at < before, sa.or_(columns.handled_at.is_(None), columns.handled_at < before))
    return delete_some(session, columns.id, is_old, most)


def _years_before(at: datetime) -> datetime:
    year = at.year - KEPT_YEARS
    try:
        return at.replace(year=year)
    except ValueError:  # 29 February
        return at.replace(year=year, day=28)
