"""Rendered pages in memory, by path and content version; limited in bytes."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable

from ..http.responses import Document


class PageCache:
    """A least-recently-used cache."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._pages: OrderedDict[str, tuple[int, Document]] = OrderedDict()
        self._pending: dict[tuple[str, int], asyncio.Task[Document]] = {}
        self.size = 0

    def __len__(self) -> int:
        return len(self._pages)

    def get(self, path: str, version: int) -> Document | None:
        """The page at this version, or None."""
        page = self._pages.get(path)
        if page is None or page[0] != version:
            return None
        self._pages.move_to_end(path)
        return page[1]

    def last(self, path: str) -> Document | None:
        """The stored page, of any version, or None."""
        page = self._pages.get(path)
        return page[1] if page else None

    def put(self, path: str, version: int, document: Document) -> None:
        """Store a page in place of its older version."""
        self.drop(path)
        if document.size > self._most_bytes:
            return
        self._pages[path] = (version, document)
        self.size += document.size
        while self.size > self._most_bytes:
            self.drop(next(iter(self._pages)))

    def drop(self, path: str) -> None:
        """Remove a page of any version, if it is stored."""
        page = self._pages.pop(path, None)
        if page is not None:
            self.size -= page[1].size

    async def get_or_make(self, path: str, version: int, make: Callable[[], Awaitable[Document]]) -> Document:
        """The page, made once for concurrent requests.

        Making it continues even if the first request is cancelled.
        """
        key = (path, version)
        task = self._pending.get(key)
        if task is None:
            task = self._pending[key] = asyncio.ensure_future(make())
            task.add_done_callback(lambda done: self._finished(key, done))
        return await asyncio.shield(task)

    def _finished(self, key: tuple[str, int], task: asyncio.Task[Document]) -> None:
        del self._pending[key]
        if not task.cancelled():
            task.exception()  # the waiting requests raise it; without this, asyncio would log it if there are none
