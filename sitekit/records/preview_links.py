"""Links to the preview of a draft: one for each draft, valid for some days, for anyone who has it."""

import hashlib
import hmac
import re
import secrets
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated

import sqlalchemy as sa
from sqlmodel import Session

from ..base import messages
from ..base.db import rate_limits
from ..base.db.database import delete_some, now
from ..base.errors import NotFound, TooManyAttempts
from ..base.observability.audit_log import AuditEvent
from ..base.permissions import Actor, may, require
from ..base.secret_keys import signing_keys
from ..base.site import get_site
from ..base.text import one_line, record_id
from ..base.times import iso_text
from . import activity
from . import draft_texts as texts
from .features import record_types
from .fields.line import LineField
from .form_fields import FormData
from .proposals import PreviewLink, Proposal, ProposalCategory, ProposalState
from .proposals import link_columns as columns
from .record_type import AnyRecordType

DAYS, MOST_DAYS = 14, 30
KEPT = timedelta(days=30)  # after it has expired
SECRET_LENGTH = 43  # characters, for 256 bits
FRAME_SUBJECT = "draft"  # the subject of the pass with which the back office shows a preview in a frame
# Of one network, whether the links are right or wrong: each costs a page that is rendered for it alone.
BUCKET, MOST, WITHIN = "preview address", 150, timedelta(minutes=15)


def _are_days(text: str) -> bool:
    return re.fullmatch("[0-9]{1,2}", text) is not None and 1 <= int(text) <= MOST_DAYS


class ShareData(FormData):
    """For how many days a draft is shared."""

    required = ("days",)

    days: Annotated[str, LineField(rule=(_are_days, texts.DAYS_INVALID.format(most=MOST_DAYS)))] = ""


@dataclass(frozen=True)
class LinkRow:
    """A link in the list of a draft's links; times are ISO texts in UTC.

    `secret` is empty unless it leads to the preview; `is_open` is true also if it leads to the published page.
    """

    id: int = 0
    by_name: str = ""
    created: str = ""
    expires: str = ""
    opened: int = 0
    opened_last: str = ""
    is_revoked: bool = False
    is_open: bool = False
    secret: str = ""


def get_draft(session: Session, actor: Actor, typed_id: object) -> tuple[Proposal, AnyRecordType]:
    """A draft that the actor may read, and the type of its record. Raises `NotFound`."""
    draft = session.get(Proposal, record_id(typed_id), populate_existing=True)
    record_type = record_types().get(draft.of_table) if draft else None
    if draft is None or record_type is None or not _is_draft(draft):
        # A user who may not read records does not learn which drafts there are.
        raise NotFound(texts.GONE)
    require(actor, record_type.read_action)
    return draft, record_type


def name_of(session: Session, draft: Proposal, record_type: AnyRecordType) -> str:
    """What a draft is called: its name, the name of its record, or that it has none."""
    typed = one_line(draft.inputs.get("name")) if isinstance(draft.inputs, dict) else ""
    stored = sa.select(record_type.columns.name).where(record_type.columns.id == draft.record_id)
    return typed or session.execute(stored).scalar() or texts.UNTITLED


def list_links(session: Session, actor: Actor, draft_id: object) -> list[LinkRow]:
    """The links to the preview of a draft, newest first; none for who may not share it."""
    draft, record_type = get_draft(session, actor, draft_id)
    if not may(actor, record_type.change_action):
        return []
    query = sa.select(PreviewLink).where(columns.proposal_id == draft.id).order_by(columns.id.desc())
    return [_row(link) for link in session.execute(query).scalars()]


def share(session: Session, actor: Actor, draft_id: object, form: ShareData) -> str:
    """The secret of the link to a draft's preview: of the one that has not ended, or of a new one."""
    draft, record_type = get_draft(session, actor, draft_id)
    require(actor, record_type.change_action)
    # Two people who share a draft at the same moment get the same link.
    session.get(Proposal, draft.id, with_for_update=True)
    for row in list_links(session, actor, draft.id):
        if row.secret:
            return row.secret
    nonce = secrets.token_urlsafe(16)
    secret = _secrets(nonce)[0]
    link = PreviewLink(
        proposal_id=draft.id,
        of_table=draft.of_table,
        record_id=draft.record_id,
        nonce=nonce,
        digest=_digest(secret),
        by=actor.user_id,
        expires_at=now() + timedelta(days=int(form.days)),
    )
    session.add(link)
    session.flush()
    name = activity.name_of(actor.user_id)
    session.execute(sa.update(PreviewLink).where(columns.id == link.id).values(by_name=name))
    log(session, AuditEvent.PREVIEW_SHARED, actor, draft, record_type)
    return secret


def revoke(session: Session, actor: Actor, link_id: object) -> None:
    """End a link to a preview. Raises `NotFound` if it has ended already."""
    link = session.get(PreviewLink, record_id(link_id), populate_existing=True)
    draft, record_type = get_draft(session, actor, link.proposal_id if link else 0)
    require(actor, record_type.change_action)
    if link is None or not _is_open(link):
        raise NotFound(texts.LINK_ENDED)
    link.revoked_at = now()
    log(session, AuditEvent.PREVIEW_REVOKED, actor, draft, record_type)


def revoke_all(connection: sa.Connection, *which: sa.ColumnElement[bool]) -> None:
    """End every link, or only some; every one after a restore: it may have been revoked since the backup."""
    connection.execute(sa.update(PreviewLink).where(columns.revoked_at.is_(None), *which).values(revoked_at=now()))


def revoke_all_of(session: Session, user_id: int) -> None:
    """End the links that a user has made, whose account is closed; those to published pages stay."""
    revoke_all(session.connection(), columns.by == user_id, columns.published_at.is_(None))


def note_published(session: Session, proposal_id: int, record: int) -> None:
    """Let the links to a draft lead to its record, in the transaction that publishes and deletes the draft."""
    published = {"published_at": now(), "record_id": record}
    session.execute(sa.update(PreviewLink).where(columns.proposal_id == proposal_id).values(published))


def count_visit(session: Session, network: str) -> None:
    """Count a request from a network. Raises `TooManyAttempts`."""
    rate_limits.serialize(session, (BUCKET, network))
    if wait := rate_limits.seconds_to_wait(session, BUCKET, network, MOST, WITHIN):
        raise TooManyAttempts(messages.TOO_MANY_ATTEMPTS.format(wait=rate_limits.in_words(wait)), wait)
    rate_limits.record(session, BUCKET, network)


def find(session: Session, secret: str, *, is_opened: bool) -> tuple[int, str]:
    """Where a link leads: the id of its draft and "", or once that is published, 0 and the path of its public page.

    `is_opened` counts it. Raises `NotFound` for a link that is wrong, expired or revoked, or leads to nothing.
    """
    link = session.execute(sa.select(PreviewLink).where(columns.digest == _digest(secret))).scalar_one_or_none()
    if link is None or not _is_open(link):
        raise NotFound(texts.GONE)
    if is_opened:
        opened = {"opened": columns.opened + 1, "opened_at": now()}
        session.execute(sa.update(PreviewLink).where(columns.id == link.id).values(opened))
    if link.published_at:
        return 0, _public_page(session, link)
    draft = session.get(Proposal, link.proposal_id) if link.proposal_id else None
    if draft is None or not _is_draft(draft):
        raise NotFound(texts.GONE)
    return link.proposal_id or 0, ""


def delete_expired(session: Session, at: datetime, limit: int) -> int:
    """Delete at most `limit` links that expired `KEPT` before `at`; returns how many."""
    return delete_some(session, columns.id, columns.expires_at < at - KEPT, limit)


def _public_page(session: Session, link: PreviewLink) -> str:
    record_type = record_types().get(link.of_table)
    if record_type is not None:
        query = sa.select(record_type.columns.slug).where(record_type.columns.id == link.record_id)
        if slug := session.execute(query.where(record_type.is_public)).scalar():
            return record_type.page(slug)
    raise NotFound(texts.GONE)


def _is_draft(proposal: Proposal) -> bool:
    return proposal.category == ProposalCategory.STAFF and proposal.state != ProposalState.DISCARDED


def _is_open(link: PreviewLink) -> bool:
    return link.revoked_at is None and link.expires_at > now()


def _row(link: PreviewLink) -> LinkRow:
    is_open = _is_open(link)
    return LinkRow(
        id=link.id or 0,
        by_name=link.by_name,
        created=iso_text(link.created_at),
        expires=iso_text(link.expires_at),
        opened=link.opened,
        opened_last=iso_text(link.opened_at) if link.opened_at else "",
        is_revoked=link.revoked_at is not None,
        is_open=is_open,
        secret="" if link.published_at or not is_open else _secret_of(link),
    )


def _secret_of(link: PreviewLink) -> str:
    """The secret of a link; empty if it was made with a key that the site has no more."""
    return next((secret for secret in _secrets(link.nonce) if _digest(secret) == link.digest), "")


def _secrets(nonce: str) -> list[str]:
    """The secret that follows from each key of the site; the first is that of new links."""
    text = f"{get_site().package} link to a preview {nonce}".encode()
    macs = (hmac.new(key.encode(), text, hashlib.sha256).digest() for key in signing_keys())
    return [urlsafe_b64encode(mac).decode().rstrip("=") for mac in macs]


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def log(session: Session, audit_event: AuditEvent, actor: Actor, draft: Proposal, record_type: AnyRecordType) -> None:
    """Log what a user did with a draft."""
    name = name_of(session, draft, record_type)
    activity.log(session, audit_event, name, by=actor.user_id, of_table=draft.of_table, record_id=draft.record_id)
