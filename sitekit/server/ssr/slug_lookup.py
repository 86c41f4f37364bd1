"""Resolves a slug in one query: found, moved or missing."""

from ...base.db.database import read_session
from ...base.threads import READERS
from .content_version import DatabaseAway
from .routing import Match


class Moved(Exception):
    """The record has another address now."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


async def is_missing(match: Match) -> bool:
    """Whether no public record has this address; False for pages without records.

    Raises `Moved` with the current path if the record has moved, and `DatabaseAway` if the database does not answer.
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
        raise Moved(match.route.path({name: present}))
    return present is None
