"""One page of a site: what Reflex compiles, and how the server answers for it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import reflex as rx

from ..base.site import get_site
from ..server.seo.meta_tags import PageMetaBuilder, head_tags
from ..server.ssr.routing import ReadFilters, ResolveSlug, Route


@dataclass(frozen=True)
class Page:
    """One page of a site: what Reflex compiles, and how the page is served.

    `follows_content`: rendered with its on_load, and again after each change of the content version; other pages are
    rendered once per build. `shows_records`: answered with 503 if its on_load cannot read the records; any other page
    is then sent as it was prerendered. `is_private`: rendered only in the browser, never cached or indexed. `meta`
    builds the meta tags and JSON-LD. `in_sitemap`: the page itself is listed; a `SitemapSource` lists pages of records.
    `label` is what staff call a page with texts that they can change.
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
    label: str = ""
    meta: PageMetaBuilder | None = None
    resolve_slug: ResolveSlug | None = None
    queries: tuple[str, ...] = ()
    filters: ReadFilters | None = None

    def __post_init__(self) -> None:
        """Let Reflex gather the components of this page in a file of the module that has its function.

        For it all partials are of `functools`: visitors would load what draws the forms of the back office.
        """
        if isinstance(self.component, partial):
            self.component.__module__ = self.component.func.__module__

    @property
    def served(self) -> Route:
        """The page as `PublicPages` needs it."""
        return Route(
            self.route,
            follows_content=self.follows_content,
            shows_records=self.shows_records,
            is_private=self.is_private,
            head=partial(head_tags, self.meta, get_site().brand.name) if self.meta else None,
            resolve_slug=self.resolve_slug,
            queries=self.queries,
            filters=self.filters,
        )
