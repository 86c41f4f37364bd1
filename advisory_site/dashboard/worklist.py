"""Recent changes and what needs attention, as far as a role may manage it."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session

from ..advisors.models import columns as advisors
from ..companies.models import ACTIVE
from ..companies.models import columns as companies
from ..core import routes
from ..core.permissions import Action, Actor, may, require
from ..db.database import now
from ..mail.models import columns as mails
from ..media.models import columns as media
from ..records.activity import NAME, PROFILES
from ..records.listing import ACTIVE_ONLY, INACTIVE_ONLY
from ..team.models import columns as members
from . import overview_texts as words
from .media_library import UNUSED
from .media_usage import used_keys
from .overview_texts import Counted
from .record_types import RECORD_TYPES

MOST_CHANGES = 5
# A picture that no record uses is suggested for deletion after this time, and never deleted by itself.
UNUSED_FOR = timedelta(days=90)


@dataclass(frozen=True)
class Change:
    """A record that was saved recently. `who` is empty if the site saved it, or the user's account is deleted."""

    name: str
    kind: str
    href: str
    who: str
    at: datetime


@dataclass(frozen=True)
class Matter:
    """Something that needs attention: how many there are, in words, and where they are listed."""

    count: int
    text: str
    href: str


@dataclass(frozen=True)
class _Check:
    """Rows that need attention; `href` lists them."""

    action: Action
    rows: sa.ColumnElement[bool]
    text: Counted
    href: str


KINDS = tuple(RECORD_TYPES.values())
_ACTIVE, _INACTIVE = {"filter": ACTIVE_ONLY}, {"filter": INACTIVE_ONLY}
CHECKS = (
    _Check(Action.MANAGE_MAIL, mails.given_up_at.is_not(None), words.MAIL_FAILED, f"#{words.OPERATIONS_ID}"),
    _Check(
        Action.MANAGE_COMPANIES,
        sa.and_(companies.status == ACTIVE, companies.logo_url == ""),
        words.WITHOUT_LOGO,
        routes.admin_tab("companies", _ACTIVE),
    ),
    _Check(
        Action.MANAGE_TEAM,
        sa.and_(members.is_active, sa.func.coalesce(members.linkedin_url, "") == ""),
        words.WITHOUT_LINKEDIN,
        routes.admin_tab("teams", _ACTIVE),
    ),
    _Check(
        Action.MANAGE_COMPANIES,
        companies.status != ACTIVE,
        words.INACTIVE_COMPANIES,
        routes.admin_tab("companies", _INACTIVE),
    ),
    _Check(
        Action.MANAGE_TEAM, sa.not_(members.is_active), words.INACTIVE_MEMBERS, routes.admin_tab("teams", _INACTIVE)
    ),
    _Check(
        Action.MANAGE_ADVISORS,
        sa.not_(advisors.is_active),
        words.INACTIVE_ADVISORS,
        routes.admin_tab("advisors", _INACTIVE),
    ),
    _Check(
        Action.MANAGE_MEDIA,
        sa.and_(
            media.created_at
            < sa.bindparam("unused_since", callable_=lambda: now() - UNUSED_FOR, type_=media.created_at.type),
            media.key.not_in(used_keys()),
        ),
        words.UNUSED_PICTURES,
        f"{routes.ADMIN_MEDIA}?filter={UNUSED}",
    ),
)


def recent_changes(session: Session, actor: Actor | None) -> tuple[Change, ...]:
    """The records that were saved last, of the kinds that the actor manages; one statement."""
    require(actor, Action.VIEW_STATISTICS)
    kinds = [number for number, kind in enumerate(KINDS) if may(actor, kind.action)]
    if not kinds:
        return ()
    saved = sa.union_all(*map(_newest, kinds)).subquery()
    query = (
        sa.select(saved, NAME.label("who"))
        .outerjoin(PROFILES, PROFILES.c.id == saved.c.updated_by)
        .order_by(saved.c.updated_at.desc(), saved.c.kind, saved.c.id.desc())
        .limit(MOST_CHANGES)
    )
    return tuple(
        Change(
            row.name, KINDS[row.kind].title, KINDS[row.kind].form_page(row.id, row.slug), row.who or "", row.updated_at
        )
        for row in session.execute(query)
    )


def _newest(number: int) -> sa.Select[Any]:
    """The newest rows of one kind, all that the union can need."""
    columns = KINDS[number].columns
    kind: sa.Label[int] = sa.literal_column(str(number), sa.Integer).label("kind")
    newest = sa.select(kind, columns.id, columns.slug, columns.name, columns.updated_at, columns.updated_by)
    # SQLite takes an order and a limit within a union only in a subquery.
    return newest.order_by(columns.updated_at.desc(), columns.id.desc()).limit(MOST_CHANGES).subquery().select()


def needs_attention(session: Session, actor: Actor | None) -> tuple[Matter, ...]:
    """The problems that the actor can fix; read in one statement."""
    require(actor, Action.VIEW_STATISTICS)
    checks = [check for check in CHECKS if may(actor, check.action)]
    if not checks:
        return ()
    counts = (sa.select(sa.func.count()).where(check.rows).scalar_subquery() for check in checks)
    found = zip(checks, session.execute(sa.select(*counts)).one(), strict=True)
    return tuple(Matter(count, check.text.of(count), check.href) for check, count in found if count)
