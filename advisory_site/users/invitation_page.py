"""`/admin/invitations`: the invitations, and the dialog that invites people."""

import reflex as rx

from ..accounts.session_state import has_role
from ..backoffice.dialog_form import typed_is_kept
from ..backoffice.shell import back_link, role_badge, shell
from ..content import backoffice as backoffice_words
from ..core import routes
from ..core.permissions import Role
from ..ui.backoffice.address import filter_select, search_box
from ..ui.backoffice.chakra import rc
from ..ui.backoffice.confirm import confirm_button
from ..ui.backoffice.dialog import NEW, address_button, address_dialog
from ..ui.backoffice.forms import field, long_field
from ..ui.backoffice.record_form import backoffice_form
from ..ui.backoffice.submit import submit_button
from ..ui.backoffice.table import Column, data_table, email_text, list_head, list_tools, nothing_yet, status_badge
from ..ui.browser import MoveFocus
from ..ui.feedback import subject_of
from ..ui.icons import icon
from ..ui.local_time import local_time
from ..ui.marks import mark_summary
from ..ui.notices import notice_place
from . import invitation_texts as words
from .invitation_state import INVITE, InvitationListState, InvitationRow, InviteState, OutcomeRow

FORM = "invite-form"
OUTCOMES = "invite-outcomes"


def invitations_page() -> rx.Component:
    """The page: back link, head, search and filter, table, dialog. Only admins see more than the back link."""
    not_allowed = list_head(words.TITLE, words.ADMINS_ONLY, level="h1")
    back = back_link(words.BACK, routes.admin_tab("users"))
    return shell(back, rx.cond(has_role(Role.ADMIN), _invitations(), not_allowed))


def _invitations() -> rx.Component:
    return rx.fragment(
        list_head(words.TITLE, words.TEXT, _invite_button(), level="h1"),
        list_tools(
            search_box(label=words.SEARCH),
            filter_select(words.STATUS, words.FILTERS),
        ),
        data_table(
            InvitationListState,
            COLUMNS,
            label=words.TITLE,
            empty=nothing_yet(words.EMPTY_TITLE, words.EMPTY_TEXT, _invite_button()),
        ),
        _dialog(),
    )


def _invite_button() -> rx.Component:
    change: dict[str, object] = {INVITE: NEW, "page": InvitationListState.page}
    return address_button(icon("plus", class_name="icon-small"), words.INVITE, change=change)


def _email(row: InvitationRow) -> rx.Component:
    return rx.el.span(email_text(row.email), class_name="cell-title")


def _status(row: InvitationRow) -> rx.Component:
    return status_badge(row.status, row.is_valid)


def _by(row: InvitationRow) -> rx.Component:
    deleted = rx.el.span(words.SENDER_DELETED, class_name="backoffice-muted")
    return rx.cond(row.by != "", rx.el.span(row.by), deleted)


def _actions(row: InvitationRow) -> rx.Component:
    of_it = rx.el.span(f" {row.email}", class_name="visually-hidden")
    return rx.cond(
        row.is_open,
        rx.el.div(
            rc.button(
                words.SEND_AGAIN,
                of_it,
                on_click=InvitationListState.send_again(row.id),
                class_name="row-restore",
                variant="outline",
                size="sm",
            ),
            confirm_button(
                words.REVOKE,
                of_it,
                sentence=words.REVOKE_CONFIRM,
                on_confirm=InvitationListState.delete(row.id),
                class_name="row-restore",
                variant="outline",
            ),
            class_name="row-actions",
        ),
    )


COLUMNS = (
    Column(words.EMAIL, _email, sort="email", is_main=True),
    Column(words.ROLE, lambda row: role_badge(row.role), sort="role"),
    Column(words.STATUS, _status),
    Column(words.BY, _by),
    Column(words.SENT, lambda row: local_time(at=row.sent), sort="sent", standard="descending", is_numeric=True),
    Column(words.EXPIRES, lambda row: local_time(at=row.expires, is_short=True), sort="expires", is_numeric=True),
    Column(backoffice_words.ACTIONS, _actions, is_actions=True),
)


def _dialog() -> rx.Component:
    """The dialog, open while the address has `invite`; stays open after sending, with the outcome of each address."""
    state = InviteState
    texts = state.form.texts
    role = rc.select(
        *(rc.option(label, value=value) for value, label in backoffice_words.ROLES.items()),
        name="role",
        default_value=texts["role"],
    )
    form = backoffice_form(
        state,
        FORM,
        typed_is_kept(state, FORM),
        rx.el.div(
            long_field("addresses", words.ADDRESSES, texts["addresses"], hint=words.ADDRESSES_HINT, is_required=True),
            field("role", words.ROLE, role, hint=words.ROLE_HINT, is_required=True),
            class_name="field-grid",
        ),
        rx.cond(~state.has_mail, rx.el.div(rx.el.p(words.NO_MAIL), class_name="backoffice-note")),
        rx.el.div(
            notice_place(subject=subject_of(state)),
            mark_summary(),
            rx.el.div(submit_button(state, words.SEND, words.SENDING), class_name="form-buttons"),
            class_name="form-foot",
        ),
    )
    content = rx.el.div(
        MoveFocus.create(to=f"#{OUTCOMES} h3", when=state.saves), _outcomes(), form, class_name="invite"
    )
    return address_dialog(content, parameter=INVITE, shown=state.shown, heading=words.INVITE)


def _outcomes() -> rx.Component:
    state = InviteState
    return rx.cond(
        state.counted != "",
        rx.el.section(
            rc.heading(state.counted, as_="h3", size="sm", custom_attrs={"tabIndex": -1}),
            rx.el.ul(rx.foreach(state.outcomes, _outcome)),
            rx.cond(state.has_refused, rx.el.p(words.LEFT, class_name="backoffice-muted")),
            id=OUTCOMES,
            class_name="invite-outcomes",
        ),
    )


def _outcome(row: OutcomeRow) -> rx.Component:
    return rx.el.li(
        rx.el.span(row.entry, class_name="cell-breaks"),
        rx.el.span(row.text, class_name=rx.cond(row.is_refused, "backoffice-error", "backoffice-muted")),
    )
