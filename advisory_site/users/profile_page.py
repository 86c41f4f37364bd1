"""`/admin/profile`: the user's own name, email address and password."""

from collections.abc import AsyncIterator
from typing import Any, ClassVar

import reflex as rx

from ..accounts import email_change, recovery, service
from ..accounts.auth_state import evenly
from ..accounts.drafts import EmailDraft, NamesDraft, NewPasswordDraft, password_of
from ..accounts.guard import staff_event
from ..accounts.session_state import AuthState, auth_of
from ..accounts.workers import in_worker
from ..backoffice.db_calls import read, write
from ..backoffice.shell import side_page
from ..content import messages
from ..content.backoffice import BACK
from ..core import routes
from ..core.errors import ProofNeeded
from ..core.permissions import Action, Actor, require
from ..framework.event_marks import EventReply, public_event
from ..ui.backoffice.chakra import rc
from ..ui.backoffice.forms import field_group, password_field, text_field
from ..ui.backoffice.submit import once
from ..ui.backoffice.unsaved import ask_before_leaving
from ..ui.browser import MoveFocus
from ..ui.feedback import error_notice, subject_of, success_notice
from ..ui.notices import notice_place
from . import texts as words
from .short_form import ShortForm, short_form
from .two_step_page import two_step_summary

PASSWORD_FORM = "password-form"  # noqa: S105  an id


class NamesState(ShortForm, rx.State):
    """The form for the user's own name."""

    draft: ClassVar = NamesDraft

    @staff_event
    @once
    async def save(self, form_data: dict[str, Any], *, actor: Actor) -> AsyncIterator[EventReply]:
        """Change the user's own name; every tab of this browser shows it."""
        yield None
        try:
            draft = NamesDraft.read(form_data)
            await write(lambda session: service.change_names(session, actor, draft))
            await (await auth_of(self))._user_updated()
        except Exception as error:
            yield self._refuse(error, messages.PROFILE_UPDATE_FAILED)
        else:
            self._saved()
            yield success_notice(messages.PROFILE_UPDATED, subject_of(self))


class EmailState(ShortForm, rx.State):
    """The form for another email address. `waiting` is the one whose link is not confirmed yet."""

    waiting: str = ""

    draft: ClassVar = EmailDraft

    @staff_event
    async def open(self, *, actor: Actor) -> EventReply:
        """Clear the errors of an earlier visit, and read which address waits for its link."""
        self.errors, self.checks = {}, {}
        try:
            self.waiting = await read(lambda session: email_change.waiting_address(session, actor.user_id))
        except Exception as error:
            return error_notice(error, messages.UNEXPECTED_ERROR, subject_of(self))
        return None

    @staff_event
    @once
    async def save(self, form_data: dict[str, Any], *, actor: Actor) -> AsyncIterator[EventReply]:
        """Mail a link to the new address, if the password is right."""
        yield None
        try:
            identity = await (await auth_of(self))._identity()
            draft = EmailDraft.read(form_data)
            current = password_of(form_data.get("current_password"))
            await evenly(email_change.request, identity, current, draft)
        except Exception as error:
            yield self._refuse(error, messages.PROFILE_UPDATE_FAILED)
        else:
            self._saved()
            self.waiting = draft.email
            yield success_notice(messages.EMAIL_CHANGE_SENT.format(email=draft.email), subject_of(self))


class PasswordState(ShortForm, rx.State):
    """The form for a new password.

    Who has none sees it after a recent proof (`is_shown`): a password that was typed must not wait for one.
    """

    is_shown: bool = False
    times_shown: int = 0

    draft: ClassVar = NewPasswordDraft
    compared: ClassVar[tuple[str, ...]] = ("password", "confirm_password")

    @public_event
    def open(self) -> None:
        """Clear what is left of an earlier visit; the page's `on_load`."""
        self.errors, self.checks, self.is_shown = {}, {}, False

    @staff_event
    def show(self, *, actor: Actor) -> EventReply:
        """Show the form for a first password."""
        try:
            require(actor, Action.CHANGE_SIGN_IN)
        except ProofNeeded as error:
            return error_notice(error, messages.PROFILE_UPDATE_FAILED)
        self.is_shown = True
        self.times_shown += 1
        return None

    @staff_event
    @once
    async def save(self, form_data: dict[str, Any], *, actor: Actor) -> AsyncIterator[EventReply]:
        """Change the user's own password, if the old one is right or there is none; ends the user's other sessions."""
        yield None
        try:
            identity = await (await auth_of(self))._identity()
            draft = NewPasswordDraft.read(form_data)
            current = password_of(form_data.get("current_password"))
            await in_worker(recovery.change_password, identity, current, draft)
            await (await auth_of(self))._identity()
        except ProofNeeded:
            self.is_shown = False
            yield PasswordState.show
        except Exception as error:
            yield self._refuse(error, messages.PROFILE_UPDATE_FAILED)
        else:
            self._saved()
            self.is_shown = False
            yield success_notice(messages.PASSWORD_CHANGED, subject_of(self))


def profile_page() -> rx.Component:
    """The page: three forms, each with its own button, and a summary of two-step sign-in."""
    question = ask_before_leaving(forms=f"#names-form, #email-form, #{PASSWORD_FORM}")
    password = rx.cond(AuthState.has_password | PasswordState.is_shown, _password(), _first_password())
    forms = (_names(), _email(), password)
    focus = MoveFocus.create(to=f"#{PASSWORD_FORM} [name=password]", when=PasswordState.times_shown)
    return side_page(words.PROFILE_TITLE, routes.ADMIN, BACK, question, focus, *forms, two_step_summary())


def _names() -> rx.Component:
    state = NamesState
    return short_form(
        state,
        "names-form",
        words.NAMES,
        words.SAVE_NAMES,
        text_field("first_name", words.FIRST_NAME, AuthState.first_name, is_required=True, auto_complete="given-name"),
        text_field("last_name", words.LAST_NAME, AuthState.last_name, is_required=True, auto_complete="family-name"),
    )


def _email() -> rx.Component:
    waiting = EmailState.waiting
    return short_form(
        EmailState,
        "email-form",
        words.EMAIL_GROUP,
        words.CHANGE_EMAIL,
        rx.el.p(
            words.CURRENT_EMAIL,
            " ",
            rx.el.strong(AuthState.email),
            ".",
            rx.cond(waiting != "", rx.fragment(" ", words.WAITING_EMAIL, " ", rx.el.strong(waiting), ".")),
            class_name="field-wide backoffice-muted",
        ),
        text_field("email", words.NEW_EMAIL, "", is_required=True, type_="email", auto_complete="off"),
        _current_password(),
    )


def _password() -> rx.Component:
    return short_form(
        PasswordState,
        PASSWORD_FORM,
        words.PASSWORD,
        rx.cond(AuthState.has_password, words.CHANGE_PASSWORD, words.SET_PASSWORD),
        # Shows password managers the account of the password.
        rx.el.input(
            name="username", default_value=AuthState.email, auto_complete="username", hidden=True, read_only=True
        ),
        _current_password(),
        password_field("password", words.NEW_PASSWORD, "new-password", hint=words.NEW_PASSWORD_HINT),
        password_field("confirm_password", words.CONFIRM_PASSWORD, "new-password"),
    )


def _first_password() -> rx.Component:
    """The button that shows the form, for a person without a password."""
    button = rc.button(words.SET_PASSWORD, on_click=PasswordState.show, type_="button", variant="outline")
    shown = rx.el.div(
        rx.el.div(button), notice_place(subject=subject_of(PasswordState)), class_name="field-wide entries"
    )
    return rx.el.div(field_group(words.FIRST_PASSWORD, shown), class_name="backoffice-form")


def _current_password() -> rx.Component:
    """The field for the current password, if there is one."""
    field = password_field("current_password", words.CURRENT_PASSWORD, "current-password")
    return rx.cond(AuthState.has_password, field)
