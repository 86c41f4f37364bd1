"""The app object, and PAGES: every route with its component, title, description and on_load."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import reflex as rx

from . import routes
from .ui.feedback import notices


@dataclass(frozen=True)
class Page:
    """One route of the site."""

    route: str
    component: Callable[[], rx.Component]
    title: str | rx.Var[str]
    description: str | rx.Var[str] = ""
    on_load: Sequence[rx.event.EventType[()]] = ()


PAGES: tuple[Page, ...] = (
    Page(routes.HOME, lambda: rx.el.main(rx.el.h1("Northstrait")), title="Northstrait", description="Soon"),
)

app = rx.App(
    stylesheets=["/site.css"],
    reset_style=False,
    toaster=None,
    head_components=[rx.el.link(rel="icon", href="/favicon.svg", type="image/svg+xml")],
)
# The connection overlay and the toasts belong to the back office, not to every public page.
app.app_wraps = {key: wrap for key, wrap in app.app_wraps.items() if key[1] == "ErrorBoundary"}
# Around all pages, so that a reply outlives the page it was given on.
app.app_wraps[1, "Notices"] = lambda stateful: rx.fragment(notices()) if stateful else None

for page in PAGES:
    app.add_page(
        page.component,
        route=page.route,
        title=page.title,
        description=page.description,
        on_load=list(page.on_load),
    )
