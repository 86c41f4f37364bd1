"""Where the record of an address is: there, at another address by now, or nowhere. One look-up answers."""

import asyncio
import logging

from ..database import reading
from .routing import Match

log = logging.getLogger(__name__)


class Moved(Exception):
    """The record has another address now."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


async def is_missing(match: Match) -> bool:
    """Whether no public record belongs to this address; raises `Moved` with the path of one that did.

    A page without records misses none. Where the database cannot say, the page's own on_load will.
    """
    locate = match.route.locate
    if locate is None:
        return False
    (name, slug), *_ = match.params.items()

    def look_up() -> str | None:
        with reading() as session:
            return locate(session, slug)

    try:
        present = await asyncio.to_thread(look_up)
    except Exception as error:
        log.info("No look-up of %s: %s", match.route.route, type(error).__name__)
        return False
    if present is not None and present != slug:
        raise Moved(match.route.path({name: present}))
    return present is None
