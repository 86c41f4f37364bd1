"""The state of the history page: the versions of a record, and the comparison of two of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

import reflex as rx
from sqlmodel import Session

from ...base import messages
from ...base.errors import NotFound
from ...base.permissions import Action, Actor, may, require
from ...base.text import record_id
from ...base.times import iso_text
from ...records import draft_texts, drafts, history
from ...records import history_texts as texts
from ...records.comparison import compare
from ...records.features import record_types
from ...records.fields.changes import Change
from ...records.history import RevisionLine
from ...records.listing import list_parameters
from ...records.proposals import Proposal
from ...records.record_type import AnyRecordType
from ...records.revisions import RevisionAction, RevisionSource
from ...records.snapshots import object_of
from ...server.framework.event_marks import ChainedEvent, EventReply
from ...ui.feedback import in_place_of_content, subject_of, success_notice, undo_notice
from ..components.unsaved import DRAFT
from ..db_calls import change, read, write
from ..guard import staff_event
from ..opened_form import REVISION
from ..user_accounts import user_accounts

FROM, TO = "from", "to"
FIELDS_NAMED = 3


@dataclass(frozen=True)
class Version:
    """A revision as the page shows it; `restore` is the address of the form with its values, if there is a record.

    `before` is the number of the version before it; of the oldest one its own.
    """

    number: int = 0
    title: str = ""
    at: str = ""
    who: str = ""
    through: str = ""
    action: str = ""
    fields: str = ""
    restore: str = ""
    before: int = 0


@dataclass(frozen=True)
class Seen:
    """What the page shows of a record: its versions, newest first, and the comparison, or the sentence in its place."""

    name: str
    form: str
    versions: tuple[Version, ...]
    older: Version = Version()
    newer: Version = Version()
    changes: tuple[Change, ...] = ()
    unchanged: tuple[str, ...] = ()
    note: str = ""


class HistoryState(rx.State):
    """The history of the record that the address names, `/admin/history/{table}/{id}?from=3&to=5`.

    With `?draft=1` its draft is compared with what is stored.

    If the address lacks a number, the browser adds both from `defaults`, so that a link to it always shows the same.
    `shown` is the path that the vars belong to; `problem` is shown in place of everything if there is no such record.
    """

    shown: str = ""
    problem: str = ""
    name: str = ""
    form: str = ""
    may_restore: bool = False
    versions: list[Version] = []
    options: list[list[str]] = []
    older: Version = Version()
    newer: Version = Version()
    changes: list[Change] = []
    unchanged: list[str] = []
    note: str = ""
    defaults: dict[str, str] = {}

    @staff_event(failed=lambda self, error, _subject: self._fail(error))
    async def open(self, *, actor: Actor) -> EventReply:
        """Show the record's versions and compare two: those of the address, or the newest with the one before."""
        return await self._load(actor)

    @staff_event(failed=texts.RESTORE_FAILED, reloads=True)
    async def restore_now(self, number: int, *, actor: Actor) -> EventReply:
        """Restore a version of the record, and compare it with what was there."""
        record_type, record = self._named()
        _, batch = await change(lambda session: history.restore_revision(session, actor, record_type, record, number))
        text = texts.RESTORED_NOW if batch else texts.RESTORED_NOTHING
        return [undo_notice(text.format(number=number), subject_of(self), batch), *await self._load_newest(actor)]

    @staff_event(failed=texts.ERASE_FAILED, reloads=True)
    async def erase_older(self, *, actor: Actor) -> EventReply:
        """Erase all versions but the newest, at the request of a person whose data was in them."""
        require(actor, Action.ERASE_RECORDS)
        record_type, record = self._named()
        count = await write(lambda session: _erase_older(session, actor, record_type, record))
        erased = texts.ERASED_ONE if count == 1 else texts.ERASED.format(count=count)
        return [success_notice(erased, subject_of(self)), *await self._load_newest(actor)]

    def _address(self) -> str:
        return str(self.router.url.path)

    def _named(self) -> tuple[AnyRecordType, int]:
        """The record type and the id that the address names; raises `NotFound`."""
        table, named = f"/{self._address()}".split("/")[-2:]
        record_type, record = record_types().get(table), record_id(named)
        if record_type is None or not record:
            raise NotFound(texts.MISSING)
        return record_type, record

    async def _load_newest(self, actor: Actor) -> list[ChainedEvent]:
        """Compare the newest version with the one before, whatever the address names."""
        query = self.router.url.query_parameters
        if FROM in query or TO in query:
            return [rx.redirect(_with(self._address(), list_parameters(query)))]
        return await self._load(actor)

    async def _load(self, actor: Actor) -> list[ChainedEvent]:
        query, path = self.router.url.query_parameters, self._address()
        try:
            record_type, record = self._named()
            seen = await read(lambda session: read_seen(session, actor, record_type, record, query))
        except Exception as error:
            return self._fail(error)
        self.shown, self.problem, self.name, self.form = path, "", seen.name, seen.form
        self.may_restore = may(actor, record_type.change_action)
        self.versions, self.older, self.newer = list(seen.versions), seen.older, seen.newer
        self.changes, self.unchanged, self.note = list(seen.changes), list(seen.unchanged), seen.note
        self.options = [[str(version.number), f"{version.title}, {version.who}"] for version in seen.versions]
        is_complete = not seen.newer.number or (query.get(FROM) and query.get(TO))
        older = seen.older.number or seen.newer.number
        self.defaults = {} if is_complete else {FROM: str(older), TO: str(seen.newer.number)}
        return []

    def _fail(self, error: Exception) -> list[ChainedEvent]:
        """Show an error in place of the page's content."""
        self.reset()  # type: ignore[no-untyped-call]  # Reflex gives it no types
        self.shown = self._address()
        self.problem, replies = in_place_of_content(error, texts.FAILED, subject_of(self))
        return replies


def _erase_older(session: Session, actor: Actor, record_type: AnyRecordType, record: int) -> int:
    count = history.erase_older(session, actor, record_type, record)
    user_accounts().count_erased(session, actor, count)
    return count


def read_seen(
    session: Session, actor: Actor, record_type: AnyRecordType, record: int, query: Mapping[str, object]
) -> Seen:
    """Read what the page shows; only the two snapshots that are compared are loaded.

    Raises `NotFound` if there is no such record.
    """
    lines = history.list_revisions(session, actor, record_type, record)
    is_draft = query.get(DRAFT) and not (query.get(FROM) or query.get(TO))
    draft = drafts.of_record(session, actor, record_type, record) if is_draft else None
    if not lines:
        raise NotFound(texts.MISSING)
    form = _form(session, actor, record_type, record, query)
    before = (*lines[1:], lines[-1])
    versions = {
        line.number: _version(record_type, line, lines[0], form, older.number)
        for line, older in zip(lines, before, strict=True)
    }
    name = lines[0].label
    seen = Seen(name, form, tuple(versions.values()))
    if draft and draft.inputs is not None:
        changes = drafts.changes(session, actor, record_type, draft.id)
        return _compared(record_type, seen, versions[lines[0].number], _draft_version(draft), changes)
    try:
        older, newer = chosen(list(versions), query)
    except NotFound as error:
        return Seen(name, form, seen.versions, note=error.message)
    if older == newer:
        is_oldest = newer == lines[-1].number
        note = texts.SAME_VERSION if not is_oldest else texts.FIRST if newer == 1 else texts.OLDEST
        return Seen(name, form, seen.versions, newer=versions[newer], note=note)
    before, after = (history.get_snapshot(session, actor, record_type, record, number) for number in (older, newer))
    changes = compare(record_type.fields, object_of(record_type.table, before), object_of(record_type.table, after))
    return _compared(record_type, seen, versions[older], versions[newer], changes)


def _compared(
    record_type: AnyRecordType, seen: Seen, older: Version, newer: Version, changes: tuple[Change, ...]
) -> Seen:
    changed = {change.name for change in changes}
    unchanged = tuple(field.input.label for field in record_type.fields.values() if field.name not in changed)
    note = "" if changes else texts.NO_DIFFERENCE
    return replace(seen, older=older, newer=newer, changes=changes, unchanged=unchanged, note=note)


def _draft_version(draft: Proposal) -> Version:
    """A draft in the place of a version; it has no number."""
    return Version(title=draft_texts.DRAFT, at=iso_text(draft.updated_at), who=draft.by_name or messages.SOMEONE)


def chosen(numbers: Sequence[int], query: Mapping[str, object]) -> tuple[int, int]:
    """The older and the newer number that an address compares, of `numbers`, newest first.

    By default the newest with the one before, and the oldest with itself. Raises `NotFound` for a number that the
    record does not have.
    """
    requested = {name: record_id(query[name]) for name in (FROM, TO) if query.get(name)}
    if not set(requested.values()) <= set(numbers):
        raise NotFound(messages.REVISION_MISSING)
    newer = requested.get(TO, numbers[0])
    older = requested.get(FROM) or max((number for number in numbers if number < newer), default=newer)
    return min(older, newer), max(older, newer)


def _form(session: Session, actor: Actor, record_type: AnyRecordType, record: int, query: Mapping[str, object]) -> str:
    """The address of the record's form, which leads back to the list as it was; empty if it was deleted."""
    form = record_type.get_stored(session, actor, record)
    if form is None:
        return ""
    return _with(record_type.form_page(record, form.texts.get("slug", "")), list_parameters(query))


def _with(path: str, parameters: Mapping[str, str]) -> str:
    """A path with further parameters."""
    return f"{path}{'&' if '?' in path else '?'}{urlencode(parameters)}" if parameters else path


def _version(record_type: AnyRecordType, line: RevisionLine, newest: RevisionLine, form: str, before: int) -> Version:
    is_newest = line.number == newest.number
    is_command = line.via == RevisionSource.COMMAND
    is_restored = line.action == RevisionAction.RESTORED and line.restored_from
    return Version(
        number=line.number,
        title=f"{texts.VERSION} {line.number} {texts.NOW if is_newest and form else ''}".strip(),
        at=iso_text(line.at),
        who=messages.SYSTEM if is_command else line.by_name or messages.SOMEONE,
        through="" if is_command else texts.THROUGH.get(line.via, line.via),
        action=texts.RESTORED_FROM.format(number=line.restored_from)
        if is_restored
        else texts.ACTIONS.get(line.action, line.action),
        fields=fields_in_words(record_type, line.changed),
        restore=_with(form, {REVISION: str(line.number)}) if form and not is_newest else "",
        before=before,
    )


def fields_in_words(record_type: AnyRecordType, changed: Sequence[str]) -> str:
    """The labels of columns that changed, in the form's order: "Name, Tagline and 2 more"."""
    labels = [field.input.label for name, field in record_type.fields.items() if name in changed]
    if "slug" in changed and "slug" not in record_type.fields:
        labels.append(texts.PAGE_ADDRESS)
    if len(labels) > FIELDS_NAMED:
        named = ", ".join(labels[: FIELDS_NAMED - 1])
        return texts.MORE_FIELDS.format(fields=named, count=len(labels) - FIELDS_NAMED + 1)
    *others, last = labels or [""]
    return texts.LAST_OF_TWO.format(fields=", ".join(others), last=last) if others else last
