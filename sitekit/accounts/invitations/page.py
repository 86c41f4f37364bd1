"""`/admin/invitations`: the invitations, and the dialog that invites people."""

import reflex as rx

from ...admin import texts as admin_texts
from ...admin.components import controls
from ...admin.components.address import filter_select, search_box
from ...admin.components.confirm import confirm_button, question
from ...admin.components.dialog import NEW, address_button, address_dialog
from ...admin.components.elements import heading
from ...admin.components.forms import field, long_field
from ...admin.components.record_form import backoffice_form, form_foot
from ...admin.components.submit import submit_button
from ...admin.components.table import Column, data_table, email_text, list_head, list_tools, nothing_yet, status_badge
from ...admin.current_user import may_have_role
from ...admin.shell import back_link, role_badge, shell
from ...admin.staff_form import typed_is_kept
from ...base import paths
from ...base.permissions import Role
from ...ui.browser import MoveFocus
from ...ui.icons import icon
from ...ui.local_time import local_time
from . import texts as invitation_texts
from .invitations import InvitationRow, Status
from .state import INVITE, InvitationListState, InviteState, OutcomeRow

FORM = "invite-form"
OUTCOMES = "invite-outcomes"


def invitations_page() -> rx.Component:
    """The page: back link, head, search and filter, table, dialog. Only admins see more than the back link."""
    not_allowed = list_head(invitation_texts.TITLE, invitation_texts.ADMINS_ONLY, level="h1")
    back = back_link(invitation_texts.BACK, paths.admin_tab("users"), at=paths.ADMIN_INVITATIONS)
    return shell(back, rx.cond(may_have_role(Role.ADMIN), _invitations(), not_allowed), at="users")


def _invitations() -> rx.Component:
    return rx.fragment(
        list_head(invitation_texts.TITLE, invitation_texts.TEXT, _invite_button(), level="h1"),
        list_tools(
            search_box(label=invitation_texts.SEARCH),
            filter_select(invitation_texts.STATUS, invitation_texts.FILTERS),
        ),
        data_table(
            InvitationListState,
            COLUMNS,
            label=invitation_texts.TITLE,
            empty=nothing_yet(invitation_texts.EMPTY_TITLE, invitation_texts.EMPTY_TEXT, _invite_button()),
        ),
        _dialog(),
    )


def _invite_button() -> rx.Component:
    change: dict[str, object] = {INVITE: NEW, "page": InvitationListState.page}
    return address_button(icon("plus", class_name="icon-small"), invitation_texts.INVITE, change=change)


def _email(row: InvitationRow) -> rx.Component:
    name = rx.cond(row.name != "", rx.el.p(row.name, class_name="cell-note"))
    return rx.fragment(rx.el.span(email_text(row.email), class_name="cell-title"), name)


def _status(row: InvitationRow) -> rx.Component:
    texts = ((status.value, text) for status, text in invitation_texts.STATUSES.items())
    return status_badge(rx.match(row.status, *texts, ""), row.status == Status.OPEN.value)


def _by(row: InvitationRow) -> rx.Component:
    deleted = rx.el.span(invitation_texts.SENDER_DELETED, class_name="backoffice-muted")
    return rx.cond(row.by_name != "", rx.el.span(row.by_name), deleted)


def _actions(row: InvitationRow) -> rx.Component:
    of_it = rx.el.span(f" {row.email}", class_name="visually-hidden")
    return rx.cond(
        row.is_open,
        rx.el.div(
            controls.button(
                invitation_texts.SEND_AGAIN,
                of_it,
                on_click=InvitationListState.send_again(row.id),
                class_name="row-restore",
                variant="outline",
                size="sm",
            ),
            confirm_button(
                invitation_texts.REVOKE,
                of_it,
                ask=question(invitation_texts.REVOKE_CONFIRM, invitation_texts.REVOKE, is_danger=True, name=row.email),
                on_confirm=InvitationListState.delete(row.id),
                class_name="row-restore",
                variant="outline",
            ),
            class_name="row-actions",
        ),
    )


COLUMNS = (
    Column(invitation_texts.EMAIL, _email, sort="email", is_main=True),
    Column(invitation_texts.ROLE, lambda row: role_badge(row.role), sort="role"),
    Column(invitation_texts.STATUS, _status),
    Column(invitation_texts.BY, _by),
    Column(
        invitation_texts.SENT, lambda row: local_time(at=row.sent), sort="sent", standard="descending", is_numeric=True
    ),
    Column(
        invitation_texts.EXPIRES, lambda row: local_time(at=row.expires, is_short=True), sort="expires", is_numeric=True
    ),
    Column(admin_texts.ACTIONS, _actions, is_actions=True),
)


def _dialog() -> rx.Component:
    """The dialog, open while the address has `invite`; stays open after sending, with the outcome of each address."""
    state = InviteState
    texts = state.form.texts
    role = controls.select(
        *(rx.el.option(label, value=value) for value, label in admin_texts.ROLES.items()),
        name="role",
        default_value=texts["role"],
    )
    form = backoffice_form(
        state,
        FORM,
        typed_is_kept(state, FORM),
        rx.el.div(
            long_field(
                "addresses",
                invitation_texts.ADDRESSES,
                texts["addresses"],
                hint=invitation_texts.ADDRESSES_HINT,
                is_required=True,
                auto_focus=True,
            ),
            field("role", invitation_texts.ROLE, role, hint=invitation_texts.ROLE_HINT, is_required=True),
            class_name="field-grid",
        ),
        rx.cond(~state.has_mail, rx.el.div(rx.el.p(invitation_texts.NO_MAIL), class_name="backoffice-note")),
        form_foot(state, submit_button(state, invitation_texts.SEND, invitation_texts.SENDING)),
    )
    content = rx.el.div(
        MoveFocus.create(to=f"#{OUTCOMES} h3", when=state.saves), _outcomes(), form, class_name="invite"
    )
    return address_dialog(content, parameter=INVITE, shown=state.shown, heading=invitation_texts.INVITE)


def _outcomes() -> rx.Component:
    state = InviteState
    return rx.cond(
        state.counted != "",
        rx.el.section(
            heading(state.counted, level="h3", size="sm", custom_attrs={"tabIndex": -1}),
            rx.el.ul(rx.foreach(state.outcomes, _outcome)),
            rx.cond(state.has_refused, rx.el.p(invitation_texts.LEFT, class_name="backoffice-muted")),
            id=OUTCOMES,
            class_name="invite-outcomes",
        ),
    )


def _outcome(row: OutcomeRow) -> rx.Component:
    return rx.el.li(
        rx.el.span(row.entry, class_name="cell-breaks"),
        rx.el.span(row.text, class_name=rx.cond(row.is_refused, "backoffice-error", "backoffice-muted")),
    )
