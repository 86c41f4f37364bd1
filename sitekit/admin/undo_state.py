"""Undoes what a notice offers to undo."""

import logging

import reflex as rx

from ..base import messages
from ..base.permissions import Actor
from ..records import drafts
from ..records.draft_texts import BROUGHT_BACK
from ..records.features import record_types
from ..records.undo import outdated, prepare, undo
from ..server.framework.event_marks import ChainedEvent, EventReply, public_event
from ..server.framework.events import load_events
from ..ui.feedback import NoticeState, reason, subject_of, success_notice, undo_notice
from .db_calls import change, read, write
from .guard import staff_event

log = logging.getLogger(__name__)


class UndoState(rx.State):
    """The Undo of every notice."""

    @staff_event(failed=messages.UNDO_FAILED, reloads=True)
    async def undo(self, batch: str, *, actor: Actor) -> EventReply:
        """Undo a batch, and load the page that is shown again."""
        if draft := await write(lambda session: drafts.bring_back(session, actor, record_types(), batch)):
            return [success_notice(f"{BROUGHT_BACK}: {draft}", subject_of(self)), *await self._load(actor)]
        prepared = await read(lambda session: prepare(session, actor, record_types(), batch))
        undone, again = await change(lambda session: undo(session, actor, record_types(), prepared))
        several = messages.RECORD_COUNT.format(count=f"{undone.count:,}")
        text = messages.UNDONE.format(records=undone.name if undone.count == 1 else several)
        text = f"{text}. {undone.moved}" if undone.moved else text
        return [undo_notice(text, subject_of(self), again), *await self._load(actor)]

    async def _load(self, _actor: Actor) -> list[ChainedEvent]:
        return load_events(self.router.url.path)

    # Public, because it also follows the reply to a sign-out.
    @public_event
    async def review_offers(self) -> None:
        """Withdraw the notices of this tab that offer to undo what was changed again since."""
        notices = await self.get_state(NoticeState)
        try:
            useless = await read(lambda session: outdated(session, notices._earlier_offers()))
        except Exception as error:
            # No reply, because the user has not asked for it; a useless Undo changes nothing and says why.
            log.info("The notices that offer Undo could not be reviewed: %s", reason(error))
            return
        for batch in useless:
            notices._withdraw_offer(batch)
