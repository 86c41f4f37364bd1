"""A site that asks everybody for a second factor: after the days of grace nothing else works."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.e2e.auth.steps import sign_in
from tests.e2e.conftest import ADMIN_EMAIL, ADMIN_PASSWORD, _copy, serving
from tests.support.second_factors import code_of

pytestmark = pytest.mark.spec("MFA-5")


def test_the_factor_setup_comes_first_after_the_grace_period(
    context: BrowserContext, seeded: Path, tmp_path: Path
) -> None:
    with serving(_copy(seeded, tmp_path), FACTOR_REQUIRED="all", FACTOR_GRACE_DAYS="0") as site:
        page = context.new_page()
        page.goto(f"{site.url}/auth?next=/admin/companies/new")
        sign_in(page, ADMIN_EMAIL, ADMIN_PASSWORD)
        page.wait_for_url("**/admin/two-step")
        expect(page.get_by_text("Please set up a second step first")).to_be_visible()
        page.goto(f"{site.url}/admin?tab=users")
        page.wait_for_url("**/admin/two-step")
        expect(page.get_by_text("Please set up a second step first")).to_be_visible()
        form = page.locator("#add-app-form")
        form.get_by_role("button", name="Continue").click()
        expect(page.locator(".secret-text")).to_be_visible()
        page.get_by_label("Code from the app").fill(code_of(page.locator(".secret-text").inner_text().replace(" ", "")))
        page.get_by_role("button", name="Turn on").click()
        expect(page.get_by_role("heading", name="Your recovery codes")).to_be_visible()
        expect(page.get_by_text("Please set up a second step first")).to_have_count(0)
        page.goto(f"{site.url}/admin")
        expect(page.get_by_role("heading", name="Admin Dashboard")).to_be_visible()
        expect(page).to_have_url(re.compile("/admin$"))
        page.close()
