"""The users tab of the back office: all users with their roles, which admins can change."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

import reflex as rx
from sqlmodel import Session

from ...admin import texts as admin_texts
from ...admin.components import controls
from ...admin.components.address import filter_select, search_box
from ...admin.components.dialog import NEW
from ...admin.components.elements import badge
from ...admin.components.row_actions import title_link
from ...admin.components.table import Column, data_table, email_text, list_head, list_tools, nothing_yet
from ...admin.csv.export_state import ExportState, export_button
from ...admin.current_user import may_have_role
from ...admin.list_state import ListReplies, ListState
from ...admin.shell import with_help
from ...base import messages, paths
from ...base.permissions import Actor, Role
from ...records.csv_export import CsvList
from ...records.listing import ListPage, ListQuery
from ...ui.icons import icon
from ...ui.local_time import local_time
from ..invitations import texts as invitation_words
from ..invitations.state import INVITE
from . import service
from .account_actions import AccountActions, account_menu, role_choice
from .export import USERS_CSV
from .service import UserRow

ICONS = {Role.ADMIN: "shield", Role.MANAGER: "people", Role.EMPLOYEE: "person"}


class UserTabState(AccountActions, ExportState, ListState, rx.State):
    """One page of the users who have a role."""

    rows: list[UserRow] = []

    texts: ClassVar[ListReplies] = ListReplies(list_failed=messages.USERS_FETCH_FAILED)
    filters: ClassVar[Mapping[str, str]] = MappingProxyType({"filter": admin_texts.USERS_FILTER})
    csv: ClassVar[CsvList] = USERS_CSV

    def _find(self, session: Session, actor: Actor, query: ListQuery) -> ListPage[UserRow]:
        return service.list_users(session, actor, query)


def users_tab() -> rx.Component:
    """The tab: head, search and filter, table. Only admins change roles, and see who uses their account."""
    is_admin = may_have_role(Role.ADMIN)
    return rx.fragment(
        list_head(
            admin_texts.USERS_TITLE,
            with_help(
                rx.cond(is_admin, admin_texts.USERS_TEXT, admin_texts.USERS_TEXT_READ_ONLY), paths.admin_tab("users")
            ),
            export_button(UserTabState),
            rx.cond(is_admin, _invitation_links()),
        ),
        list_tools(
            search_box(label=admin_texts.USERS_SEARCH),
            filter_select(admin_texts.USERS_FILTER, {"": admin_texts.USERS_ALL} | admin_texts.ROLES),
        ),
        rx.cond(is_admin, _table(*ADMIN_COLUMNS), _table(*COLUMNS)),
    )


def _invitation_links() -> rx.Component:
    """The links to the open invitations, and to the dialog that invites people."""
    invite = f"{paths.ADMIN_INVITATIONS}?{INVITE}={NEW}"
    return rx.fragment(
        controls.button_link(invitation_words.TITLE, href=paths.ADMIN_INVITATIONS, variant="outline"),
        controls.button_link(icon("plus", class_name="icon-small"), invitation_words.INVITE, href=invite),
    )


def _table(*columns: Column) -> rx.Component:
    return data_table(
        UserTabState,
        columns,
        label=admin_texts.USERS_TITLE,
        empty=nothing_yet(admin_texts.USERS_EMPTY_TITLE, admin_texts.USERS_EMPTY_TEXT),
    )


def _name(row: UserRow) -> rx.Component:
    nameless = rx.el.span(messages.USER_NAME_MISSING, class_name="backoffice-muted")
    return rx.cond(row.name != "", rx.el.span(row.name, class_name="cell-title"), nameless)


def _name_for_admins(row: UserRow) -> rx.Component:
    name = rx.cond(row.name != "", row.name, messages.USER_NAME_MISSING)
    mark = badge(admin_texts.DEACTIVATED, variant="subtle", class_name="status-other")
    link = title_link(name, paths.person_page(row.id))
    return rx.el.div(link, rx.cond(row.is_deactivated, mark), class_name="cell-badged")


def _role(row: UserRow) -> rx.Component:
    variants = rx.match(row.role, (Role.ADMIN.value, "outline"), (Role.MANAGER.value, "solid"), "subtle")
    icons = [(role.value, icon(name, class_name="icon-small")) for role, name in ICONS.items()]
    return badge(rx.match(row.role, *icons, icon("person")), row.role, variant=variants, class_name="role-badge")


def _confirmed(row: UserRow) -> rx.Component:
    return rx.cond(
        row.is_confirmed, admin_texts.CONFIRMED_YES, rx.el.span(admin_texts.CONFIRMED_NO, class_name="backoffice-muted")
    )


def _signed_in(row: UserRow) -> rx.Component:
    never = rx.el.span(admin_texts.NEVER, class_name="backoffice-muted")
    return rx.cond(row.signed_in != "", local_time(at=row.signed_in, is_short=True), never)


_USER = Column(admin_texts.USER, _name, sort="name", is_main=True)
_EMAIL = Column(admin_texts.EMAIL, lambda row: email_text(row.email), sort="email")
_SINCE = Column(
    admin_texts.MEMBER_SINCE,
    lambda row: local_time(at=row.since, is_short=True),
    sort="created",
    standard="descending",
    is_numeric=True,
)
COLUMNS = (_USER, _EMAIL, Column(admin_texts.ROLE, _role, sort="role"), _SINCE)
ADMIN_COLUMNS = (
    Column(admin_texts.USER, _name_for_admins, sort="name", is_main=True),
    _EMAIL,
    Column(admin_texts.ROLE, lambda row: role_choice(UserTabState, row), sort="role"),
    _SINCE,
    Column(admin_texts.CONFIRMED, _confirmed, sort="confirmed"),
    Column(admin_texts.LAST_SIGNED_IN, _signed_in, sort="signed_in", is_numeric=True),
    Column(admin_texts.ACTIONS, lambda row: account_menu(UserTabState, row), is_actions=True),
)
