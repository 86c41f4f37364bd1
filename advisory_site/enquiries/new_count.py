"""Counts the new enquiries for the header of the back office."""

import logging

import reflex as rx

from ..accounts.guard import staff_event
from ..backoffice.db_calls import read
from ..backoffice.shell import HeaderState
from ..core.permissions import Actor
from ..ui.feedback import reason
from . import inbox

logger = logging.getLogger(__name__)


class NewEnquiriesState(rx.State):
    """Fills the header's count, at every visit of a back-office page and after every change of an enquiry."""

    @staff_event
    async def load(self, *, actor: Actor) -> None:
        """Count the new enquiries; a failure shows no count and is logged."""
        try:
            count = await read(lambda session: inbox.count_new(session, actor))
        except Exception as error:
            await self._on_database_down("load", error)
            return
        await self._show(count)

    async def _on_database_down(self, handler: str, error: Exception) -> None:
        """Show no count and log one line while the database is down."""
        logger.error("New enquiries could not be counted: %s", reason(error))
        await self._show(0)

    async def _show(self, count: int) -> None:
        (await self.get_state(HeaderState)).new_enquiries = count
