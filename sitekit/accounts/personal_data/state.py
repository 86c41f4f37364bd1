"""The state of `/admin/personal-data`: the data about an address, its export and its erasure."""

from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import reflex as rx

from ...admin.csv.export_state import LIST, download_link
from ...admin.db_calls import read, write
from ...admin.guard import admin_event
from ...admin.staff_form import StaffForm
from ...base.db.database import now
from ...base.errors import InvalidInput, NotFound
from ...base.observability.audit_log import AuditEvent
from ...base.permissions import Action, Actor, require
from ...base.text import is_email
from ...records import activity
from ...records.form_fields import FormData, checked
from ...server.framework.event_marks import EventReply
from ...ui.feedback import subject_of, success_notice
from ...ui.form import once
from ..form_data import Email, email_of
from . import texts as personal_data_texts
from .documents import ADDRESS, FILES, text_of
from .erasure import ErasureResult, erase, look_up, outcome_of
from .search import PersonalRecord, RowGroup, Survey

MOST_CHARACTERS = 500  # of a value on the page; the files have all
UNFOLDED = 3  # rows of each table


class AddressData(FormData):
    """The form that looks up an address. Unlike those of accounts it takes addresses that cannot be mailed."""

    required: ClassVar[tuple[str, ...]] = ("email",)
    refusal: ClassVar[str] = ""

    email: Annotated[Email, checked(is_email, personal_data_texts.EMAIL_INVALID)] = ""


@dataclass(frozen=True)
class ShownDataRow:
    """A row as the page shows it: how it belongs to the person, labels with texts, and where staff see it."""

    number: int = 0
    relation: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    page: str = ""


@dataclass(frozen=True)
class ShownGroup:
    """The first rows of a table, of which `more` are folded, with a note if there are others."""

    title: str = ""
    count: str = ""
    note: str = ""
    rows: tuple[ShownDataRow, ...] = ()
    more: tuple[ShownDataRow, ...] = ()
    more_label: str = ""


class PersonalDataState(StaffForm, rx.State):
    """The data about `address`; after erasure, `goes` and `stays` report the result. `title` is empty before."""

    address: str = ""
    title: str = ""
    is_erased: bool = False
    groups: list[ShownGroup] = []
    goes: list[str] = []
    stays: list[str] = []
    is_erasing: bool = False

    data_class: ClassVar = AddressData

    @admin_event(failed=lambda self, error, _subject: self._refuse(error, personal_data_texts.FAILED))
    @once()
    async def save(self, form_data: dict[str, Any], *, actor: Actor) -> None:
        """Look up the address of the form."""
        self._clear()
        email = AddressData.read(form_data).email
        seen = await read(lambda session: look_up(session, actor, email))
        self._show(seen)

    @admin_event(failed=personal_data_texts.DOWNLOAD.failed)
    async def download(self, file: str, *, actor: Actor) -> EventReply:
        """Download everything about the address that is shown, as one of `FILES`."""
        require(actor, Action.MANAGE_PERSONAL_DATA)
        if file not in FILES:
            raise NotFound(personal_data_texts.DOWNLOAD.failed)
        address, name = self.address, FILES[file].file_name(now())
        link = await download_link(self, {LIST: file, ADDRESS: address})
        subject = f"{file} of {address}"
        await write(lambda session: activity.log(session, AuditEvent.EXPORTED, subject, by=actor.user_id))
        done = success_notice(personal_data_texts.DOWNLOAD.done, subject_of(self))
        return [rx.download(url=link, filename=name), done]

    @admin_event(failed=personal_data_texts.ERASE_FAILED)
    async def erase(self, typed: str, *, actor: Actor) -> AsyncIterator[EventReply]:
        """Erase the data about the shown address, if it is the one that was typed."""
        self.is_erasing = True
        yield None
        address = self.address
        try:
            require(actor, Action.MANAGE_PERSONAL_DATA)
            if email_of(typed) != address:
                raise InvalidInput(personal_data_texts.TYPED_DIFFERS)
            outcome = await write(lambda session: erase(session, actor, address))
            self._clear()
            self.title, self.is_erased = personal_data_texts.ERASED_TITLE.format(email=address), True
            self._list(outcome)
        finally:
            self.is_erasing = False
        yield success_notice(personal_data_texts.ERASED, subject_of(self))

    def _show(self, seen: Survey) -> None:
        self.address = seen.person.email
        if not seen.groups:
            self.title = personal_data_texts.NOTHING.format(email=self.address)
            return
        self.title = personal_data_texts.FOUND.format(email=self.address)
        self.groups = [_group(group) for group in seen.groups]
        self._list(outcome_of(seen))

    def _list(self, outcome: ErasureResult) -> None:
        self.goes, self.stays = list(outcome.goes), list(outcome.stays)


def _group(group: RowGroup) -> ShownGroup:
    total, shown_count = group.counts.total(), len(group.rows)
    note = personal_data_texts.FIRST_ROWS.format(shown=shown_count, count=f"{total:,}") if total > shown_count else ""
    rows = tuple(_rows(group.rows))
    rest = rows[UNFOLDED:]
    more = personal_data_texts.MORE_ROWS.format(count=len(rest))
    return ShownGroup(group.rule.title, f"{total:,}", note, rows[:UNFOLDED], rest, more)


def _rows(rows: Iterable[PersonalRecord]) -> Iterable[ShownDataRow]:
    for number, record in enumerate(rows):
        facts = tuple((label, _cut(text_of(value))) for label, value in record.values.items())
        yield ShownDataRow(number, personal_data_texts.RELATIONS[record.relation], facts, record.page)


def _cut(text: str) -> str:
    return text if len(text) <= MOST_CHARACTERS else text[:MOST_CHARACTERS] + personal_data_texts.CUT
