"""Staying signed in: over a restart, over refreshes, in two tabs."""

import re

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.e2e.auth.steps import sign_in, sign_out, stored_session
from tests.e2e.conftest import ADMIN_EMAIL, ADMIN_PASSWORD, Site

# As if the access token were at the end of its life; the other tabs of the browser hear of it.
AGE = "localStorage.advisory_session = JSON.stringify({...JSON.parse(localStorage.advisory_session), expires_at: 0})"
IS_RENEWED = "spent => JSON.parse(localStorage.advisory_session).refresh_token !== spent"
# A page checks its session every 30 seconds; here every second.
HURRY = "const every = setInterval; window.setInterval = (call, pause) => every(call, pause / 30)"


@pytest.mark.spec("SES-4", "SES-6")
def test_two_browser_tabs_refresh_and_sign_out_together(fresh_site: Site, context: BrowserContext) -> None:
    context.add_init_script(HURRY)
    first, second = context.new_page(), context.new_page()
    second.goto(fresh_site.url + "/auth")
    expect(second.get_by_role("button", name="Sign in", exact=True)).to_be_enabled()
    first.goto(fresh_site.url + "/auth")
    sign_in(first, ADMIN_EMAIL, ADMIN_PASSWORD)
    expect(first).to_have_url(re.compile("/admin$"))
    # The other tab sees it by itself.
    expect(second).to_have_url(re.compile("/admin$"))
    for tab, other in ((first, second), (second, first)):
        expect(other.get_by_role("heading", name="Admin Dashboard")).to_be_visible()
        spent = stored_session(tab)["refresh_token"]
        tab.evaluate(AGE)
        other.wait_for_function(IS_RENEWED, arg=spent)
    for tab in (first, second):
        expect(tab.get_by_role("heading", name="Admin Dashboard")).to_be_visible()
    sign_out(first)
    expect(second).to_have_url(re.compile("/auth"))
    expect(second.get_by_role("heading", name="Admin Dashboard")).to_have_count(0)
    assert stored_session(first) == {}
