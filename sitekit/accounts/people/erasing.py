"""Mails the admins when somebody deletes many records, versions or pictures permanently."""

from datetime import timedelta
from functools import partial

import sqlalchemy as sa
from sqlmodel import Session

from ...base.db import rate_limits
from ...base.permissions import Actor
from ...base.text import listed
from ...records.activity import NAME, PROFILES
from ...records.features import features
from .. import mails, owner_mails
from . import service

BUCKET = "erased for good"
MOST, WITHIN = 10, timedelta(days=1)


def count_erased(session: Session, actor: Actor, number: int = 1) -> None:
    """Count what a user has deleted permanently; mail all admins when it becomes more than `MOST` within a day."""
    key = str(actor.user_id)
    rate_limits.serialize(session, (BUCKET, key))
    before = rate_limits.count(session, BUCKET, key, WITHIN)
    for _ in range(min(number, MOST + 1)):
        rate_limits.record(session, BUCKET, key)
    if before <= MOST < before + number:
        name = session.execute(sa.select(NAME).where(PROFILES.c.id == actor.user_id)).scalar_one()
        things = listed(("records", "versions", "pictures", *features().others), "or")
        for admin in service.active_admins(session):
            owner_mails.enqueue(session, admin, partial(mails.MANY_ERASED, name=name, most=MOST, things=things))
