"""Reads what the page of one enquiry shows: the message, what was done with it, and what can be done."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

import sqlalchemy as sa
from sqlmodel import Session

from sitekit.base.db.database import now
from sitekit.base.mail.models import columns as outgoing
from sitekit.base.permissions import Actor, require
from sitekit.base.text import in_brief, is_mailable, one_line
from sitekit.base.times import date_text, iso_text
from sitekit.records.activity import name_of, own_name_of
from sitekit.records.saving import load

from ...permissions import SiteAction
from .. import admin_texts, mails, messages, owners, spam
from .. import desk_texts as texts
from ..models import Enquiry, EnquiryEntry, EntryCategory, columns, entries
from .inbox import next_step
from .service import may_remove

# Mail programs truncate longer mailto URLs. A non-ASCII letter takes up to twelve characters.
LONGEST_LINK = 2_000
QUOTED = (1_200, 600, 300, 150, 0)
MOST_OTHERS = 10
EXCERPT = 80


@dataclass(frozen=True)
class EntryView:
    """One entry: who, what and when (ISO text in UTC).

    `delivery` is that of a mail: "sending", "sent" since `sent`, or because of `failure` "retrying" or "failed".
    """

    id: int = 0
    category: str = ""
    who: str = ""
    at: str = ""
    text: str = ""
    delivery: str = ""
    sent: str = ""
    failure: str = ""
    may_remove: bool = False
    is_removed: bool = False


@dataclass(frozen=True)
class OtherEnquiry:
    """Another enquiry from the same address."""

    id: int = 0
    excerpt: str = ""
    received: str = ""
    state: str = ""


@dataclass(frozen=True)
class Choice:
    """A person to choose as the owner."""

    id: str = ""
    name: str = ""


@dataclass(frozen=True)
class EnquiryView:
    """One enquiry as staff read it; times are ISO texts in UTC, `due` is in words.

    `mail_link` is a mailto URL with an answer that is begun, `suggested_reply` the beginning and end of a reply that is
    sent from here, `newest_entry` what the reader has seen. `until` is the date on which a waiting one is open again.
    """

    id: int = 0
    name: str = ""
    email: str = ""
    company: str = ""
    stage: str = ""
    message: str = ""
    received: str = ""
    handled: str = ""
    state: str = ""
    owner: int = 0
    owner_name: str = ""
    due: str = ""
    is_overdue: bool = False
    until: str = ""
    source_path: str = ""
    source_host: str = ""
    reasons: tuple[str, ...] = ()
    thread: tuple[EntryView, ...] = ()
    others: tuple[OtherEnquiry, ...] = ()
    people: tuple[Choice, ...] = ()
    mail_link: str = ""
    suggested_reply: str = ""
    newest_entry: int = 0
    can_be_mailed: bool = False
    can_sign: bool = False
    is_mine: bool = False


def view(session: Session, actor: Actor, enquiry_id: object) -> EnquiryView:
    """Read one enquiry; raises `NotFound` if there is none."""
    require(actor, SiteAction.READ_ENQUIRIES)
    enquiry = load(session, Enquiry, enquiry_id, messages.ENQUIRY_FETCH_FAILED)
    assert enquiry.id is not None
    due, is_overdue = next_step(enquiry, now())
    read = sa.select(EnquiryEntry).where(entries.enquiry_id == enquiry.id).order_by(entries.id)
    rows = session.execute(read).scalars().all()
    problems = _problems(session, rows)
    shown = tuple(_entry(entry, actor, *problems.get(entry.mail_id, ("failed", entry.failure))) for entry in rows)
    names = sa.select(own_name_of(actor.user_id), name_of(enquiry.owner_id or 0))
    own_name, owner_name = session.execute(names).one()
    return EnquiryView(
        id=enquiry.id,
        name=mails.full_name(enquiry),
        email=enquiry.email,
        company=enquiry.company,
        stage=mails.STAGE_LABELS.get(enquiry.stage, ""),
        message=enquiry.message,
        received=iso_text(enquiry.created_at),
        handled=iso_text(enquiry.handled_at),
        state=enquiry.state,
        owner=enquiry.owner_id or 0,
        owner_name=owner_name,
        due=due,
        is_overdue=is_overdue,
        until=date_text(enquiry.waiting_until) if enquiry.waiting_until else "",
        source_path=enquiry.source_path,
        source_host=enquiry.source_host,
        reasons=tuple(spam.in_words(enquiry.reasons)),
        thread=shown,
        others=_others(session, enquiry),
        people=tuple(Choice(str(number), name) for number, name in owners.people(session)),
        mail_link=mail_link(enquiry),
        suggested_reply=texts.suggested_reply(enquiry.first_name, own_name),
        newest_entry=shown[-1].id if shown else 0,
        can_be_mailed=is_mailable(enquiry.email),
        can_sign=bool(own_name),
        is_mine=enquiry.owner_id == actor.user_id,
    )


def _problems(session: Session, rows: Sequence[EnquiryEntry]) -> dict[str, tuple[str, str]]:
    """Whether mails are tried again or will not be sent, as after a backup was restored, and why, by their ids."""
    pending = [entry.mail_id for entry in rows if entry.mail_id and not (entry.sent_at or entry.failure)]
    tried = sa.select(outgoing.message_id, outgoing.last_error, outgoing.given_up_at).where(
        outgoing.message_id.in_(pending), sa.or_(outgoing.given_up_at.is_not(None), outgoing.attempts > 0)
    )
    found = session.execute(tried) if pending else ()
    return {row.message_id: ("failed" if row.given_up_at else "retrying", row.last_error) for row in found}


def _entry(entry: EnquiryEntry, actor: Actor, problem: str, failure: str) -> EntryView:
    delivery = (problem if failure else "sent" if entry.sent_at else "sending") if entry.mail_id else ""
    is_acknowledgement = entry.category == EntryCategory.CHANGE and delivery
    return EntryView(
        id=entry.id or 0,
        category=entry.category,
        who=entry.by_name,
        at=iso_text(entry.at),
        text=texts.ACKNOWLEDGEMENT[delivery] if is_acknowledgement else entry.text,
        delivery=delivery,
        sent=iso_text(entry.sent_at),
        failure=failure,
        may_remove=may_remove(entry, actor),
        is_removed=entry.removed_at is not None,
    )


def _others(session: Session, enquiry: Enquiry) -> tuple[OtherEnquiry, ...]:
    """The newest other enquiries from the same address, in any case."""
    excerpt = sa.func.substr(columns.message, 1, EXCERPT + 1).label("excerpt")
    same = sa.select(columns.id, columns.created_at, columns.state, excerpt).where(
        sa.func.lower(columns.email) == enquiry.email.lower(), columns.id != enquiry.id
    )
    rows = session.execute(same.order_by(columns.created_at.desc(), columns.id.desc()).limit(MOST_OTHERS))
    return tuple(
        OtherEnquiry(
            row.id, in_brief(one_line(row.excerpt), EXCERPT), iso_text(row.created_at), admin_texts.STATES[row.state]
        )
        for row in rows
    )


def mail_link(enquiry: Enquiry) -> str:
    """A mailto URL to the visitor with subject, greeting, and as much of the message as fits."""
    links = (_mail_link(enquiry, length) for length in QUOTED)
    return next((link for link in links if len(link) <= LONGEST_LINK), f"mailto:{quote(enquiry.email, safe='@')}")


def _mail_link(enquiry: Enquiry, length: int) -> str:
    quoted = "\n".join(f"> {line}" for line in in_brief(enquiry.message, length).split("\n"))
    body = f"{texts.GREETING.format(name=enquiry.first_name)}\n\n\n\n{quoted}\n".replace("\n", "\r\n")
    subject = f"Re: {mails.SUBJECT}"
    return f"mailto:{quote(enquiry.email, safe='@')}?subject={quote(subject)}&body={quote(body)}"
