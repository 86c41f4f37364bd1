"""The base state of a record form: open, check, save once, restore a draft."""

import logging
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import reflex as rx
from sqlmodel import Session

from ..accounts.guard import staff_event
from ..core import routes
from ..core.errors import Conflict, InvalidInput, SavedSince
from ..core.permissions import Actor
from ..core.text import iso_text, record_id
from ..framework.event_marks import ChainedEvent, EventReply
from ..records import history
from ..records.form_fields import MOST_ROWS
from ..records.inputs import RecordForm
from ..records.listing import ListQuery, list_parameters
from ..records.revisions import change_context
from ..records.saving import LastSave
from ..ui.backoffice.submit import SubmittedOnce, once
from ..ui.backoffice.unsaved import OVERWRITE, STAY
from ..ui.feedback import error_notice, reason, show_error, subject_of, success_notice
from .db_calls import read, write
from .field_checks import CheckedForm
from .form_rows import Entry, blank_entry, entries_of, entries_typed, with_texts
from .return_to_list import ReturnState

# The parameter of a new record's address that names the record whose values it begins with.
COPY = "copy"
# The parameter of a record's address with the number of the revision whose values its form begins with.
REVISION = "revision"

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Clash:
    """A conflict with another save: its message, and who saved and when (ISO text in UTC), if known."""

    text: str = ""
    name: str = ""
    at: str = ""

    @classmethod
    def of(cls, error: Exception) -> "Clash":
        """The clash of an error; empty for other errors."""
        if isinstance(error, SavedSince):
            return cls(error.message, error.name, iso_text(error.at))
        return cls(error.message) if isinstance(error, Conflict) else cls()


@dataclass(frozen=True)
class ShownRevision:
    """The revision whose values a form shows: its number, when it was saved (ISO text in UTC) and by whom."""

    number: int = 0
    at: str = ""
    name: str = ""


class FormState(CheckedForm, SubmittedOnce, rx.State, mixin=True):
    """Mix in before `rx.State`, and set `kind`. A form that is a dialog overrides the methods about the address below.

    `open` is the page's `on_load`. Inputs are named after the table's columns; those of a repeating group
    `group.key.field`. `entries` holds the rows of the groups, `options` what the fields that name other records
    offer. `shown` is the address that the vars belong to; the form is hidden until it equals the browser's.
    `errors` and `checks` are the last results; the browser decides which marks to show, because it has the current
    values. `saves` counts successful saves, and `destination` is where the browser then goes, if it still shows the
    form. `saved` is the last save of the record that is shown, `history_path` leads to its history; `restoring` is
    the revision whose values are shown instead of the stored ones.
    """

    form: RecordForm = RecordForm()
    options: dict[str, list[list[str]]] = {}
    shown: str = ""
    back: str = ""
    draft_name: str = ""
    entries: dict[str, list[Entry]] = {}
    errors: dict[str, str] = {}
    conflict: Clash = Clash()
    revision: int = 0
    is_restored: bool = False
    saves: int = 0
    destination: str = ""
    is_staying: bool = False
    saved: LastSave = LastSave()
    history_path: str = ""
    restoring: ShownRevision = ShownRevision()
    _created: int = 0

    def _address(self) -> str:
        """The address of the open form: the path of the page, or the parameter of the dialog."""
        return str(self.router.url.path)

    def _wanted(self) -> str:
        """The record in the address: its id or its slug; empty for a new one."""
        # Reflex adds these to the root state, because routes contain `[slug]` and `[id]`.
        return str(getattr(self, "slug" if self.kind.is_edited_by_slug else "id"))

    def _address_of(self, form: RecordForm) -> str:
        """The `_address` at which the record of a form is edited."""
        return self.kind.form_page(form.id, form.texts["slug"])

    def _path_to(self, address: str, parameters: dict[str, str]) -> str:
        """The path for an address, with the parameters of the list."""
        return f"{address}?{urlencode(parameters)}" if parameters else address

    @staff_event
    async def open(self, *, actor: Actor) -> AsyncIterator[EventReply]:
        """Show the record of the address; redirect to the list if it cannot be read."""
        self._clear()
        yield None
        try:
            await self._show(actor)
        except Exception as error:
            yield await self._leave_unread(error)

    @staff_event
    async def discard(self, *, actor: Actor) -> AsyncIterator[EventReply]:
        """Discard what was typed, or the values of a revision, and show the stored record."""
        if self._wanted_revision():
            yield rx.redirect(self._path_to(self._address(), self._list_parameters()))
        else:
            yield type(self).open

    @staff_event
    async def restore(self, typed: dict[str, Any], *, actor: Actor) -> None:
        """Show a draft that the browser has stored, instead of the record."""
        if self.shown != self._address() or record_id(typed.get("record")) != self.form.id:
            return
        self.form = with_texts(self.form, self.kind.fields, typed)
        self.entries = {name: entries_typed(group, name, typed) for name, group in self.kind.groups.items()}
        self.is_restored = True
        self.revision += 1

    @staff_event
    async def add_entry(self, group: str, *, actor: Actor) -> None:
        """Add a blank row to a group."""
        rows, groups = self.entries.get(group, []), self.kind.groups
        if group in groups and len(rows) < MOST_ROWS:
            key = max((row.key for row in rows), default=-1) + 1
            self.entries = {**self.entries, group: [*rows, blank_entry(groups[group], key)]}

    @staff_event
    async def remove_entry(self, group: str, key: int, *, actor: Actor) -> None:
        """Remove a row, as long as enough remain."""
        rows, groups = self.entries.get(group, []), self.kind.groups
        if group in groups and len(rows) > groups[group].at_least:
            self.entries = {**self.entries, group: [row for row in rows if row.key != key]}

    @staff_event
    @once
    async def save(self, form_data: dict[str, Any], *, actor: Actor) -> AsyncIterator[EventReply]:
        """Save once; after an error, all typed texts stay. `then` is `STAY`, `OVERWRITE` or empty."""
        # The record's id comes from the form, because the address may have changed since it was rendered.
        record, then = record_id(form_data.get("record")), form_data.get("then")
        if self._created and not record:
            return
        self.conflict = Clash()
        yield None
        try:
            saved = await write(lambda session: self._save(session, actor, record, form_data, then == OVERWRITE))
        except Exception as error:
            yield self._refuse(error, self.kind.texts.update_failed if record else self.kind.texts.create_failed)
        else:
            self._created = saved
            await self._settle(actor, saved)
            await (self._stay() if then == STAY else self._leave(actor, saved))
            # Sent after `destination` is set, so that the notice appears in the form or on the next page.
            yield success_notice(self.kind.texts.updated if record else self.kind.texts.created, subject_of(self))

    def _clear(self) -> None:
        """Reset all vars except the counters, so that nothing of an earlier form is left."""
        times_refused, revision, answered, saves = self.times_refused, self.revision, self.answered, self.saves
        self.reset()  # type: ignore[no-untyped-call]  # Reflex gives it no types
        self.times_refused, self.revision, self.answered, self.saves = times_refused, revision, answered, saves

    async def _show(self, actor: Actor) -> None:
        """Fill the form from the database."""
        wanted, copied = self._wanted(), self.router.url.query_parameters.get(COPY)
        address, revision = self._address(), self._wanted_revision()
        if wanted and revision:
            self.form, self.saved, self.restoring = await read(
                lambda session: self._get_revision(session, actor, wanted, revision)
            )
            address = f"{address}?{REVISION}={self.restoring.number}"
        elif wanted:
            self.form, self.saved = await read(lambda session: self._get_for_edit(session, actor, wanted))
        elif copied:
            self.form = await read(lambda session: self.kind.copied_form(session, actor, copied))
            address = f"{address}?{COPY}={copied}"
        else:
            self.form = self.kind.blank_form()
        if self.kind.references:
            form = self.form
            self.options = await read(lambda session: self.kind.list_options(session, actor, form))
        self.entries = {name: entries_of(group, self.form.rows[name]) for name, group in self.kind.groups.items()}
        self.back = self._back()
        self.history_path = self._history_path()
        self.shown = self._address()
        self.draft_name = self._draft_name(actor, address)

    def _get_revision(
        self, session: Session, actor: Actor, wanted: str, revision: str
    ) -> tuple[RecordForm, LastSave, ShownRevision]:
        form, line = history.form_of_revision(session, actor, self.kind, wanted, revision)
        shown = ShownRevision(line.number, iso_text(line.at), line.by_name)
        return form, self.kind.last_save(session, actor, form.id), shown

    def _get_for_edit(self, session: Session, actor: Actor, wanted: str) -> tuple[RecordForm, LastSave]:
        form = self.kind.get_for_edit(session, actor, wanted)
        return form, self.kind.last_save(session, actor, form.id)

    def _get_stored(self, session: Session, actor: Actor, record: int) -> tuple[RecordForm | None, LastSave]:
        return self.kind.get_stored(session, actor, record), self.kind.last_save(session, actor, record)

    def _save(self, session: Session, actor: Actor, record: int, typed: Mapping[str, object], overwrite: bool) -> int:
        """Read the draft and call the service; `record` is 0 for a new record. Returns the id."""
        if not record:
            return self.kind.create(session, actor, self.kind.draft.read(typed))
        stored = self.kind.get_stored(session, actor, record)
        draft = self.kind.draft.read(typed, stored.inputs() if stored else {})
        if self.restoring.number and record == self.form.id:
            change_context(session).restored_from[self.kind.table_name, record] = self.restoring.number
        self.kind.update(session, actor, record, draft, record_id(typed.get("version")), overwrite)
        return record

    async def _settle(self, actor: Actor, record: int) -> None:
        """Reload the record after a save; the browser keeps what was typed since."""
        try:
            stored, self.saved = await read(lambda session: self._get_stored(session, actor, record))
            self.form = stored or self.form
        except Exception as error:
            log.warning("A saved record could not be reloaded: %s", reason(error))
        self.errors, self.checks, self.is_restored = {}, {}, False
        self.destination, self.is_staying = "", False
        self.restoring, self.history_path = ShownRevision(), self._history_path()
        self.draft_name = self._draft_name(actor, self._address_of(self.form))
        self.saves += 1

    async def _stay(self) -> None:
        """Stay in the form; if the record has another address now, without a revision, redirect there."""
        address, self.is_staying = self._address_of(self.form), True
        if address != self._address() or self._wanted_revision():
            self.destination = self._path_to(address, self._list_parameters())

    async def _leave(self, actor: Actor, record: int) -> None:
        """Return to the list with its parameters, on the page that the record is on now."""
        parameters = self._list_parameters()
        query = ListQuery.read(parameters)
        try:
            page = await read(lambda session: self.kind.page_of(session, actor, query, record))
            parameters |= {"page": str(page)} if page else {}
        except Exception as error:
            log.warning("The page of a saved record in its list could not be found: %s", reason(error))
        if parameters.get("page") == "1":
            del parameters["page"]
        (await self.get_state(ReturnState))._leave(self.kind.tab, record=record)
        self.destination = routes.admin_tab(self.kind.tab, parameters)

    def _list_parameters(self) -> dict[str, str]:
        return list_parameters(self.router.url.query_parameters)

    def _wanted_revision(self) -> str:
        """The number of a revision in the address."""
        return self.router.url.query_parameters.get(REVISION, "")

    def _history_path(self) -> str:
        """The path of the record's history, which leads back here with the parameters of the list."""
        path, parameters = routes.history_page(self.kind.table_name, self.form.id), self._list_parameters()
        return (f"{path}?{urlencode(parameters)}" if parameters else path) if self.form.id else ""

    def _draft_name(self, actor: Actor, address: str) -> str:
        return f"{actor.user_id}:{self.kind.tab}:{address}"

    def _back(self) -> str:
        """The address of the list that led here, with its parameters."""
        return routes.admin_tab(self.kind.tab, self._list_parameters())

    async def _leave_unread(self, error: Exception) -> ChainedEvent:
        """Show that the record cannot be read, and redirect to the list, which does not repeat it."""
        (await self.get_state(ReturnState))._leave(self.kind.tab, is_reported=True)
        await show_error(self, error, self.kind.texts.fetch_failed)
        return rx.redirect(self._back())

    async def _on_database_down(self, handler: str, error: Exception) -> list[ChainedEvent | None]:
        """Reply while the database is down; typed text stays."""
        if handler == "open":
            return [await self._leave_unread(error)]
        if handler == "check":
            return []
        return [self._refuse(error, self.kind.texts.update_failed if self.form.id else self.kind.texts.create_failed)]

    def _refuse(self, error: Exception, fallback: str) -> ChainedEvent | None:
        """Set the errors of the fields, and return the notice; None for a conflict, which the form shows itself."""
        self.errors = error.fields if isinstance(error, InvalidInput) else {}
        self.conflict = Clash.of(error)
        self.times_refused += 1
        return None if self.conflict.text else error_notice(error, fallback, subject_of(self))
