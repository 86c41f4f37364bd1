"""`/admin/profile`: the user's own name, email address and password."""

from typing import Any, ClassVar

import reflex as rx

from ...admin.components import controls
from ...admin.components.forms import field_group, password_field, text_field
from ...admin.components.unsaved import ask_before_leaving
from ...admin.db_calls import read, write
from ...admin.guard import staff_event
from ...admin.shell import side_page
from ...admin.staff_form import StaffForm
from ...base import messages
from ...base.errors import ReauthenticationNeeded
from ...base.identity import Identity
from ...base.permissions import Action, Actor, require
from ...server.framework.event_marks import EventReply
from ...ui.browser import MoveFocus
from ...ui.feedback import subject_of, success_notice
from ...ui.form import once
from ..email import email_change
from ..factors.page import two_step_summary
from ..form_data import EmailData, NamesData, NewPasswordData, password_of
from ..password import recovery
from ..password.workers import in_worker
from ..sessions.auth_state import BrowserState, evenly
from ..sessions.session_state import AuthState, auth_of
from . import service, texts
from .short_form import button_row, short_form

PASSWORD_FORM = "password-form"  # noqa: S105  an id


class NamesState(StaffForm, rx.State):
    """The form for the user's own name."""

    data_class: ClassVar = NamesData

    @staff_event
    @once(failed=messages.PROFILE_UPDATE_FAILED)
    async def save(self, form_data: dict[str, Any], *, actor: Actor) -> EventReply:
        """Change the user's own name; every tab of this browser shows it."""
        data = NamesData.read(form_data, await read(lambda session: service.names(session, actor)))
        await write(lambda session: service.change_names(session, actor, data))
        await (await auth_of(self))._user_updated()
        self._saved()
        return success_notice(messages.PROFILE_UPDATED, subject_of(self))


class EmailState(StaffForm, rx.State):
    """The form for another email address. `waiting` is the one whose link is not confirmed yet."""

    waiting: str = ""

    data_class: ClassVar = EmailData

    @staff_event(failed=messages.UNEXPECTED_ERROR, says_outage=True)
    async def open(self, *, actor: Actor) -> None:
        """Clear the errors of an earlier visit, and read which address waits for its link."""
        self.errors, self.checks = {}, {}
        self.waiting = await read(lambda session: email_change.waiting_address(session, actor.user_id))

    @staff_event
    @once(failed=messages.PROFILE_UPDATE_FAILED)
    async def save(self, form_data: dict[str, Any], *, identity: Identity) -> EventReply:
        """Mail a link to the new address, if the password is right."""
        data = EmailData.read(form_data)
        current = password_of(form_data.get("current_password"))
        await evenly(email_change.request, identity, current, data)
        self._saved()
        self.waiting = data.email
        return success_notice(messages.EMAIL_CHANGE_SENT.format(email=data.email), subject_of(self))


class PasswordState(StaffForm, rx.State):
    """The form for a new password.

    Who has none sees it after a recent reauthentication (`is_shown`): a password that was typed must not wait for one.
    """

    is_shown: bool = False
    times_shown: int = 0

    data_class: ClassVar = NewPasswordData
    compared: ClassVar[tuple[str, ...]] = ("password", "confirm_password")

    @staff_event(failed=messages.PROFILE_UPDATE_FAILED, says_outage=True)
    def show(self, *, actor: Actor) -> None:
        """Show the form for a first password."""
        require(actor, Action.CHANGE_SIGN_IN)
        self.is_shown = True
        self.times_shown += 1

    @staff_event
    @once(failed=messages.PROFILE_UPDATE_FAILED)
    async def save(self, form_data: dict[str, Any], *, identity: Identity) -> EventReply:
        """Change the user's own password, if the old one is right or there is none; ends the user's other sessions."""
        data = NewPasswordData.read(form_data)
        current = password_of(form_data.get("current_password"))
        try:
            await in_worker(recovery.change_password, identity, current, data)
        except ReauthenticationNeeded:
            self.is_shown = False
            return PasswordState.show
        identity = await (await auth_of(self))._identity()
        await (await self.get_state(BrowserState))._remember(identity.user.email)
        self._saved()
        self.is_shown = False
        return success_notice(messages.PASSWORD_CHANGED, subject_of(self))


def profile_page() -> rx.Component:
    """The page: three forms, each with its own button, and a summary of two-step sign-in."""
    question = ask_before_leaving(forms=f"#names-form, #email-form, #{PASSWORD_FORM}")
    password = rx.cond(AuthState.has_password | PasswordState.is_shown, _password(), _first_password())
    forms = (_names(), _email(), password)
    focus = MoveFocus.create(to=f"#{PASSWORD_FORM} [name=password]", when=PasswordState.times_shown)
    return side_page(texts.PROFILE_TITLE, question, focus, *forms, two_step_summary())


def _names() -> rx.Component:
    state = NamesState
    return short_form(
        state,
        "names-form",
        texts.NAMES,
        texts.SAVE_NAMES,
        text_field("first_name", texts.FIRST_NAME, AuthState.first_name, is_required=True, auto_complete="given-name"),
        text_field("last_name", texts.LAST_NAME, AuthState.last_name, is_required=True, auto_complete="family-name"),
    )


def _email() -> rx.Component:
    waiting = EmailState.waiting
    return short_form(
        EmailState,
        "email-form",
        texts.EMAIL_GROUP,
        texts.CHANGE_EMAIL,
        rx.el.p(
            texts.CURRENT_EMAIL,
            " ",
            rx.el.strong(AuthState.email),
            ".",
            rx.cond(waiting != "", rx.fragment(" ", texts.WAITING_EMAIL, " ", rx.el.strong(waiting), ".")),
            class_name="field-wide backoffice-muted",
        ),
        text_field("email", texts.NEW_EMAIL, "", is_required=True, type_="email", auto_complete="off"),
        _current_password(),
    )


def _password() -> rx.Component:
    return short_form(
        PasswordState,
        PASSWORD_FORM,
        texts.PASSWORD,
        rx.cond(AuthState.has_password, texts.CHANGE_PASSWORD, texts.SET_PASSWORD),
        # Shows password managers the account of the password.
        rx.el.input(
            name="username", default_value=AuthState.email, auto_complete="username", hidden=True, read_only=True
        ),
        _current_password(),
        password_field("password", texts.NEW_PASSWORD, "new-password", hint=texts.NEW_PASSWORD_HINT),
        password_field("confirm_password", texts.CONFIRM_PASSWORD, "new-password"),
    )


def _first_password() -> rx.Component:
    """The button that shows the form, for a person without a password."""
    button = controls.button(texts.SET_PASSWORD, on_click=PasswordState.show, variant="outline")
    row = button_row(button, about=PasswordState)
    return rx.el.div(field_group(texts.FIRST_PASSWORD, row), class_name="backoffice-form")


def _current_password() -> rx.Component:
    """The field for the current password, if there is one."""
    field = password_field("current_password", texts.CURRENT_PASSWORD, "current-password")
    return rx.cond(AuthState.has_password, field)
