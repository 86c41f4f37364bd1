"""Checks fields while they are typed: by the rules of saving, and whether a slug is free."""

import logging
from collections.abc import Mapping
from typing import Any, ClassVar

import reflex as rx
from sqlmodel import Session

from ..accounts.guard import staff_event
from ..content import backoffice as words
from ..content import messages
from ..core.permissions import Actor
from ..core.text import one_line, record_id
from ..records.form_fields import Draft, complaint
from ..ui.feedback import reason
from ..ui.marks import Check, with_check
from .db_calls import read

SLUG = "slug"

log = logging.getLogger(__name__)


class CheckedForm(rx.State, mixin=True):
    """The part of a form's state that answers while typing pauses; which fields ask, the browser knows."""

    checks: dict[str, Check] = {}

    draft: ClassVar[type[Draft]]

    def _stored(self, session: Session, actor: Actor, record: int) -> Any:
        """The form of a record as it is stored now, by its id; None when it is gone."""
        raise NotImplementedError

    def _is_slug_free(self, session: Session, actor: Actor, slug: str, record: int) -> bool:
        """Whether no other record has this slug; a form without a field for it is never asked."""
        raise NotImplementedError

    def _suggestions(self, name: str, typed: Mapping[str, object]) -> dict[str, str]:
        """Texts for other fields that follow from what this one holds."""
        return {}

    @staff_event
    async def check(self, name: str, edit: int, typed: dict[str, Any], *, actor: Actor) -> None:
        """While typing pauses: say what is wrong with a field's value, or what is good about it."""
        try:
            error, hint = await self._complaint(actor, name, typed), ""
            if name == SLUG and not error:
                error, hint = await self._consider_slug(actor, typed)
        except Exception as failed:
            # Nobody asked aloud, so nobody is answered: saving will say what is wrong.
            log.info("A field could not be checked: %s", reason(failed))
            return
        self.checks = with_check(self.checks, name, Check(edit, error, hint, self._suggestions(name, typed)))

    async def _complaint(self, actor: Actor, name: str, typed: Mapping[str, object]) -> str:
        """What is wrong with a field; what the stored record holds is not."""
        found, record = complaint(self.draft.read, name, typed), record_id(typed.get("record"))
        if not found or not record:
            return found
        stored = await read(lambda session: self._stored(session, actor, record))
        return complaint(lambda form: self.draft.read(form, stored), name, typed)

    async def _consider_slug(self, actor: Actor, typed: Mapping[str, object]) -> tuple[str, str]:
        """The error beside a typed slug that fits, and the hint."""
        slug, record = one_line(typed.get(SLUG)), record_id(typed.get("record"))
        if not slug:
            return "", ""
        is_free = await read(lambda session: self._is_slug_free(session, actor, slug, record))
        return ("", words.SLUG_FREE) if is_free else (messages.SLUG_TAKEN, "")
