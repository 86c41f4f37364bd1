"""The state of a back-office form: opened on a record, refused with reasons, saved once, and never losing a text."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import reflex as rx
from sqlmodel import Session

from .. import routes
from ..accounts.guard import staff_event
from ..content import admin as words
from ..content import messages
from ..drafts import Draft, complaint
from ..errors import Conflict, InvalidInput, SavedSince
from ..listing import list_parameters
from ..parsing import iso_text, one_line, record_id
from ..permissions import Actor
from ..ui.feedback import failure, reason, subject_of, success
from ..ui.marks import Check, with_check
from ..ui.submit import SubmittedOnce, once
from .entries import MOST_ENTRIES, Entry, Group, entries_of, entries_typed, with_texts
from .threads import read, write

SLUG = "slug"

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class FormReplies:
    """What a form says of opening and saving."""

    fetch_failed: str
    created: str
    create_failed: str
    updated: str
    update_failed: str


@dataclass(frozen=True)
class Clash:
    """Why a save stands back for somebody else's: a sentence, or who saved and when (an ISO text in UTC)."""

    text: str = ""
    name: str = ""
    at: str = ""

    @classmethod
    def of(cls, error: Exception) -> "Clash":
        """Empty for an error of another kind."""
        if isinstance(error, SavedSince):
            return cls(error.message, error.name, iso_text(error.at))
        return cls(error.message) if isinstance(error, Conflict) else cls()


class FormState(SubmittedOnce, rx.State, mixin=True):
    """Mix in before `rx.State`, declare `form` with the record's own form dataclass, and give `_read` and `_save`.

    `open` is the page's `on_load`. Inputs are named after the form's fields; those of a repeating group
    `group.key.field`. `groups` declares the groups, `entries` holds their rows. `shown` is the address that the vars
    belong to; until it is the browser's, the form is not shown. `errors` and `checks` are answers: what a field is
    marked with is kept by the browser, which knows what is typed now.
    """

    shown: str = ""
    back: str = ""
    draft_name: str = ""
    entries: dict[str, list[Entry]] = {}
    errors: dict[str, str] = {}
    checks: dict[str, Check] = {}
    conflict: Clash = Clash()
    attempt: int = 0
    revision: int = 0
    is_saving: bool = False
    is_restored: bool = False
    _is_saved: bool = False
    _overwrites: bool = False

    draft: ClassVar[type[Draft]]
    replies: ClassVar[FormReplies]
    groups: ClassVar[dict[str, Group]] = {}
    tab: ClassVar[str]

    def _address(self) -> str:
        """What the browser's address says is open: the path of the page, or the parameter of the dialog."""
        return str(self.router.url.path)

    def _read(self, session: Session, actor: Actor) -> Any:
        """The form of the record that the address names, or a blank one."""
        raise NotImplementedError

    def _stored(self, session: Session, actor: Actor, record: int) -> Any:
        """The form of a record as it is stored now, by its id; None when it is gone."""
        raise NotImplementedError

    def _create(self, session: Session, actor: Actor, draft: Any) -> int:
        """Store a new record; a service function."""
        raise NotImplementedError

    def _update(self, session: Session, actor: Actor, record: int, draft: Any, version: int, overwrite: bool) -> None:
        """Store a changed record; a service function."""
        raise NotImplementedError

    def _is_slug_free(self, session: Session, actor: Actor, slug: str, record: int) -> bool:
        """Whether no other record has this slug; a form without a field for it is never asked."""
        raise NotImplementedError

    def _suggestions(self, name: str, typed: Mapping[str, object]) -> dict[str, str]:
        """Texts for other fields that follow from what this one holds."""
        return {}

    @staff_event
    async def open(self, *, actor: Actor):
        """Show the record of the address; leave for the list when it cannot be read."""
        self._clear()
        yield
        try:
            await self._show(actor)
        except Exception as error:
            yield self._unread(error)

    @staff_event
    async def discard(self, *, actor: Actor):
        """Throw away what was typed and show the record as it is stored."""
        yield type(self).open

    @staff_event
    async def restore(self, typed: dict[str, Any], *, actor: Actor):
        """Show what was typed before, as the browser kept it, instead of the record it was typed over."""
        if self.shown != self._address() or record_id(typed.get("record")) != self.form.id:
            return
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
            self.entries = {**self.entries, group: [*rows, self.groups[group].blank(key)]}

    @staff_event
    async def remove_entry(self, group: str, key: int, *, actor: Actor):
        """Take one row away, as long as enough are left."""
        rows = self.entries.get(group, [])
        if group in self.groups and len(rows) > self.groups[group].at_least:
            self.entries = {**self.entries, group: [row for row in rows if row.key != key]}

    @staff_event
    async def check(self, name: str, edit: int, typed: dict[str, Any], *, actor: Actor):
        """While typing pauses: say what is wrong with a field's value, or what is good about it."""
        try:
            error, hint = await self._complaint(actor, name, typed), ""
            if name == SLUG and not error:
                error, hint = await self._consider_slug(actor, typed)
        except Exception as failed:
            # Nobody asked aloud, so nobody is answered: saving will say what is wrong.
            log.info("A field could not be checked: %s", reason(failed))
            return
        self.checks = with_check(self.checks, name, Check(edit, error, hint, self._suggestions(name, typed)))

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
        self.is_saving, self.conflict = True, Clash()
        yield
        # The form itself says which record it was drawn for, so that no other can be meant.
        record = record_id(form_data.get("record"))
        try:
            await write(lambda session: self._save(session, actor, record, form_data, overwrite))
        except Exception as error:
            yield self._refused(error, self.replies.update_failed if record else self.replies.create_failed)
        else:
            self._is_saved = True
            yield success(self.replies.updated if record else self.replies.created, subject_of(self))
            yield rx.redirect(self._back())
        finally:
            self.is_saving = False

    def _clear(self) -> None:
        """Forget whatever the tab did before: every var is as in a fresh tab, but for those that only count."""
        attempt, revision, answered = self.attempt, self.revision, self.answered
        self.reset()
        self.attempt, self.revision, self.answered = attempt, revision, answered

    async def _show(self, actor: Actor) -> None:
        """Fill the form from the database."""
        self.form = await read(lambda session: self._read(session, actor))
        self.entries = {name: entries_of(group, getattr(self.form, name)) for name, group in self.groups.items()}
        self.back = self._back()
        self.shown = self._address()
        self.draft_name = f"{actor.user_id}:{self.tab}:{self.shown}"

    def _save(self, session: Session, actor: Actor, record: int, typed: Mapping[str, object], overwrite: bool) -> int:
        """Make a draft of what was typed and give it to the service; a new record's number is 0. Returns the id."""
        if not record:
            return self._create(session, actor, self.draft.read(typed))
        draft = self.draft.read(typed, self._stored(session, actor, record))
        self._update(session, actor, record, draft, record_id(typed.get("version")), overwrite)
        return record

    async def _complaint(self, actor: Actor, name: str, typed: Mapping[str, object]) -> str:
        """What is wrong with a field; what the stored record holds is not."""
        found, record = complaint(self.draft.read, name, typed), record_id(typed.get("record"))
        if not found or not record:
            return found
        stored = await read(lambda session: self._stored(session, actor, record))
        return complaint(lambda form: self.draft.read(form, stored), name, typed)

    def _back(self) -> str:
        """The list that led here, where it stood."""
        return routes.admin_tab(self.tab, list_parameters(self.router.url.query_parameters))

    async def _consider_slug(self, actor: Actor, typed: Mapping[str, object]) -> tuple[str, str]:
        """The error beside a typed slug that fits, and the hint."""
        slug, record = one_line(typed.get(SLUG)), record_id(typed.get("record"))
        if not slug:
            return "", ""
        is_free = await read(lambda session: self._is_slug_free(session, actor, slug, record))
        return ("", words.SLUG_FREE) if is_free else (messages.SLUG_TAKEN, "")

    def _unread(self, error: Exception) -> list[rx.event.EventSpec]:
        return [failure(error, self.replies.fetch_failed, subject_of(self)), rx.redirect(self._back())]

    def _cut_off(self, handler: str, error: Exception) -> list[rx.event.EventSpec | None]:
        """What the guard asks for when the database is away: what was typed stays where it is."""
        if handler == "open":
            return [*self._unread(error)]
        if handler == "check":
            return []
        return [self._refused(error, self.replies.update_failed if self.form.id else self.replies.create_failed)]

    def _refused(self, error: Exception, fallback: str) -> rx.event.EventSpec | None:
        """Put the reasons beside the fields, and return the sentence to show, unless it stays with a choice."""
        self.errors = error.fields if isinstance(error, InvalidInput) else {}
        self.conflict = Clash.of(error)
        self.attempt += 1
        return None if self.conflict.text else failure(error, fallback, subject_of(self))
