"""The texts of public pages that staff can change, as the pages ask for them when they are rendered."""

import logging
import secrets
from collections.abc import Callable, Mapping
from urllib.parse import quote

from ...base import messages
from ...base.errors import NotFound, Unavailable
from ...base.text import text_name
from ...base.text_pages import note_page
from ...base.threads import READERS
from .content_version import DatabaseAway, VersionSource
from .document import UnexpectedHtml
from .initial_state import OnLoadFailed
from .marked_html import MarkedHtml, read_marks
from .page_renderer import PageRenderer
from .renderer import RendererAway
from .routing import RouteTable

log = logging.getLogger(__name__)

# The subject of the pass with which the back office shows a page in a frame: its path.
PAGE_SUBJECT = "page"


class PageTexts:
    """Renders pages with their texts marked, and keeps what it rendered last of each.

    `list_pages` reads the labels of the pages with such texts, by their paths; in a thread.
    """

    def __init__(
        self,
        table: RouteTable,
        page_renderer: PageRenderer,
        version_source: VersionSource,
        list_pages: Callable[[], Mapping[str, str]],
    ) -> None:
        self._table = table
        self._renderer = page_renderer
        self._versions = version_source
        self._list_pages = list_pages
        self._pages: dict[str, tuple[int, MarkedHtml]] = {}
        self._is_noted = False

    async def page(self, path: str) -> MarkedHtml:
        """A page as visitors see it, with its texts marked. Raises `NotFound` and `Unavailable`."""
        try:
            version = await self._versions.version()
            if (kept := self._pages.get(path)) and kept[0] == version:
                return kept[1]
            marked = await self._marked(path)
        except (DatabaseAway, OnLoadFailed, RendererAway, UnexpectedHtml) as error:
            raise Unavailable from error
        self._pages[path] = version, marked
        return marked

    async def pages(self) -> dict[str, tuple[str, tuple[str, ...]]]:
        """The label and the originals of every page, by its path. A page that fails is logged and left out."""
        pages: dict[str, tuple[str, tuple[str, ...]]] = {}
        for path, label in (await READERS.run(self._list_pages)).items():
            # Which texts a page asks for changes with the code alone.
            if path not in self._pages:
                try:
                    await self.page(path)
                except Exception as error:
                    log.error("The texts of %r could not be read: %s", path, type(error).__name__)
            if path in self._pages:
                originals = tuple(self._pages[path][1].is_shown)
                note_page(path, label, map(text_name, originals))
                pages[path] = label, originals
        return pages

    async def note_pages(self) -> None:
        """Let `text_pages.pages_of` know the pages of each text, in this process."""
        if not self._is_noted:
            await self.pages()
            self._is_noted = True

    async def _marked(self, path: str) -> MarkedHtml:
        match = self._table.match(path)
        if match is None or not match.route.follows_content:
            raise NotFound(messages.PAGE_FAILED)
        renderer, address = self._renderer, quote(path)
        state = await renderer.initial_states.take(match.route.route, path, match.params)
        if state.flag("is_missing"):
            raise NotFound(messages.PAGE_FAILED)
        marks = secrets.token_hex(8)
        rendered = await renderer.renderer.render(address, state.vars, state.texts, marks=marks)
        html = renderer.document_builder.page(rendered.html, address, state.vars, None)
        return await READERS.run(read_marks, html, rendered.asked, marks)


_in_use: PageTexts | None = None


def use(given: PageTexts) -> None:
    """Take the texts of the pages of the site; called once, at start."""
    global _in_use
    _in_use = given


def page_texts() -> PageTexts:
    """The texts of the pages of the site. Raises `Unavailable` under hot reload, which renders no pages."""
    if _in_use is None:
        raise Unavailable
    return _in_use
