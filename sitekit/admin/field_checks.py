"""Checks fields while typing: by the same rules as saving, and whether a slug is free."""

import logging
from collections.abc import Mapping
from typing import Any, ClassVar

import reflex as rx

from ..base import messages
from ..base.permissions import Actor
from ..base.text import one_line, record_id
from ..records.form_fields import complaint
from ..records.record_type import AnyRecordType
from ..ui.marks import FieldCheck, with_check
from . import texts
from .db_calls import read
from .guard import log_only, staff_event

SLUG = "slug"

log = logging.getLogger(__name__)


class CheckedForm(rx.State, mixin=True):
    """The part of a form's state that checks fields while typing pauses; the browser selects the fields."""

    checks: dict[str, FieldCheck] = {}

    record_type: ClassVar[AnyRecordType]

    def _suggestions(self, name: str, typed: Mapping[str, object]) -> dict[str, str]:
        """Texts for other fields that follow from this one's value."""
        return {}

    @staff_event(failed=log_only)  # saving will report the error
    async def check(self, name: str, edit: int, typed: dict[str, Any], *, actor: Actor) -> None:
        """Check a field while typing pauses, and report an error or a hint."""
        error, hint = await self._complaint(actor, name, typed), ""
        if name == SLUG and not error:
            error, hint = await self._consider_slug(actor, typed)
        if name in self.record_type.faceted and not error:
            hint = await self._consider_choice(actor, name, typed)
        if name == self.record_type.publishing.column and not error:
            is_public = one_line(typed.get(name)) in (self.record_type.publishing.public, "")
            hint = texts.IS_SHOWN if is_public else texts.IS_HIDDEN
        self.checks = with_check(self.checks, name, FieldCheck(edit, error, hint, self._suggestions(name, typed)))

    async def _complaint(self, actor: Actor, name: str, typed: Mapping[str, object]) -> str:
        """The error of a field; a value that is already stored is not an error."""
        data_class, record = self.record_type.data_class, record_id(typed.get("record"))
        sentence = complaint(data_class.read, name, typed)
        if not sentence or not record:
            return sentence
        current = await read(lambda session: self.record_type.get_stored(session, actor, record))
        return complaint(lambda form: data_class.read(form, current.inputs() if current else {}), name, typed)

    async def _consider_choice(self, actor: Actor, name: str, typed: Mapping[str, object]) -> str:
        """The note beside a value that would be new to a filter."""
        text, record = one_line(typed.get(name)), record_id(typed.get("record"))
        is_new = await read(lambda session: self.record_type.is_new_choice(session, actor, name, text, record))
        return (
            texts.NEW_CHOICE.format(noun=self.record_type.noun, facet=self.record_type.faceted[name]) if is_new else ""
        )

    async def _consider_slug(self, actor: Actor, typed: Mapping[str, object]) -> tuple[str, str]:
        """The error and the hint beside a valid slug: whether it is free."""
        slug, record = one_line(typed.get(SLUG)), record_id(typed.get("record"))
        if not slug:
            return "", ""
        is_free = await read(lambda session: self.record_type.is_slug_free(session, actor, slug, record))
        return ("", texts.SLUG_FREE) if is_free else (messages.SLUG_TAKEN, "")
