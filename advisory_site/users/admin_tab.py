"""The users tab of the back office: all users with their roles, which admins can change."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

import reflex as rx
from sqlmodel import Session

from ..accounts import service
from ..accounts.guard import staff_event
from ..accounts.session_state import AuthState, has_role
from ..backoffice.db_calls import write
from ..backoffice.export_state import ExportState, export_button
from ..backoffice.list_state import ListReplies, ListState
from ..content import backoffice as words
from ..content import messages
from ..core import routes
from ..core.permissions import Actor, Role
from ..core.text import iso_text
from ..framework.event_marks import EventReply
from ..records.csv_export import CsvList
from ..records.listing import ListQuery, Page
from ..ui.backoffice.address import filter_select, search_box
from ..ui.backoffice.chakra import button_link, rc
from ..ui.backoffice.confirmed_select import confirmed_select, select_confirmation
from ..ui.backoffice.dialog import NEW
from ..ui.backoffice.row_actions import title_link
from ..ui.backoffice.table import Column, data_table, email_text, list_head, list_tools, nothing_yet
from ..ui.feedback import error_notice, subject_of, success_notice
from ..ui.icons import icon
from ..ui.local_time import local_time
from . import invitation_texts as invitation_words
from .export import USERS_CSV
from .invitation_state import INVITE

ICONS = {Role.ADMIN: "shield", Role.MANAGER: "people", Role.EMPLOYEE: "person"}


@dataclass(frozen=True)
class UserRow:
    """A user as the list shows them; times are ISO texts in UTC."""

    id: int = 0
    name: str = ""
    email: str = ""
    role: str = ""
    since: str = ""
    is_confirmed: bool = False
    signed_in: str = ""
    is_deactivated: bool = False


class UserTabState(ExportState, ListState, rx.State):
    """One page of the users who have a role; `answers` counts the replies to changed roles."""

    rows: list[UserRow] = []
    answers: int = 0

    texts: ClassVar[ListReplies] = ListReplies(list_failed=messages.USERS_FETCH_FAILED)
    filters: ClassVar[Mapping[str, str]] = MappingProxyType({"filter": words.USERS_FILTER})
    csv: ClassVar[CsvList] = USERS_CSV

    def _find(self, session: Session, actor: Actor, query: ListQuery) -> Page[UserRow]:
        page = service.list_users(session, actor, query)
        return Page(tuple(map(_row, page.rows)), page.total, page.page, page.pages, page.size)

    @staff_event
    async def change_role(self, user_id: int, role: str, *, actor: Actor) -> EventReply:
        """Change a user's role and update the list; the service allows it for admins only."""
        subject = subject_of(self, user_id)
        self.answers += 1
        try:
            await write(lambda session: service.change_role(session, actor, user_id, role))
        except Exception as error:
            return [error_notice(error, messages.ROLE_UPDATE_FAILED, subject), *await self._load(actor)]
        return [success_notice(messages.ROLE_UPDATED, subject), *await self._load(actor), AuthState.check_session]

    async def _on_database_down(self, handler: str, error: Exception) -> EventReply:
        if handler == "load":
            return await self._show_load_error(error)
        if handler == "export":
            return error_notice(error, self.csv.texts.failed)
        self.answers += 1
        return error_notice(error, messages.ROLE_UPDATE_FAILED)


def _row(user: service.UserRow) -> UserRow:
    return UserRow(
        id=user.id,
        name=f"{user.first_name} {user.last_name}".strip(),
        email=user.email,
        role=user.role,
        since=iso_text(user.created_at),
        is_confirmed=user.is_confirmed,
        signed_in=iso_text(user.last_signed_in_at),
        is_deactivated=user.is_deactivated,
    )


def users_tab() -> rx.Component:
    """The tab: head, search and filter, table. Only admins change roles, and see who uses their account."""
    is_admin = has_role(Role.ADMIN)
    return rx.fragment(
        list_head(
            words.USERS_TITLE,
            rx.cond(is_admin, words.USERS_TEXT, words.USERS_TEXT_READ_ONLY),
            export_button(UserTabState),
            rx.cond(is_admin, _invitation_links()),
        ),
        list_tools(
            search_box(label=words.USERS_SEARCH),
            filter_select(words.USERS_FILTER, {"": words.USERS_ALL} | words.ROLES),
        ),
        rx.cond(is_admin, _table(*ADMIN_COLUMNS), _table(*COLUMNS)),
    )


def _invitation_links() -> rx.Component:
    """The links to the open invitations, and to the dialog that invites people."""
    invite = f"{routes.ADMIN_INVITATIONS}?{INVITE}={NEW}"
    return rx.fragment(
        button_link(invitation_words.TITLE, href=routes.ADMIN_INVITATIONS, variant="outline"),
        button_link(icon("plus", class_name="icon-small"), invitation_words.INVITE, href=invite),
    )


def _table(*columns: Column) -> rx.Component:
    return data_table(
        UserTabState,
        columns,
        label=words.USERS_TITLE,
        empty=nothing_yet(words.USERS_EMPTY_TITLE, words.USERS_EMPTY_TEXT),
    )


def _name(row: UserRow) -> rx.Component:
    nameless = rx.el.span(messages.USER_NAME_MISSING, class_name="backoffice-muted")
    return rx.cond(row.name != "", rx.el.span(row.name, class_name="cell-title"), nameless)


def _name_for_admins(row: UserRow) -> rx.Component:
    name = rx.cond(row.name != "", row.name, messages.USER_NAME_MISSING)
    badge = rc.badge(words.DEACTIVATED, variant="subtle", class_name="status-other")
    link = title_link(name, routes.person_page(row.id))
    return rx.el.div(link, rx.cond(row.is_deactivated, badge), class_name="cell-badged")


def _role(row: UserRow) -> rx.Component:
    variants = rx.match(row.role, (Role.ADMIN.value, "outline"), (Role.MANAGER.value, "solid"), "subtle")
    icons = [(role.value, icon(name, class_name="icon-small")) for role, name in ICONS.items()]
    return rc.badge(rx.match(row.role, *icons, icon("person")), row.role, variant=variants, class_name="role-badge")


def _role_choice(row: UserRow) -> rx.Component:
    return confirmed_select(
        id=_select_of(row),
        value=row.role,
        options=ROLE_OPTIONS,
        label=f"{words.ROLE_OF} {row.email}",
        answers=UserTabState.answers,
    )


def _role_confirmation(row: UserRow) -> rx.Component:
    admin = Role.ADMIN.value
    leaving = rx.cond(AuthState.user_id == row.id, words.ROLE_OWN_FROM_ADMIN, words.ROLE_FROM_ADMIN)
    note = rx.cond(row.role == admin, leaving, words.ROLE_UNCHANGED)
    return select_confirmation(
        id=_select_of(row),
        options=ROLE_OPTIONS,
        subject=row.email,
        notes={role: words.ROLE_TO_ADMIN if role == admin else note for role in words.ROLES},
        labels={"confirm": words.ROLE_CHANGE, "cancel": words.CANCEL},
        on_confirm=lambda role: UserTabState.change_role(row.id, role),
    )


def _select_of(row: UserRow) -> str:
    return f"role-{row.id}"


def _confirmed(row: UserRow) -> rx.Component:
    return rx.cond(row.is_confirmed, words.CONFIRMED_YES, rx.el.span(words.CONFIRMED_NO, class_name="backoffice-muted"))


def _signed_in(row: UserRow) -> rx.Component:
    never = rx.el.span(words.NEVER, class_name="backoffice-muted")
    return rx.cond(row.signed_in != "", local_time(at=row.signed_in, is_short=True), never)


ROLE_OPTIONS = [list(option) for option in words.ROLES.items()]
_USER = Column(words.USER, _name, sort="name", is_main=True)
_EMAIL = Column(words.EMAIL, lambda row: email_text(row.email), sort="email")
_SINCE = Column(
    words.MEMBER_SINCE,
    lambda row: local_time(at=row.since, is_short=True),
    sort="created",
    standard="descending",
    is_numeric=True,
)
COLUMNS = (_USER, _EMAIL, Column(words.ROLE, _role, sort="role"), _SINCE)
ADMIN_COLUMNS = (
    Column(words.USER, _name_for_admins, sort="name", is_main=True),
    _EMAIL,
    Column(words.ROLE, _role_choice, sort="role"),
    _SINCE,
    Column(words.CONFIRMED, _confirmed, sort="confirmed"),
    Column(words.LAST_SIGNED_IN, _signed_in, sort="signed_in", is_numeric=True),
    Column(words.ACTIONS, _role_confirmation, is_actions=True),
)
