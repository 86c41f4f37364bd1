"""The states of the page of pictures: the list, and the dialog of one picture."""

import logging
from collections.abc import AsyncIterator, Mapping
from types import MappingProxyType
from typing import Any, ClassVar

import reflex as rx
from sqlmodel import Session

from ..accounts.guard import staff_event
from ..backoffice.db_calls import change, read, write
from ..backoffice.dialog_form import DialogForm
from ..backoffice.form_state import Clash
from ..backoffice.list_state import ListReplies, ListState
from ..core import routes
from ..core.errors import NotFound
from ..core.permissions import Actor
from ..core.text import one_line, record_id
from ..core.threads import MEDIA, Overloaded
from ..framework.event_marks import ChainedEvent, EventReply
from ..media.service import delete_files
from ..media.storage import StoreUnavailable
from ..records.listing import ListQuery, Page
from ..ui.backoffice.dialog import closed
from ..ui.backoffice.submit import once
from ..ui.backoffice.unsaved import OVERWRITE
from ..ui.feedback import error_notice, reason, show_error, subject_of, success_notice, undo_notice
from . import media_library
from . import media_page_texts as words
from .media_library import PictureDetails, PictureDraft, PictureRow, PictureView, RecordLink

OPEN = "open"

# What is replied while the database is down.
_FAILURES = {
    "delete": words.DELETE_FAILED,
    "find_others": words.OTHERS_FAILED,
    "replace": words.REPLACE_FAILED,
}

log = logging.getLogger(__name__)


class PictureState(DialogForm, rx.State):
    """The dialog of the picture that the address names."""

    opened: PictureView = PictureView()
    uses: list[RecordLink] = []
    older: list[RecordLink] = []
    others: list[PictureRow] = []
    is_searched: bool = False
    conflict: Clash = Clash()

    @staff_event
    async def open(self, *, actor: Actor) -> AsyncIterator[EventReply]:
        """Show the picture that the address names; close the dialog if it cannot be read."""
        self._clear()
        yield None
        wanted = self._wanted()
        try:
            details = await read(lambda session: media_library.get(session, actor, wanted))
        except Exception as error:
            yield await self._leave_unread(error)
        else:
            self._fill(details)
            self.draft_name = f"{actor.user_id}:picture:{self.opened.id}"
            self.shown = wanted

    @staff_event
    @once
    async def save(self, form_data: dict[str, Any], *, actor: Actor) -> AsyncIterator[EventReply]:
        """Save the details once; after an error, all typed texts stay. `then` is `OVERWRITE` or anything else."""
        self.conflict = Clash()
        yield None
        # The id comes from the form, because the address may have changed since it was rendered.
        record, version = record_id(form_data.get("record")), record_id(form_data.get("version"))
        overwrite = form_data.get("then") == OVERWRITE
        try:
            draft = self._read(form_data)
            await write(lambda session: media_library.save(session, actor, record, draft, version, overwrite))
            details = await read(lambda session: media_library.get(session, actor, record))
        except Exception as error:
            yield self._refuse(error, words.SAVE_FAILED)
        else:
            self._fill(details)
            self._saved()
            yield [success_notice(words.SAVED, subject_of(self)), MediaState.refresh]

    @staff_event
    async def delete(self, picture: int, *, actor: Actor) -> EventReply:
        """Delete a picture that nothing uses, and close the dialog; else say what uses it."""
        try:
            names = await write(lambda session: media_library.delete(session, actor, picture))
        except Exception as error:
            reply = error_notice(error, words.DELETE_FAILED, subject_of(self))
            return [reply, self._leave() if isinstance(error, NotFound) else type(self).open]
        try:
            await MEDIA.run(delete_files, names)
        except (StoreUnavailable, Overloaded) as error:
            # Nothing refers to the files any more.
            log.error("The files of a deleted picture are left in the store: %s", reason(error))
        return [success_notice(words.DELETED, subject_of(self)), self._leave()]

    @staff_event
    async def find_others(self, text: str, *, actor: Actor) -> EventReply:
        """Search the pictures that may replace this one."""
        picture, search = self.opened.id, one_line(text)
        try:
            self.others = await read(lambda session: media_library.list_others(session, actor, picture, search))
        except Exception as error:
            return error_notice(error, words.OTHERS_FAILED, subject_of(self))
        self.is_searched = True
        return None

    @staff_event
    async def replace(self, picture: int, other: int, *, actor: Actor) -> EventReply:
        """Replace a picture by another one in every record that uses it."""
        try:
            count, batch = await change(lambda session: media_library.replace(session, actor, picture, other))
        except Exception as error:
            reply = error_notice(error, words.REPLACE_FAILED, subject_of(self))
        else:
            text = words.REPLACED_ONE if count == 1 else words.REPLACED.format(count=f"{count:,}")
            reply = undo_notice(text, subject_of(self), batch)
        return [reply, MediaState.load]

    def _read(self, typed: dict[str, Any]) -> PictureDraft:
        return PictureDraft.read({**typed, "name": self.opened.name})

    def _refuse(self, error: Exception, fallback: str) -> ChainedEvent | None:
        """As for any form; a conflict has no notice, because the form shows it itself."""
        self.conflict = Clash.of(error)
        notice = super()._refuse(error, fallback)
        return None if self.conflict.text else notice

    def _fill(self, details: PictureDetails) -> None:
        self.opened, self.uses, self.older = details.view, details.uses, details.older
        self.form = details.form

    def _leave(self) -> ChainedEvent:
        return rx.redirect(closed(routes.ADMIN_MEDIA, self.router.url.query, OPEN))

    def _wanted(self) -> str:
        return str(self.router.url.query_parameters.get(OPEN, ""))

    async def _leave_unread(self, error: Exception) -> ChainedEvent:
        await show_error(self, error, words.FETCH_FAILED)
        return self._leave()

    async def _on_database_down(self, handler: str, error: Exception) -> EventReply:
        """Reply while the database is down; typed text stays."""
        if handler == "save":
            return self._refuse(error, words.SAVE_FAILED)
        if handler in _FAILURES:
            return error_notice(error, _FAILURES[handler], subject_of(self))
        return await self._leave_unread(error) if handler == "open" else None


class MediaState(ListState, rx.State):
    """One page of the pictures."""

    rows: list[PictureRow] = []

    texts: ClassVar[ListReplies] = ListReplies(list_failed=words.FAILED)
    filters: ClassVar[Mapping[str, str]] = MappingProxyType({"filter": words.FILTER})

    @staff_event
    async def refresh(self, *, actor: Actor) -> EventReply:
        """Read the list again, and leave the dialog as it is."""
        return await super()._load(actor)

    def _find(self, session: Session, actor: Actor, query: ListQuery) -> Page[PictureRow]:
        return media_library.list_pictures(session, actor, query)

    async def _load(self, actor: Actor) -> list[ChainedEvent]:
        """Read the list, and the picture whose dialog is open; without one, clear the dialog."""
        events = await super()._load(actor)
        if self.router.url.query_parameters.get(OPEN):
            # The dialog reports the same error.
            return [*([] if self.has_failed else events), PictureState.open]
        (await self.get_state(PictureState))._clear()
        return events

    async def _on_database_down(self, handler: str, error: Exception) -> EventReply:
        return await super()._on_database_down("load" if handler == "refresh" else handler, error)
