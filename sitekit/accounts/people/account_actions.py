"""What admins do to an account: the handlers, which the list of users and a person's page share, and a row's menu."""

from typing import TYPE_CHECKING, Any

import reflex as rx

from ...admin import texts as backoffice
from ...admin.components.confirm import confirm_select, question
from ...admin.components.menus import confirm_item, menu_link, row_menu
from ...admin.db_calls import write
from ...admin.guard import admin_event, staff_event
from ...base import messages, paths
from ...base.permissions import Actor, Role
from ...base.threads import WRITERS
from ...server.framework.event_marks import ChainedEvent, EventReply
from ...ui.feedback import error_notice, subject_of, success_notice
from ...ui.icons import icon
from ..sessions.session_state import AuthState
from . import people, service
from . import person_texts as texts


class AccountActions(rx.State, mixin=True):
    """Mix in before a state with `_load`, which is called after each action.

    `answers` counts the replies to changed roles.
    """

    answers: int = 0

    if TYPE_CHECKING:

        async def _load(self, actor: Actor) -> list[ChainedEvent]: ...

    def _refuse_role(self, error: Exception, subject: str) -> ChainedEvent:
        self.answers += 1
        return error_notice(error, messages.ROLE_UPDATE_FAILED, subject)

    @staff_event(
        failed=lambda self, error, subject: self._refuse_role(error, subject),
        row="user_id",
        reloads=True,
    )
    async def change_role(self, user_id: int, role: str, *, actor: Actor) -> EventReply:
        """Change a user's role; the service allows it for admins only."""
        await write(lambda session: service.change_role(session, actor, user_id, role))
        self.answers += 1
        reply = success_notice(messages.ROLE_UPDATED, subject_of(self, user_id))
        return [reply, *await self._load(actor), AuthState.check_session]

    @admin_event(failed=messages.RESET_LINK_FAILED, row="user_id")
    async def send_reset_link(self, user_id: int, *, actor: Actor) -> EventReply:
        """Mail a link to choose a new password."""
        email = await WRITERS.run(people.send_reset_link, actor, user_id)
        return success_notice(messages.RESET_LINK_SENT.format(email=email), subject_of(self, user_id))

    @admin_event(failed=messages.PERSON_SIGN_OUT_FAILED, row="user_id")
    async def sign_out(self, user_id: int, *, actor: Actor) -> EventReply:
        """End every session of the person."""
        ended = await write(lambda session: people.sign_out(session, actor, user_id))
        devices = f"{ended} {'device' if ended == 1 else 'devices'}"
        text = messages.PERSON_SIGNED_OUT.format(devices=devices) if ended else messages.PERSON_NOT_SIGNED_IN
        return [success_notice(text, subject_of(self, user_id)), *await self._load(actor), AuthState.check_session]

    @admin_event(failed=messages.PERSON_DEACTIVATE_FAILED, row="user_id", reloads=True)
    async def deactivate(self, user_id: int, *, actor: Actor) -> EventReply:
        """Keep the person out."""
        await write(lambda session: people.deactivate(session, actor, user_id))
        return [success_notice(messages.PERSON_DEACTIVATED, subject_of(self, user_id)), *await self._load(actor)]

    @admin_event(failed=messages.PERSON_REACTIVATE_FAILED, row="user_id", reloads=True)
    async def reactivate(self, user_id: int, *, actor: Actor) -> EventReply:
        """Let the person in again."""
        await write(lambda session: people.reactivate(session, actor, user_id))
        return [success_notice(messages.PERSON_REACTIVATED, subject_of(self, user_id)), *await self._load(actor)]


def ask_about(email: Any, sentence: str, label: str, *, is_danger: bool = False) -> rx.Var[Any]:
    """The question before an action on the account with this address."""
    return question(sentence.format(email=email), label, is_danger=is_danger)


def role_choice(state: Any, user: Any) -> rx.Component:
    """The role of a user as a select, for admins; `state` has the `AccountActions`."""
    return confirm_select(
        value=user.role,
        options=[list(option) for option in backoffice.ROLES.items()],
        questions={role: _role_question(user, role) for role in backoffice.ROLES},
        label=f"{backoffice.ROLE_OF} {user.email}",
        answers=state.answers,
        on_confirm=lambda role: state.change_role(user.id, role),
    )


def _role_question(user: Any, role: str) -> rx.Var[Any]:
    leaving = rx.cond(AuthState.user_id == user.id, backoffice.ROLE_OWN_FROM_ADMIN, backoffice.ROLE_FROM_ADMIN)
    note = backoffice.ROLE_TO_ADMIN if role == Role.ADMIN else rx.cond(user.role == Role.ADMIN.value, leaving, "")
    label = backoffice.ROLES[role]
    sentence = backoffice.ROLE_CONFIRM.format(role=label)
    return question(f"{sentence}\n{note}", f"{backoffice.ROLE_CHANGE} {label}", name=user.email)


def account_menu(state: Any, user: Any) -> rx.Component:
    """The menu of a user's row, for admins; `state` has the `AccountActions`."""

    def item(image: str, label: str, sentence: str, on_confirm: Any) -> rx.Component:
        ask = ask_about(user.email, sentence, label)
        return confirm_item(icon(image, class_name="icon-small"), label, ask=ask, on_confirm=on_confirm)

    deactivate = item("ban", texts.DEACTIVATE, texts.DEACTIVATE_CONFIRM, state.deactivate(user.id))
    active = rx.fragment(
        item("mail", texts.RESET, texts.RESET_CONFIRM, state.send_reset_link(user.id)),
        item("logout", texts.SIGN_OUT, texts.SIGN_OUT_CONFIRM, state.sign_out(user.id)),
        rx.cond(AuthState.user_id == user.id, rx.fragment(), deactivate),
    )
    return rx.el.div(
        row_menu(
            menu_link(icon("person", class_name="icon-small"), texts.OPEN, href=paths.person_page(user.id)),
            rx.cond(
                user.is_deactivated,
                item("check", texts.REACTIVATE, texts.REACTIVATE_CONFIRM, state.reactivate(user.id)),
                active,
            ),
            label=f"{backoffice.MORE_ACTIONS} {user.email}",
        ),
        class_name="row-actions",
    )
