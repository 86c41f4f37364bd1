"""What happens by itself: a wait ends on its day, and overdue first replies are mailed once each working day."""

import logging
from collections import Counter
from functools import partial

import sqlalchemy as sa

from sitekit.accounts import owner_mails
from sitekit.accounts.people import service as accounts
from sitekit.base.background_tasks import every
from sitekit.base.db import rate_limits
from sitekit.base.db.database import now, transaction
from sitekit.base.times import local
from sitekit.records import activity

from .. import desk_texts as texts
from .. import mails
from ..audit_events import EnquiryAuditEvent
from ..models import Enquiry, EnquiryEntry, EnquiryState, EntryCategory, columns
from ..working_days import REMINDED, is_working_day
from .inbox import IS_OVERDUE
from .service import reopen

INTERVAL = 300.0
BUCKET = "overdue enquiries"
MOST = 100  # per transaction

log = logging.getLogger(__name__)


async def enquiry_clock() -> None:
    """Do what is due when the server starts, and then every five minutes. Safe to run in several processes."""
    await every(INTERVAL, tick, log, "The times of enquiries could not be looked at, retrying in five minutes.")


def tick() -> None:
    """End the waits that are over, and send today's reminders unless they were sent."""
    while reopen_waiting() == MOST:
        pass
    remind()


def reopen_waiting() -> int:
    """Open the waiting enquiries whose day has come, at most `MOST`; returns how many."""
    is_over = sa.and_(columns.state == EnquiryState.WAITING, columns.waiting_until <= now())
    with transaction() as session:
        # On PostgreSQL another process skips the rows that this one opens.
        over = sa.select(Enquiry).where(is_over).limit(MOST).with_for_update(skip_locked=True)
        enquiries = session.execute(over).scalars().all()
        for enquiry in enquiries:
            reopen(enquiry, enquiry.waiting_until)
            entry = EnquiryEntry(enquiry_id=enquiry.id, category=EntryCategory.CHANGE, at=now(), text=texts.REOPENED)
            session.add(entry)
            table, subject = columns.id.table.name, f"enquiry {enquiry.id}"
            reopened = EnquiryAuditEvent.ENQUIRY_REOPENED
            activity.log(session, reopened, subject, of_table=table, record_id=enquiry.id)
    return len(enquiries)


def remind() -> int:
    """From nine on each working day, mail who has overdue enquiries, and all admins about those that nobody has.

    Returns how many mails were stored; no second time on the same day.
    """
    today = local(now())
    if not is_working_day(today.date()) or today.time() < REMINDED:
        return 0
    with transaction() as session:
        if not rate_limits.claim(session, BUCKET, f"{today:%Y-%m-%d}", rate_limits.KEPT):
            return 0
        overdue = Counter(session.execute(sa.select(columns.owner_id).where(IS_OVERDUE)).scalars())
        unowned = overdue.pop(None, 0)
        recipients = [(owner, count, True) for owner, count in overdue.items()]
        recipients += [(admin, unowned, False) for admin in accounts.active_admins(session) if unowned]
        for user_id, count, is_owned in recipients:
            owner_mails.enqueue(session, user_id, partial(mails.overdue, count=count, is_owned=is_owned))
    return len(recipients)
