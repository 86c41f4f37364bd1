"""The state of a back-office form: opened on a record, refused with reasons, saved once, and never losing a text."""

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

import reflex as rx
from sqlmodel import Session

from ..accounts.guard import staff_event
from ..errors import Conflict, InvalidInput
from ..parsing import clean_text, display_order
from ..permissions import Actor
from ..ui.feedback import failure, subject_of, success
from ..ui.submit import SubmittedOnce, once
from .threads import read, write

Form = TypeVar("Form")
MOST_ENTRIES = 50


@dataclass(frozen=True)
class Entry:
    """One row of a repeating group. Its key stays while rows around it come and go, so its inputs keep their text."""

    key: int = 0
    texts: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Group:
    """A repeating group: the fields of a row, and how few rows there may be."""

    fields: tuple[str, ...]
    at_least: int = 0


@dataclass(frozen=True)
class FormReplies:
    """What a form says of opening and saving, and where it leads afterwards."""

    fetch_failed: str
    saved: str
    save_failed: str
    back: str


class FormState(SubmittedOnce, rx.State, mixin=True):
    """Mix in before `rx.State`, declare `form` with the record's own form dataclass, and give `_read` and `_save`.

    `open` is the page's `on_load`. Inputs are named after the form's fields; those of a repeating group
    `group.key.field`. `groups` declares the groups, `entries` holds their rows.
    """

    errors: dict[str, str] = {}
    entries: dict[str, list[Entry]] = {}
    attempt: int = 0
    revision: int = 0
    is_loading: bool = True
    is_saving: bool = False
    is_restored: bool = False
    conflict: str = ""
    draft_name: str = ""
    _is_saved: bool = False
    _overwrites: bool = False

    groups: ClassVar[dict[str, Group]] = {}

    def _replies(self) -> FormReplies:
        """The sentences of this form, as it stands."""
        raise NotImplementedError

    def _read(self, session: Session, actor: Actor) -> Any:
        """The form of the record that the address names, or a blank one."""
        raise NotImplementedError

    def _save(self, session: Session, actor: Actor, typed: Mapping[str, object], overwrite: bool) -> None:
        """Make a draft of what was typed and give it to the service."""
        raise NotImplementedError

    @staff_event
    async def open(self, *, actor: Actor):
        """Show the record of the address; leave for the list when it cannot be read."""
        self.is_loading = True
        self.draft_name = f"{actor.user_id}:{self.router.url.path}"
        yield
        try:
            await self._show(actor)
        except Exception as error:
            replies = self._replies()
            yield failure(error, replies.fetch_failed, subject_of(self))
            yield rx.redirect(replies.back)

    @staff_event
    async def discard(self, *, actor: Actor):
        """Throw away what was typed and show the record as it is stored."""
        yield type(self).open

    @staff_event
    async def restore(self, typed: dict[str, Any], *, actor: Actor):
        """Show what was typed before, as the browser kept it, instead of the record."""
        self.form = with_texts(self.form, typed)
        self.entries = {name: entries_typed(group, name, typed) for name, group in self.groups.items()}
        self.is_restored = True
        self.revision += 1

    @staff_event
    async def add_entry(self, group: str, *, actor: Actor):
        """Add a blank row to a group."""
        rows = self.entries.get(group, [])
        if group in self.groups and len(rows) < MOST_ENTRIES:
            key = max((row.key for row in rows), default=-1) + 1
            self.entries = {**self.entries, group: [*rows, _blank(self.groups[group], key)]}

    @staff_event
    async def remove_entry(self, group: str, key: int, *, actor: Actor):
        """Take one row away, as long as enough are left."""
        rows = self.entries.get(group, [])
        if group in self.groups and len(rows) > self.groups[group].at_least:
            self.entries = {**self.entries, group: [row for row in rows if row.key != key]}

    @staff_event
    async def overwrite(self, *, actor: Actor):
        """Let the next save win over somebody else's newer change."""
        self._overwrites = True

    @staff_event
    @once
    async def save(self, form_data: dict[str, Any], *, actor: Actor):
        """Save once; refused, every text stays where it is."""
        if self._is_saved:
            return
        overwrite, self._overwrites = self._overwrites, False
        self.is_saving, self.conflict = True, ""
        yield
        replies = self._replies()
        try:
            await write(lambda session: self._save(session, actor, form_data, overwrite))
        except Exception as error:
            yield self._refused(error, replies.save_failed)
        else:
            self._is_saved = True
            yield success(replies.saved, subject_of(self))
            yield rx.redirect(replies.back)
        finally:
            self.is_saving = False

    async def _show(self, actor: Actor) -> None:
        """Fill the form from the database, and forget whatever happened to the one before."""
        self.form = await read(lambda session: self._read(session, actor))
        self.entries = {name: entries_of(group, getattr(self.form, name)) for name, group in self.groups.items()}
        self.errors, self.conflict = {}, ""
        self.is_restored, self._is_saved, self._overwrites = False, False, False
        self.revision += 1
        self.is_loading = False

    def _cut_off(self, handler: str, error: Exception) -> list[rx.event.EventSpec | None]:
        """What the guard asks for when the database is away: what was typed stays where it is."""
        replies = self._replies()
        if handler == "open":
            return [failure(error, replies.fetch_failed, subject_of(self)), rx.redirect(replies.back)]
        return [self._refused(error, replies.save_failed)]

    def _refused(self, error: Exception, fallback: str) -> rx.event.EventSpec | None:
        """Put the reasons beside the fields, and return the sentence to show, unless it stays with a choice."""
        self.errors = error.fields if isinstance(error, InvalidInput) else {}
        self.conflict = error.message if isinstance(error, Conflict) else ""
        self.attempt += 1
        return None if self.conflict else failure(error, fallback, subject_of(self))


def with_texts(form: Form, typed: Mapping[str, object]) -> Form:
    """The form with what was typed in place of its own values, unchecked; its version is the one typed over.

    Which record it is stays what the server read: the browser does not say that.
    """
    texts = {
        one.name: clean_text(typed.get(one.name))
        for one in dataclasses.fields(form)  # type: ignore[arg-type]
        if isinstance(getattr(form, one.name), str) and one.name in typed
    }
    flags = {
        one.name: typed.get(one.name) == "on"
        for one in dataclasses.fields(form)  # type: ignore[arg-type]
        if isinstance(getattr(form, one.name), bool)
    }
    numbers = {
        one.name: display_order(typed.get(one.name))
        for one in dataclasses.fields(form)  # type: ignore[arg-type]
        if type(getattr(form, one.name)) is int and one.name in typed and one.name != "id"
    }
    return dataclasses.replace(form, **texts, **flags, **numbers)  # type: ignore[type-var]


def entries_of(group: Group, rows: Iterable[object]) -> list[Entry]:
    """The rows of a stored group, with blank ones up to the fewest there may be."""
    found = [Entry(key, {name: getattr(row, name) for name in group.fields}) for key, row in enumerate(rows)]
    return found + [_blank(group, key) for key in range(len(found), group.at_least)]


def entries_typed(group: Group, name: str, typed: Mapping[str, object]) -> list[Entry]:
    """The rows of a group among the texts that were typed, which are named `group.key.field`."""
    parts = (one.split(".") for one in typed if isinstance(one, str) and one.startswith(f"{name}."))
    keys = sorted({int(part[1]) for part in parts if len(part) == 3 and part[1].isascii() and part[1].isdigit()})
    found = [
        Entry(key, {one: clean_text(typed.get(f"{name}.{key}.{one}")) for one in group.fields})
        for key in keys[:MOST_ENTRIES]
    ]
    return found or entries_of(group, ())


def _blank(group: Group, key: int) -> Entry:
    return Entry(key, dict.fromkeys(group.fields, ""))
