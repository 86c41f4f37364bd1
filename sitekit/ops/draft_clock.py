"""Publishes drafts and hides records at their times; what cannot be published waits for the person who scheduled it."""

import logging
from functools import partial

from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session

from ..accounts import owner_mails
from ..accounts.mails import StaffMail
from ..accounts.people import service as accounts
from ..base.background_tasks import every
from ..base.db.database import read_session, transaction
from ..base.errors import Forbidden, ServiceError, Unavailable
from ..base.permissions import Actor
from ..records import preview_links, schedule
from ..records.draft_texts import NOBODY
from ..records.features import record_types
from ..records.listing import WITH_DRAFT
from ..records.publishing import explain
from ..records.record_type import AnyRecordType

INTERVAL = 20.0
# For the person who scheduled a draft that could not be published.
BLOCKED = StaffMail(
    "{name} was not published",
    ("The draft of {name} could not be published at its time. {problem}", "The site shows what it showed before."),
    ("Open the draft", "{site}{page}"),
    ("The draft is kept. Publish it from its form, or choose another time.",),
)

log = logging.getLogger(__name__)


async def draft_clock() -> None:
    """Do what is due when the server starts, and then every 20 seconds. Safe to run in several processes."""
    await every(INTERVAL, tick, log, "Scheduled drafts could not be looked at, retrying in 20 seconds.")


def tick() -> int:
    """Carry out what is due, each draft in a transaction of its own; returns how many."""
    with read_session() as session:
        due = schedule.due(session, record_types())
    return sum(_carry_out(record_types()[table], draft, by) for table, draft, by in due)


def _carry_out(record_type: AnyRecordType, draft: int, by: int | None) -> bool:
    try:
        with transaction() as session:
            return schedule.carry_out(session, _actor(session, by), record_type, draft)
    except (Unavailable, SQLAlchemyError):
        # Not this draft's fault: it is tried again, and the others are not kept waiting.
        log.exception("A scheduled draft could not be looked at, retrying in 20 seconds.")
        return False
    except ServiceError as error:
        with transaction() as session:
            return _block(session, record_type, draft, explain(record_type, error))


def _actor(session: Session, user_id: int | None) -> Actor:
    """Who scheduled a draft, with the role that they have now."""
    role = accounts.active_role(session, user_id) if user_id else None
    if user_id is None or role is None:
        raise Forbidden(NOBODY)
    return Actor(user_id, role)


def _block(session: Session, record_type: AnyRecordType, draft: int, problem: str) -> bool:
    blocked = schedule.block(session, record_type, draft, problem)
    if blocked is None:
        return False
    log.warning("A scheduled draft could not be published (%s).", record_type.noun)
    page = record_type.list_page({"filter": WITH_DRAFT})
    message = partial(BLOCKED, name=preview_links.name_of(session, blocked, record_type), problem=problem, page=page)
    is_there = blocked.by and accounts.active_role(session, blocked.by)
    for user_id in [blocked.by or 0] if is_there else accounts.active_admins(session):
        owner_mails.enqueue(session, user_id, message)
    return True
