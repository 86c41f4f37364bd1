"""Stores each enquiry once, with its mails, within rate limits; what is spam is stored and not mailed."""

import asyncio
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from sitekit.accounts import owner_mails
from sitekit.base.db import rate_limits
from sitekit.base.db.database import delete_some, now, transaction
from sitekit.base.errors import ServiceError, TooManyAttempts
from sitekit.base.event_outcome import Outcome
from sitekit.base.mail import outbox
from sitekit.base.text import is_mailable
from sitekit.base.threads import WRITERS

from . import desk_texts as texts
from . import mails, messages, metrics, owners, spam
from .form import EnquiryData
from .models import Enquiry, EnquiryEntry, EnquiryState, EntryCategory, columns
from .source import source_of
from .texts import ELAPSED, HONEYPOT, SOURCE
from .working_days import due_after

BUCKET = "enquiry"
ACKNOWLEDGED = "acknowledgement"  # a bucket of `rate_limits`
ACKNOWLEDGED_WITHIN = timedelta(hours=1)
MOST_TO_DOMAIN = 20  # acknowledgements in that time
KEPT_YEARS, SPAM_KEPT = 2, timedelta(days=30)
# In seconds. A thread, a connection and a lock are waited for up to five each; but who has sent a statement to a server
# of PostgreSQL that then falls silent would wait until it speaks again.
ANSWER_WITHIN = 20.0
ALLOWED = ((5, timedelta(hours=1)), (20, timedelta(days=1)))


@dataclass(frozen=True, slots=True)
class Receipt:
    """When the reply to a message is due, whether that is mailed to the visitor, and whether the message is new."""

    due: datetime
    is_mailed: bool = True
    is_new: bool = True


async def receive(form_data: object, client_address: str) -> Receipt:
    """Store the enquiry in a form. A bot that fills in the honeypot gets the same reply, and nothing is stored.

    Raises `InvalidInput`, what `submit` raises, or `TimeoutError`: then it may be stored all the same, and is stored
    once if it is sent again.
    """
    typed = form_data if isinstance(form_data, dict) else {}
    if typed.get(HONEYPOT.name):
        return Receipt(due_after(now()))
    try:
        data = EnquiryData.read(typed)
        async with asyncio.timeout(ANSWER_WITHIN):
            # In a thread, because a locked database takes seconds to time out.
            receipt = await WRITERS.run(_store, data, typed, client_address)
    except ServiceError:
        metrics.enquiries.labels(Outcome.REFUSED).inc()
        raise
    except Exception:
        metrics.enquiries.labels(Outcome.FAILED).inc()
        raise
    metrics.enquiries.labels(Outcome.DONE).inc()
    return receipt


def _store(data: EnquiryData, typed: Mapping[str, object], client_address: str) -> Receipt:
    # No query below reads what is added before it, so that all is written at once.
    with transaction() as session, session.no_autoflush:
        return submit(session, data, typed, client_address)


def submit(session: Session, data: EnquiryData, typed: Mapping[str, object], client_address: str) -> Receipt:
    """Store an enquiry and its mails; idempotent for the same form. The receipt of spam says that it was mailed, too.

    `typed` has what the browser reports beside its fields: the id of the form, and where and how fast it was filled in.
    Raises `TooManyAttempts`, with the wait in words, for more than five per hour or twenty per day from one client
    network.
    """
    form_id = typed.get("submission")
    key = _submission_key(form_id if isinstance(form_id, str) else "", data)
    if earlier := session.execute(sa.select(columns.due_at).where(columns.submission_id == key)).first():
        return Receipt(earlier.due_at or due_after(now()), is_new=False)
    sender = rate_limits.network_of(client_address)
    rate_limits.serialize(session, (BUCKET, sender))
    _refuse_floods(session, sender)
    enquiry, due = _enquiry(session, key, data, typed), due_after(now())
    enquiry.due_at = due
    try:
        with session.begin_nested():
            session.add(enquiry)
    except IntegrityError:
        # The same form was sent twice at the same time, and the other request has stored it.
        return Receipt(due, is_new=False)
    rate_limits.record(session, BUCKET, sender)
    if enquiry.state == EnquiryState.SPAM:
        _note(session, enquiry, texts.JUDGED_SPAM)
        return Receipt(due)
    return Receipt(due, is_mailed=tell(session, enquiry))


def _enquiry(session: Session, key: str, data: EnquiryData, typed: Mapping[str, object]) -> Enquiry:
    at, reasons, source = now(), spam.reasons(session, data, typed.get(ELAPSED)), source_of(typed.get(SOURCE))
    enquiry = Enquiry(
        submission_id=key,
        **data.model_dump(),
        source_path=source.path,
        source_host=source.host,
    )
    if spam.is_spam(reasons):
        enquiry.state, enquiry.handled_at, enquiry.reasons = EnquiryState.SPAM, at, reasons
    return enquiry


def tell(session: Session, enquiry: Enquiry) -> bool:
    """Mail an enquiry to the firm and to the person who answers its stage, and tell the visitor that it has arrived.

    Returns whether the visitor is told by mail.
    """
    thread = outbox.enqueue(session, mails.notification(enquiry))
    if enquiry.stage and (owner := owners.of_stage(session, enquiry.stage)):
        enquiry.owner_id, enquiry.state = owner, EnquiryState.OPEN
        _note(session, enquiry, texts.BEGAN_WITH.format(name=owners.active_name(session, owner)))
        owner_mails.enqueue(session, owner, lambda email, first: mails.assigned(email, first, enquiry))
    due = enquiry.due_at
    return due is not None and is_mailable(enquiry.email) and _acknowledge(session, enquiry, due, thread)


def _acknowledge(session: Session, enquiry: Enquiry, due: datetime, thread: str) -> bool:
    name, _, domain = enquiry.email.lower().rpartition("@")
    limits = {f"{name.partition('+')[0]}@{domain}": 1, domain: MOST_TO_DOMAIN}
    rate_limits.serialize(session, *((ACKNOWLEDGED, key) for key in limits))
    if any(rate_limits.count(session, ACKNOWLEDGED, key, ACKNOWLEDGED_WITHIN) >= most for key, most in limits.items()):
        return False
    for key in limits:
        rate_limits.record(session, ACKNOWLEDGED, key)
    mail_id = outbox.enqueue(session, mails.acknowledgement(enquiry.email, due, thread))
    _note(session, enquiry, texts.ACKNOWLEDGED, mail_id)
    return True


def _note(session: Session, enquiry: Enquiry, text: str, mail_id: str = "") -> None:
    assert enquiry.id is not None
    category = EntryCategory.CHANGE
    session.add(EnquiryEntry(enquiry_id=enquiry.id, category=category, at=now(), text=text, mail_id=mail_id))


def _submission_key(submission_id: str, data: EnquiryData) -> str:
    """A hash of the form's id and content; the id alone is not unique, because cached pages contain the same one."""
    content = "\0".join((submission_id, *map(str, data.model_dump().values())))
    return hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()


def _refuse_floods(session: Session, sender: str) -> None:
    wait = max(rate_limits.seconds_to_wait(session, BUCKET, sender, most, within) for most, within in ALLOWED)
    if wait:
        raise TooManyAttempts(messages.ENQUIRY_TOO_MANY.format(wait=rate_limits.in_words(wait)), wait)


def delete_expired(session: Session, at: datetime, most: int) -> int:
    """Delete at most `most` enquiries that were sent, and if handled also handled, two years before `at`, and spam."""
    before = _years_before(at)
    is_old = sa.and_(columns.created_at < before, sa.or_(columns.handled_at.is_(None), columns.handled_at < before))
    is_spam = sa.and_(columns.state == EnquiryState.SPAM, columns.handled_at < at - SPAM_KEPT)
    return delete_some(session, columns.id, sa.or_(is_old, is_spam), most)


def _years_before(at: datetime) -> datetime:
    year = at.year - KEPT_YEARS
    try:
        return at.replace(year=year)
    except ValueError:  # 29 February
        return at.replace(year=year, day=28)
