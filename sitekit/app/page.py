"""One page of a site: what Reflex compiles, and how the server answers for it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import reflex as rx

from ..base.site import get_site
from ..server.seo.meta_tags import PageMetaBuilder, head_tags
from ..server.ssr.routing import ReadFilters, ResolveSlug, Route
from ..ui.copy import SeoText
from ..ui.public.record_page import FilteredList, RecordPage


@dataclass(frozen=True)
class Page:
    """One page of a site: what Reflex compiles, and how the page is served.

    `follows_content`: rendered with its on_load, and again after each change of the content version; other pages are
    rendered once per build. `shows_records`: answered with 503 if its on_load cannot read the records; any other page
    is then sent as it was prerendered. `is_private`: the server renders only its frame; never indexed. `meta`
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


def public_page(
    route: str,
    component: Callable[[], rx.Component],
    seo: SeoText,
    *on_load: Any,
    title: rx.Var[str] | None = None,
    in_sitemap: bool = True,
    **more: Any,
) -> Page:
    """A page for visitors that is no record's. `title` takes the place of that of `seo`; `more` is as in `Page`."""
    return Page(
        route,
        component,
        seo.title if title is None else title,
        seo.description,
        on_load,
        follows_content=bool(on_load),
        in_sitemap=in_sitemap,
        **more,
    )


def public_list_page(
    route: str, component: Callable[[], rx.Component], state: type[FilteredList], *after: Any, **more: Any
) -> Page:
    """The page of a list that can be filtered; `after` are handlers of its on_load after that of its state."""
    return public_page(
        route,
        component,
        state.seo,
        state.load,
        *after,
        title=state.page_title(),
        shows_records=True,
        filters=state.read_filters,
        **more,
    )


def public_record_page(
    route: str, component: Callable[[], rx.Component], state: type[RecordPage], *before: Any, **more: Any
) -> Page:
    """The page of one record for visitors; `before` are handlers of its on_load before that of its state."""
    return Page(
        route,
        component,
        state.page_title,
        state.page_description,
        (*before, state.load),
        follows_content=True,
        shows_records=True,
        resolve_slug=state.record_type.resolve_slug,
        **more,
    )
