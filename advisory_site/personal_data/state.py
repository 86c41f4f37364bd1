"""The state of `/admin/personal-data`: the data about an address, its export and its erasure."""

from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import reflex as rx

from ..accounts.drafts import Email
from ..accounts.guard import admin_event
from ..accounts.session_state import auth_of
from ..backoffice.db_calls import read, write
from ..backoffice.export_state import LIST
from ..core.permissions import Action, Actor, require
from ..core.text import is_email
from ..db.database import now
from ..framework.event_marks import EventReply, public_event
from ..observability.audit_log import Act
from ..records import activity
from ..records.form_fields import Draft, checked
from ..ui.backoffice.submit import once
from ..ui.feedback import error_notice, subject_of, success_notice
from ..users.short_form import ShortForm
from . import texts as words
from .documents import ADDRESS, FILES, text_of
from .erasure import Outcome, erase, look_up, outcome_of
from .search import Found, Held, Survey

MOST_CHARACTERS = 500  # of a value on the page; the files have all


class AddressDraft(Draft):
    """The form that looks up an address. Unlike those of accounts it takes addresses that cannot be mailed."""

    required: ClassVar[tuple[str, ...]] = ("email",)
    refusal: ClassVar[str] = ""

    email: Annotated[Email, checked(is_email, words.EMAIL_INVALID)] = ""


@dataclass(frozen=True)
class ShownRow:
    """A row as the page shows it: how it belongs to the person, labels with texts, and where staff see it."""

    number: int = 0
    relation: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    page: str = ""


@dataclass(frozen=True)
class ShownGroup:
    """The first rows of a table, with a note if there are more."""

    title: str = ""
    count: str = ""
    note: str = ""
    rows: tuple[ShownRow, ...] = ()


class PersonalDataState(ShortForm, rx.State):
    """The data about `address`; after erasure, `goes` and `stays` report the result. `title` is empty before."""

    address: str = ""
    title: str = ""
    is_erased: bool = False
    groups: list[ShownGroup] = []
    goes: list[str] = []
    stays: list[str] = []
    confirmation: str = ""
    is_erasing: bool = False

    draft: ClassVar = AddressDraft

    @public_event
    def open(self) -> None:
        """Empty the page. This is its `on_load`."""
        self.reset()  # type: ignore[no-untyped-call]  # Reflex gives it no types

    @admin_event
    @once
    async def save(self, form_data: dict[str, Any], *, actor: Actor) -> AsyncIterator[EventReply]:
        """Look up the address of the form."""
        yield None
        self._clear()
        try:
            email = AddressDraft.read(form_data).email
            seen = await read(lambda session: look_up(session, actor, email))
        except Exception as error:
            yield self._refuse(error, words.FAILED)
        else:
            self.errors, self.checks = {}, {}
            self._show(seen)

    @admin_event
    async def download(self, file: str, *, actor: Actor) -> EventReply:
        """Download everything about the address that is shown, as one of `FILES`."""
        subject = subject_of(self)
        try:
            require(actor, Action.MANAGE_PERSONAL_DATA)
            document, address = FILES[file], self.address
            link = (await auth_of(self))._download_link({LIST: file, ADDRESS: address})
            act = f"{file} of {address}"
            await write(lambda session: activity.note(session, Act.EXPORTED, act, by=actor.user_id))
        except Exception as error:
            return error_notice(error, words.DOWNLOAD.failed, subject)
        name = document.file_name(now())
        return [rx.download(url=link, filename=name), success_notice(words.DOWNLOAD.done, subject)]

    @admin_event
    async def erase(self, *, actor: Actor) -> AsyncIterator[EventReply]:
        """Erase the data about the shown address."""
        self.is_erasing = True
        yield None
        address, subject = self.address, subject_of(self)
        try:
            outcome = await write(lambda session: erase(session, actor, address))
        except Exception as error:
            yield error_notice(error, words.ERASE_FAILED, subject)
        else:
            self._clear()
            self.title, self.is_erased = words.ERASED_TITLE.format(email=address), True
            self._list(outcome)
            yield success_notice(words.ERASED, subject)
        finally:
            self.is_erasing = False

    def _show(self, seen: Survey) -> None:
        self.address = seen.person.email
        if not seen.found:
            self.title = words.NOTHING.format(email=self.address)
            return
        self.title = words.FOUND.format(email=self.address)
        self.groups = [_group(found) for found in seen.found]
        outcome = outcome_of(seen)
        self._list(outcome)
        lines = (words.GOES, *outcome.goes, "", words.STAYS, *outcome.stays)
        self.confirmation = "\n".join((words.ERASE_CONFIRM.format(email=self.address), "", *lines))

    def _list(self, outcome: Outcome) -> None:
        self.goes, self.stays = list(outcome.goes), list(outcome.stays)

    def _clear(self) -> None:
        self.address, self.title, self.is_erased, self.confirmation = "", "", False, ""
        self.groups, self.goes, self.stays = [], [], []

    def _on_database_down(self, handler: str, error: Exception) -> EventReply:
        texts = {"download": words.DOWNLOAD.failed, "erase": words.ERASE_FAILED}
        return error_notice(error, texts.get(handler, words.FAILED), subject_of(self))


def _group(found: Found) -> ShownGroup:
    total, shown = found.counts.total(), len(found.rows)
    note = words.FIRST_ROWS.format(shown=shown, count=f"{total:,}") if total > shown else ""
    return ShownGroup(found.rule.title, words.ROWS.format(count=f"{total:,}"), note, tuple(_rows(found.rows)))


def _rows(rows: Iterable[Held]) -> Iterable[ShownRow]:
    for number, held in enumerate(rows):
        facts = tuple((label, _cut(text_of(value))) for label, value in held.values.items())
        yield ShownRow(number, words.RELATIONS[held.relation], facts, held.page)


def _cut(text: str) -> str:
    return text if len(text) <= MOST_CHARACTERS else text[:MOST_CHARACTERS] + words.CUT
