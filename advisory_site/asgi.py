"""The site as an ASGI application: the request pipeline and the background tasks, one list each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import reflex as rx
from reflex.event import EventCallback
from starlette.middleware import Middleware
from starlette.types import ASGIApp

from .accounts.bindings import SessionBinding, drop_connection
from .accounts.connections import connections
from .accounts.guard import DefaultDeny
from .content import messages
from .content.firm import FIRM
from .content.layout import NEEDS_SCRIPTS
from .core import pictures, routes
from .core.settings import ROOT, get_settings
from .dashboard.exports import ExportEndpoint
from .dashboard.uploads import UploadEndpoint
from .framework.built_site import has_build, is_in_production
from .framework.log_redaction import install_log_redaction
from .framework.shared_states import SharedStates
from .framework.tab_states import TabStates
from .framework.tabs import Gate, LocalTabs, NotifyingTokenManager
from .framework.token_manager import ResilientTokenManager, redis_token_manager
from .http.endpoints import Endpoint, security_contact, text_endpoint
from .http.error_page import ErrorPage
from .http.form_posts import Form
from .http.graceful_shutdown import GracefulShutdown
from .http.request_log import RequestLog
from .http.security_headers import SecurityHeaders
from .http.server_status import ServerStatus
from .http.socket_limits import SocketLimits
from .http.static_files import fingerprint
from .mail import worker as mail_worker
from .media.files import MediaFiles
from .observability.error_tracker import track_errors
from .observability.event_log import EventLog
from .observability.event_loop import watch_event_loop
from .observability.health import Readiness, alive
from .observability.memory import trim_memory_task
from .observability.metrics import Metrics, server_gauges
from .observability.tracing import send_traces
from .ops import backup_reminder, retention, serve
from .ops.status_metrics import StatusMetrics
from .pages.server_error import server_error_page
from .seo.meta_tags import PageMetaBuilder, head_tags
from .seo.sitemap import Sitemap, SitemapSource, robots
from .ssr.cache_purge import CachePurge
from .ssr.content_version import version_source
from .ssr.document import DocumentBuilder
from .ssr.initial_state import InitialStates
from .ssr.page_renderer import PageRenderer
from .ssr.page_state import hand_over_state
from .ssr.plugin import RENDERER
from .ssr.public_pages import PublicPages
from .ssr.renderer import Renderer
from .ssr.routing import ReadFilters, ResolveSlug, Route
from .ui.feedback import notices

WEB = ROOT / ".web"
CLIENT = WEB / "build" / "client"
FORMER = ROOT / ".former"
# In seconds. Long, because a late page is still cached for the next reader; `ssr/pages.py` limits how long a reader
# waits.
ON_LOAD_TIMEOUT = 4.0
RENDER_TIMEOUT = 4.0
# Typefaces that the loader fetches once the first page is complete, so that the next pages have them.
TYPEFACES_LATER = ("/fonts/source-sans.woff2", "/fonts/newsreader-italic.woff2")


@dataclass(frozen=True)
class Page:
    """One page of the site: what Reflex compiles, and how the page is served.

    `follows_content`: rendered with its on_load, and again after each change of the content version; other pages are
    rendered once per build. `shows_records`: answered with 503 if its on_load cannot read the records; any other page
    is then sent as it was prerendered. `is_private`: rendered only in the browser, never cached or indexed. `meta`
    builds the meta tags and JSON-LD. `in_sitemap`: the page itself is listed; a `SitemapSource` lists pages of records.
    `resolve_slug` finds the current slug of the record that the page's parameter names. Each of `queries` is a query
    string with which the page is rendered separately, and so is each that selects records by the `filters` of a list.
    """

    route: str
    component: Callable[[], rx.Component]
    title: str | rx.Var[str]
    description: str | rx.Var[str] = ""
    on_load: Sequence[Any] = ()
    follows_content: bool = False
    shows_records: bool = False
    is_private: bool = False
    in_sitemap: bool = False
    meta: PageMetaBuilder | None = None
    resolve_slug: ResolveSlug | None = None
    queries: tuple[str, ...] = ()
    filters: ReadFilters | None = None

    @property
    def served(self) -> Route:
        """The page as `PublicPages` needs it."""
        return Route(
            self.route,
            follows_content=self.follows_content,
            shows_records=self.shows_records,
            is_private=self.is_private,
            head=partial(head_tags, self.meta, FIRM.name) if self.meta else None,
            resolve_slug=self.resolve_slug,
            queries=self.queries,
            filters=self.filters,
        )


@dataclass
class Site(rx.App):
    """The Reflex app with its pages, its middleware pipeline and its background tasks.

    `sitemap_sources` list the pages of records; `forms` maps a path to the handler of a form posted without scripts.
    `undo` takes the batch of a notice whose Undo is pressed.
    """

    pages: Sequence[Page] = ()
    sitemap_sources: Sequence[SitemapSource] = ()
    forms: Mapping[str, Form] = field(default_factory=dict)
    undo: EventCallback[str] | None = None

    def __post_init__(self) -> None:
        """Add the pages and event middleware, and replace parts of Reflex by our own."""
        super().__post_init__()  # type: ignore[no-untyped-call]
        install_log_redaction()
        self.status = ServerStatus()
        self.routes = [page.served for page in self.pages]
        # Replace Reflex's connection overlay and toasts. The notices wrap all pages, so that a notice stays after a
        # navigation.
        self.app_wraps = {key: wrap for key, wrap in self.app_wraps.items() if key[1] == "ErrorBoundary"}
        self.app_wraps[1, "Notices"] = lambda stateful: rx.fragment(notices(self.undo)) if stateful else None
        hand_over_state(self)
        self._replace_tab_registry()
        for middleware in (EventLog(self.status), DefaultDeny(), SessionBinding(self.gate)):
            self.add_middleware(middleware)
        for page in self.pages:
            on_load = list(page.on_load)
            self.add_page(
                page.component, route=page.route, title=page.title, description=page.description, on_load=on_load
            )

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
        self.tabs.joined.append(self.tab_states.joined)
        self.tabs.left.extend((self.tab_states.left, drop_connection))

    def __call__(self) -> ASGIApp:
        """The ASGI application. Without a build (hot reload), the development server serves the pages."""
        app: ASGIApp = super().__call__()
        renderer = Renderer(WEB / RENDERER, RENDER_TIMEOUT)
        readiness = Readiness(self.status, renderer_runs=lambda: renderer.process_id is not None)
        status_metrics = StatusMetrics(fingerprint(CLIENT))
        watches = [readiness.watch, status_metrics.watch, watch_event_loop, *_cache_purge()] if has_build() else []
        for task in (*background_tasks(self), *watches):
            self.register_lifespan_task(task)
        for layer in reversed(pipeline(self, renderer, readiness, status_metrics)):
            app = layer.cls(app, *layer.args, **layer.kwargs)
        return app

    def states_in_memory(self) -> int:
        """The number of tab states in this process's memory; 0 with Redis."""
        return len(getattr(self.state_manager, "states", ()))


def pipeline(site: Site, renderer: Renderer, readiness: Readiness, status_metrics: StatusMetrics) -> list[Middleware]:
    """The middleware around Reflex, outermost first."""
    settings = get_settings()
    return [
        Middleware(GracefulShutdown, site.status),
        Middleware(RequestLog, behind_proxy=settings.trusted_proxies > 0),
        Middleware(SecurityHeaders, https_only=settings.is_production),
        Middleware(ErrorPage, html=server_error_page()),
        *([_public_pages(site, renderer, endpoints(site, readiness, status_metrics))] if has_build() else []),
        Middleware(
            SocketLimits,
            most=settings.sockets,
            per_network=settings.sockets_per_address,
            trusted_proxies=settings.trusted_proxies,
        ),
    ]


def _public_pages(site: Site, renderer: Renderer, endpoints: Mapping[str, Endpoint]) -> Middleware:
    settings = get_settings()
    return Middleware(
        PublicPages,
        routes=site.routes,
        endpoints=endpoints,
        folders={pictures.PREFIX: MediaFiles()},
        uploads={routes.ADMIN_UPLOAD: UploadEndpoint()},
        forms=site.forms,
        client=CLIENT,
        former=FORMER,
        page_renderer=PageRenderer(
            InitialStates(site, ON_LOAD_TIMEOUT),
            renderer,
            DocumentBuilder(CLIENT, settings.public_url, TYPEFACES_LATER),
            is_shared=settings.has_shared_cache,
        ),
        version_source=version_source(settings.database_url),
        needs_scripts=NEEDS_SCRIPTS,
        mention=messages.MENTION,
        trusted_proxies=settings.trusted_proxies,
    )


def _cache_purge() -> list[Callable[..., Any]]:
    settings = get_settings()
    if not settings.purge_url:
        return []
    return [CachePurge(settings.purge_url, settings.purge_token, version_source(settings.database_url)).watch]


def endpoints(site: Site, readiness: Readiness, status_metrics: StatusMetrics) -> dict[str, Endpoint]:
    """The endpoints other than pages and files, by path. All but the export are open to everyone."""
    origin = get_settings().public_url
    fixed = [page.route for page in site.pages if page.in_sitemap]

    def gauges() -> Any:
        return server_gauges(site.status, site.states_in_memory())

    return {
        "/robots.txt": text_endpoint(partial(robots, origin)),
        "/.well-known/security.txt": text_endpoint(partial(security_contact, origin, FIRM.email)),
        "/sitemap.xml": Sitemap(origin, fixed, site.sitemap_sources),
        "/healthz": alive,
        "/readyz": readiness,
        "/metrics": Metrics(gauges, readiness.gauges, status_metrics.gauges),
        routes.ADMIN_EXPORT: ExportEndpoint(),
    }


def background_tasks(site: Site) -> list[Callable[..., Any]]:
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
        trim_memory,
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
