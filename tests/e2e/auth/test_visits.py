"""One tab, one visit after the other: nobody is led to where somebody else was."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.auth.steps import OpenPage, sign_in, sign_out
from tests.e2e.conftest import ADMIN_EMAIL, ADMIN_PASSWORD, Site


@pytest.fixture(scope="module")
def path_of() -> Callable[[Page], str]:
    return lambda page: re.sub(r"^https?://[^/]+", "", page.url)


@pytest.mark.spec("AUTH-1")
def test_the_shown_form_is_part_of_the_page_address(go: OpenPage, path_of: Callable[[Page], str]) -> None:
    page = go("/auth?next=/admin/companies/new")
    page.get_by_role("link", name="Create one").press("Enter")
    # Where it was pressed there is nothing any more.
    expect(page.get_by_role("heading", name="Create an account")).to_be_focused()
    assert path_of(page) == "/auth?next=%2Fadmin%2Fcompanies%2Fnew&card=sign-up"
    page.reload()
    expect(page.get_by_role("heading", name="Create an account")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.go_forward()
    expect(page.get_by_role("heading", name="Create an account")).to_be_visible()
    page.get_by_role("link", name="Sign in").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    sign_in(page, ADMIN_EMAIL, ADMIN_PASSWORD)
    expect(page).to_have_url(re.compile("/admin/companies/new$"))


@pytest.mark.spec("SES-2", "ADM-3")
def test_logging_out_leads_to_an_empty_sign_in_page(
    fresh_site: Site, context: BrowserContext, path_of: Callable[[Page], str]
) -> None:
    page, other = context.new_page(), context.new_page()
    page.goto(fresh_site.url + "/auth")
    for page_left in ("/admin/companies/new", "/admin?tab=users", "/admin/settings"):
        sign_in(page, ADMIN_EMAIL, ADMIN_PASSWORD)
        expect(page, page_left).to_have_url(re.compile("/admin$"))
        expect(page.get_by_role("heading", name="Admin Dashboard"), page_left).to_be_visible()
        page.goto(fresh_site.url + page_left)
        other.goto(fresh_site.url + page_left)
        expect(other.get_by_role("button", name="Account menu"), page_left).to_be_visible()
        sign_out(page)
        expect(other, page_left).to_have_url(re.compile("/auth"))
        for tab in (page, other):
            expect(tab.get_by_role("heading", name="Sign in"), page_left).to_be_visible()
            expect(tab.get_by_label("Email"), page_left).to_have_value("")
            assert path_of(tab) == "/auth"
    sign_in(page, ADMIN_EMAIL, ADMIN_PASSWORD)
    expect(page).to_have_url(re.compile("/admin$"))
