"""The state of the page that shows a draft as visitors would see it, and shares it by a link."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar
from urllib.parse import urlencode

import reflex as rx
import sqlalchemy as sa
from sqlmodel import Session

from ...base import paths
from ...base.errors import Unavailable
from ...base.permissions import Actor, may
from ...base.settings import get_settings
from ...base.text import capitalised
from ...records import preview_links
from ...records.features import record_types
from ...records.preview import HOME, LIST, RECORD
from ...records.preview_links import FRAME_SUBJECT, LinkRow, ShareData
from ...records.record_form import RecordForm
from ...server.framework.event_marks import ChainedEvent, EventReply
from ...server.ssr.page_texts import page_texts
from ...ui.feedback import in_place_of_content, subject_of, success_notice
from ...ui.form import once
from ..components.unsaved import DRAFT
from ..db_calls import read, write
from ..framed_state import FramedState
from ..guard import staff_event
from ..staff_form import StaffForm
from . import preview_texts as texts

# The query parameters of the page. `page` is that of lists, which other choices reset.
SHOWS, WIDTH, THEME, SHARE = "shows", "width", "theme", "share"


@dataclass(frozen=True)
class Previewed:
    """A draft, as the page names it: `back` leads to its form, `pages` are those that it can be seen on."""

    name: str = ""
    back: str = ""
    pages: tuple[tuple[str, str], ...] = ()
    may_share: bool = False


class PreviewState(FramedState, StaffForm, rx.State):
    """The draft of the address, the frame with its preview, and its links, of which `link` is the one to send.

    `problem` is shown in place of the page; the dialog is open at an address with `sharing`.
    """

    shown: str = ""
    problem: str = ""
    name: str = ""
    back: str = ""
    may_share: bool = False
    pages: list[list[str]] = []
    shows: str = RECORD
    width: str = ""
    theme: str = ""
    frame: str = ""
    form: RecordForm = RecordForm()
    sharing: str = ""
    link: str = ""
    links: list[LinkRow] = []

    data_class: ClassVar = ShareData

    @staff_event(failed=lambda self, error, _subject: self._fail(error))
    async def open(self, *, actor: Actor) -> None:
        """Show the draft of the address, as the query says."""
        draft, path = self._draft_id(), str(self.router.url.path)
        kept = self._pass
        self._clear()
        self._pass = kept
        if any(record_type.shown_on for record_type in record_types().values()):
            with suppress(Unavailable):
                await page_texts().note_pages()
        previewed = await read(lambda session: read_previewed(session, actor, draft))
        self.name, self.back, self.may_share = previewed.name, previewed.back, previewed.may_share
        self.pages = [[page, label] for page, label in previewed.pages]
        query = self.router.url.query_parameters
        self.shows = _one_of(query.get(SHOWS), [page for page, _ in previewed.pages])
        self.width = _one_of(query.get(WIDTH), ["", *texts.WIDTHS])
        self.theme = _one_of(query.get(THEME), ["", *texts.THEMES])
        await self._point_frame(draft)
        self.sharing = str(query.get(SHARE, ""))
        if self.sharing:
            await self._load(actor)
        self.shown = path

    @staff_event(failed=lambda self, error, _subject: self._refuse(error, texts.SHARE_FAILED))
    @once()
    async def save(self, form_data: dict[str, Any], *, actor: Actor) -> EventReply:
        """Share the draft by a link."""
        form = ShareData.read(form_data)
        await write(partial(preview_links.share, actor=actor, draft_id=self._draft_id(), form=form))
        await self._load(actor)
        self._saved()
        return success_notice(texts.MADE, subject_of(self))

    @staff_event(failed=texts.REVOKE_FAILED, reloads=True)
    async def revoke(self, link: int, *, actor: Actor) -> EventReply:
        """End a link of the draft."""
        await write(partial(preview_links.revoke, actor=actor, link_id=link))
        await self._load(actor)
        return success_notice(texts.REVOKED_NOW, subject_of(self))

    def _draft_id(self) -> str:
        # Reflex adds it to the root state, because routes contain `[id]`.
        return str(getattr(self, "id"))  # noqa: B009

    async def _point_frame(self, draft: str) -> None:
        chosen = {"page": self.shows} | ({"theme": self.theme} if self.theme else {})
        self.frame = f"{await self._frame_of({FRAME_SUBJECT: draft})}?{urlencode(chosen)}"

    async def _load(self, actor: Actor) -> list[ChainedEvent]:
        """Read the links of the draft again."""
        draft = self._draft_id()
        try:
            self.links = await read(lambda session: preview_links.list_links(session, actor, draft))
        except Exception as error:
            return self._fail(error)
        secret = next((row.secret for row in self.links if row.secret), "")
        self.link = f"{get_settings().public_url}{paths.PREVIEW}{secret}" if secret else ""
        self.form = RecordForm(texts={"days": str(preview_links.DAYS)})
        return []

    def _fail(self, error: Exception) -> list[ChainedEvent]:
        """Show an error in place of the page's content."""
        self._clear()
        self.shown = str(self.router.url.path)
        self.problem, replies = in_place_of_content(error, texts.FAILED_TO_OPEN, subject_of(self))
        return replies


def read_previewed(session: Session, actor: Actor, draft_id: object) -> Previewed:
    """What the page says about a draft. Raises `NotFound`."""
    draft, record_type = preview_links.get_draft(session, actor, draft_id)
    back = record_type.staff_pages.new_page_with(DRAFT, draft.id)
    if draft.record_id and (stored := record_type.get_stored(session, actor, draft.record_id)):
        back = record_type.form_page(stored.id, stored.texts.get("slug", ""))
        # The form shows the draft of somebody else only if the address has it.
        back += "" if draft.by == actor.user_id else f"{'&' if '?' in back else '?'}{DRAFT}={draft.id}"
    labels: Mapping[str, str] = {RECORD: record_type.title, LIST: capitalised(record_type.plural), HOME: texts.HOME}
    if record_type.shown_on:
        slug = session.execute(sa.select(record_type.columns.slug).where(record_type.columns.id == draft.record_id))
        labels = record_type.shown_on(slug.scalar() or "") or labels
    name = preview_links.name_of(session, draft, record_type)
    return Previewed(name, back, tuple(labels.items()), may(actor, record_type.change_action))


def _one_of(text: object, values: list[str]) -> str:
    """The text if it is one of the values, else the first of them."""
    return str(text) if text in values else values[0]
