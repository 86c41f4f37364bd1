"""`/admin/activity`: who did what to which record, and when."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

import reflex as rx
import sqlalchemy as sa
from sqlmodel import Session

from ...base import messages, paths
from ...base.observability.audit_log import AnyAuditEvent, AuditEvent
from ...base.permissions import Actor, AnyAction, Role
from ...base.text import capitalised, listed
from ...base.times import iso_text
from ...records import activity_list
from ...records.activity_list import SINCE, WHO, ActivityLine
from ...records.csv_export import CsvList
from ...records.features import features, record_types
from ...records.listing import ListPage, ListQuery
from ...ui.icons import icon
from ...ui.local_time import local_time
from ..components.address import address_link, filter_select, search_box
from ..components.row_actions import title_link
from ..components.table import Column, data_table, list_tools, nothing_yet, person_text
from ..content import content
from ..csv.export_state import ExportState, export_button
from ..current_user import has_role, may_have_role
from ..list_state import ListReplies, ListState
from ..shell import list_page
from . import texts as activity_texts


def tables() -> Mapping[str, AnyAction]:
    """The tables of which managers see what was done, with the action that manages their rows."""
    return {findable.table: findable.action for findable in content()}


ACTIVITY_CSV = activity_list.csv_of_activity(tables)
OTHER_ICON = "person"
ICONS: Mapping[AnyAuditEvent, str] = {
    AuditEvent.CREATED: "plus",
    AuditEvent.SAVED: "edit",
    AuditEvent.DELETED: "trash",
    AuditEvent.ERASED: "trash",
    AuditEvent.PERSONAL_DATA_ERASED: "trash",
    AuditEvent.RESTORED: "check",
    AuditEvent.DRAFT_SAVED: "edit",
    AuditEvent.DRAFT_SCHEDULED: "clock",
    AuditEvent.DRAFT_PUBLISHED: "eye",
    AuditEvent.COLLEAGUES_DRAFT_PUBLISHED: "eye",
    AuditEvent.DRAFT_DISCARDED: "trash",
    AuditEvent.DRAFT_BLOCKED: "alert",
    AuditEvent.PREVIEW_SHARED: "link",
    AuditEvent.PREVIEW_REVOKED: "ban",
    AuditEvent.EXPORTED: "download",
    AuditEvent.IMPORTED: "upload",
    AuditEvent.PICTURE_ADDED: "upload",
    AuditEvent.PICTURE_CHANGED: "edit",
    AuditEvent.PICTURE_DELETED: "trash",
    AuditEvent.ROLE_CHANGED: "shield",
    AuditEvent.MAIL_SENT_AGAIN: "mail",
    AuditEvent.SIGNED_OUT: "logout",
    AuditEvent.DEVICES_SIGNED_OUT: "logout",
    AuditEvent.FACTOR_ADDED: "shield",
    AuditEvent.FACTOR_REMOVED: "shield",
    AuditEvent.FACTORS_RESET: "shield",
    AuditEvent.FACTOR_FAILED: "alert",
    AuditEvent.RECOVERY_CODE_USED: "alert",
    AuditEvent.SIGN_IN_FAILED: "alert",
    AuditEvent.TOO_MANY_ATTEMPTS: "alert",
    AuditEvent.SESSION_REVOKED: "alert",
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
    record_type: str = ""
    href: str = ""
    network: str = ""


class ActivityState(ExportState, ListState, rx.State):
    """One page of the acts that the user may see."""

    rows: list[ActivityRow] = []

    texts: ClassVar[ListReplies] = ListReplies(list_failed=activity_texts.FAILED)
    filters: ClassVar[Mapping[str, str]] = MappingProxyType(
        {"filter": activity_texts.KIND, WHO: activity_texts.WHO, SINCE: activity_texts.SINCE}
    )
    csv: ClassVar[CsvList] = ACTIVITY_CSV

    def _find(self, session: Session, actor: Actor, query: ListQuery) -> ListPage[ActivityRow]:
        return list_rows(session, actor, query)

    def _current_choices(self, session: Session, actor: Actor) -> tuple[int, dict[str, list[str]]]:
        # The names do not follow the content version.
        return -1, {WHO: activity_list.names(session, actor)}


def list_rows(session: Session, actor: Actor, query: ListQuery) -> ListPage[ActivityRow]:
    """One page of acts, each with a link to its record."""
    events = activity_list.list_activity(session, actor, tables(), query)
    forms = _forms(session, events.rows)
    rows = tuple(_row(line, forms) for line in events.rows)
    return ListPage(rows, events.total, events.page, events.pages, events.size, events.is_more)


def _forms(session: Session, lines: Iterable[ActivityLine]) -> dict[tuple[str, int], str]:
    """The addresses of the records of these acts that still exist; a statement per table."""
    ids: dict[str, set[int]] = {}
    for line in lines:
        ids.setdefault(line.of_table, set()).add(line.record_id)
    forms: dict[tuple[str, int], str] = {}
    for findable in content():
        if record_ids := ids.get(findable.table):
            records = sa.select(findable.options.id, *findable.columns).where(findable.options.id.in_(record_ids))
            forms |= {(findable.table, row.id): findable.href(row) for row in session.execute(records)}
    return forms


def icons() -> dict[AnyAuditEvent, str]:
    """The icons of the acts; any other has `OTHER_ICON`."""
    return {**ICONS, **{act: name for group in features().audit_events for act, name in group.icons.items()}}


def _row(line: ActivityLine, forms: Mapping[tuple[str, int], str]) -> ActivityRow:
    record_type = record_types().get(line.of_table) if line.record_id else None
    href = forms.get((line.of_table, line.record_id), "")
    if record_type and not href and line.audit_event != AuditEvent.ERASED:
        href = paths.history_page(line.of_table, line.record_id)
    of_site = {findable.table for findable in features().findables}
    image = icons().get(line.audit_event, OTHER_ICON) if line.audit_event else OTHER_ICON
    name = line.subject or (f"{record_type.title} {line.record_id}" if record_type else "")
    return ActivityRow(
        id=line.id,
        at=iso_text(line.at),
        who=line.by_name,
        what=str(line.audit_event or activity_texts.OTHER_ACT),
        icon=image,
        is_warning=image == "alert",
        name=capitalised(name) if line.record_id and line.of_table in of_site else name,
        record_type=record_type.title if record_type and line.audit_event != AuditEvent.ERASED else "",
        href=href,
        network=line.network,
    )


def categories() -> dict[str, str]:
    """The options of the filter by kind."""
    (first, label), (records, records_label), *others = activity_texts.CATEGORIES.items()
    of_site = {group.name: group.label for group in features().audit_events}
    return {first: label, records: records_label, **of_site, **dict(others)}


def activity_page() -> rx.Component:
    """The page: head, search and filters, table."""
    state = ActivityState
    text = rx.cond(
        may_have_role(Role.ADMIN),
        activity_texts.TEXT_ALL,
        rx.cond(
            may_have_role(Role.MANAGER),
            activity_texts.TEXT_CONTENT.format(records=listed(("records", *features().others))),
            activity_texts.TEXT_OWN,
        ),
    )
    choices: Any = state.choices
    who = filter_select(activity_texts.WHO, {"": activity_texts.WHO_ALL}, name=WHO, values=choices[WHO])
    return list_page(
        activity_texts.TITLE,
        text,
        list_tools(
            search_box(label=activity_texts.SEARCH),
            filter_select(activity_texts.KIND, categories()),
            rx.cond(may_have_role(Role.ADMIN, Role.MANAGER), who),
            filter_select(activity_texts.SINCE, activity_texts.SPANS, name=SINCE),
        ),
        data_table(
            state,
            COLUMNS,
            label=activity_texts.TITLE,
            empty=nothing_yet(activity_texts.EMPTY_TITLE, activity_texts.EMPTY_TEXT),
        ),
        at=paths.ADMIN_ACTIVITY,
        actions=(export_button(state),),
    )


def _what(row: ActivityRow) -> rx.Component:
    images = [(name, icon(name)) for name in sorted({*icons().values()})]
    return rx.el.span(
        rx.match(row.icon, *images, icon(OTHER_ICON)),
        row.what,
        class_name=rx.cond(row.is_warning, "cell-act is-warning", "cell-act"),
    )


def _which(row: ActivityRow) -> rx.Component:
    name = rx.cond(row.href != "", title_link(row.name, row.href), rx.el.span(person_text(row.name), title=row.name))
    record_type = rx.cond(row.record_type != "", rx.el.p(row.record_type, class_name="cell-note"))
    return rx.cond(row.name != "", rx.el.div(name, record_type, class_name="cell-name cell-which"))


def _network(row: ActivityRow) -> rx.Component:
    return rx.el.span(row.network, class_name="cell-short")


def _who(row: ActivityRow) -> rx.Component:
    name = person_text(row.who)
    only = address_link(name, change={WHO: row.who}, title=f"{activity_texts.ONLY} {row.who}", class_name="cell-filter")
    name_or_link = rx.cond(has_role(Role.ADMIN, Role.MANAGER), only, name)
    return rx.cond(row.who != "", name_or_link, rx.el.span(messages.SYSTEM, class_name="backoffice-muted"))


COLUMNS = (
    Column(activity_texts.WHAT, _what, is_main=True),
    Column(activity_texts.WHICH, _which),
    Column(activity_texts.WHO_DID, _who),
    Column(activity_texts.NETWORK, lambda row: rx.cond(row.network != "", _network(row))),
    Column(activity_texts.WHEN, lambda row: local_time(at=row.at), sort="when", standard="descending", is_numeric=True),
)
