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
from ..ui.backoffice.record_form import backoffice_form
from ..ui.backoffice.submit import SUBMISSION, SubmittedOnce, once, submit_button
from ..ui.feedback import refusal, subject_of
from ..ui.marks import Check, with_check
from ..ui.proof_request import ProofRequestState
from . import proof
from . import texts as words
from .drafts import ProofDraft
from .guard import fits, is_allowed, staff_event
from .session_state import AuthState, auth_of
from .workers import in_worker


class ProofState(SubmittedOnce, rx.State):
    """The form of the dialog. After the proof, the event that was refused is handled again."""

    errors: dict[str, str] = {}
    checks: dict[str, Check] = {}
    revision: int = 0

    @staff_event
    async def check(self, name: str, edit: int, typed: dict[str, Any], *, actor: Actor) -> None:
        """Check the field again while typing pauses."""
        self.checks = with_check(self.checks, name, Check(edit, complaint(ProofDraft.read, name, typed)))

    @public_event
    async def close(self) -> None:
        """Close the dialog without repeating the refused action."""
        self.errors, self.checks = {}, {}
        (await self.get_state(ProofRequestState))._take()

    @staff_event
    @once
    async def save(self, form_data: dict[str, Any], *, actor: Actor) -> AsyncIterator[EventReply]:
        """Check the proof, and repeat the refused action."""
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
            self.revision += 1
            yield _again(*(await self.get_state(ProofRequestState))._take())


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
            rx.el.p(words.PROOF_TEXT, class_name="backoffice-muted"),
            password_field("proof", words.PROOF_PASSWORD, "current-password"),
            rx.el.div(submit_button(ProofState, words.PROVE, words.PROVING)),
            class_name="proof-form",
        ),
        # Shows password managers the account of the password.
        rx.el.input(name="username", value=AuthState.email, auto_complete="username", hidden=True, read_only=True),
    )
    return StateDialog.create(
        form,
        is_open=ProofRequestState.is_asked,
        heading=words.PROOF_TITLE,
        on_close=ProofState.close,
        first="#proof-form [name=proof]",
    )
