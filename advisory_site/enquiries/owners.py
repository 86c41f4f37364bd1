"""Who has an enquiry: the people to choose from, and with whom the enquiries of each stage begin."""

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session, col

from sitekit.accounts.models import Profile, UserRole, is_active
from sitekit.base.db.database import now
from sitekit.base.db.folding import folded
from sitekit.base.errors import InvalidInput
from sitekit.base.permissions import Actor, require
from sitekit.base.text import record_id
from sitekit.records import activity
from sitekit.records.activity import NAME, PROFILES, name_of

from ..permissions import SiteAction
from . import desk_texts as texts
from . import messages
from .audit_events import EnquiryAuditEvent
from .models import STAGES, EnquiryEntry, EnquiryState, EntryCategory, StageOwner, columns, stage_owners

MOST_PEOPLE = 200  # more cannot be chosen from in a list
UNFINISHED = columns.state.in_((EnquiryState.OPEN, EnquiryState.WAITING))


def people(session: Session) -> list[tuple[int, str]]:
    """The ids and names of those who can have an enquiry, by name; of a larger staff, the first `MOST_PEOPLE`."""
    named = _can_have(sa.true()).order_by(folded(NAME), PROFILES.c.id)
    return [(row.id, row.name) for row in session.execute(named.limit(MOST_PEOPLE))]


def active_name(session: Session, user_id: int) -> str:
    """The name of somebody who can have an enquiry; raises `InvalidInput` for anybody else."""
    row = session.execute(_can_have(PROFILES.c.id == user_id)).first()
    if row is None:
        raise InvalidInput(messages.OWNER_CLOSED, {"owner": messages.OWNER_CLOSED})
    return str(row.name)


def _can_have(which: sa.ColumnElement[bool]) -> sa.Select[Any]:
    active = sa.select(col(Profile.id)).join(UserRole, col(UserRole.user_id) == col(Profile.id)).where(is_active())
    return sa.select(PROFILES.c.id, NAME.label("name")).where(PROFILES.c.id.in_(active), which)


def of_stage(session: Session, stage: str) -> int | None:
    """With whom the enquiries of a stage begin; None for nobody."""
    return session.execute(sa.select(stage_owners.owner_id).where(stage_owners.stage == stage)).scalar()


def by_stage(session: Session, actor: Actor) -> dict[str, int]:
    """With whom the enquiries of each stage begin; 0 for nobody."""
    require(actor, SiteAction.NAME_STAGE_OWNERS)
    read = sa.select(stage_owners.stage, stage_owners.owner_id)
    named = {row.stage: row.owner_id for row in session.execute(read)}
    return {stage: named.get(stage, 0) for stage in STAGES}


def name_for_stages(session: Session, actor: Actor, typed: Mapping[str, object]) -> None:
    """Set with whom the enquiries of each stage begin; raises `InvalidInput` beside the stage."""
    require(actor, SiteAction.NAME_STAGE_OWNERS)
    chosen = {stage: record_id(typed.get(stage)) for stage in STAGES}
    can = {row.id for row in session.execute(_can_have(PROFILES.c.id.in_(chosen.values())))}
    wrong = {stage: messages.OWNER_CLOSED for stage in STAGES if typed.get(stage) and chosen[stage] not in can}
    if wrong:
        raise InvalidInput(messages.OWNER_CLOSED, wrong)
    session.execute(sa.delete(StageOwner))
    session.add_all(StageOwner(stage=stage, owner_id=owner) for stage, owner in chosen.items() if owner)
    activity.log(session, EnquiryAuditEvent.STAGE_OWNERS_NAMED, by=actor.user_id)


def release(session: Session, user_id: int) -> None:
    """Take the unfinished enquiries of an account that is closed from it, and its stages."""
    theirs = sa.select(columns.id, columns.state).where(columns.owner_id == user_id, UNFINISHED)
    rows = session.execute(theirs).all()
    session.execute(sa.delete(StageOwner).where(stage_owners.owner_id == user_id))
    if not rows:
        return
    numbers = [row.id for row in rows]
    session.execute(sa.update(columns.id.table).where(columns.id.in_(numbers)).values(owner_id=None))
    opened = sa.and_(columns.id.in_(numbers), columns.state == EnquiryState.OPEN)
    session.execute(sa.update(columns.id.table).where(opened).values(state=EnquiryState.NEW))
    name = session.execute(sa.select(name_of(user_id))).scalar_one()
    session.add_all(
        EnquiryEntry(
            enquiry_id=number, category=EntryCategory.RELEASED, at=now(), text=texts.RELEASED.format(name=name)
        )
        for number in numbers
    )
