"""Resolves the query of a filtered list: to one that selects records, spelled as links spell it, or to none."""

import asyncio
from collections import defaultdict
from dataclasses import replace

from ...base.list_filters import ListFilters
from ...base.threads import READERS
from .content_version import DatabaseAway
from .routing import Match, ReadFilters

LOOKUP_TIMEOUT = 1.5  # seconds


class FilterLookup:
    """The filters of each list, read once per content version, so that a query costs no further read."""

    def __init__(self) -> None:
        self._cached: dict[str, tuple[int, ListFilters]] = {}
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def resolve(self, match: Match, version: int) -> Match:
        """The match with a query that selects records, or without one. Raises `DatabaseAway`."""
        read, route = match.route.filters, match.route.route
        if read is None or not match.query:
            return match
        cached = self._cached.get(route)
        if cached is None or cached[0] != version:
            try:
                async with asyncio.timeout(LOOKUP_TIMEOUT):
                    await self._read(route, version, read)
            except Exception as error:
                raise DatabaseAway(f"no filters of {route}: {type(error).__name__}") from error
        return self.resolve_as_last_read(match)

    def resolve_as_last_read(self, match: Match) -> Match:
        """The same by the records as they were last read."""
        if match.route.filters is None or not match.query:
            return match
        cached = self._cached.get(match.route.route)
        query = cached[1].canonical(match.query) if cached else ""
        return match if query == match.query else replace(match, query=query)

    async def _read(self, route: str, version: int, read: ReadFilters) -> None:
        async with self._locks[route]:
            cached = self._cached.get(route)
            if cached is None or cached[0] != version:
                self._cached[route] = (version, await READERS.run(read))
