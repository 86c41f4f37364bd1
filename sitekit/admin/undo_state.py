"""Undoes what a notice offers to undo."""

import reflex as rx

from ..base import messages
from ..base.permissions import Actor
from ..records import drafts
from ..records.draft_texts import BROUGHT_BACK
from ..records.features import record_types
from ..records.undo import prepare, undo
from ..server.framework.event_marks import ChainedEvent, EventReply
from ..server.framework.events import load_events
from ..ui.feedback import subject_of, success_notice, undo_notice
from .db_calls import change, read, write
from .guard import staff_event


class UndoState(rx.State):
    """The Undo of every notice."""

    @staff_event(failed=messages.UNDO_FAILED, reloads=True)
    async def undo(self, batch: str, *, actor: Actor) -> EventReply:
        """Undo a batch, and load the page that is shown again."""
        if draft := await write(lambda session: drafts.bring_back(session, actor, record_types(), batch)):
            return [success_notice(f"{BROUGHT_BACK}: {draft}", subject_of(self)), *await self._load(actor)]
        prepared = await read(lambda session: prepare(session, actor, record_types(), batch))
        undone, again = await change(lambda session: undo(session, actor, record_types(), prepared))
        text = f"{undone.text}. {undone.moved}" if undone.moved else undone.text
        return [undo_notice(text, subject_of(self), again), *await self._load(actor)]

    async def _load(self, _actor: Actor) -> list[ChainedEvent]:
        return load_events(self.router.url.path)
