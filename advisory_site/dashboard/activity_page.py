"""`/admin/activity`: who did what to which record, and when."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

import reflex as rx
import sqlalchemy as sa
from sqlmodel import Session

from ..accounts.session_state import has_role
from ..backoffice.export_state import ExportState, export_button
from ..backoffice.list_state import ListReplies, ListState
from ..backoffice.shell import list_page
from ..content import messages
from ..core import routes
from ..core.permissions import Action, Actor, Role
from ..core.text import iso_text
from ..enquiries.models import columns as enquiries
from ..media.models import columns as media
from ..observability.audit_log import Act
from ..records import activity_list
from ..records.activity_list import SINCE, WHO, ActivityLine
from ..records.csv_export import CsvList
from ..records.listing import ListQuery, Page
from ..ui.backoffice.address import address_link, filter_select, search_box
from ..ui.backoffice.row_actions import title_link
from ..ui.backoffice.table import Column, data_table, email_text, list_tools, nothing_yet
from ..ui.icons import icon
from ..ui.local_time import local_time
from . import activity_texts as words
from .record_types import RECORD_TYPES

ENQUIRIES, MEDIA = enquiries.id.table.name, media.id.table.name
TABLES: Mapping[str, Action] = MappingProxyType(
    {name: kind.action for name, kind in RECORD_TYPES.items()}
    | {ENQUIRIES: Action.MANAGE_ENQUIRIES, MEDIA: Action.MANAGE_MEDIA}
)
ACTIVITY_CSV = activity_list.csv_of_activity(TABLES)
OTHER_ICON = "person"
ICONS = {
    Act.CREATED: "plus",
    Act.SAVED: "edit",
    Act.DELETED: "trash",
    Act.ERASED: "trash",
    Act.PERSONAL_DATA_ERASED: "trash",
    Act.RESTORED: "check",
    Act.ENQUIRY_HANDLED: "check",
    Act.ENQUIRY_REOPENED: "mail",
    Act.ENQUIRY_DELETED: "trash",
    Act.EXPORTED: "download",
    Act.IMPORTED: "upload",
    Act.PICTURE_ADDED: "upload",
    Act.PICTURE_CHANGED: "edit",
    Act.PICTURE_DELETED: "trash",
    Act.ROLE_CHANGED: "shield",
    Act.MAIL_SENT_AGAIN: "mail",
    Act.SIGNED_OUT: "logout",
    Act.DEVICES_SIGNED_OUT: "logout",
    Act.FACTOR_ADDED: "shield",
    Act.FACTOR_REMOVED: "shield",
    Act.FACTORS_RESET: "shield",
    Act.FACTOR_FAILED: "alert",
    Act.RECOVERY_CODE_USED: "alert",
    Act.SIGN_IN_FAILED: "alert",
    Act.TOO_MANY_ATTEMPTS: "alert",
    Act.SESSION_REVOKED: "alert",
}


@dataclass(frozen=True)
class ActivityRow:
    """An act as the list shows it. `href` is where its record is, or its history; empty if there is neither."""

    id: int = 0
    at: str = ""
    who: str = ""
    what: str = ""
    icon: str = ""
    is_warning: bool = False
    name: str = ""
    kind: str = ""
    href: str = ""
    network: str = ""


class ActivityState(ExportState, ListState, rx.State):
    """One page of the acts that the user may see."""

    rows: list[ActivityRow] = []

    texts: ClassVar[ListReplies] = ListReplies(list_failed=words.FAILED)
    filters: ClassVar[Mapping[str, str]] = MappingProxyType({"filter": words.KIND, WHO: words.WHO, SINCE: words.SINCE})
    csv: ClassVar[CsvList] = ACTIVITY_CSV

    def _find(self, session: Session, actor: Actor, query: ListQuery) -> Page[ActivityRow]:
        return list_rows(session, actor, query)

    def _current_choices(self, session: Session, actor: Actor) -> tuple[int, dict[str, list[str]]]:
        # The names do not follow the content version.
        return -1, {WHO: activity_list.names(session, actor)}


def list_rows(session: Session, actor: Actor, query: ListQuery) -> Page[ActivityRow]:
    """One page of acts, each with a link to its record."""
    found = activity_list.list_activity(session, actor, TABLES, query)
    forms = _forms(session, found.rows)
    rows = tuple(_row(line, forms) for line in found.rows)
    return Page(rows, found.total, found.page, found.pages, found.size, found.is_more)


def _forms(session: Session, lines: Iterable[ActivityLine]) -> dict[tuple[str, int], str]:
    """The addresses of the records of these acts that still exist; a statement per table."""
    ids: dict[str, set[int]] = {}
    for line in lines:
        ids.setdefault(line.of_table, set()).add(line.record_id)
    forms: dict[tuple[str, int], str] = {}
    for table, kind in RECORD_TYPES.items():
        if wanted := ids.get(table):
            records = sa.select(kind.columns.id, kind.columns.slug).where(kind.columns.id.in_(wanted))
            forms |= {(table, row.id): kind.form_page(row.id, row.slug) for row in session.execute(records)}
    if wanted := ids.get(ENQUIRIES):
        for number in session.execute(sa.select(enquiries.id).where(enquiries.id.in_(wanted))).scalars():
            forms[ENQUIRIES, number] = f"{routes.ADMIN_ENQUIRIES}?open={number}"
    if wanted := ids.get(MEDIA):
        for number in session.execute(sa.select(media.id).where(media.id.in_(wanted))).scalars():
            forms[MEDIA, number] = routes.picture_page(number)
    return forms


def _row(line: ActivityLine, forms: Mapping[tuple[str, int], str]) -> ActivityRow:
    kind = RECORD_TYPES.get(line.of_table) if line.record_id else None
    href = forms.get((line.of_table, line.record_id), "")
    if kind and not href and line.act != Act.ERASED:
        href = routes.history_page(line.of_table, line.record_id)
    image = ICONS.get(line.act, OTHER_ICON) if line.act else OTHER_ICON
    name = line.subject or (f"{kind.title} {line.record_id}" if kind else "")
    return ActivityRow(
        id=line.id,
        at=iso_text(line.at),
        who=line.by_name,
        what=str(line.act or words.OTHER_ACT),
        icon=image,
        is_warning=image == "alert",
        name=name[:1].upper() + name[1:] if line.of_table == ENQUIRIES and line.record_id else name,
        kind=kind.title if kind and line.act != Act.ERASED else "",
        href=href,
        network=line.network,
    )


def activity_page() -> rx.Component:
    """The page: back link, head, search and filters, table."""
    state = ActivityState
    text = rx.cond(
        has_role(Role.ADMIN), words.TEXT_ALL, rx.cond(has_role(Role.MANAGER), words.TEXT_CONTENT, words.TEXT_OWN)
    )
    choices: Any = state.choices
    who = filter_select(words.WHO, {"": words.WHO_ALL}, name=WHO, values=choices[WHO])
    return list_page(
        words.TITLE,
        text,
        list_tools(
            search_box(label=words.SEARCH),
            filter_select(words.KIND, words.KINDS),
            rx.cond(has_role(Role.ADMIN, Role.MANAGER), who),
            filter_select(words.SINCE, words.SPANS, name=SINCE),
        ),
        data_table(
            state,
            COLUMNS,
            label=words.TITLE,
            empty=nothing_yet(words.EMPTY_TITLE, words.EMPTY_TEXT),
        ),
        actions=(export_button(state),),
    )


def _what(row: ActivityRow) -> rx.Component:
    images = [(name, icon(name)) for name in sorted({*ICONS.values()})]
    return rx.el.span(
        rx.match(row.icon, *images, icon(OTHER_ICON)),
        row.what,
        class_name=rx.cond(row.is_warning, "cell-act is-warning", "cell-act"),
    )


def _which(row: ActivityRow) -> rx.Component:
    name = rx.cond(row.href != "", title_link(row.name, row.href), rx.el.span(row.name, title=row.name))
    kind = rx.cond(row.kind != "", rx.el.p(row.kind, class_name="cell-note"))
    return rx.cond(row.name != "", rx.el.div(name, kind, class_name="cell-name cell-which"))


def _network(row: ActivityRow) -> rx.Component:
    return rx.el.span(row.network, class_name="cell-short")


def _who(row: ActivityRow) -> rx.Component:
    who: Any = row.who
    name = rx.cond(who.contains("@"), email_text(who), who)
    only = address_link(name, change={WHO: row.who}, title=f"{words.ONLY} {row.who}", class_name="cell-filter")
    shown = rx.cond(has_role(Role.ADMIN, Role.MANAGER), only, rx.el.span(name))
    return rx.cond(row.who != "", shown, rx.el.span(messages.SYSTEM, class_name="backoffice-muted"))


COLUMNS = (
    Column(words.WHAT, _what, is_main=True),
    Column(words.WHICH, _which),
    Column(words.WHO_DID, _who),
    Column(words.NETWORK, lambda row: rx.cond(row.network != "", _network(row))),
    Column(words.WHEN, lambda row: local_time(at=row.at), sort="when", standard="descending", is_numeric=True),
)
