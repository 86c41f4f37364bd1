"""The dialog in which a signed-in user proves again who they are, before what an open session is not enough for."""

from typing import Any, ClassVar

import reflex as rx

from ...admin.components.dialog import StateDialog
from ...admin.components.forms import password_field
from ...admin.components.passkey_button import PasskeyOffer, passkey_button
from ...admin.components.record_form import backoffice_form
from ...admin.components.submit import submit_button
from ...admin.guard import fits, is_allowed, setup_event
from ...admin.staff_form import StaffForm
from ...base import messages
from ...base.identity import Identity
from ...server.framework.event_marks import ChainedEvent, EventReply, public_event
from ...server.framework.events import event_for
from ...ui.feedback import error_notice, subject_of
from ...ui.form import SUBMISSION, once
from ...ui.reauthentication_request import ReauthenticationRequestState
from .. import texts as account_texts
from ..factors import passkeys
from ..factors.passkey_sign_in import in_thread, make_offer
from ..form_data import ReauthenticationData
from ..password.workers import in_worker
from . import reauthentication
from .session_state import AuthState

REAUTHENTICATION_TEXT = "reauthentication-text"


class ReauthenticationState(StaffForm, rx.State):
    """The form of the dialog, and its passkey. Afterwards the event that was refused is handled again."""

    offer: PasskeyOffer = PasskeyOffer()
    answers: int = 0

    data_class: ClassVar = ReauthenticationData

    @public_event
    async def close(self) -> None:
        """Close the dialog without repeating the refused action."""
        self._clear()
        (await self.get_state(ReauthenticationRequestState))._pop()

    @setup_event
    @once(failed=messages.UNEXPECTED_ERROR)
    async def save(self, form_data: dict[str, Any], *, identity: Identity) -> EventReply:
        """Check the password or code, and repeat the refused action."""
        await in_worker(reauthentication.reauthenticate, identity, ReauthenticationData.read(form_data).proof)
        return await self._repeat()

    def _begin(self) -> None:
        self.errors, self.checks = {}, {}

    @setup_event
    async def begin(self, request: str, *, identity: Identity) -> None:
        """Make the options for the request with this id, which the browser has chosen."""
        self.offer = await make_offer(request, passkeys.begin_reauthentication, identity)

    @setup_event(failed=lambda self, error, _subject: self._refuse_response(error), says_outage=True)
    async def finish(self, response: str, *, identity: Identity) -> EventReply:
        """Check the passkey, and repeat what was refused without it."""
        await in_thread(passkeys.reauthenticate, identity, response)
        return await self._repeat()

    def _refuse_response(self, error: Exception) -> ChainedEvent:
        self.answers += 1
        return error_notice(error, messages.UNEXPECTED_ERROR, subject_of(self))

    async def _repeat(self) -> ChainedEvent | None:
        self._clear()
        self.revision += 1
        return _again(*(await self.get_state(ReauthenticationRequestState))._pop())


def _again(name: str, payload: dict[str, Any]) -> ChainedEvent | None:
    """The event that was refused; it is checked like any other of this browser."""
    if not is_allowed(name) or not fits(name, payload):
        return None
    # A submission with the same id would be ignored.
    for typed in payload.values():
        if isinstance(typed, dict):
            typed.pop(SUBMISSION, None)
    return event_for(name, payload)


def reauthentication_dialog() -> rx.Component:
    """The dialog, on every page of the back office."""
    form = backoffice_form(
        ReauthenticationState,
        "reauthentication-form",
        rx.el.div(
            password_field("proof", account_texts.REAUTHENTICATION_PASSWORD, "current-password"),
            rx.el.div(
                submit_button(ReauthenticationState, account_texts.PROVE, account_texts.PROVING),
                class_name="form-buttons",
            ),
            class_name="reauthentication-form",
        ),
        # Shows password managers the account of the password.
        rx.el.input(name="username", value=AuthState.email, auto_complete="username", hidden=True, read_only=True),
    )
    passkey = passkey_button(
        offer=ReauthenticationState.offer,
        answers=ReauthenticationState.answers,
        words=dict(account_texts.PASSKEY_REAUTHENTICATION),
        variant=rx.cond(AuthState.has_password, "outline", "solid"),
        on_begin=ReauthenticationState.begin,
        on_response=ReauthenticationState.finish,
    )
    return StateDialog.create(
        rx.el.div(
            rx.el.p(
                account_texts.REAUTHENTICATION_TEXT,
                class_name="backoffice-muted",
                id=REAUTHENTICATION_TEXT,
                tab_index=-1,
            ),
            rx.cond(AuthState.has_password, form),
            rx.cond(AuthState.has_passkey, passkey),
            class_name="reauthentication-ways",
        ),
        is_open=ReauthenticationRequestState.is_asked,
        heading=account_texts.REAUTHENTICATION_TITLE,
        on_close=ReauthenticationState.close,
        first=rx.cond(AuthState.has_password, "#reauthentication-form [name=proof]", f"#{REAUTHENTICATION_TEXT}"),
    )
