"""The states of the page of pictures: the list, and the dialog of one picture."""

import logging
from collections.abc import AsyncIterator, Mapping
from types import MappingProxyType
from typing import Any, ClassVar

import reflex as rx
from sqlmodel import Session

from ..accounts.guard import staff_event
from ..backoffice.db_calls import change, read, write
from ..backoffice.form_state import Clash
from ..backoffice.list_state import ListReplies, ListState
from ..core import routes
from ..core.errors import InvalidInput, NotFound
from ..core.permissions import Actor
from ..core.text import clean_text, one_line, record_id
from ..core.threads import MEDIA, Overloaded
from ..framework.event_marks import ChainedEvent, EventReply
from ..media.service import delete_files
from ..media.storage import StoreUnavailable
from ..records.form_fields import complaint
from ..records.inputs import RecordForm
from ..records.listing import ListQuery, Page
from ..ui.backoffice.dialog import closed
from ..ui.backoffice.submit import SubmittedOnce, once
from ..ui.backoffice.unsaved import OVERWRITE
from ..ui.feedback import error_notice, reason, refusal, subject_of, success_notice, undo_notice
from ..ui.marks import Check, with_check
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


class PictureState(SubmittedOnce, rx.State):
    """The dialog of the picture that the address names.

    The form works as those of records (`backoffice.form_state`): `shown` is the address that the vars belong to, and
    `revision` counts up when the form begins anew. It stays open after saving.
    """

    opened: PictureView = PictureView()
    uses: list[RecordLink] = []
    older: list[RecordLink] = []
    others: list[PictureRow] = []
    is_searched: bool = False
    shown: str = ""
    form: RecordForm = RecordForm()
    draft_name: str = ""
    errors: dict[str, str] = {}
    checks: dict[str, Check] = {}
    conflict: Clash = Clash()
    revision: int = 0
    saves: int = 0
    is_restored: bool = False

    @staff_event
    async def open(self, *, actor: Actor) -> AsyncIterator[EventReply]:
        """Show the picture that the address names; close the dialog if it cannot be read."""
        self._clear()
        yield None
        wanted = self._wanted()
        try:
            details = await read(lambda session: media_library.get(session, actor, wanted))
        except Exception as error:
            yield self._show_load_error(error)
        else:
            self._fill(details)
            self.draft_name = f"{actor.user_id}:picture:{self.opened.id}"
            self.shown = wanted

    @staff_event
    async def check(self, name: str, edit: int, typed: dict[str, Any], *, actor: Actor) -> None:
        """Check a marked field again while typing pauses."""
        named = {**typed, "name": self.opened.name}
        self.checks = with_check(self.checks, name, Check(edit, complaint(PictureDraft.read, name, named)))

    @staff_event
    async def restore(self, typed: dict[str, Any], *, actor: Actor) -> None:
        """Show a draft that the browser has stored, instead of the stored details."""
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
        """Discard what was typed, and show the stored details."""
        return [type(self).open]

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
            draft = PictureDraft.read({**form_data, "name": self.opened.name})
            await write(lambda session: media_library.save(session, actor, record, draft, version, overwrite))
            details = await read(lambda session: media_library.get(session, actor, record))
        except Exception as error:
            yield self._refuse(error)
        else:
            self._fill(details)
            self.errors, self.checks, self.is_restored = {}, {}, False
            self.saves += 1
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

    def _fill(self, details: PictureDetails) -> None:
        self.opened, self.uses, self.older = details.view, details.uses, details.older
        self.form = details.form

    def _leave(self) -> ChainedEvent:
        return rx.redirect(closed(routes.ADMIN_MEDIA, self.router.url.query, OPEN))

    def _wanted(self) -> str:
        return str(self.router.url.query_parameters.get(OPEN, ""))

    def _clear(self) -> None:
        """Reset all vars except the counters, so that nothing of an earlier picture is left."""
        times_refused, revision, answered, saves = self.times_refused, self.revision, self.answered, self.saves
        self.reset()  # type: ignore[no-untyped-call]  # Reflex gives it no types
        self.times_refused, self.revision, self.answered, self.saves = times_refused, revision, answered, saves

    def _refuse(self, error: Exception) -> ChainedEvent | None:
        """Set the errors of the fields, and return the notice; None for a conflict, which the form shows itself."""
        self.errors = error.fields if isinstance(error, InvalidInput) else {}
        self.conflict = Clash.of(error)
        self.times_refused += 1
        return None if self.conflict.text else refusal(error, words.SAVE_FAILED, subject_of(self))

    def _show_load_error(self, error: Exception) -> list[ChainedEvent]:
        return [error_notice(error, words.FETCH_FAILED, subject_of(self)), self._leave()]

    def _on_database_down(self, handler: str, error: Exception) -> EventReply:
        """Reply while the database is down; typed text stays."""
        if handler == "save":
            return self._refuse(error)
        if handler in _FAILURES:
            return error_notice(error, _FAILURES[handler], subject_of(self))
        return self._show_load_error(error) if handler == "open" else None


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
