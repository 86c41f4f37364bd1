"""Matches an address to a page and its parameters."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import unquote

from sqlmodel import Session
from starlette.types import Scope

from ...base.list_filters import ListFilters
from ...base.queries import without_campaign
from ..framework.state_vars import var_key

NOT_FOUND_ROUTE = "404"
NOT_FOR_INDEXES = '<meta name="robots" content="noindex">'
ResolveSlug = Callable[[Session, object], str | None]
ReadFilters = Callable[[], ListFilters]
_PARAMETER = re.compile(r"\[(\w+)\]")


@dataclass(frozen=True, slots=True)
class PageContext:
    """A rendered page: its address, its title and description, and the state vars it was rendered from."""

    origin: str
    path: str
    title: str
    description: str
    vars: Mapping[str, Mapping[str, Any]]

    @property
    def url(self) -> str:
        """The canonical URL of the page."""
        return self.origin + self.path

    def var(self, state: str, name: str) -> Any:
        """A var of a state, by the state's full name; None if it has its default value."""
        return self.vars.get(state, {}).get(var_key(name))


HeadTags = Callable[[PageContext], str]


@dataclass(frozen=True, slots=True)
class Route:
    """How one page of the site is served.

    `follows_content`: rendered with its on_load, and again after each change of public content. `shows_records`:
    answered with 503 if its on_load cannot read the records; any other page is then sent as it was prerendered.
    `is_private` (the back office): the server renders only its frame. `head` makes tags for the end of the head; a page
    without it is marked `noindex`. `resolve_slug` returns the current slug of the public record that has a slug or had
    it. Each of `queries` is a query string with which the page is rendered and cached separately; that of a private
    page may be followed by others. `filters` reads the filters of a list, which is rendered and cached separately with
    each query that selects records. Any other query is ignored.
    """

    route: str
    follows_content: bool = False
    shows_records: bool = False
    is_private: bool = False
    head: HeadTags | None = None
    resolve_slug: ResolveSlug | None = None
    queries: tuple[str, ...] = ()
    filters: ReadFilters | None = None

    @property
    def is_dynamic(self) -> bool:
        """Whether the page has a parameter."""
        return "[" in self.route

    def path(self, params: Mapping[str, str]) -> str:
        """The decoded path of the page with these parameters."""
        return _PARAMETER.sub(lambda parameter: params[parameter[1]], self.route)


@dataclass(frozen=True, slots=True)
class Match:
    """The page of an address, its parameters, and its query if the route may have it (see `filter_lookup`)."""

    route: Route
    params: dict[str, str] = field(default_factory=dict)
    query: str = ""

    def with_query(self, query: str) -> "Match":
        """The same page with this query, without what campaigns add to it, if the route may have it."""
        if self.route.is_private:
            return replace(self, query=next((pair for pair in query.split("&") if pair in self.route.queries), ""))
        query = without_campaign(query)
        return replace(self, query=query) if self.route.filters or query in self.route.queries else self

    def address(self, path: str) -> str:
        """The path with the query."""
        return f"{path}?{self.query}" if self.query else path


def path_of(scope: Scope) -> str:
    """The decoded path of a request; an encoded slash stays encoded, because it is part of its segment."""
    raw: bytes = scope.get("raw_path") or scope["path"].encode()
    if b"%2f" not in raw.lower():
        return str(scope["path"])
    return "%2F".join(unquote(part) for part in re.split("%2f", raw.decode("latin-1"), flags=re.IGNORECASE))


class RouteTable:
    """Finds the page of an address."""

    def __init__(self, routes: Iterable[Route]) -> None:
        pages = [route for route in routes if route.route != NOT_FOUND_ROUTE]
        self._exact = {route.route: Match(route) for route in pages if not route.is_dynamic}
        self._patterns = [(_pattern(route.route), route) for route in pages if route.is_dynamic]

    @property
    def fixed(self) -> list[Match]:
        """The pages with one address each."""
        return list(self._exact.values())

    def has_page(self, session: Session, path: str) -> bool:
        """Whether visitors find a page at a path, whose record is public."""
        match = self.match(path)
        if match is None or match.route.is_private:
            return False
        resolve, (slug, *_) = match.route.resolve_slug, (*match.params.values(), "")
        return resolve is None or resolve(session, slug) is not None

    def match(self, path: str) -> Match | None:
        """The page at this path, or None."""
        if match := self._exact.get(path):
            return match
        for pattern, route in self._patterns:
            if values := pattern.fullmatch(path):
                return Match(route, values.groupdict())
        return None


def _pattern(route: str) -> re.Pattern[str]:
    pieces = _PARAMETER.split(route)
    texts = [f"(?P<{piece}>[^/]+)" if index % 2 else re.escape(piece) for index, piece in enumerate(pieces)]
    return re.compile("".join(texts))
