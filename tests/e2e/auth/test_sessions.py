"""Staying signed in: over a restart, over refreshes, in two tabs."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.e2e.auth.steps import sign_in, sign_out, stored_session
from tests.e2e.conftest import ADMIN_EMAIL, ADMIN_PASSWORD, Site
from tests.support.waiting import wait_for


@pytest.mark.spec("SES-4", "SES-6")
def test_two_browser_tabs_refresh_and_sign_out_together(own_site: Callable[..., Site], context: BrowserContext) -> None:
    site = own_site(ACCESS_TOKEN_SECONDS="6")
    first, second = context.new_page(), context.new_page()
    second.goto(site.url + "/auth")
    expect(second.get_by_role("button", name="Sign in", exact=True)).to_be_enabled()
    first.goto(site.url + "/auth")
    sign_in(first, ADMIN_EMAIL, ADMIN_PASSWORD)
    expect(first).to_have_url(re.compile("/admin$"))
    # The other tab sees it by itself.
    expect(second).to_have_url(re.compile("/admin$"))
    tokens: set[str] = set()

    def is_renewed_twice() -> bool:
        tokens.add(str(stored_session(first)["refresh_token"]))
        return len(tokens) >= 3

    wait_for(is_renewed_twice, "the session was renewed twice", 60, page=first)
    for tab in (first, second):
        expect(tab.get_by_role("heading", name="Admin Dashboard")).to_be_visible()
    sign_out(first)
    expect(second).to_have_url(re.compile("/auth"))
    expect(second.get_by_role("heading", name="Admin Dashboard")).to_have_count(0)
    assert stored_session(first) == {}
