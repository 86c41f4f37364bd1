"""Browser contexts that tests use one after the other: the next test's pages find the site's scripts compiled.

Chromium keeps compiled scripts for each process. The pages of a context share one (`--process-per-site`), and a page
that stays open keeps it alive between two tests.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from weakref import WeakSet

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page

MOST_IDLE = 4
STORE = "stored => { for (const [name, value] of stored) localStorage.setItem(name, value); }"
# What Playwright cannot undo, or not all of it; the clock of a page is that of its context.
LASTING = {
    BrowserContext: (
        "add_init_script",
        "clock",
        "expose_binding",
        "expose_function",
        "grant_permissions",
        "route",
        "route_web_socket",
        "set_extra_http_headers",
        "set_offline",
    ),
    Page: ("clock",),
}
_changed: WeakSet[BrowserContext] = WeakSet()


def note_lasting_changes() -> None:
    """Note from now on which contexts tests change for good: they are not used again."""
    for kind, names in LASTING.items():
        for name in names:
            setattr(kind, name, _noting(getattr(kind, name)))


def _noting(member: Any) -> Any:
    is_property = isinstance(member, property)
    call: Any = member.fget if is_property else member

    def noted(owner: BrowserContext | Page, *args: Any, **options: Any) -> Any:
        _changed.add(owner.context if isinstance(owner, Page) else owner)
        return call(owner, *args, **options)

    return property(noted) if is_property else noted


@dataclass
class _Kept:
    """A context, the page of it that stays open, and what the two were made for."""

    options: str
    context: BrowserContext
    page: Page
    inspector: CDPSession


class Contexts:
    """The contexts of a browser that no test uses at the moment."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._idle: list[_Kept] = []

    @contextmanager
    def lent(self, url: str, stored: dict[str, str], **options: Any) -> Iterator[BrowserContext]:
        """A context without cookies and with this alone in the local storage of a site, until the block ends."""
        kept = self._take(options)
        if not kept.page.url.startswith(url):
            kept.page.goto(f"{url}/ping")
        kept.page.evaluate(STORE, list(stored.items()))
        try:
            yield kept.context
        finally:
            self._give_back(kept)

    def _take(self, options: dict[str, Any]) -> _Kept:
        wanted = json.dumps(options, sort_keys=True)
        for kept in self._idle:
            if kept.options == wanted:
                self._idle.remove(kept)
                return kept
        context = self._browser.new_context(**options)
        page = context.new_page()
        return _Kept(wanted, context, page, context.new_cdp_session(page))

    def _give_back(self, kept: _Kept) -> None:
        if kept.context in _changed:
            kept.context.close()
            return
        for page in kept.context.pages:
            if page is not kept.page:
                page.close()
        kept.inspector.send("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
        self._idle.append(kept)
        if len(self._idle) > MOST_IDLE:
            self._idle.pop(0).context.close()
