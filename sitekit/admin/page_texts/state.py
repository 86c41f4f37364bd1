"""The states of the screens on which staff change the texts of pages: the list of pages, and one page."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, ClassVar

import reflex as rx
import sqlalchemy as sa
from sqlmodel import Session

from ...base import paths
from ...base.errors import NotFound
from ...base.permissions import Action, Actor, may, require
from ...base.text import listed, record_id, text_name
from ...base.text_pages import pages_of
from ...base.typography import typeset
from ...records import bulk, drafts
from ...records.drafts import DraftMark
from ...records.features import record_types
from ...records.record_form import RecordForm
from ...records.saving import LastSave
from ...records.slug_redirects import present_slug
from ...server.framework.event_marks import ChainedEvent, EventReply
from ...server.ssr.marked_html import MarkedHtml
from ...server.ssr.page_texts import PAGE_SUBJECT, page_texts
from ...ui.feedback import in_place_of_content, reason, subject_of, undo_notice
from ..csv.export_state import ExportState
from ..csv.import_state import ImportState
from ..db_calls import change, read, write
from ..form_address import EDIT, ParameterAddress
from ..form_state import FormState
from ..framed_state import FramedState
from ..guard import staff_event
from ..opened_form import FormReader
from ..worklist import RecordLink
from . import screen_texts as texts
from . import service
from .fields import TextRow
from .inputs import most_characters
from .service import TEXTS, TEXTS_CSV, LastChange

AT = "at"

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class PageRow:
    """A page in the list of pages."""

    name: str = ""
    href: str = ""
    count: int = 0
    by: str = ""
    changed_at: str = ""


@dataclass(frozen=True)
class ShownText:
    """A text in the list of a page's texts. `is_seen` is false if the page has it only for search or screen readers.

    `after` is the text before one that completes it for screen readers.
    """

    id: int = 0
    slug: str = ""
    text: str = ""
    is_changed: bool = False
    is_seen: bool = True
    after: str = ""
    draft: DraftMark = field(default_factory=DraftMark)


@dataclass(frozen=True)
class SearchText:
    """The title or description of a page as a search result shows it; without an id, staff cannot change it."""

    id: int = 0
    text: str = ""
    characters: int = 0


class TextImportState(ImportState, rx.State):
    """The state of the import."""

    record_type: ClassVar = TEXTS


class TextPagesState(ExportState, rx.State):
    """The public pages with the number of their changed texts, and the changes that the site does not show any more."""

    rows: list[PageRow] = []
    gone: list[TextRow] = []
    total: int = 0
    may_change: bool = False
    is_loading: bool = True
    problem: str = ""

    csv: ClassVar = TEXTS_CSV

    @staff_event(failed=lambda self, error, _subject: self._fail(error))
    async def load(self, *, actor: Actor) -> EventReply:
        """Read the list. This is the page's `on_load`."""
        return await self._load(actor)

    @staff_event(failed=TEXTS.texts.delete_failed, reloads=True)
    async def delete(self, text_id: int, *, actor: Actor) -> EventReply:
        """Move a change that is not shown any more to the trash."""
        _, batch = await change(lambda session: _delete_gone(session, actor, text_id))
        return [undo_notice(TEXTS.texts.deleted, subject_of(self), batch), *await self._load(actor)]

    async def _load(self, actor: Actor) -> list[ChainedEvent]:
        try:
            pages = await _known_pages()
            originals = {path: names for path, (_, names) in pages.items()}
            changes, self.gone = await read(lambda session: _list(session, actor, originals))
        except Exception as error:
            return self._fail(error)
        self.rows = [
            PageRow(label, paths.page_texts(path), changes[path].count, changes[path].name, changes[path].at)
            for path, (label, _) in pages.items()
        ]
        self.total, self.may_change = len(self.rows), may(actor, Action.CHANGE_TEXTS)
        self.is_loading, self.problem = False, ""
        return []

    def _fail(self, error: Exception) -> list[ChainedEvent]:
        self.rows, self.gone, self.total, self.is_loading = [], [], 0, False
        self.problem, replies = in_place_of_content(error, texts.FETCH_FAILED, subject_of(self))
        return replies


class PageTextsState(FramedState, rx.State):
    """The page that the address names in a frame, and its texts in reading order.

    `at` is the path of the page, `choices` has the ids of its texts by their names, `chosen` is the name of the one
    whose form is open. `pressed` is the record that was pressed in the frame, if its text is one's.
    """

    shown: str = ""
    at: str = ""
    label: str = ""
    rows: list[ShownText] = []
    choices: dict[str, int] = {}
    chosen: str = ""
    title: SearchText = SearchText()
    description: SearchText = SearchText()
    frame: str = ""
    may_change: bool = False
    is_fixed_pressed: bool = False
    pressed: RecordLink = RecordLink()

    @staff_event(failed=texts.FETCH_FAILED)
    async def press_fixed(self, link: str, *, actor: Actor) -> None:
        """Say that what was pressed in the frame cannot be changed here, and where it can."""
        path = link if isinstance(link, str) and link.startswith("/") else self.at
        self.pressed = await read(lambda session: _record_at(session, actor, path))
        self.is_fixed_pressed = True

    async def _load(self, actor: Actor, text_id: str) -> None:
        """Read the page and its texts; without a page in the address, the first page of the text."""
        pages, query = await _known_pages(), self.router.url.query_parameters
        chosen = await read(lambda session: _slug_of(session, actor, text_id)) if text_id else ""
        at = str(query.get(AT, "")) or next(iter(pages_of(chosen)), "")
        if at not in pages:
            raise NotFound(texts.GONE)
        marked = await page_texts().page(at)
        stored, marks = await read(lambda session: _read_page(session, actor, list(marked.is_shown)))
        self._show(marked, stored, marks)
        self.at, self.label, self.chosen = at, pages[at][0], chosen
        self.may_change = may(actor, Action.CHANGE_TEXTS)
        self.is_fixed_pressed, self.pressed = False, RecordLink()
        version = sha256(marked.html.encode()).hexdigest()[:8]
        self.frame = f"{await self._frame_of({PAGE_SUBJECT: at})}?version={version}"
        self.shown = str(self.router.url.path)

    def _show(self, marked: MarkedHtml, stored: Mapping[str, TextRow], marks: Mapping[int, DraftMark]) -> None:
        head = {marked.title, marked.description}
        self.rows = [
            ShownText(
                row.id,
                row.slug,
                typeset(row.shown),
                row.shown != row.name,
                is_seen,
                marked.spoken_after.get(original, ""),
                marks.get(row.id, DraftMark()),
            )
            for original, is_seen in marked.is_shown.items()
            if (row := stored.get(original)) and original not in head
        ]
        self.choices = {row.slug: row.id for row in stored.values()}
        self.title, self.description = (
            _search_text(stored.get(original)) for original in (marked.title, marked.description)
        )


class TextReader(FormReader):
    """Reads the form of a text."""

    def complete(self, form: RecordForm) -> RecordForm:
        """A text that is not changed shows its original."""
        return form if form.texts["is_active"] else replace(form, texts=form.texts | {"text": form.texts["name"]})


def _path(state: Any, parameters: dict[str, str]) -> str:
    return f"{paths.page_texts(str(state.router.url.query_parameters.get(AT, '')))}&{EDIT}={parameters[EDIT]}"


class TextFormState(FormState, rx.State):
    """The form of the text that the address names, beside its page. Without one there is no form."""

    original: str = ""
    most: int = 0
    is_changed: bool = False
    also_on: str = ""

    record_type: ClassVar = TEXTS
    address: ClassVar = ParameterAddress(_path)
    reader: ClassVar = TextReader
    watched: ClassVar = ("text",)

    @staff_event(failed=TEXTS.texts.update_failed, reloads=True)
    async def use_original(self, text_id: int, *, actor: Actor) -> EventReply:
        """Take a change back."""
        _, batch = await change(lambda session: bulk.set_public(session, actor, TEXTS, [text_id], False))
        return [undo_notice(texts.ORIGINAL_USED, subject_of(self), batch), *await self._load(actor)]

    async def _load(self, actor: Actor) -> list[ChainedEvent]:
        """Show the page again, and the form of the text if one is open; if that fails, what is shown stays."""
        try:
            await self._show(actor)
            self.revision += 1
        except Exception as error:
            log.warning("The texts of a page could not be read again: %s", reason(error))
        return []

    async def _show(self, actor: Actor) -> None:
        page = await self.get_state(PageTextsState)
        await page._load(actor, self.address.shown(self))
        if not self.address.shown(self):
            self._clear()
            return
        require(actor, Action.CHANGE_TEXTS)
        await super()._show(actor)
        self.back = paths.page_texts(page.at)
        self._describe(page.at)

    async def _return_to_list(self, actor: Actor, record: int) -> None:
        await self._stay()
        page = await self.get_state(PageTextsState)
        await page._load(actor, self.address.shown(self))
        self._describe(page.at)

    async def _save_draft(self, actor: Actor, record: int, form_data: dict[str, Any], then: str) -> EventReply:
        reply = await super()._save_draft(actor, record, form_data, then)
        await (await self.get_state(PageTextsState))._load(actor, self.address.shown(self))
        return reply

    def _offers_undo(self) -> bool:
        # The first change is taken back by "Use the original".
        return self.is_changed

    def _saved_text(self, record: int) -> str:
        pages = list(pages_of(text_name(self.form.texts["name"])).values())
        return texts.SAVED_ON.format(pages=listed(pages)) if pages else texts.SAVED

    def _describe(self, at: str) -> None:
        self.original = self.form.texts["name"]
        # Nobody has saved the row of a text that was never changed.
        page = at if self.saved.page else ""
        self.saved = replace(self.saved, page=page) if self.form.version > 1 else LastSave()
        self.most = most_characters(self.original)
        self.is_changed = bool(self.form.texts["is_active"]) and self.form.texts["text"] != self.original
        others = [label for path, label in pages_of(text_name(self.original)).items() if path != at]
        self.also_on = texts.ALSO_ON.format(pages=listed(others)) if others else ""


async def _known_pages() -> dict[str, tuple[str, tuple[str, ...]]]:
    """The pages with texts, and a row for each text."""
    pages = await page_texts().pages()
    if await read(service.has_missing):
        await write(service.add_missing)
    return {path: page for path, page in pages.items() if page[1]}


def _list(
    session: Session, actor: Actor, originals: Mapping[str, Sequence[str]]
) -> tuple[dict[str, LastChange], list[TextRow]]:
    return service.last_changes(session, actor, originals), service.list_gone(session, actor)


def _read_page(
    session: Session, actor: Actor, originals: Sequence[str]
) -> tuple[dict[str, TextRow], Mapping[int, DraftMark]]:
    stored = service.list_texts(session, actor, originals)
    if not may(actor, Action.CHANGE_TEXTS):
        return stored, {}
    marks, _ = drafts.of_list(session, actor, TEXTS, {row.id: row.is_active for row in stored.values()})
    return stored, marks


def _slug_of(session: Session, actor: Actor, text_id: str) -> str:
    require(actor, Action.READ_TEXTS)
    columns = TEXTS.columns
    query = sa.select(columns.slug).where(columns.id == record_id(text_id))
    return str(session.execute(query).scalar() or "")


def _record_at(session: Session, actor: Actor, path: str) -> RecordLink:
    """The record whose public page has a path, and its form, if the actor may edit it."""
    require(actor, Action.READ_TEXTS)
    for record_type in record_types().values():
        start, columns = record_type.page(""), record_type.columns
        if record_type.shown_on or not path.startswith(start) or not may(actor, record_type.read_action):
            continue
        slug = present_slug(session, columns.slug, sa.true(), path.removeprefix(start))
        query = sa.select(columns.id, columns.slug, columns.name).where(columns.slug == slug)
        if slug and (row := session.execute(query).first()):
            return RecordLink(row.name, record_type.form_page(row.id, row.slug))
    return RecordLink()


def _delete_gone(session: Session, actor: Actor, text_id: int) -> None:
    require(actor, Action.CHANGE_TEXTS)
    if text_id not in {row.id for row in service.list_gone(session, actor)}:
        raise NotFound(TEXTS.texts.delete_failed)
    TEXTS.delete(session, actor, text_id)


def _search_text(row: TextRow | None) -> SearchText:
    return SearchText(row.id, typeset(row.shown), len(row.shown)) if row else SearchText()
