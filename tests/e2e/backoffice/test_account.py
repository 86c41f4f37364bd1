"""One's own pages: names, password, theme, devices."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from sitekit.base.permissions import Role
from tests.e2e.backoffice.conftest import Colleague, Staff
from tests.e2e.backoffice.steps import notice, question, reply
from tests.support.people import PASSWORD


@pytest.mark.spec("ADM-4")
def test_names_are_changed_and_shown_at_once(staff: Staff) -> None:
    page = staff().open("/admin/profile")
    page.get_by_label("First name").fill("Zoë")
    page.get_by_label("Last name").fill("Åberg")
    page.get_by_role("button", name="Save name").click()
    expect(notice(page, "Profile updated successfully")).to_be_visible()
    expect(page.get_by_role("button", name="Account menu")).to_contain_text("ZÅ")
    page.get_by_role("link", name="Dashboard", exact=True).click()
    expect(page.get_by_role("heading", name="Zoë!")).to_be_visible()


@pytest.mark.spec("ADM-4")
def test_changing_a_password_needs_the_old_one(staff: Staff) -> None:
    page = staff().open("/admin/profile")
    current = page.locator("#password-form [name=current_password]")
    current.fill("not the one")
    for name in ("password", "confirm_password"):
        page.locator(f"[name={name}]").fill("four-slow-otters-77")
    page.get_by_role("button", name="Change password").click()
    expect(current).to_have_accessible_description("The current password is not right")
    expect(page.get_by_text("The current password is not right")).to_have_count(1)
    expect(current).to_be_focused()
    current.fill(PASSWORD)
    page.get_by_role("button", name="Change password").click()
    expect(notice(page, "Password changed successfully")).to_be_visible()
    expect(current).to_have_value("")


@pytest.mark.spec("ADM-4", "AUTH-2")
def test_each_password_can_be_shown_and_hidden_again(staff: Staff) -> None:
    page = staff().open("/admin/profile")
    form = page.locator("#password-form")
    labels = {"current_password": "current password", "password": "new password", "confirm_password": "confirm new"}
    for name, label in labels.items():
        field = form.locator(f"[name={name}]")
        field.fill("four-slow-otters-77")
        expect(field).to_have_attribute("type", "password")
        form.get_by_role("button", name=f"Show {label}").click()
        expect(field).to_have_attribute("type", "text")
        expect(field).to_have_value("four-slow-otters-77")
        form.get_by_role("button", name=f"Hide {label}").press("Enter")
        expect(field).to_have_attribute("type", "password")
    expect(page.get_by_role("button", name="Change password")).to_be_enabled()


@pytest.mark.spec("ADM-4")
def test_the_theme_is_chosen_and_remembered(staff: Staff) -> None:
    colleague = staff(color_scheme="light")
    page = colleague.open("/admin/settings")
    page.get_by_text("Dark", exact=True).click()
    expect(page.locator("html")).to_have_class("dark")
    page.reload()
    expect(page.get_by_role("radio", name="Dark")).to_be_checked()
    expect(page.locator("html")).to_have_class("dark")
    expect(colleague.open("/").locator("html")).to_have_css("color-scheme", "dark")
    page = colleague.open("/admin/settings")
    page.get_by_text("Same as system", exact=True).click()
    expect(page.locator("html")).to_have_class("light")
    expect(colleague.open("/").locator("html")).to_have_css("color-scheme", "light")


@pytest.mark.spec("ADM-4")
def test_another_device_is_signed_out(staff: Staff, again: Callable[[Colleague], Colleague]) -> None:
    here = staff(Role.MANAGER)
    there = again(here).open("/admin/settings")
    page = here.open("/admin/settings")
    expect(page.get_by_text("This device")).to_have_count(1)
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(question(page).locator("strong")).to_have_text("An unknown device")
    assert reply(page, yes=True) == "Sign this device out?"
    expect(notice(page, "That device is signed out")).to_be_visible()
    there.reload()
    there.wait_for_url("**/auth?next=**")


@pytest.mark.spec("ADM-4")
@pytest.mark.parametrize("name", ["first_name", "confirm_password"])
def test_leaving_unsaved_profile_changes_asks_first(staff: Staff, name: str) -> None:
    page = staff().open("/admin/profile")
    field = page.locator(f"[name={name}]")
    field.fill("typed, not saved")
    unsaved = "You have unsaved changes. Leave without saving them?"
    page.get_by_role("link", name="Dashboard", exact=True).click()
    assert reply(page, yes=False) == unsaved
    expect(field).to_have_value("typed, not saved")
    assert page.evaluate("JSON.stringify(sessionStorage)").find("typed") == -1
    page.get_by_role("link", name="Dashboard", exact=True).click()
    assert reply(page, yes=True) == unsaved
    page.wait_for_url("**/admin?tab=dashboard")


@pytest.mark.spec("ADM-4")
def test_a_filled_in_current_password_alone_does_not_ask_on_leaving(staff: Staff) -> None:
    page = staff().open("/admin/profile")
    page.locator("#password-form [name=current_password]").fill("as a password manager does")
    page.get_by_role("link", name="Dashboard", exact=True).click()
    expect(page.get_by_role("heading", name="Ann!")).to_be_visible()
