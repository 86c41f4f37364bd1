"""Lists, reads, marks, deletes and exports enquiries, for staff."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa
from sqlmodel import Session

from ..content import messages
from ..content.csv_texts import ENQUIRIES
from ..core.permissions import Action, Actor, require
from ..core.text import iso_text, one_line
from ..db.database import now
from ..observability.audit_log import Act
from ..records import activity
from ..records.csv_export import CsvList
from ..records.listing import ListOptions, ListQuery, Page, matching, paginate
from ..records.saving import delete as delete_record
from ..records.saving import gone, load
from . import admin_texts as words
from .models import Enquiry, columns
from .texts import STAGES

NEW_ONLY = "new"
HANDLED_ONLY = "handled"
EXCERPT = 160
MOST_EXPORTED = 5_000
# Mail programs truncate longer mailto URLs. A non-ASCII letter takes up to twelve characters.
LONGEST_REPLY = 2_000
QUOTED = (1_200, 600, 300, 150, 0)

LIST_OPTIONS = ListOptions(
    searched=(columns.first_name, columns.last_name, columns.email, columns.company, columns.message),
    sorts={
        "received": columns.created_at,
        "name": sa.func.lower(columns.first_name),
        "company": sa.func.lower(columns.company),
        "stage": columns.stage,
    },
    default=(columns.created_at.desc(), columns.id.desc()),
    id=columns.id,
)
FILTERS = {NEW_ONLY: columns.handled_at.is_(None), HANDLED_ONLY: columns.handled_at.is_not(None)}
STAGE_LABELS = {option.value: option.label for option in STAGES}


@dataclass(frozen=True)
class EnquiryRow:
    """An enquiry as the back office lists it; times are ISO texts in UTC."""

    id: int = 0
    name: str = ""
    email: str = ""
    company: str = ""
    stage: str = ""
    excerpt: str = ""
    received: str = ""
    is_new: bool = False


@dataclass(frozen=True)
class EnquiryView:
    """One enquiry as staff read it. `reply` is a mailto URL with a drafted answer; `handled` is empty while new."""

    id: int = 0
    name: str = ""
    email: str = ""
    company: str = ""
    stage: str = ""
    message: str = ""
    received: str = ""
    handled: str = ""
    reply: str = ""


def list_admin(session: Session, actor: Actor, query: ListQuery) -> Page[EnquiryRow]:
    """One page of enquiries without their full messages, newest first unless sorted otherwise."""
    require(actor, Action.MANAGE_ENQUIRIES)
    statement = _filtered(
        sa.select(
            columns.id,
            columns.first_name,
            columns.last_name,
            columns.email,
            columns.company,
            columns.stage,
            sa.func.substr(columns.message, 1, EXCERPT).label("excerpt"),
            columns.created_at,
            columns.handled_at,
        ),
        query,
    )
    rows, total, page, pages = paginate(session, statement, query, LIST_OPTIONS)
    return Page(tuple(_row(row) for row in rows), total, page, pages, query.size)


def count_new(session: Session, actor: Actor) -> int:
    """The number of new enquiries."""
    require(actor, Action.MANAGE_ENQUIRIES)
    new = sa.select(sa.func.count()).select_from(columns.id.table).where(FILTERS[NEW_ONLY])
    return int(session.execute(new).scalar_one())


def get(session: Session, actor: Actor, enquiry_id: object) -> EnquiryView:
    """Read one enquiry; raises `NotFound` if there is none."""
    require(actor, Action.MANAGE_ENQUIRIES)
    enquiry = load(session, Enquiry, enquiry_id, messages.ENQUIRY_FETCH_FAILED)
    assert enquiry.id is not None
    return EnquiryView(
        id=enquiry.id,
        name=_name(enquiry),
        email=enquiry.email,
        company=enquiry.company,
        stage=STAGE_LABELS.get(enquiry.stage, ""),
        message=enquiry.message,
        received=iso_text(enquiry.created_at),
        handled=iso_text(enquiry.handled_at),
        reply=reply_link(enquiry),
    )


def set_handled(session: Session, actor: Actor, enquiry_id: object, is_handled: bool) -> None:
    """Mark an enquiry as handled or as new; the time of the first marking is kept."""
    require(actor, Action.MANAGE_ENQUIRIES)
    enquiry = load(session, Enquiry, enquiry_id, gone(messages.ENQUIRY_UPDATE_FAILED))
    if is_handled != bool(enquiry.handled_at):
        enquiry.handled_at = now() if is_handled else None
        _note(session, Act.ENQUIRY_HANDLED if is_handled else Act.ENQUIRY_REOPENED, actor, enquiry)


def delete(session: Session, actor: Actor, enquiry_id: object) -> None:
    """Delete an enquiry; raises `NotFound` if it was already deleted."""
    require(actor, Action.MANAGE_ENQUIRIES)
    enquiry = load(session, Enquiry, enquiry_id, gone(messages.ENQUIRY_DELETE_FAILED))
    _note(session, Act.ENQUIRY_DELETED, actor, enquiry)
    delete_record(session, enquiry, actor)


def _note(session: Session, act: Act, actor: Actor, enquiry: Enquiry) -> None:
    """Log an act by the enquiry's number, because the visitor's name must be deleted with the enquiry."""
    number, table = enquiry.id, columns.id.table.name
    activity.note(session, act, f"enquiry {number}", by=actor.user_id, of_table=table, record_id=number)


def reply_link(enquiry: Enquiry) -> str:
    """A mailto URL to the visitor with subject, greeting, and as much of the message as fits."""
    links = (_reply_link(enquiry, length) for length in QUOTED)
    return next((link for link in links if len(link) <= LONGEST_REPLY), f"mailto:{quote(enquiry.email, safe='@')}")


def _reply_link(enquiry: Enquiry, length: int) -> str:
    message = enquiry.message
    shown = message[:length] + ("..." if len(message) > length else "")
    quoted = "\n".join(f"> {line}" for line in shown.split("\n"))
    body = f"{words.REPLY_GREETING.format(name=enquiry.first_name)}\n\n\n\n{quoted}\n".replace("\n", "\r\n")
    return f"mailto:{quote(enquiry.email, safe='@')}?subject={quote(words.REPLY_SUBJECT)}&body={quote(body)}"


def _filtered(statement: sa.Select[Any], query: ListQuery) -> sa.Select[Any]:
    return statement.where(FILTERS[query.filter]) if query.filter in FILTERS else statement


def _row(row: sa.Row[Any]) -> EnquiryRow:
    return EnquiryRow(
        id=row.id,
        name=_name(row),
        email=row.email,
        company=row.company,
        stage=STAGE_LABELS.get(row.stage, ""),
        excerpt=one_line(row.excerpt),
        received=iso_text(row.created_at),
        is_new=row.handled_at is None,
    )


def _cells(row: sa.Row[Any]) -> tuple[str, ...]:
    return (
        iso_text(row.created_at),
        row.first_name,
        row.last_name,
        row.email,
        row.company,
        STAGE_LABELS.get(row.stage, ""),
        row.message,
        iso_text(row.handled_at),
    )


def _exported_ids(_actor: Actor, query: ListQuery) -> sa.Select[Any]:
    """The newest enquiries that match, independent of the order of the list."""
    found = matching(_filtered(sa.select(columns.id), query), query, LIST_OPTIONS)
    return found.order_by(*LIST_OPTIONS.default).limit(MOST_EXPORTED)


CSV = CsvList(
    name="enquiries",
    texts=ENQUIRIES,
    action=Action.MANAGE_ENQUIRIES,
    head=words.EXPORT_HEAD,
    ids=_exported_ids,
    rows=sa.select(*columns),
    id=columns.id,
    cells=_cells,
)


def _name(enquiry: Any) -> str:
    return f"{enquiry.first_name} {enquiry.last_name}".strip()
