"""Short forms of the profile and account pages: each has its own button, and stays open after saving."""

from typing import Any, ClassVar

import reflex as rx

from ..accounts.guard import setup_event
from ..core.errors import InvalidInput
from ..core.permissions import Actor
from ..framework.event_marks import ChainedEvent, public_event
from ..records.form_fields import Draft, complaint
from ..ui.backoffice.chakra import rc
from ..ui.backoffice.forms import field_group
from ..ui.backoffice.record_form import backoffice_form
from ..ui.backoffice.submit import SubmittedOnce, submit_button
from ..ui.feedback import refusal, subject_of
from ..ui.marks import Check, with_check
from ..ui.notices import notice_place
from . import texts as words


class ShortForm(SubmittedOnce, rx.State, mixin=True):
    """A short form that stays open after saving; unlike `FormState` it keeps no draft."""

    errors: dict[str, str] = {}
    checks: dict[str, Check] = {}
    revision: int = 0

    draft: ClassVar[type[Draft]]
    compared: ClassVar[tuple[str, ...]] = ()

    @public_event
    def open(self) -> None:
        """Clear the errors of an earlier visit; the page's `on_load`."""
        self.errors, self.checks = {}, {}

    @setup_event
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


def short_form(state: type[ShortForm], form_id: str, text: Any, label: Any, *fields: rx.Component) -> rx.Component:
    """The form of a `ShortForm`, with its button and its notices."""
    button = submit_button(state, label, words.SAVING)
    return backoffice_form(
        state,
        form_id,
        field_group(text, *fields, rx.el.div(button, notice_place(subject=subject_of(state)), class_name="field-wide")),
        sends=state.compared,
    )


def form_buttons(state: Any, label: str, busy: str) -> rx.Component:
    """The submit button of a form whose state has `cancel`, beside a button for that."""
    return rx.el.div(
        rc.button(words.CANCEL, on_click=state.cancel, type_="button", variant="outline"),
        submit_button(state, label, busy),
        class_name="form-buttons field-wide",
    )
