"""A Reflex app whose public pages are answered with complete HTML, ready to be put together."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import reflex as rx
from reflex_base.environment import environment

from ..content.firm import FIRM
from ..core.settings import ROOT, get_settings
from ..framework.shared_states import SharedStates
from ..framework.tab_states import TabStates
from ..framework.tabs import Gate, LocalTabs, NotifyingTokenManager
from ..framework.token_manager import install_token_manager
from ..http.endpoints import endpoints
from ..http.form_posts import Form
from ..http.request_log import EventLog, RequestLog
from ..http.security_headers import SecurityHeaders
from ..observability.health import Readiness
from ..observability.memory import trim_memory_task
from ..observability.metrics import Metrics
from ..seo.sitemap import Records
from .content_version import version_source
from .document import DocumentBuilder
from .initial_state import InitialStates
from .page_renderer import PageRenderer
from .page_state import hand_over_state
from .plugin import RENDERER
from .public_pages import PublicPages
from .renderer import Renderer
from .routing import Route

WEB = ROOT / ".web"
CLIENT = WEB / "build" / "client"
# In seconds. Long, because a loaded machine is slow and a page late is better than none: how long a reader waits
# for them is for `pages` to say.
ON_LOAD_TIMEOUT = 4.0
RENDER_TIMEOUT = 4.0


class RenderedApp(rx.App):
    """The same app on the inside.

    `routes` says how each page is served, `records` which pages the sitemap finds in the database, `forms` who
    reads a form that is sent without scripts, `is_signed_in` whether the session behind a socket is somebody's.
    """

    def __post_init__(self) -> None:
        """Put the handover of the state around all pages."""
        super().__post_init__()
        hand_over_state(self)
        self.add_middleware(EventLog())
        self.is_signed_in: Callable[[str], bool] = lambda sid: False
        self._keep_tabs()
        self.routes: Sequence[Route] = ()
        self.records: Sequence[Records] = ()
        self.forms: Mapping[str, Form] = {}

    def _keep_tabs(self) -> None:
        """Exchange Reflex's register of tabs, and what forgets their states, for ours."""
        namespace: Any = self.event_namespace

        def is_signed_in(sid: str) -> bool:
            return self.is_signed_in(sid)

        self.tabs: NotifyingTokenManager
        states: TabStates | SharedStates
        if get_settings().redis_url:
            self.tabs = tabs = install_token_manager(self)
            states = SharedStates(tabs, is_signed_in)
        else:
            self.tabs = LocalTabs()
            states = TabStates(is_connected=self.tabs.token_to_socket.__contains__, is_signed_in=is_signed_in)
            self._state_manager = states
        self.register_lifespan_task(states.keep)
        namespace._token_manager = self.tabs
        self.gate = Gate(self, self.tabs)
        self.tabs.joined.append(states.joined)
        self.tabs.left.append(states.left)

    def __call__(self) -> Any:
        """The ASGI application. Without a build, as under hot reload, pages are the development server's."""
        inner = super().__call__()
        settings = get_settings()
        traffic = RequestLog(inner, behind_proxy=settings.trusted_proxies > 0, states=self._states)
        if environment.REFLEX_MOUNT_FRONTEND_COMPILED_APP.get():
            renderer = Renderer(WEB / RENDERER, RENDER_TIMEOUT)
            page_renderer = PageRenderer(
                InitialStates(self, ON_LOAD_TIMEOUT),
                renderer,
                DocumentBuilder(CLIENT, settings.public_url, FIRM.name),
            )
            ready = Readiness(
                is_stopping=lambda: traffic.is_stopping,
                renderer_runs=lambda: renderer.process_id is not None,
            )
            self.register_lifespan_task(ready.watch)
            inner = PublicPages(
                inner,
                routes=self.routes,
                endpoints=endpoints(
                    settings.public_url,
                    self._fixed_pages(),
                    self.records,
                    ready=ready,
                    metrics=Metrics(traffic.present, ready.present),
                ),
                forms=self.forms,
                client=CLIENT,
                page_renderer=page_renderer,
                version_source=version_source(settings),
                trusted_proxies=settings.trusted_proxies,
            )
        traffic.inner = SecurityHeaders(inner, settings)
        self.register_lifespan_task(trim_memory_task, held=lambda: traffic.sockets + self._states())
        return traffic

    def _states(self) -> int:
        """How many visitors' states are in this process's memory; with Redis they are elsewhere."""
        return len(getattr(self.state_manager, "states", ()))

    def _fixed_pages(self) -> list[str]:
        """The public pages that have one address and something to say to search engines."""
        return [route.route for route in self.routes if route.meta and not route.is_dynamic]
