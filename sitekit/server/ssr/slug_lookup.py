"""Resolves a slug in one query: found, moved or missing; and finds pages whose path is spelled otherwise."""

import asyncio
from contextlib import suppress

from ...base.db.database import read_session
from ...base.site_pages import other_spellings
from ...base.threads import READERS
from .content_version import DatabaseAway
from .routing import Match, RouteTable

LOOKUP_TIMEOUT = 1.5  # seconds


class PageMoved(Exception):
    """The record has another address now."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


async def is_missing(match: Match) -> bool:
    """Whether no public record has this address; False for pages without records.

    Raises `PageMoved` with the current path if the record has moved, and `DatabaseAway` without an answer in time.
    """
    resolve_slug = match.route.resolve_slug
    if resolve_slug is None:
        return False
    (name, slug), *_ = match.params.items()

    def look_up() -> str | None:
        with read_session() as session:
            return resolve_slug(session, slug)

    try:
        present = await READERS.run(look_up)
    except Exception as error:
        raise DatabaseAway(f"no look-up of {match.route.route}: {type(error).__name__}") from error
    if present is not None and present != slug:
        raise PageMoved(match.route.path({name: present}))
    return present is None


async def find_other_spelling(table: RouteTable, path: str) -> None:
    """Raise `PageMoved` if there is a page at another spelling of this path.

    While the database does not answer, every path of a route counts as a page.
    """
    for spelling in other_spellings(path):
        match = table.match(spelling)
        if match is not None:
            with suppress(DatabaseAway, TimeoutError):
                async with asyncio.timeout(LOOKUP_TIMEOUT):
                    if await is_missing(match):
                        continue
            raise PageMoved(spelling)
