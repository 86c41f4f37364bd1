"""A form in a dialog that stays open after saving, and keeps what is typed as the form of a record does."""

from typing import TYPE_CHECKING, Any, ClassVar

import reflex as rx

from ..accounts.guard import staff_event
from ..core.errors import InvalidInput
from ..core.permissions import Actor
from ..core.text import clean_text, record_id
from ..framework.event_marks import ChainedEvent, EventReply
from ..records.form_fields import complaint
from ..records.inputs import RecordForm
from ..ui.backoffice.submit import SubmittedOnce
from ..ui.backoffice.unsaved import unsaved_changes
from ..ui.feedback import refusal, subject_of
from ..ui.marks import Check, with_check


class DialogForm(SubmittedOnce, rx.State, mixin=True):
    """Mix in before `rx.State`, and define `open`, `save` and `_read`.

    The form works as those of records (`backoffice.form_state`): `shown` is the address that the vars belong to, and
    `revision` counts up when the form begins anew. `saves` counts the saves, after which the form shows `form`.
    """

    shown: str = ""
    form: RecordForm = RecordForm()
    draft_name: str = ""
    errors: dict[str, str] = {}
    checks: dict[str, Check] = {}
    revision: int = 0
    saves: int = 0
    is_restored: bool = False

    if TYPE_CHECKING:
        open: ClassVar[Any]

    def _read(self, typed: dict[str, Any]) -> object:
        """Read the form into its draft; raises `InvalidInput`."""
        raise NotImplementedError

    @staff_event
    async def check(self, name: str, edit: int, typed: dict[str, Any], *, actor: Actor) -> None:
        """Check a marked field again while typing pauses."""
        self.checks = with_check(self.checks, name, Check(edit, complaint(self._read, name, typed)))

    @staff_event
    async def restore(self, typed: dict[str, Any], *, actor: Actor) -> None:
        """Show a draft that the browser has stored, instead of the stored values."""
        if record_id(typed.get("record")) != self.form.id:
            return
        texts = {name: clean_text(typed.get(name)) for name in self.form.texts}
        # The version that they were typed over.
        version = record_id(typed.get("version")) if "version" in typed else self.form.version
        self.form = RecordForm(self.form.id, version, texts)
        self.is_restored = True
        self.revision += 1

    @staff_event
    async def discard(self, *, actor: Actor) -> EventReply:
        """Discard what was typed, and show the stored values."""
        return [type(self).open]

    def _saved(self) -> None:
        self.errors, self.checks, self.is_restored = {}, {}, False
        self.saves += 1

    def _clear(self) -> None:
        """Reset all vars except the counters, so that nothing of an earlier record is left."""
        times_refused, revision, answered, saves = self.times_refused, self.revision, self.answered, self.saves
        self.reset()  # type: ignore[no-untyped-call]  # Reflex gives it no types
        self.times_refused, self.revision, self.answered, self.saves = times_refused, revision, answered, saves

    def _refuse(self, error: Exception, fallback: str) -> ChainedEvent | None:
        self.errors = error.fields if isinstance(error, InvalidInput) else {}
        self.times_refused += 1
        return refusal(error, fallback, subject_of(self))


def typed_is_kept(state: Any, form_id: str) -> rx.Component:
    """Keeps what is typed into a `DialogForm`; goes into its form."""
    return rx.fragment(unsaved_changes(state, form_id), rx.el.input(type="hidden", name="then"))
