"""`/admin/profile`: the user's own name and password."""

from collections.abc import AsyncIterator
from typing import Any, ClassVar

import reflex as rx

from ..accounts import recovery, service
from ..accounts.drafts import NamesDraft, NewPasswordDraft, password_of
from ..accounts.guard import staff_event
from ..accounts.session_state import AuthState, auth_of
from ..accounts.workers import in_worker
from ..backoffice.db_calls import write
from ..backoffice.shell import side_page
from ..content import messages
from ..core import routes
from ..core.errors import InvalidInput
from ..core.permissions import Actor
from ..framework.event_marks import ChainedEvent, EventReply, public_event
from ..records.form_fields import complaint
from ..ui.backoffice.forms import field_group, password_field, text_field
from ..ui.backoffice.record_form import backoffice_form
from ..ui.backoffice.submit import SubmittedOnce, once, submit_button
from ..ui.backoffice.unsaved import ask_before_leaving
from ..ui.feedback import refusal, subject_of, success_notice
from ..ui.marks import Check, with_check
from ..ui.notices import notice_place
from . import texts as words


class ShortForm(SubmittedOnce, rx.State, mixin=True):
    """A short form that stays open after saving; unlike `FormState` it keeps no draft."""

    errors: dict[str, str] = {}
    checks: dict[str, Check] = {}
    revision: int = 0

    draft: ClassVar[type[NamesDraft] | type[NewPasswordDraft]]
    compared: ClassVar[tuple[str, ...]] = ()

    @public_event
    def open(self) -> None:
        """Clear the errors of an earlier visit; the page's `on_load`."""
        self.errors, self.checks = {}, {}

    @staff_event
    async def check(self, name: str, edit: int, typed: dict[str, Any], *, actor: Actor) -> None:
        """Check an invalid field again while typing pauses."""
        self.checks = with_check(self.checks, name, Check(edit, complaint(self.draft.read, name, typed)))

    def _refuse(self, error: Exception, fallback: str) -> ChainedEvent:
        self.errors = error.fields if isinstance(error, InvalidInput) else {}
        self.times_refused += 1
        return refusal(error, fallback, subject_of(self))

    def _saved(self) -> None:
        self.errors, self.checks = {}, {}
        self.revision += 1


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


class PasswordState(ShortForm, rx.State):
    """The form for a new password."""

    draft: ClassVar = NewPasswordDraft
    compared: ClassVar[tuple[str, ...]] = ("password", "confirm_password")

    @staff_event
    @once
    async def save(self, form_data: dict[str, Any], *, actor: Actor) -> AsyncIterator[EventReply]:
        """Change the user's own password, if the old one is right; ends the user's other sessions."""
        yield None
        try:
            identity = await (await auth_of(self))._identity()
            draft = NewPasswordDraft.read(form_data)
            current = password_of(form_data.get("current_password"))
            await in_worker(recovery.change_password, identity, current, draft)
        except Exception as error:
            yield self._refuse(error, messages.PROFILE_UPDATE_FAILED)
        else:
            self._saved()
            yield success_notice(messages.PASSWORD_CHANGED, subject_of(self))


def profile_page() -> rx.Component:
    """The page: two forms, each with its own button."""
    question = ask_before_leaving(forms="#names-form, #password-form", sign_in=routes.AUTH)
    return side_page(words.PROFILE_TITLE, routes.ADMIN, words.BACK, question, _names(), _password())


def _names() -> rx.Component:
    state = NamesState
    return _short_form(
        state,
        "names-form",
        words.NAMES,
        words.SAVE_NAMES,
        text_field("first_name", words.FIRST_NAME, AuthState.first_name, is_required=True, auto_complete="given-name"),
        text_field("last_name", words.LAST_NAME, AuthState.last_name, is_required=True, auto_complete="family-name"),
    )


def _password() -> rx.Component:
    return _short_form(
        PasswordState,
        "password-form",
        words.PASSWORD,
        words.CHANGE_PASSWORD,
        # Shows password managers the account of the password.
        rx.el.input(
            name="username", default_value=AuthState.email, auto_complete="username", hidden=True, read_only=True
        ),
        password_field("current_password", words.CURRENT_PASSWORD, "current-password"),
        password_field("password", words.NEW_PASSWORD, "new-password", hint=words.NEW_PASSWORD_HINT),
        password_field("confirm_password", words.CONFIRM_PASSWORD, "new-password"),
    )


def _short_form(state: type[ShortForm], form_id: str, text: Any, label: str, *fields: rx.Component) -> rx.Component:
    button = submit_button(state, label, words.SAVING)
    return backoffice_form(
        state,
        form_id,
        field_group(text, *fields, rx.el.div(button, notice_place(subject=subject_of(state)), class_name="field-wide")),
        sends=state.compared,
    )
