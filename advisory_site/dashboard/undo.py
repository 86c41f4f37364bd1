"""Undoes what a notice offers to undo."""

import reflex as rx

from ..accounts.guard import staff_event
from ..backoffice.db_calls import change
from ..content import messages
from ..core.permissions import Actor
from ..framework.event_marks import ChainedEvent, EventReply
from ..framework.events import load_events
from ..records.undo import undo
from ..ui.feedback import error_notice, subject_of, undo_notice
from .record_types import RECORD_TYPES


class UndoState(rx.State):
    """The Undo of every notice."""

    @staff_event
    async def undo(self, batch: str, *, actor: Actor) -> EventReply:
        """Undo a batch, and load the page that is shown again, also after a failure: it may be out of date."""
        try:
            undone, again = await change(lambda session: undo(session, actor, RECORD_TYPES, batch))
        except Exception as error:
            reply = self._refuse(error)
        else:
            several = messages.RECORD_COUNT.format(count=f"{undone.count:,}")
            text = messages.UNDONE.format(records=undone.name if undone.count == 1 else several)
            reply = undo_notice(text, subject_of(self), again)
        return [reply, *load_events(self.router.url.path)]

    def _on_database_down(self, handler: str, error: Exception) -> EventReply:
        """Reply while the database is down."""
        return self._refuse(error)

    def _refuse(self, error: Exception) -> ChainedEvent:
        return error_notice(error, messages.UNDO_FAILED, subject_of(self))
