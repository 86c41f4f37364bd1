"""Forms of the back office, and keeping what is typed into one."""

from typing import TYPE_CHECKING, Any, ClassVar

import reflex as rx

from ..base.permissions import Actor
from ..base.text import clean_text, record_id
from ..records.record_form import RecordForm
from ..server.framework.event_marks import EventReply, public_event
from ..ui.form import Form
from .components.unsaved import unsaved_changes
from .guard import log_only, setup_event, staff_event


class StaffForm(Form, rx.State, mixin=True):
    """A form that stays open after saving; `revision` counts up when it begins anew, and shows its values again."""

    revision: int = 0

    # The fields that are validated together.
    compared: ClassVar[tuple[str, ...]] = ()

    @public_event
    def open(self) -> None:
        """Show the form as on a first visit; the page's `on_load`."""
        self._clear()

    @setup_event(failed=log_only)  # saving will report the error
    async def check(self, name: str, edit: int, typed: dict[str, Any], *, actor: Actor) -> None:
        """Check an invalid field again while typing pauses."""
        self._check(name, edit, typed)

    def _saved(self) -> None:
        self.errors, self.checks = {}, {}
        self.revision += 1


class KeptForm(rx.State, mixin=True):
    """The part of a `StaffForm` that keeps what is typed, with `unsaved_changes`; mix in before it, and define `open`.

    `shown` is the address that the vars belong to. `saves` counts the saves, after which the form shows `form`.
    """

    shown: str = ""
    form: RecordForm = RecordForm()
    unsaved_name: str = ""
    is_restored: bool = False
    saves: int = 0

    if TYPE_CHECKING:
        errors: dict[str, str]
        checks: dict[str, Any]
        revision: int
        open: ClassVar[Any]

    @staff_event(failed=lambda self, error, _subject: self._fail(error))
    async def restore(self, typed: dict[str, Any], *, actor: Actor) -> None:
        """Show what the browser has kept, instead of the stored values."""
        if record_id(typed.get("record")) == self.form.id and self._fill_in(typed):
            self.is_restored = True
            self.revision += 1

    @staff_event(failed=lambda self, error, _subject: self._fail(error))
    async def discard(self, *, actor: Actor) -> EventReply:
        """Discard what was typed, and show the stored values."""
        return self._reopen()

    def _fill_in(self, typed: dict[str, Any]) -> bool:
        """Show typed texts; False if they belong to another address."""
        texts = {name: clean_text(typed.get(name)) for name in self.form.texts}
        # The version that they were typed over.
        version = record_id(typed.get("version")) if "version" in typed else self.form.version
        self.form = RecordForm(self.form.id, version, texts)
        return True

    def _reopen(self) -> EventReply:
        return [type(self).open]

    def _fail(self, error: Exception) -> EventReply:
        """Only log the error: who asks for it sees whether it was done."""
        log_only(self, error, "")
        return None

    def _saved(self) -> None:
        self.errors, self.checks, self.is_restored = {}, {}, False
        self.saves += 1


def typed_is_kept(state: Any, form_id: str) -> rx.Component:
    """Keeps what is typed into the form of a dialog; goes into its form."""
    return rx.fragment(unsaved_changes(state, form_id), rx.el.input(type="hidden", name="then"))
