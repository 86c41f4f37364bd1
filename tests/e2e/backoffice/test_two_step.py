"""Two-step sign-in in a real browser: set up, used, lost, removed, in one tab one after the other."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from sitekit.base.permissions import Role
from tests.e2e.auth.steps import sign_in, sign_out
from tests.e2e.backoffice.conftest import Colleague, Staff
from tests.e2e.backoffice.steps import answer, notice
from tests.support.people import PASSWORD, age
from tests.support.second_factors import add_app, add_recovery_codes, code_of, wrong_code

PROOF = re.compile("^Your password, or a code")


def begin(page: Page) -> str:
    """Begin the setup of an app; returns its secret."""
    form = page.locator("#add-app-form")
    form.get_by_role("button", name="Continue").press("Enter")
    shown = page.locator(".secret-text")
    expect(shown).to_be_visible()
    return shown.inner_text().replace(" ", "")


def code_field(page: Page) -> Locator:
    return page.get_by_label("Code", exact=True)


def challenged(who: Colleague, page: Page) -> Page:
    """The page after the right password."""
    page.goto(who.site.url + "/auth")
    sign_in(page, who.email, PASSWORD)
    expect(page.get_by_role("heading", name="Two-step sign-in")).to_be_visible()
    return page


@pytest.mark.spec("MFA-1", "MFA-3", "MFA-4", "SAY-2")
@pytest.mark.parametrize("width", [1280, 360])
def test_a_second_factor_is_set_up_used_and_removed_in_one_browser_tab(
    staff: Staff, width: int, tmp_path: Path
) -> None:
    ann = staff(Role.MANAGER, viewport={"width": width, "height": 800}, accept_downloads=True)
    page = ann.open("/admin/profile")
    expect(page.get_by_text("Off: your password alone signs you in.")).to_be_visible()
    page.get_by_role("link", name="Set up or change").click()

    secret = begin(page)
    expect(page.get_by_role("img", name=re.compile("^QR code"))).to_be_visible()
    field = page.get_by_label("Code from the app")
    expect(field).to_be_focused()
    field.fill(wrong_code(secret))
    field.press("Enter")
    expect(field).to_have_accessible_description(re.compile("^This code is wrong"))
    expect(field).to_be_focused()
    first = code_of(secret)
    field.fill(first)
    field.press("Enter")
    expect(page.get_by_role("heading", name="Your recovery codes")).to_be_focused()
    # The reply stands in the section, because on a phone it would cover the buttons.
    expect(page.locator(".recovery-codes .notice")).to_be_visible()
    expect(page.locator(".notices > .notice")).to_have_count(0)
    codes = page.locator(".recovery-codes li").all_inner_texts()
    assert len(set(codes)) == 10
    starts = page.locator(".recovery-codes li").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().x)")
    assert len(set(starts)) == (2 if width == 1280 else 1)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    download.value.save_as(tmp_path / "codes.txt")
    assert [line for line in (tmp_path / "codes.txt").read_text().splitlines()[2:] if line] == codes
    page.emulate_media(media="print")
    expect(page.locator(".recovery-codes li").last).to_be_visible()
    expect(page.get_by_role("heading", name="Add an authenticator app")).to_be_hidden()
    page.emulate_media(media="screen")
    page.get_by_role("button", name="I have saved them").click()
    expect(page.locator(".recovery-codes")).to_have_count(0)
    expect(page.get_by_text("10 codes left")).to_be_visible()

    sign_out(page)
    sign_in(page, ann.email, PASSWORD)
    expect(code_field(page)).to_be_focused()
    assert "advisory_session" not in page.evaluate("Object.keys(localStorage).filter((key) => localStorage[key])")
    page.reload()
    code_field(page).fill(first)
    code_field(page).press("Enter")
    expect(code_field(page)).to_have_accessible_description(re.compile("used before"))
    code_field(page).fill(code_of(secret, 1))
    code_field(page).press("Enter")
    page.wait_for_url("**/admin")

    page.goto(ann.site.url + "/admin/two-step")
    age(16)
    answer(page, yes=True)
    page.get_by_role("button", name="Remove Authenticator app").press("Enter")
    proof = page.get_by_role("dialog").get_by_label(PROOF)
    expect(proof).to_be_focused()
    proof.fill("not the password")
    proof.press("Enter")
    expect(proof).to_have_accessible_description(re.compile("^This is neither"))
    proof.fill(PASSWORD)
    proof.press("Enter")
    expect(notice(page, "Authenticator app removed")).to_be_visible()
    sign_out(page)
    sign_in(page, ann.email, PASSWORD)
    page.wait_for_url("**/admin")


@pytest.mark.spec("MFA-3", "MFA-4")
def test_a_recovery_code_signs_in_all_browser_tabs(staff: Staff) -> None:
    ann = staff(is_signed_in=False)
    add_app(ann.user_id)
    code = add_recovery_codes(ann.user_id)[3]
    other = ann.open("/auth")
    page = challenged(ann, ann.context.new_page())
    page.get_by_role("button", name="Use a recovery code").click()
    field = page.get_by_label("Recovery code", exact=True)
    expect(field).to_be_focused()
    field.fill(code.upper().replace("-", " "))
    field.press("Enter")
    page.wait_for_url("**/admin")
    other.wait_for_url("**/admin")


@pytest.mark.spec("MFA-4")
def test_going_back_leads_to_the_password_form(staff: Staff) -> None:
    ann = staff(is_signed_in=False)
    secret = add_app(ann.user_id)
    page = challenged(ann, ann.context.new_page())
    page.get_by_role("button", name="Back to sign in").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    challenged(ann, page)
    for _ in range(5):
        code_field(page).fill(wrong_code(secret))
        code_field(page).press("Enter")
        expect(page.get_by_role("button", name="Verify")).to_be_enabled()
        expect(code_field(page)).to_have_attribute("aria-invalid", "true")
    code_field(page).fill(code_of(secret))
    code_field(page).press("Enter")
    expect(notice(page, "That took too long, or too many codes were wrong. Please sign in again.")).to_be_visible()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


@pytest.mark.spec("MFA-4")
def test_another_browser_tab_cannot_continue_the_challenge(staff: Staff) -> None:
    ann = staff(is_signed_in=False)
    add_app(ann.user_id)
    challenged(ann, ann.context.new_page())
    expect(ann.open("/auth").get_by_role("heading", name="Sign in")).to_be_visible()
