"""`/preview/{secret}`: a draft as visitors would see it, for anybody with a link, and in a frame of the back office."""

import asyncio
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlencode

import sqlalchemy as sa
from starlette.requests import Request
from starlette.responses import Response

from ..admin.drafts import preview_texts as texts
from ..admin.user_accounts import user_accounts
from ..base import messages, paths
from ..base.db.database import read_session, rolled_back, transaction
from ..base.db.rate_limits import network_of
from ..base.errors import Forbidden, NotFound, NotSignedIn, TooManyAttempts, Unavailable
from ..base.request_context import reference
from ..base.site import get_site
from ..base.threads import READERS, WRITERS
from ..records import preview_links
from ..records.features import record_types
from ..records.preview import HOME, LIST, RECORD, try_out
from ..records.preview_links import FRAME_SUBJECT, SECRET_LENGTH
from ..records.proposals import Proposal
from ..server.http.form_posts import client_address
from ..server.seo.sitemap import SitemapSource
from ..server.ssr.document import UnexpectedHtml
from ..server.ssr.initial_state import InitialState, OnLoadFailed
from ..server.ssr.page_renderer import PageRenderer
from ..server.ssr.page_texts import PAGE_SUBJECT, PageTexts
from ..server.ssr.preview import message_html, preview_html, preview_response
from ..server.ssr.renderer import RendererAway
from ..server.ssr.routing import Match, RouteTable, path_of
from ..server.ssr.theme_variants import chosen_theme
from ..ui.feedback import reason

TIMEOUT = 10.0  # seconds, with the wait for other previews
# Beside the subjects of passes: the path of the page that a published draft has become.
LIVE = "live"
THEMES = ("light", "dark")

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class TriedOut:
    """A page as a draft would make it: its state, and the paths of the pages that a preview shows, by their names."""

    match: Match
    path: str
    state: InitialState
    pages: dict[str, str]


class PreviewEndpoint:
    """Answers links to previews, and the frames of the back office, whose secret is a pass."""

    def __init__(
        self,
        table: RouteTable,
        page_renderer: PageRenderer,
        page_texts: PageTexts,
        sources: Iterable[SitemapSource],
        trusted_proxies: int,
    ) -> None:
        self._table = table
        self._renderer = page_renderer
        self._page_texts = page_texts
        self._lists = {source.page: source.lists[0] for source in sources if source.lists}
        self._trusted_proxies = trusted_proxies
        # One at a time, so that live pages are not rendered much later.
        self._turn = asyncio.Semaphore(1)

    async def __call__(self, request: Request) -> Response:
        """The page that the query names, as the draft would make it; the live page once the draft is published."""
        secret, method = path_of(request.scope).removeprefix(paths.PREVIEW), request.method
        try:
            async with asyncio.timeout(TIMEOUT):
                found = await self._find(secret, request)
                if live := found.get(LIVE):
                    return preview_response("", method, 302, location=quote(live))
                if page := found.get(PAGE_SUBJECT):
                    marked = await self._page_texts.page(page)
                    return preview_response(preview_html(marked.html, {}, _theme(request)), method)
                return preview_response(await self._html(int(found[FRAME_SUBJECT]), request), method)
        except (NotFound, NotSignedIn, Forbidden):
            return _refuse(method, 404, texts.GONE, texts.ASK)
        except TooManyAttempts as error:
            return _refuse(method, 429, texts.TOO_MANY, error.message, **{"retry-after": str(error.retry_after)})
        except (Unavailable, OnLoadFailed, RendererAway, UnexpectedHtml, TimeoutError, sa.exc.SQLAlchemyError) as error:
            log.error("A preview could not be made: %s", reason(error))
            mention = messages.MENTION.format(reference=reference())
            return _refuse(method, 503, texts.FAILED, f"{texts.LATER} {mention}")

    async def _find(self, secret: str, request: Request) -> Mapping[str, str]:
        """What a secret is for: the id of a draft, the path of a live page, or that of a page with its texts marked."""
        if len(secret) != SECRET_LENGTH:
            return await READERS.run(_subject_of_pass, secret)
        network = network_of(client_address(request, self._trusted_proxies))
        draft, live = await WRITERS.run(_follow, secret, network, is_opened=request.method == "GET")
        return {FRAME_SUBJECT: str(draft), LIVE: live}

    async def _html(self, draft: int, request: Request) -> str:
        query = request.query_params
        async with self._turn:
            await self._renderer.initial_states.read_defaults()
            await self._page_texts.note_pages()
            tried = await WRITERS.run(self._try_out, draft, query.get("page", RECORD))
        chosen = {"theme": query["theme"]} if query.get("theme") in THEMES else {}
        links = {path: f"?{urlencode({'page': name} | chosen)}" for name, path in tried.pages.items()}
        path, renderer = quote(tried.path), self._renderer
        rendered = await renderer.renderer.render(path, tried.state.vars, tried.state.texts)
        html = renderer.document_builder.page(rendered.html, path, tried.state.vars, None)
        return preview_html(html, links, _theme(request), texts.BAR)

    def _try_out(self, draft: int, page: str) -> TriedOut:
        """Run the on_load of a page in a transaction with the draft, which is rolled back. Runs in a thread."""
        with rolled_back() as session:
            proposal = session.get(Proposal, draft)
            record_type = record_types().get(proposal.of_table) if proposal else None
            if proposal is None or record_type is None:
                raise NotFound(texts.GONE)
            slug = try_out(session, record_type, proposal.record_id, proposal.inputs)
            lists = self._lists.get(record_type.page)
            pages = {RECORD: record_type.page(slug)} | ({LIST: lists} if lists else {}) | {HOME: paths.HOME}
            if record_type.shown_on:
                pages = {RECORD: record_type.page(slug)} | {path: path for path in record_type.shown_on(slug)}
            path = pages.get(page, pages[RECORD])
            match = self._table.match(path)
            if match is None:
                raise NotFound(texts.GONE)
            state = self._renderer.initial_states.take_here(match.route.route, path, match.params)
        if state.flag("is_missing") or state.flag("is_unavailable"):
            raise OnLoadFailed(f"The on_load of {match.route.route} found nothing")
        return TriedOut(match, path, state, pages)


def _refuse(method: str, status: int, *sentences: str, **headers: str) -> Response:
    return preview_response(message_html(get_site().brand.name, texts.TITLE, *sentences), method, status, **headers)


def _theme(request: Request) -> str:
    theme = request.query_params.get("theme", "")
    return theme if theme in THEMES else chosen_theme(request.headers)


def _subject_of_pass(token: str) -> Mapping[str, str]:
    with read_session() as session:
        identity, subject = user_accounts().use_pass(session, token)
        if PAGE_SUBJECT not in subject:
            preview_links.get_draft(session, identity.actor, subject.get(FRAME_SUBJECT))
    return subject


def _follow(secret: str, network: str, is_opened: bool) -> tuple[int, str]:
    with transaction() as session:
        preview_links.count_visit(session, network)
        try:
            return preview_links.find(session, secret, is_opened=is_opened)
        except NotFound as error:
            gone = error
    raise gone  # after the commit, so that wrong links are counted too
