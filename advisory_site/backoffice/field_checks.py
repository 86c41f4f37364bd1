"""Checks fields while typing: by the same rules as saving, and whether a slug is free."""

import logging
from collections.abc import Mapping
from typing import Any, ClassVar

import reflex as rx

from ..accounts.guard import staff_event
from ..content import backoffice as words
from ..content import messages
from ..core.permissions import Actor
from ..core.text import one_line, record_id
from ..records.form_fields import complaint
from ..records.record_type import AnyRecordType
from ..ui.feedback import reason
from ..ui.marks import Check, with_check
from .db_calls import read

SLUG = "slug"

log = logging.getLogger(__name__)


class CheckedForm(rx.State, mixin=True):
    """The part of a form's state that checks fields while typing pauses; the browser selects the fields."""

    checks: dict[str, Check] = {}

    kind: ClassVar[AnyRecordType]

    def _suggestions(self, name: str, typed: Mapping[str, object]) -> dict[str, str]:
        """Texts for other fields that follow from this one's value."""
        return {}

    @staff_event
    async def check(self, name: str, edit: int, typed: dict[str, Any], *, actor: Actor) -> None:
        """Check a field while typing pauses, and report an error or a hint."""
        try:
            error, hint = await self._complaint(actor, name, typed), ""
            if name == SLUG and not error:
                error, hint = await self._consider_slug(actor, typed)
            if name == self.kind.publishing.column and not error:
                is_public = one_line(typed.get(name)) in (self.kind.publishing.public, "")
                hint = words.IS_SHOWN if is_public else words.IS_HIDDEN
        except Exception as failed:
            # No reply, because the user has not asked for the check; saving will report the error.
            log.info("A field could not be checked: %s", reason(failed))
            return
        self.checks = with_check(self.checks, name, Check(edit, error, hint, self._suggestions(name, typed)))

    async def _complaint(self, actor: Actor, name: str, typed: Mapping[str, object]) -> str:
        """The error of a field; a value that is already stored is not an error."""
        draft, record = self.kind.draft, record_id(typed.get("record"))
        found = complaint(draft.read, name, typed)
        if not found or not record:
            return found
        stored = await read(lambda session: self.kind.get_stored(session, actor, record))
        return complaint(lambda form: draft.read(form, stored.inputs() if stored else {}), name, typed)

    async def _consider_slug(self, actor: Actor, typed: Mapping[str, object]) -> tuple[str, str]:
        """The error and the hint beside a valid slug: whether it is free."""
        slug, record = one_line(typed.get(SLUG)), record_id(typed.get("record"))
        if not slug:
            return "", ""
        is_free = await read(lambda session: self.kind.is_slug_free(session, actor, slug, record))
        return ("", words.SLUG_FREE) if is_free else (messages.SLUG_TAKEN, "")
