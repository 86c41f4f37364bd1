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
from ..core.permissions import Actor
from ..framework.event_marks import EventReply
from ..ui.backoffice.forms import password_field, text_field
from ..ui.backoffice.submit import once
from ..ui.backoffice.unsaved import ask_before_leaving
from ..ui.feedback import subject_of, success_notice
from . import texts as words
from .short_form import ShortForm, short_form
from .two_step_page import two_step_summary


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
    return side_page(words.PROFILE_TITLE, routes.ADMIN, words.BACK, question, _names(), _password(), two_step_summary())


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


def _password() -> rx.Component:
    return short_form(
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
