"""Who worked on a draft: asked about by name before somebody else publishes it, and told afterwards."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

import sqlalchemy as sa
from sqlmodel import Session

from ..base import messages, paths
from ..base.errors import ConfirmationNeeded
from ..base.observability.audit_log import AuditEvent
from ..base.permissions import Actor
from ..base.text import listed
from ..base.times import time_in_zone
from . import activity, preview_links
from . import draft_texts as texts
from .activity import NAME, PROFILES
from .proposals import Proposal
from .record_type import AnyRecordType

# Among the inputs of a draft, which a form does not send: the ids of the users who saved it.
AUTHORS = "draft_authors"
# What a form sends as `then` begins with this once the user was asked.
CONFIRMED = "confirmed "
# Emails a user that another one, whose name comes next, has published their draft: its name, where to see it, and the
# time at which it will be published, empty for now.
Tell = Callable[[Session, int, str, str, str, str], None]


def authors(draft: Proposal | None) -> set[int]:
    """The ids of the users whose work a draft holds; of none if only its hiding is scheduled."""
    if draft is None or not isinstance(draft.inputs, Mapping):
        return set()
    return {*draft.inputs.get(AUTHORS, ()), *([draft.by] if draft.by else [])}


def others(session: Session, actor: Actor, draft: Proposal | None) -> Sequence[sa.Row[tuple[int, str, str]]]:
    """The accounts of the other authors of a draft: id, name and email."""
    ids = authors(draft) - {actor.user_id}
    query = sa.select(PROFILES.c.id, NAME.label("name"), PROFILES.c.email).where(PROFILES.c.id.in_(ids))
    return session.execute(query.order_by(PROFILES.c.id)).all() if ids else []


def ask(session: Session, actor: Actor, draft: Proposal | None, act: str, typed: Mapping[str, object]) -> None:
    """Raise `ConfirmationNeeded` before a draft of others is published or scheduled, unless the form was confirmed."""
    names = [row.name for row in others(session, actor, draft)]
    if draft and draft.inputs is not None and draft.by is None:
        names.append(draft.by_name or messages.SOMEONE)
    if names and not str(typed.get("then")).startswith(CONFIRMED):
        raise ConfirmationNeeded(texts.ASK.format(act=act, names=listed(names)), act)


def tell(
    session: Session, actor: Actor, record_type: AnyRecordType, draft: Proposal, email: Tell | None, at: datetime | None
) -> None:
    """Tell the other authors that their draft is published, or will be `at` a time; the log tells their dashboards."""
    told = others(session, actor, draft)
    if not told:
        return
    table, record = draft.of_table, draft.record_id
    who = session.execute(sa.select(activity.name_of(actor.user_id))).scalar_one()
    page = paths.preview_page(draft.id or 0) if at else paths.history_page(table, record or 0)
    name = preview_links.name_of(session, draft, record_type)
    for row in told:
        if at is None:
            published = AuditEvent.COLLEAGUES_DRAFT_PUBLISHED
            activity.log(session, published, row.email, by=actor.user_id, of_table=table, record_id=record)
        if email:
            email(session, row.id, who, name, page, time_in_zone(at) if at else "")
