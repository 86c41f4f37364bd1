"""Contexts that are used again bring nothing along of the test before."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import BrowserContext

from tests.e2e.conftest import Site
from tests.e2e.contexts import Contexts

SMALL: dict[str, Any] = {"viewport": {"width": 500, "height": 500}}
LEAVE = "localStorage.mine = sessionStorage.mine = '1'; document.cookie = 'mine=1'"
LEFT = "[Object.keys(localStorage), Object.keys(sessionStorage), document.cookie]"


def test_a_reused_browser_context_has_no_leftovers_of_earlier_tests(contexts: Contexts, site: Site) -> None:
    with contexts.lent(site.url, {"session": "old"}, **SMALL) as first:
        page = first.new_page()
        page.goto(f"{site.url}/ping")
        assert page.evaluate("localStorage.session") == "old"
        page.evaluate(LEAVE)
        open_pages = len(first.pages)
    with contexts.lent(site.url, {"session": "new"}, **SMALL) as second:
        page = second.new_page()
        page.goto(f"{site.url}/ping")
        assert page.evaluate(LEFT) == [["session"], [], ""]
        assert (page.evaluate("localStorage.session"), len(second.pages)) == ("new", open_pages)
    assert second is first


def test_a_permanently_changed_browser_context_is_not_reused(contexts: Contexts, site: Site) -> None:
    changes: dict[str, Callable[[BrowserContext], object]] = {
        "script": lambda context: context.add_init_script("window.mine = 1"),
        "clock": lambda context: context.new_page().clock.install(),
        "route": lambda context: context.route("**/*.css", lambda route: route.abort()),
    }
    kept = []
    for name, change in changes.items():
        with contexts.lent(site.url, {}, **SMALL) as first:
            change(first)
        with contexts.lent(site.url, {}, **SMALL) as second:
            if second is first:
                kept.append(name)
    assert kept == []
