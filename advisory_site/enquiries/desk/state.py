"""The states of the page of one enquiry: the enquiry with what was done, and the forms below and beside it."""

import logging
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar
from urllib.parse import urlencode

import reflex as rx
from sqlmodel import Session

from sitekit.accounts.people.erasing import count_erased
from sitekit.admin.components.unsaved import STAY
from sitekit.admin.db_calls import read, write
from sitekit.admin.finder.state import note_opened
from sitekit.admin.guard import log_only, staff_event
from sitekit.admin.staff_form import KeptForm, StaffForm
from sitekit.base.errors import NotFound
from sitekit.base.permissions import Actor
from sitekit.base.text import record_id
from sitekit.records.fields.line import LongLine
from sitekit.records.fields.text import Text
from sitekit.records.form_fields import FormData
from sitekit.records.listing import list_parameters
from sitekit.records.record_form import RecordForm
from sitekit.server.framework.event_marks import ChainedEvent, EventReply
from sitekit.ui.feedback import in_place_of_content, reason, subject_of, success_notice
from sitekit.ui.form import once

from ... import routes
from .. import messages
from . import inbox
from . import service as desk
from . import view as desk_view
from .new_count import NewEnquiriesState
from .view import EnquiryView

logger = logging.getLogger(__name__)


class EntryData(FormData):
    """What is typed on the page of an enquiry; `desk` has the rules for each."""

    reply: Text = ""
    note: Text = ""
    answer: Text = ""
    until: LongLine = ""


class EnquiryDeskState(rx.State):
    """The enquiry that the address names, `/admin/enquiries/{id}`.

    `shown` is the path that the vars belong to; `problem` is shown in place of everything if the enquiry cannot be
    read. `back` is the address of the list that led here.
    """

    shown: str = ""
    problem: str = ""
    back: str = routes.ADMIN_ENQUIRIES
    enquiry: EnquiryView = EnquiryView()
    is_sending: bool = False

    @staff_event(failed=lambda self, error, _subject: self._fail(error))
    async def open(self, *, actor: Actor) -> None:
        """Read the enquiry. This is the page's `on_load`."""
        parameters = list_parameters(self.router.url.query_parameters)
        self.back = f"{routes.ADMIN_ENQUIRIES}?{urlencode(parameters)}" if parameters else routes.ADMIN_ENQUIRIES
        await self._show(actor)
        await note_opened(self, inbox.FINDABLE.table, self.enquiry.id)

    @staff_event(failed=log_only)
    async def refresh(self, *, actor: Actor) -> None:
        """Read it again: a mail may have been sent, or a colleague may have done something."""
        await self._show(actor)

    @staff_event(failed=messages.ENQUIRY_UPDATE_FAILED, reloads=True)
    async def take(self, enquiry_id: int, seen_owner: int, *, actor: Actor) -> EventReply:
        """Make the user the owner, unless somebody else than the owner that was seen has it."""
        return await self._act(actor, lambda session: desk.take(session, actor, enquiry_id, seen_owner), messages.YOURS)

    @staff_event(failed=messages.ENQUIRY_UPDATE_FAILED, reloads=True)
    async def assign(self, enquiry_id: int, seen_owner: int, form_data: dict[str, Any], *, actor: Actor) -> EventReply:
        """Give it to the `owner` in the form, or to nobody."""
        owner = record_id(form_data.get("owner"))
        name = next((person.name for person in self.enquiry.people if person.id == str(owner)), "")
        done = messages.ASSIGNED.format(name=name) if name else messages.UNASSIGNED
        return await self._act(actor, lambda session: desk.assign(session, actor, enquiry_id, owner, seen_owner), done)

    @staff_event(failed=messages.ENQUIRY_UPDATE_FAILED, reloads=True)
    async def set_handled(self, enquiry_id: int, is_handled: bool, *, actor: Actor) -> EventReply:
        """Mark it as handled or new."""
        done = messages.MARKED_HANDLED if is_handled else messages.MARKED_NEW
        return await self._act(actor, lambda session: desk.set_handled(session, actor, enquiry_id, is_handled), done)

    @staff_event(failed=messages.ENQUIRY_UPDATE_FAILED, reloads=True)
    async def set_spam(self, enquiry_id: int, is_spam: bool, *, actor: Actor) -> EventReply:
        """Mark it as spam or not."""
        done = messages.MARKED_SPAM if is_spam else messages.MARKED_NEW
        return await self._act(actor, lambda session: desk.set_spam(session, actor, enquiry_id, is_spam), done)

    @staff_event(failed=messages.REPLY_FAILED, reloads=True)
    async def send_again(self, entry_id: int, *, actor: Actor) -> EventReply:
        """Try again to send a reply that has failed."""
        return await self._act(actor, lambda session: desk.send_again(session, actor, entry_id), messages.REPLY_SENT)

    @staff_event(failed=messages.REMOVE_FAILED, reloads=True)
    async def remove(self, entry_id: int, *, actor: Actor) -> EventReply:
        """Remove an own note or pasted answer."""
        return await self._act(
            actor, lambda session: desk.remove_entry(session, actor, entry_id), messages.ENTRY_REMOVED
        )

    @staff_event(failed=messages.ENQUIRY_DELETE_FAILED, reloads=True)
    async def delete(self, enquiry_id: int, *, actor: Actor) -> EventReply:
        """Delete it permanently, and return to the list."""
        await write(partial(_delete, actor=actor, enquiry_id=enquiry_id))
        return [success_notice(messages.ENQUIRY_DELETED, subject_of(self)), rx.redirect(self.back, replace=True)]

    async def _act(self, actor: Actor, what: Callable[[Session], None], done: str) -> list[ChainedEvent]:
        await write(what)
        return [success_notice(done, subject_of(self)), *await self._load(actor), NewEnquiriesState.load]

    async def _load(self, actor: Actor) -> list[ChainedEvent]:
        """Read it again after an act. If that fails, what is shown stays, with what is typed below it."""
        try:
            await self._show(actor)
        except NotFound as error:
            return self._fail(error)
        except Exception as error:
            logger.warning("An enquiry could not be read again: %s", reason(error))
        return []

    async def _show(self, actor: Actor) -> None:
        path = str(self.router.url.path)
        self.enquiry = await read(lambda session: desk_view.view(session, actor, path.rpartition("/")[2]))
        self.shown, self.problem = path, ""
        self.is_sending = any(entry.delivery == "sending" for entry in self.enquiry.thread)

    def _fail(self, error: Exception) -> list[ChainedEvent]:
        """Show an error in place of the page's content."""
        self.shown, self.enquiry, self.is_sending = str(self.router.url.path), EnquiryView(), False
        self.problem, replies = in_place_of_content(error, messages.ENQUIRY_FETCH_FAILED, subject_of(self))
        return replies


def _delete(session: Session, actor: Actor, enquiry_id: int) -> None:
    desk.delete(session, actor, enquiry_id)
    count_erased(session, actor)


class EntryForm(KeptForm, StaffForm, rx.State, mixin=True):
    """A form of the page with one field, which keeps what is typed; define `_store`, which gets the form."""

    data_class = EntryData
    name: ClassVar[str]
    done: ClassVar[str]
    fallback: ClassVar[str]

    @staff_event(failed=log_only)
    async def open(self, *, actor: Actor) -> None:
        """Begin an entry of the enquiry that the page shows."""
        self._clear()
        self.form = await self._blank()
        self.unsaved_name = f"{actor.user_id}:{self.name}:{self.form.id}"
        self.revision += 1

    @staff_event(failed=lambda self, error, _subject: self._refuse(error, self.fallback), reloads=True)
    @once()
    async def save(self, form_data: dict[str, Any], *, actor: Actor) -> EventReply:
        """Store what was typed. The keys that save other forms send nothing: the browser keeps the texts."""
        if form_data.get("then") == STAY:
            self.times_refused += 1
            return None
        await write(lambda session: self._store(session, actor, record_id(form_data.get("record")), form_data))
        events = await self._load(actor)
        self.form = await self._blank()
        self._saved()
        return [success_notice(self.done, subject_of(self)), *events, NewEnquiriesState.load]

    def _store(self, session: Session, actor: Actor, record: int, form_data: Mapping[str, Any]) -> None:
        raise NotImplementedError

    async def _load(self, actor: Actor) -> list[ChainedEvent]:
        """Show what was done meanwhile; then it has been seen."""
        events = await (await self.get_state(EnquiryDeskState))._load(actor)
        self.form = RecordForm(self.form.id, (await self._enquiry()).newest_entry, dict(self.form.texts))
        return events

    async def _enquiry(self) -> EnquiryView:
        return (await self.get_state(EnquiryDeskState)).enquiry

    async def _blank(self) -> RecordForm:
        enquiry = await self._enquiry()
        return RecordForm(enquiry.id, enquiry.newest_entry, {self.name: self._begun(enquiry)})

    def _begun(self, enquiry: EnquiryView) -> str:
        """The text that the form begins with."""
        return ""


class ReplyState(EntryForm, rx.State):
    """The form for a reply. Its version is the newest entry that was shown when it was begun, or refused."""

    name: ClassVar = "reply"
    done: ClassVar = messages.REPLY_SENT
    fallback: ClassVar = messages.REPLY_FAILED

    def _store(self, session: Session, actor: Actor, record: int, form_data: Mapping[str, Any]) -> None:
        desk.reply(session, actor, record, form_data.get("reply"), record_id(form_data.get("version")))

    def _begun(self, enquiry: EnquiryView) -> str:
        return enquiry.suggested_reply


class AddNoteState(EntryForm, rx.State):
    """The form for a note."""

    name: ClassVar = "note"
    done: ClassVar = messages.NOTE_ADDED
    fallback: ClassVar = messages.NOTE_FAILED

    def _store(self, session: Session, actor: Actor, record: int, form_data: Mapping[str, Any]) -> None:
        desk.add_note(session, actor, record, form_data.get("note"))


class AddAnswerState(EntryForm, rx.State):
    """The form for an answer of the visitor."""

    name: ClassVar = "answer"
    done: ClassVar = messages.ANSWER_ADDED
    fallback: ClassVar = messages.ANSWER_FAILED

    def _store(self, session: Session, actor: Actor, record: int, form_data: Mapping[str, Any]) -> None:
        desk.add_answer(session, actor, record, form_data.get("answer"))


class WaitState(StaffForm, rx.State):
    """The form for the day on which a waiting enquiry is open again."""

    data_class = EntryData

    @staff_event(failed=lambda self, error, _subject: self._refuse(error, messages.ENQUIRY_UPDATE_FAILED), reloads=True)
    @once()
    async def save(self, form_data: dict[str, Any], *, actor: Actor) -> EventReply:
        """Store the day, and show the page anew."""
        record, until = form_data.get("record"), form_data.get("until")
        await write(lambda session: desk.wait_until(session, actor, record, until))
        self._saved()
        return [success_notice(messages.WAIT_SAVED, subject_of(self)), *await self._load(actor)]

    async def _load(self, actor: Actor) -> list[ChainedEvent]:
        return await (await self.get_state(EnquiryDeskState))._load(actor)
