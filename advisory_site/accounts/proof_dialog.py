"""The dialog in which a signed-in user proves again who they are, before what an open session is not enough for."""

from collections.abc import AsyncIterator
from typing import Any

import reflex as rx

from ..content import messages
from ..core.errors import InvalidInput
from ..core.permissions import Actor
from ..framework.event_marks import ChainedEvent, EventReply, public_event
from ..framework.events import event_for
from ..records.form_fields import complaint
from ..ui.backoffice.dialog import StateDialog
from ..ui.backoffice.forms import password_field
from ..ui.backoffice.passkeys import PasskeyOffer, passkey_button
from ..ui.backoffice.record_form import backoffice_form
from ..ui.backoffice.submit import SUBMISSION, SubmittedOnce, once, submit_button
from ..ui.feedback import error_notice, refusal, subject_of
from ..ui.marks import Check, with_check
from ..ui.proof_request import ProofRequestState
from . import passkeys, proof
from . import texts as words
from .drafts import ProofDraft
from .guard import fits, is_allowed, setup_event
from .passkey_state import in_thread, make_offer
from .session_state import AuthState, auth_of
from .workers import in_worker

PROOF_TEXT = "proof-text"


class ProofState(SubmittedOnce, rx.State):
    """The form of the dialog, and its passkey. After the proof, the event that was refused is handled again."""

    offer: PasskeyOffer = PasskeyOffer()
    answers: int = 0
    errors: dict[str, str] = {}
    checks: dict[str, Check] = {}
    revision: int = 0

    @setup_event
    async def check(self, name: str, edit: int, typed: dict[str, Any], *, actor: Actor) -> None:
        """Check the field again while typing pauses."""
        self.checks = with_check(self.checks, name, Check(edit, complaint(ProofDraft.read, name, typed)))

    @public_event
    async def close(self) -> None:
        """Close the dialog without repeating the refused action."""
        self._clear()
        (await self.get_state(ProofRequestState))._take()

    @setup_event
    @once
    async def save(self, form_data: dict[str, Any], *, actor: Actor) -> AsyncIterator[EventReply]:
        """Check the password or code, and repeat the refused action."""
        self.errors, self.checks = {}, {}
        yield None
        try:
            identity = await (await auth_of(self))._identity()
            await in_worker(proof.prove, identity, ProofDraft.read(form_data).proof)
        except Exception as error:
            self.errors = error.fields if isinstance(error, InvalidInput) else {}
            self.times_refused += 1
            yield refusal(error, messages.UNEXPECTED_ERROR, subject_of(self))
        else:
            yield await self._repeat()

    @setup_event
    async def begin(self, request: str, *, actor: Actor) -> None:
        """Make the options for the request with this id, which the browser has chosen."""
        self.offer = await make_offer(request, passkeys.begin_proof, await (await auth_of(self))._identity())

    @setup_event
    async def finish(self, response: str, *, actor: Actor) -> EventReply:
        """Check the passkey, and repeat what was refused without it."""
        try:
            await in_thread(passkeys.prove, await (await auth_of(self))._identity(), response)
        except Exception as error:
            self.answers += 1
            return error_notice(error, messages.UNEXPECTED_ERROR, subject_of(self))
        return await self._repeat()

    async def _repeat(self) -> ChainedEvent | None:
        self._clear()
        self.revision += 1
        return _again(*(await self.get_state(ProofRequestState))._take())

    def _clear(self) -> None:
        self.errors, self.checks, self.offer = {}, {}, PasskeyOffer()


def _again(name: str, payload: dict[str, Any]) -> ChainedEvent | None:
    """The event that was refused; it is checked like any other of this browser."""
    if not is_allowed(name) or not fits(name, payload):
        return None
    # A submission with the same id would be ignored.
    for typed in payload.values():
        if isinstance(typed, dict):
            typed.pop(SUBMISSION, None)
    return event_for(name, payload)


def proof_dialog() -> rx.Component:
    """The dialog, on every page of the back office."""
    form = backoffice_form(
        ProofState,
        "proof-form",
        rx.el.div(
            password_field("proof", words.PROOF_PASSWORD, "current-password"),
            rx.el.div(submit_button(ProofState, words.PROVE, words.PROVING)),
            class_name="proof-form",
        ),
        # Shows password managers the account of the password.
        rx.el.input(name="username", value=AuthState.email, auto_complete="username", hidden=True, read_only=True),
    )
    passkey = passkey_button(
        offer=ProofState.offer,
        answers=ProofState.answers,
        words=dict(words.PASSKEY_PROOF),
        variant=rx.cond(AuthState.has_password, "outline", "solid"),
        on_begin=ProofState.begin,
        on_response=ProofState.finish,
    )
    return StateDialog.create(
        rx.el.div(
            rx.el.p(words.PROOF_TEXT, class_name="backoffice-muted", id=PROOF_TEXT, tab_index=-1),
            rx.cond(AuthState.has_password, form),
            rx.cond(AuthState.has_passkey, passkey),
            class_name="proof-ways",
        ),
        is_open=ProofRequestState.is_asked,
        heading=words.PROOF_TITLE,
        on_close=ProofState.close,
        first=rx.cond(AuthState.has_password, "#proof-form [name=proof]", f"#{PROOF_TEXT}"),
    )
