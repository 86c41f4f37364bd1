"""A site as an ASGI application: the request pipeline and the background tasks, one list each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import reflex as rx
from starlette.middleware import Middleware
from starlette.types import ASGIApp

from ..accounts.sessions.bindings import SessionBinding, drop_connection
from ..accounts.sessions.connections import connections
from ..admin.csv.chosen_files import chosen_files
from ..admin.csv.exports import Export, ExportEndpoint
from ..admin.guard import DefaultDeny
from ..admin.pictures.uploads import UploadEndpoint
from ..admin.shell import SHEET_LINK
from ..admin.undo_state import UndoState
from ..base import messages, paths, site_pages
from ..base.db.database import read_session
from ..base.mail import worker as mail_worker
from ..base.observability.error_tracker import track_errors
from ..base.observability.event_loop import watch_event_loop
from ..base.observability.health import Readiness, alive
from ..base.observability.memory import trim_memory_task
from ..base.observability.metrics import Metrics, server_gauges
from ..base.observability.tracing import send_traces
from ..base.server_status import ServerStatus
from ..base.settings import ROOT, get_settings
from ..base.site import get_site
from ..ops import backup_reminder, draft_clock, retention, serve
from ..records.pictures import addresses as pictures
from ..records.pictures.files import MediaFiles
from ..records.publishing import pages_of_drafts
from ..server.framework.built_site import has_build, is_in_production
from ..server.framework.event_log import EventLog
from ..server.framework.log_redaction import install_log_redaction
from ..server.framework.shared_states import SharedStates
from ..server.framework.tab_states import TabStates
from ..server.framework.tabs import Gate, LocalTabs, NotifyingTokenManager
from ..server.framework.token_manager import ResilientTokenManager, redis_token_manager
from ..server.http.endpoints import Endpoint, redirect_endpoint, security_contact, text_endpoint
from ..server.http.error_page import ErrorPage
from ..server.http.form_posts import Form
from ..server.http.graceful_shutdown import GracefulShutdown
from ..server.http.request_log import RequestLog
from ..server.http.security_headers import SecurityHeaders, security_headers
from ..server.http.socket_limits import SocketLimits
from ..server.http.static_files import fingerprint
from ..server.seo.atom import AtomFeed, Feed
from ..server.seo.sitemap import Sitemap, SitemapSource, robots
from ..server.ssr import page_texts
from ..server.ssr.cache_purge import CachePurge
from ..server.ssr.cached_pages import CachedPages
from ..server.ssr.content_version import version_source
from ..server.ssr.document import DocumentBuilder
from ..server.ssr.initial_state import InitialStates, ReadTexts
from ..server.ssr.page_renderer import PageRenderer
from ..server.ssr.page_state import hand_over_state
from ..server.ssr.pages import Pages
from ..server.ssr.plugin import RENDERER
from ..server.ssr.prerendered import PrerenderedPages
from ..server.ssr.public_pages import PublicPages
from ..server.ssr.renderer import Renderer
from ..server.ssr.routing import RouteTable
from ..ui.feedback import notices, on_unhandled_exception
from ..ui.public.head import head_components as public_head
from ..ui.public.words import words_of
from .page import Page
from .previews import PreviewEndpoint

WEB = ROOT / ".web"
CLIENT = WEB / "build" / "client"
FORMER = ROOT / ".former"
FILES = ("/robots.txt", "/sitemap.xml")  # to which texts may link
# In seconds. Long, because a late page is still cached for the next reader; `sitekit/server/ssr/pages.py` limits how
# long a reader waits.
ON_LOAD_TIMEOUT = 4.0
RENDER_TIMEOUT = 4.0


@dataclass
class SiteApp(rx.App):
    """The Reflex app of a site with its pages, its middleware pipeline and its background tasks.

    `sitemap_sources` list the pages of records; `feeds` maps a path to what reads its feed; `forms` maps a path to the
    handler of a form posted without scripts.
    `error_page` is complete HTML, and `needs_scripts` what a page says that could not be rendered on the server.
    `read_texts` reads what staff have changed of the texts of pages; a change of them increases the content version.
    `typefaces_later` are fetched once the first page is complete, so that the next pages have them. `tasks` run in
    every process while the server runs.
    """

    pages: Sequence[Page] = ()
    exports: tuple[Export, ...] = ()
    sitemap_sources: Sequence[SitemapSource] = ()
    feeds: Mapping[str, Callable[[], Feed]] = field(default_factory=dict)
    forms: Mapping[str, Form] = field(default_factory=dict)
    error_page: str = ""
    needs_scripts: str = ""
    read_texts: ReadTexts = dict
    tasks: tuple[Callable[[], Any], ...] = ()
    typefaces_later: tuple[str, ...] = ()
    reset_style: bool = False
    toaster: rx.Component | None = None
    head_components: list[rx.Component] = field(default_factory=public_head)
    backend_exception_handler: Callable[[Exception], Any] = on_unhandled_exception

    def __post_init__(self) -> None:
        """Add the pages and event middleware, and replace parts of Reflex by our own."""
        super().__post_init__()  # type: ignore[no-untyped-call]
        install_log_redaction()
        self.status = ServerStatus()
        self.routes = [page.served for page in self.pages]
        site_pages.use(RouteTable(self.routes).has_page, files=(*FILES, *self.feeds), of_drafts=pages_of_drafts)
        # Replace Reflex's connection overlay and toasts. The notices wrap all pages, so that a notice stays after a
        # navigation.
        self.app_wraps = {key: wrap for key, wrap in self.app_wraps.items() if key[1] == "ErrorBoundary"}
        self.app_wraps[1, "Notices"] = lambda stateful: rx.fragment(notices(UndoState.undo)) if stateful else None
        hand_over_state(self)
        self._replace_tab_registry()
        for middleware in (EventLog(self.status), DefaultDeny(), SessionBinding(self.gate)):
            self.add_middleware(middleware)
        for page in self.pages:
            on_load = list(page.on_load)
            title, description = words_of(page.title), words_of(page.description)
            self.add_page(page.component, route=page.route, title=title, description=description, on_load=on_load)

    def _replace_tab_registry(self) -> None:
        """Replace Reflex's token manager and the expiry of tab states by our own."""
        self.tabs: NotifyingTokenManager
        self.tab_states: TabStates | SharedStates
        if get_settings().redis_url:
            self.tabs = shared = redis_token_manager()
            self.tab_states = SharedStates(shared, connections.is_signed_in)
        else:
            self.tabs = LocalTabs()
            self.tab_states = TabStates(  # type: ignore[abstract, unused-ignore]  # by overloads
                is_connected=self.tabs.token_to_socket.__contains__, is_signed_in=connections.is_signed_in
            )
            self.tab_states.install(self)
        self.gate = Gate(self, self.tabs)
        self.tabs.joined.extend((self.tab_states.joined, chosen_files.joined))
        self.tabs.left.extend((self.tab_states.left, chosen_files.left, drop_connection))

    def __call__(self) -> ASGIApp:
        """The ASGI application. Without a build (hot reload), the development server serves the pages."""
        app: ASGIApp = super().__call__()
        renderer = Renderer(WEB / RENDERER, RENDER_TIMEOUT)
        readiness = Readiness(
            self.status, renderer_runs=lambda: renderer.process_id is not None, build=fingerprint(CLIENT)
        )
        watches = [readiness.watch, watch_event_loop, *_cache_purge()] if has_build() else []
        for task in (*background_tasks(self), *watches):
            self.register_lifespan_task(task)
        for layer in reversed(pipeline(self, renderer, readiness)):
            app = layer.cls(app, *layer.args, **layer.kwargs)
        return app

    def is_signed_in(self, token: str) -> bool:
        """Whether the user of a tab of this process is signed in."""
        socket = self.tabs.token_to_socket.get(token)
        return socket is not None and connections.is_signed_in(socket.sid)

    def states_in_memory(self) -> int:
        """The number of tab states in this process's memory; 0 with Redis."""
        return len(getattr(self.state_manager, "states", ()))


def pipeline(site: SiteApp, renderer: Renderer, readiness: Readiness) -> list[Middleware]:
    """The middleware around Reflex, outermost first."""
    settings = get_settings()
    table, pages = RouteTable(site.routes), _pages(site, renderer) if has_build() else None
    headers = security_headers(https_only=settings.is_production)
    return [
        Middleware(GracefulShutdown, site.status),
        Middleware(RequestLog, behind_proxy=settings.trusted_proxies > 0),
        *([Middleware(CachedPages, table=table, pages=pages, headers=headers)] if pages else []),
        Middleware(SecurityHeaders, https_only=settings.is_production),
        Middleware(ErrorPage, html=site.error_page),
        *([_public_pages(site, table, pages, endpoints(site, readiness))] if pages else []),
        Middleware(
            SocketLimits,
            most=settings.sockets,
            per_network=settings.sockets_per_address,
            trusted_proxies=settings.trusted_proxies,
            is_signed_in=site.is_signed_in,
        ),
    ]


def _pages(site: SiteApp, renderer: Renderer) -> Pages:
    settings = get_settings()
    page_renderer = PageRenderer(
        InitialStates(site, ON_LOAD_TIMEOUT, site.read_texts),
        renderer,
        DocumentBuilder(CLIENT, settings.public_url, site.typefaces_later),
        is_shared=settings.has_shared_cache,
    )
    prerendered = PrerenderedPages(CLIENT, site.needs_scripts, messages.MENTION, SHEET_LINK)
    return Pages(page_renderer, version_source(settings.database_url), prerendered)


def _public_pages(site: SiteApp, table: RouteTable, pages: Pages, endpoints: Mapping[str, Endpoint]) -> Middleware:
    trusted_proxies = get_settings().trusted_proxies
    texts = page_texts.PageTexts(table, pages.page_renderer, pages.version_source, partial(text_pages, site))
    page_texts.use(texts)
    previews = PreviewEndpoint(table, pages.page_renderer, texts, site.sitemap_sources, trusted_proxies)
    return Middleware(
        PublicPages,
        table=table,
        pages=pages,
        endpoints=endpoints,
        folders={pictures.PREFIX: MediaFiles(), paths.PREVIEW: previews},
        uploads={paths.ADMIN_UPLOAD: UploadEndpoint()},
        forms=site.forms,
        client=CLIENT,
        former=FORMER,
        mention=messages.MENTION,
        trusted_proxies=trusted_proxies,
    )


def text_pages(site: SiteApp) -> dict[str, str]:
    """The labels of the pages with texts that staff can change, by their paths; one page for each type of record."""
    labelled = {page.route: page.label for page in site.pages if page.label}
    pages = {route: label for route, label in labelled.items() if "[" not in route}
    with read_session() as session:
        for source in site.sitemap_sources:
            if label := labelled.get(source.page("[slug]")):
                pages |= {source.page(slug): label for slug, _ in source.slugs(session)[:1]}
    return pages


def _cache_purge() -> list[Callable[..., Any]]:
    settings = get_settings()
    if not settings.purge_url:
        return []
    return [CachePurge(settings.purge_url, settings.purge_token, version_source(settings.database_url)).watch]


def endpoints(site: SiteApp, readiness: Readiness) -> dict[str, Endpoint]:
    """The endpoints other than pages and files, by path. All but the export are open to everyone."""
    origin = get_settings().public_url
    fixed = [page.route for page in site.pages if page.in_sitemap]
    versions = version_source(get_settings().database_url)

    def gauges() -> Any:
        return server_gauges(site.status, site.states_in_memory())

    return {
        "/robots.txt": text_endpoint(partial(robots, origin)),
        "/.well-known/security.txt": text_endpoint(partial(security_contact, origin, get_site().brand.email)),
        # Where password managers lead to (https://www.w3.org/TR/change-password-url/).
        "/.well-known/change-password": redirect_endpoint(paths.ADMIN_PROFILE),
        "/sitemap.xml": Sitemap(origin, fixed, site.sitemap_sources, versions),
        **{path: AtomFeed(read, versions) for path, read in site.feeds.items()},
        "/healthz": alive,
        "/readyz": readiness,
        "/metrics": Metrics(gauges, readiness.gauges),
        paths.ADMIN_EXPORT: ExportEndpoint(site.exports),
    }


def background_tasks(site: SiteApp) -> list[Callable[..., Any]]:
    """The tasks that run in every process while the server runs.

    Processes need no coordination: they claim outbox messages and reminders in the database, and deleting expired
    rows is idempotent.
    """

    async def trim_memory() -> None:
        await trim_memory_task(lambda: site.status.sockets + site.states_in_memory())

    tasks: list[Callable[..., Any]] = [
        site.tab_states.keep,
        mail_worker.outbox_worker,
        retention.retention_worker,
        backup_reminder.backup_reminder,
        draft_clock.draft_clock,
        trim_memory,
        *site.tasks,
    ]
    if get_settings().sentry_dsn:
        tasks.append(track_errors)
    if get_settings().otlp_url:
        tasks.append(send_traces)
    if not is_in_production():
        # Create and seed the database first, for `reflex run` on a fresh clone; `make run` does so before it serves.
        tasks.insert(0, serve.prepare)
    if isinstance(site.tabs, ResilientTokenManager):
        tasks.append(site.tabs.listen)
    return tasks
