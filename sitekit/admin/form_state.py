"""The base state of a record form: open, check, save once, restore a draft."""

import logging
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar
from urllib.parse import urlencode

import reflex as rx
from sqlmodel import Session

from ..base import paths
from ..base.permissions import Actor
from ..base.text import one_line, record_id
from ..records import drafts
from ..records.draft_authors import CONFIRMED
from ..records.draft_texts import DISCARD_FAILED, DISCARDED, SAVE_FAILED
from ..records.draft_times import HIDE_AT, PUBLISH_AT
from ..records.drafts import DraftMark
from ..records.form_fields import MOST_ROWS, complaint
from ..records.listing import ListQuery, list_parameters
from ..records.revisions import change_context
from ..records.saving import LastSave
from ..server.framework.event_marks import ChainedEvent, EventReply
from ..ui.feedback import error_notice, reason, show_error, subject_of, success_notice, undo_notice
from ..ui.form import once
from .components.unsaved import DRAFT, OVERWRITE, OVERWRITE_DRAFT, PREVIEW, PUBLISH, STAY
from .conflicts import EditConflict
from .db_calls import change, read, write
from .field_checks import CheckedForm
from .finder.state import note_opened
from .form_address import FormAddress
from .form_rows import FormRow, blank_entry, entries_of, entries_typed, with_texts
from .guard import staff_event
from .opened_form import REVISION, FormReader, ShownRevision
from .return_to_list import ReturnState
from .staff_form import KeptForm, StaffForm
from .user_accounts import user_accounts

log = logging.getLogger(__name__)


class FormState(CheckedForm, KeptForm, StaffForm, rx.State, mixin=True):
    """Mix in before `rx.State`, and set `record_type`; fields in `watched` are checked when typing pauses.

    `address` says where the form is, and `reader` what it begins with.

    `open` is the page's `on_load`. Inputs are named after the table's columns; those of a repeating group
    `group.key.field`. `entries` holds the rows of the groups, `options` what the fields that name other records
    offer. The form is hidden until `shown` equals the browser's address. After a save the browser goes to
    `destination`, if it still shows the form. `saved` is the last save of the record that is shown, `history_path`
    leads to its history; `restoring` is the revision whose values are shown instead of the stored ones, `stored_draft`
    the record's draft, whose values are.
    """

    options: dict[str, list[list[str]]] = {}
    back: str = ""
    entries: dict[str, list[FormRow]] = {}
    conflict: EditConflict = EditConflict()
    destination: str = ""
    is_staying: bool = False
    saved: LastSave = LastSave()
    history_path: str = ""
    restoring: ShownRevision = ShownRevision()
    stored_draft: DraftMark = DraftMark()
    _created: int = 0

    watched: ClassVar[tuple[str, ...]] = ()

    address: ClassVar[FormAddress] = FormAddress()
    reader: ClassVar[type[FormReader]] = FormReader

    @staff_event(failed=lambda self, error, _subject: self._redirect_unread(error))
    async def open(self, *, actor: Actor) -> AsyncIterator[EventReply]:
        """Show the record of the address; redirect to the list if it cannot be read."""
        self._clear()
        yield None
        await self._show(actor)

    @staff_event(failed=lambda self, error, _subject: self._fail(error))
    async def add_entry(self, group: str, *, actor: Actor) -> None:
        """Add a blank row to a group."""
        rows, groups = self.entries.get(group, []), self.record_type.groups
        if group in groups and len(rows) < MOST_ROWS:
            key = max((row.key for row in rows), default=-1) + 1
            self.entries = {**self.entries, group: [*rows, blank_entry(groups[group], key)]}

    @staff_event(failed=lambda self, error, _subject: self._fail(error))
    async def remove_entry(self, group: str, key: int, *, actor: Actor) -> None:
        """Remove a row, as long as enough remain."""
        rows, groups = self.entries.get(group, []), self.record_type.groups
        if group in groups and len(rows) > groups[group].at_least:
            self.entries = {**self.entries, group: [row for row in rows if row.key != key]}

    @staff_event(failed=lambda self, error, _subject: self._fail(error))
    @once()
    async def save(self, form_data: dict[str, Any], *, actor: Actor) -> EventReply:
        """Save once; after an error, all typed texts stay.

        `then` is `STAY`, `OVERWRITE`, `DRAFT`, `OVERWRITE_DRAFT`, `PREVIEW`, `PUBLISH` or empty, after `CONFIRMED` if
        the user was asked about the work of others. With a time to publish at, empty and `STAY` are `DRAFT`.
        """
        # The record's id comes from the form, because the address may have changed since it was rendered.
        record, texts = record_id(form_data.get("record")), self.record_type.texts
        then = str(form_data.get("then")).removeprefix(CONFIRMED)
        if self._created and not record:
            return None
        if then not in (OVERWRITE, OVERWRITE_DRAFT, PREVIEW, PUBLISH) and one_line(form_data.get(PUBLISH_AT)):
            then = DRAFT
        if then in (DRAFT, OVERWRITE_DRAFT, PREVIEW):
            return await self._save_draft(actor, record, form_data, then)
        offers_undo = self._offers_undo()
        try:
            saved, batch = await change(
                lambda session: self._save(session, actor, record, form_data, then == OVERWRITE)
            )
        except Exception as error:
            return self._refuse_save(error, texts.update_failed if record else texts.create_failed, then, OVERWRITE)
        self._created = saved
        await self._reload(actor, saved)
        await (self._stay() if then == STAY else self._return_to_list(actor, saved))
        # Sent after `destination` is set, so that the notice appears in the form or on the next page.
        return undo_notice(self._saved_text(record), subject_of(self), batch if offers_undo else "")

    @staff_event(failed=DISCARD_FAILED)
    async def discard_draft(self, *, actor: Actor) -> EventReply:
        """Discard the draft, and show the stored record; the list, if there is none."""
        draft = self.stored_draft.id
        batch = await write(lambda session: drafts.discard(session, actor, self.record_type, draft))
        return [
            undo_notice(DISCARDED, subject_of(self), batch),
            type(self).open if self.form.id else rx.redirect(self._back()),
        ]

    def _offers_undo(self) -> bool:
        """Whether the notice of the next save offers to undo it."""
        return False

    def _saved_text(self, record: int) -> str:
        """The reply to saving a record, 0 for a new one."""
        return self.record_type.texts.updated if record else self.record_type.texts.created

    async def _save_draft(self, actor: Actor, record: int, form_data: dict[str, Any], then: str) -> EventReply:
        """Keep what was typed as a draft, and stay or show its preview; what is typed wrong is marked."""
        how: Any = {"overwrite": then == OVERWRITE_DRAFT, "email": user_accounts().tell_of_draft}
        try:
            saved = await write(lambda session: drafts.save(session, actor, self.record_type, record, form_data, **how))
            opened = await read(lambda session: self._reader(session, actor).draft(record, saved))
        except Exception as error:
            return self._refuse_save(error, SAVE_FAILED, then, OVERWRITE_DRAFT)
        self.form, self.stored_draft = opened.form, opened.draft
        times = self._show_refused_times(form_data)
        self._saved()
        self.errors, self.is_staying, self.destination = opened.wrong, then != PREVIEW, ""
        self.times_refused += bool(opened.wrong)
        if then == PREVIEW:
            self.destination = paths.preview_page(saved)
        elif not record:
            parameters = self._list_parameters() | {DRAFT: str(saved)} | {name: at for name, at in times.items() if at}
            self.destination = self._path(parameters)
        # The foot of the form has the fields to correct, if there are any.
        return success_notice(opened.said, "" if opened.wrong else subject_of(self))

    def _show_refused_times(self, given: Mapping[str, Any]) -> dict[str, str]:
        """Show the times that a draft did not get, because of its problem; returns them by their names."""
        names = (PUBLISH_AT, HIDE_AT) if self.stored_draft.problem else ()
        times = {name: one_line(given[name]) for name in names if name in given}
        self.form = replace(self.form, texts=self.form.texts | times)
        return times

    def _refuse_save(self, error: Exception, fallback: str, then: str, overwrite: str) -> EventReply:
        reply = self._refuse(error, fallback)
        self.conflict = replace(self.conflict, then=CONFIRMED + then if self.conflict.question else overwrite)
        return reply

    def _begin(self) -> None:
        self.conflict = EditConflict()

    def _fill_in(self, typed: dict[str, Any]) -> bool:
        """Show typed texts and rows; False if they belong to another address."""
        if self.shown != self.address.shown(self):
            return False
        self.form = with_texts(self.form, self.record_type.fields, typed)
        read = self.record_type.data_class.read
        self.errors = {name: text for name in self.errors if (text := complaint(read, name, typed))}
        self.entries = {name: entries_typed(group, name, typed) for name, group in self.record_type.groups.items()}
        return True

    def _reopen(self) -> EventReply:
        """Show the stored record, also in place of the values of a revision."""
        if self._revision_number():
            return rx.redirect(self._path(self._list_parameters()))
        return super()._reopen()

    async def _show(self, actor: Actor) -> None:
        """Fill the form from the database."""
        id_or_slug, query = self.address.record(self), self.router.url.query_parameters
        opened = await read(lambda session: self._reader(session, actor).open(id_or_slug, query))
        self.form, self.saved, self.stored_draft = opened.form, opened.saved, opened.draft
        self.errors, self.restoring = opened.wrong, opened.revision
        if not self.form.id:
            self._show_refused_times(query)
        if self.form.id:
            await note_opened(self, self.record_type.table_name, self.form.id)
        if self.record_type.references or self.record_type.faceted:
            form = self.form
            self.options = await read(lambda session: self.record_type.list_options(session, actor, form))
        self.entries = {
            name: entries_of(group, self.form.rows[name]) for name, group in self.record_type.groups.items()
        }
        self.back = self._back()
        self.history_path = self._history_path()
        self.shown = self.address.shown(self)
        self.unsaved_name = self._unsaved_name(actor, self.shown + (f"?{opened.source}" if opened.source else ""))

    def _reader(self, session: Session, actor: Actor) -> FormReader:
        return self.reader(session, actor, self.record_type)

    def _path(self, parameters: dict[str, str]) -> str:
        """The path of the open form, with these parameters."""
        return self.address.path(self, self.address.shown(self), parameters)

    def _save(self, session: Session, actor: Actor, record: int, typed: Mapping[str, object], overwrite: bool) -> int:
        """Publish what was typed, and the draft with it; `record` is 0 for a new record. Returns the id."""
        draft_of_form = drafts.begin_publishing(session, actor, self.record_type, record, typed, overwrite=overwrite)
        saved = self._write(session, actor, record, typed, overwrite)
        email = user_accounts().tell_of_draft
        drafts.finish_publishing(session, actor, self.record_type, draft_of_form, saved, typed, email)
        return saved

    def _write(self, session: Session, actor: Actor, record: int, typed: Mapping[str, object], overwrite: bool) -> int:
        if not record:
            return self.record_type.create(session, actor, self.record_type.data_class.read(typed))
        current = self.record_type.get_stored(session, actor, record)
        data = self.record_type.data_class.read(typed, current.inputs() if current else {})
        if self.restoring.number and record == self.form.id:
            change_context(session).restored_from[self.record_type.table_name, record] = self.restoring.number
        self.record_type.update(session, actor, record, data, record_id(typed.get("version")), overwrite)
        return record

    async def _reload(self, actor: Actor, record: int) -> None:
        """Reload the record after a save; the browser keeps what was typed since."""
        try:
            chosen = self.router.url.query_parameters.get(DRAFT, "")
            opened = await read(lambda session: self._reader(session, actor).stored(record, chosen))
            if opened:
                self.form, self.saved, self.stored_draft = opened.form, opened.saved, opened.draft
        except Exception as error:
            log.warning("A saved record could not be reloaded: %s", reason(error))
        self._saved()
        self.destination, self.is_staying = "", False
        self.restoring, self.history_path = ShownRevision(), self._history_path()
        self.unsaved_name = self._unsaved_name(actor, self.address.of(self, self.form))

    async def _stay(self) -> None:
        """Stay in the form; if the record has another address now, without a revision, redirect there."""
        address, self.is_staying = self.address.of(self, self.form), True
        if address != self.address.shown(self) or self._revision_number():
            self.destination = self.address.path(self, address, self._list_parameters())

    async def _return_to_list(self, actor: Actor, record: int) -> None:
        """Return to the list with its parameters, on the page that the record is on now."""
        parameters = self._list_parameters()
        query = ListQuery.read(parameters)
        try:
            page = await read(lambda session: self.record_type.page_of(session, actor, query, record))
            parameters |= {"page": str(page)} if page else {}
        except Exception as error:
            log.warning("The page of a saved record in its list could not be found: %s", reason(error))
        if parameters.get("page") == "1":
            del parameters["page"]
        (await self.get_state(ReturnState))._store(self.record_type.tab, record=record)
        self.destination = self.record_type.list_page(parameters)

    def _list_parameters(self) -> dict[str, str]:
        return list_parameters(self.router.url.query_parameters)

    def _revision_number(self) -> str:
        """The number of a revision in the address."""
        return self.router.url.query_parameters.get(REVISION, "")

    def _history_path(self) -> str:
        """The path of the record's history, which leads back here with the parameters of the list."""
        path, parameters = paths.history_page(self.record_type.table_name, self.form.id), self._list_parameters()
        return (f"{path}?{urlencode(parameters)}" if parameters else path) if self.form.id else ""

    def _unsaved_name(self, actor: Actor, address: str) -> str:
        return f"{actor.user_id}:{self.record_type.tab}:{address}"

    def _back(self) -> str:
        """The address of the list that led here, with its parameters."""
        return self.record_type.list_page(self._list_parameters())

    async def _redirect_unread(self, error: Exception) -> ChainedEvent:
        """Show that the record cannot be read, and redirect to the list, which does not repeat it."""
        (await self.get_state(ReturnState))._store(self.record_type.tab, is_reported=True)
        await show_error(self, error, self.record_type.texts.fetch_failed)
        return rx.redirect(self._back())

    def _fail(self, error: Exception) -> EventReply:
        texts = self.record_type.texts
        return self._refuse(error, texts.update_failed if self.form.id else texts.create_failed)

    def _notice(self, error: Exception, fallback: str) -> ChainedEvent | None:
        """The notice of an error; None for a conflict, which the form shows itself."""
        self.conflict = EditConflict.of(error)
        return None if self.conflict.text or self.conflict.question else error_notice(error, fallback, subject_of(self))
