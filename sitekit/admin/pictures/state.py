"""The states of the page of pictures: the list, and the dialog of one picture."""

import logging
from collections.abc import AsyncIterator, Mapping
from types import MappingProxyType
from typing import Any, ClassVar

import reflex as rx
from sqlmodel import Session

from ...base import paths
from ...base.errors import NotFound
from ...base.permissions import Actor
from ...base.text import one_line, record_id
from ...base.threads import MEDIA, Overloaded
from ...records.listing import ListPage, ListQuery
from ...records.pictures.addresses import key_of
from ...records.pictures.service import delete_files
from ...records.pictures.service import find as find_picture
from ...records.pictures.storage import StoreUnavailable
from ...server.framework.event_marks import ChainedEvent, EventReply
from ...ui.feedback import error_notice, reason, show_error, subject_of, success_notice, undo_notice
from ...ui.form import once
from ..components.dialog import closed
from ..components.unsaved import OVERWRITE
from ..conflicts import EditConflict
from ..db_calls import change, read, write
from ..finder.state import note_opened
from ..guard import staff_event
from ..list_state import ListReplies, ListState
from ..staff_form import KeptForm, StaffForm
from ..user_accounts import user_accounts
from . import library as media_library
from . import texts as picture_texts
from .library import PictureData, PictureDetails, PictureRow, PictureView, UsingRecord

OPEN = "open"

log = logging.getLogger(__name__)


class PictureState(KeptForm, StaffForm, rx.State):
    """The dialog of the picture that the address names."""

    opened: PictureView = PictureView()
    uses: list[UsingRecord] = []
    older: list[UsingRecord] = []
    others: list[PictureRow] = []
    is_searched: bool = False
    conflict: EditConflict = EditConflict()

    @staff_event(failed=lambda self, error, _subject: self._redirect_unread(error))
    async def open(self, *, actor: Actor) -> AsyncIterator[EventReply]:
        """Show the picture that the address names; close the dialog if it cannot be read."""
        self._clear()
        yield None
        typed_id = self._id_or_slug()
        self._fill(await read(lambda session: media_library.get(session, actor, typed_id)))
        self.unsaved_name = f"{actor.user_id}:picture:{self.opened.id}"
        await note_opened(self, media_library.FINDABLE.table, self.opened.id)
        self.shown = typed_id

    @staff_event(failed=lambda self, error, _subject: self._refuse(error, picture_texts.SAVE_FAILED))
    @once()
    async def save(self, form_data: dict[str, Any], *, actor: Actor) -> EventReply:
        """Save the details once; after an error, all typed texts stay. `then` is `OVERWRITE` or anything else."""
        # The id comes from the form, because the address may have changed since it was rendered.
        record, version = record_id(form_data.get("record")), record_id(form_data.get("version"))
        overwrite = form_data.get("then") == OVERWRITE
        data = self._read(form_data)
        await write(lambda session: media_library.save(session, actor, record, data, version, overwrite))
        self._fill(await read(lambda session: media_library.get(session, actor, record)))
        self._saved()
        return [success_notice(picture_texts.SAVED, subject_of(self)), MediaState.refresh]

    def _begin(self) -> None:
        self.conflict = EditConflict()

    @staff_event(failed=picture_texts.DELETE_FAILED)
    async def delete(self, picture: int, *, actor: Actor) -> EventReply:
        """Delete a picture that nothing uses, and close the dialog; else say what uses it."""
        try:
            names = await write(lambda session: _delete(session, actor, picture))
        except Exception as error:
            reply = error_notice(error, picture_texts.DELETE_FAILED, subject_of(self))
            return [reply, self._redirect() if isinstance(error, NotFound) else type(self).open]
        try:
            await MEDIA.run(delete_files, names)
        except (StoreUnavailable, Overloaded) as error:
            # Nothing refers to the files any more.
            log.error("The files of a deleted picture are left in the store: %s", reason(error))
        return [success_notice(picture_texts.DELETED, subject_of(self)), self._redirect()]

    @staff_event(failed=picture_texts.OTHERS_FAILED)
    async def find_others(self, text: str, *, actor: Actor) -> None:
        """Search the pictures that may replace this one."""
        picture, search = self.opened.id, one_line(text)
        self.others = await read(lambda session: media_library.list_others(session, actor, picture, search))
        self.is_searched = True

    @staff_event(failed=picture_texts.REPLACE_FAILED, reloads=True)
    async def replace(self, picture: int, other: int, *, actor: Actor) -> EventReply:
        """Replace a picture by another one in every record that uses it."""
        count, batch = await change(lambda session: media_library.replace(session, actor, picture, other))
        text = picture_texts.REPLACED_ONE if count == 1 else picture_texts.REPLACED.format(count=f"{count:,}")
        return [undo_notice(text, subject_of(self), batch), *await self._load(actor)]

    async def _load(self, _actor: Actor) -> list[ChainedEvent]:
        return [MediaState.load]

    def _read(self, typed: dict[str, Any]) -> PictureData:
        return PictureData.read({**typed, "name": self.opened.name})

    def _notice(self, error: Exception, fallback: str) -> ChainedEvent | None:
        """The notice of an error; None for a conflict, which the form shows itself."""
        self.conflict = EditConflict.of(error)
        return None if self.conflict.text else super()._notice(error, fallback)

    def _fill(self, details: PictureDetails) -> None:
        self.opened, self.uses, self.older = details.view, details.uses, details.older
        self.form = details.form

    def _redirect(self) -> ChainedEvent:
        return rx.redirect(closed(paths.ADMIN_MEDIA, self.router.url.query, OPEN))

    def _id_or_slug(self) -> str:
        return str(self.router.url.query_parameters.get(OPEN, ""))

    async def _redirect_unread(self, error: Exception) -> ChainedEvent:
        await show_error(self, error, picture_texts.FETCH_FAILED)
        return self._redirect()


class MediaState(ListState, rx.State):
    """One page of the pictures."""

    rows: list[PictureRow] = []

    texts: ClassVar[ListReplies] = ListReplies(list_failed=picture_texts.FAILED)
    filters: ClassVar[Mapping[str, str]] = MappingProxyType({"filter": picture_texts.FILTER})

    @staff_event(failed=picture_texts.FETCH_FAILED)
    async def open_added(self, address: str, *, actor: Actor) -> EventReply:
        """Open the picture that was just uploaded; the list shows all, the newest first."""
        picture = await read(lambda session: find_picture(session, actor, key_of(one_line(address))))
        return rx.redirect(f"{paths.ADMIN_MEDIA}?{OPEN}={picture.id}") if picture else None

    @staff_event(failed=lambda self, error, _subject: self._show_load_error(error))
    async def refresh(self, *, actor: Actor) -> EventReply:
        """Read the list again, and leave the dialog as it is."""
        return await super()._load(actor)

    def _find(self, session: Session, actor: Actor, query: ListQuery) -> ListPage[PictureRow]:
        return media_library.list_pictures(session, actor, query)

    async def _load(self, actor: Actor) -> list[ChainedEvent]:
        """Read the list, and the picture whose dialog is open; without one, clear the dialog."""
        events = await super()._load(actor)
        if self.router.url.query_parameters.get(OPEN):
            # The dialog reports the same error.
            return [*([] if self.has_failed else events), PictureState.open]
        (await self.get_state(PictureState))._clear()
        return events


def _delete(session: Session, actor: Actor, picture: int) -> list[str]:
    """Delete a picture; returns the names of its files."""
    names = media_library.delete(session, actor, picture)
    user_accounts().count_erased(session, actor)
    return names
