"""The state of the history page: the versions of a record, and the comparison of two of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

import reflex as rx
from sqlmodel import Session

from ..accounts.guard import staff_event
from ..backoffice.db_calls import change, read, write
from ..backoffice.form_state import REVISION
from ..content import history_texts as words
from ..content import messages
from ..core.errors import NotFound, ServiceError
from ..core.permissions import Actor
from ..core.text import iso_text, record_id
from ..framework.event_marks import ChainedEvent, EventReply
from ..records import history
from ..records.comparison import Change, compare
from ..records.history import RevisionLine
from ..records.listing import list_parameters
from ..records.record_type import AnyRecordType
from ..records.revisions import RevisionAction, Via
from ..records.snapshots import shown
from ..ui.feedback import error_notice, subject_of, success_notice, undo_notice
from .record_types import RECORD_TYPES

FROM, TO = "from", "to"
FIELDS_NAMED = 3


@dataclass(frozen=True)
class Version:
    """A revision as the page shows it; `restore` is the address of the form with its values, if there is a record."""

    number: int = 0
    title: str = ""
    at: str = ""
    who: str = ""
    through: str = ""
    action: str = ""
    fields: str = ""
    restore: str = ""


@dataclass(frozen=True)
class Seen:
    """What the page shows of a record: its versions, newest first, and the comparison, or the sentence in its place."""

    name: str
    form: str
    versions: tuple[Version, ...]
    older: Version = Version()
    newer: Version = Version()
    changes: tuple[Change, ...] = ()
    unchanged: str = ""
    note: str = ""


class HistoryState(rx.State):
    """The history of the record that the address names, `/admin/history/{table}/{id}?from=3&to=5`.

    `shown` is the path that the vars belong to; `problem` is shown in place of everything if there is no such record.
    """

    shown: str = ""
    problem: str = ""
    name: str = ""
    form: str = ""
    versions: list[Version] = []
    options: list[list[str]] = []
    older: Version = Version()
    newer: Version = Version()
    changes: list[Change] = []
    unchanged: str = ""
    note: str = ""

    @staff_event
    async def open(self, *, actor: Actor) -> EventReply:
        """Show the record's versions and compare two: those of the address, or the newest with the one before."""
        return await self._load(actor)

    @staff_event
    async def restore_now(self, number: int, *, actor: Actor) -> EventReply:
        """Restore a version of the record, and compare it with what was there."""
        try:
            kind, record = self._named()
            _, batch = await change(lambda session: history.restore_revision(session, actor, kind, record, number))
        except Exception as error:
            return [error_notice(error, words.RESTORE_FAILED, subject_of(self)), *await self._load(actor)]
        text = words.RESTORED_NOW if batch else words.RESTORED_NOTHING
        reply = undo_notice(text.format(number=number), subject_of(self), batch)
        query = self.router.url.query_parameters
        if FROM in query or TO in query:
            return [reply, rx.redirect(_with(self._address(), list_parameters(query)))]
        return [reply, *await self._load(actor)]

    @staff_event
    async def erase_older(self, *, actor: Actor) -> EventReply:
        """Erase all versions but the newest, at the request of a person whose data was in them."""
        try:
            kind, record = self._named()
            count = await write(lambda session: history.erase_older(session, actor, kind, record))
        except Exception as error:
            reply = error_notice(error, words.ERASE_FAILED, subject_of(self))
        else:
            erased = words.ERASED_ONE if count == 1 else words.ERASED.format(count=count)
            reply = success_notice(erased, subject_of(self))
        return [reply, *await self._load(actor)]

    def _address(self) -> str:
        return str(self.router.url.path)

    def _named(self) -> tuple[AnyRecordType, int]:
        """The record type and the id that the address names; raises `NotFound`."""
        named = self.router.page.params
        kind, record = RECORD_TYPES.get(str(named.get("table", ""))), record_id(named.get("record"))
        if kind is None or not record:
            raise NotFound(words.MISSING)
        return kind, record

    async def _load(self, actor: Actor) -> list[ChainedEvent]:
        query, path = self.router.url.query_parameters, self._address()
        try:
            kind, record = self._named()
            seen = await read(lambda session: look(session, actor, kind, record, query))
        except Exception as error:
            return self._fail(error)
        self.shown, self.problem, self.name, self.form = path, "", seen.name, seen.form
        self.versions, self.older, self.newer = list(seen.versions), seen.older, seen.newer
        self.changes, self.unchanged, self.note = list(seen.changes), seen.unchanged, seen.note
        self.options = [[str(one.number), f"{one.title}, {one.who}"] for one in seen.versions]
        return []

    def _fail(self, error: Exception) -> list[ChainedEvent]:
        """Show an error in place of the page's content."""
        self.reset()  # type: ignore[no-untyped-call]  # Reflex gives it no types
        self.shown = self._address()
        self.problem = error.message if isinstance(error, ServiceError) else words.FAILED
        return [] if isinstance(error, ServiceError) else [error_notice(error, words.FAILED, subject_of(self))]

    def _on_database_down(self, handler: str, error: Exception) -> EventReply:
        if handler == "open":
            return self._fail(error)
        failed = words.ERASE_FAILED if handler == "erase_older" else words.RESTORE_FAILED
        return error_notice(error, failed, subject_of(self))


def look(session: Session, actor: Actor, kind: AnyRecordType, record: int, query: Mapping[str, object]) -> Seen:
    """Read what the page shows; only the two snapshots that are compared are loaded.

    Raises `NotFound` if there is no such record.
    """
    lines = history.list_revisions(session, actor, kind, record)
    if not lines:
        raise NotFound(words.MISSING)
    form = _form(session, actor, kind, record, query)
    versions = {line.number: _version(kind, line, lines[0], form) for line in lines}
    name = lines[0].label
    seen = Seen(name, form, tuple(versions.values()))
    try:
        older, newer = chosen(list(versions), query)
    except NotFound as error:
        return Seen(name, form, seen.versions, note=error.message)
    if not older or older == newer:
        note = words.SAME_VERSION if older else words.FIRST if newer == 1 else words.OLDEST
        return Seen(name, form, seen.versions, newer=versions[newer], note=note)
    before, after = (history.get_snapshot(session, actor, kind, record, number) for number in (older, newer))
    changes = compare(kind.fields, shown(kind.table, before), shown(kind.table, after))
    changed = {change.name for change in changes}
    unchanged = ", ".join(one.input.label for one in kind.fields.values() if one.name not in changed)
    note = "" if changes else words.NO_DIFFERENCE
    return Seen(name, form, seen.versions, versions[older], versions[newer], changes, unchanged, note)


def chosen(numbers: Sequence[int], query: Mapping[str, object]) -> tuple[int, int]:
    """The older and the newer number that an address compares, of `numbers`, newest first.

    By default the newest with the one before; 0 as the older one if there is none. Raises `NotFound` for a number that
    the record does not have.
    """
    wanted = {name: record_id(query[name]) for name in (FROM, TO) if query.get(name)}
    if not set(wanted.values()) <= set(numbers):
        raise NotFound(messages.REVISION_MISSING)
    newer = wanted.get(TO, numbers[0])
    older = wanted.get(FROM) or max((number for number in numbers if number < newer), default=0)
    return min(older, newer), max(older, newer)


def _form(session: Session, actor: Actor, kind: AnyRecordType, record: int, query: Mapping[str, object]) -> str:
    """The address of the record's form, which leads back to the list as it was; empty if it was deleted."""
    stored = kind.get_stored(session, actor, record)
    if stored is None:
        return ""
    return _with(kind.form_page(record, stored.texts.get("slug", "")), list_parameters(query))


def _with(path: str, parameters: Mapping[str, str]) -> str:
    """A path with further parameters."""
    return f"{path}{'&' if '?' in path else '?'}{urlencode(parameters)}" if parameters else path


def _version(kind: AnyRecordType, line: RevisionLine, newest: RevisionLine, form: str) -> Version:
    is_newest = line.number == newest.number
    is_command = line.via == Via.COMMAND
    is_restored = line.action == RevisionAction.RESTORED and line.restored_from
    return Version(
        number=line.number,
        title=f"{words.VERSION} {line.number} {words.NOW if is_newest and form else ''}".strip(),
        at=iso_text(line.at),
        who=messages.SYSTEM if is_command else line.by_name or messages.SOMEBODY,
        through="" if is_command else words.THROUGH.get(line.via, line.via),
        action=words.RESTORED_FROM.format(number=line.restored_from)
        if is_restored
        else words.ACTIONS.get(line.action, line.action),
        fields=fields_in_words(kind, line.changed),
        restore=_with(form, {REVISION: str(line.number)}) if form and not is_newest else "",
    )


def fields_in_words(kind: AnyRecordType, changed: Sequence[str]) -> str:
    """The labels of columns that changed, in the form's order: "Name, Tagline and 2 more"."""
    labels = [one.input.label for name, one in kind.fields.items() if name in changed]
    if "slug" in changed and "slug" not in kind.fields:
        labels.append(words.PAGE_ADDRESS)
    if len(labels) > FIELDS_NAMED:
        named = ", ".join(labels[: FIELDS_NAMED - 1])
        return words.MORE_FIELDS.format(fields=named, count=len(labels) - FIELDS_NAMED + 1)
    *others, last = labels or [""]
    return words.LAST_OF_TWO.format(fields=", ".join(others), last=last) if others else last
