"""A Reflex app whose public pages are answered with complete HTML, ready to be put together."""

from collections.abc import Sequence
from typing import Any

import reflex as rx
from reflex_base.environment import environment

from ..settings import ROOT, get_settings
from ..web.headers import SecurityHeaders
from .assembly import Assembly
from .freshness import freshness
from .middleware import PublicPages
from .page_state import hand_over_state
from .plugin import RENDERER
from .press import Press
from .renderer import Renderer
from .routing import Route
from .snapshot import Snapshots

WEB = ROOT / ".web"
CLIENT = WEB / "build" / "client"
# Together less than what the front desk grants a whole answer.
SECONDS_FOR_ON_LOAD = 0.8
SECONDS_FOR_ONE_JOB = 1.2


class RenderedApp(rx.App):
    """The same app on the inside; `routes` says which of its pages are served how."""

    def __post_init__(self) -> None:
        """Put the handover of the state around all pages."""
        super().__post_init__()
        hand_over_state(self)
        self.routes: Sequence[Route] = ()

    def __call__(self) -> Any:
        """The ASGI application. Without a build, as under hot reload, pages are the development server's."""
        inner = super().__call__()
        settings = get_settings()
        if environment.REFLEX_MOUNT_FRONTEND_COMPILED_APP.get():
            press = Press(
                Snapshots(self, SECONDS_FOR_ON_LOAD),
                Renderer(WEB / RENDERER, SECONDS_FOR_ONE_JOB),
                Assembly(CLIENT),
            )
            inner = PublicPages(inner, routes=self.routes, client=CLIENT, press=press, freshness=freshness(settings))
        return SecurityHeaders(inner, settings)
