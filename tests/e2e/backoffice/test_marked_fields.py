"""Fields that were refused: marked until they are right, red also with the cursor in them, counted at the button."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.backoffice import advisor_form
from tests.e2e.backoffice.company_form import NEW, edit, fill, fill_required, submit
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.steps import notice


def marked(page: Page) -> Locator:
    return page.locator("[aria-invalid=true]")


@pytest.mark.spec("SAY-4", "ACO-5")
def test_an_error_disappears_only_when_the_field_is_valid(staff: Staff) -> None:
    page = staff().open(NEW)
    fill_required(page, founded="twenty", employees="lots", slug="marked-until-right", email="nobody")
    submit(page, "Create Company")
    expect(marked(page)).to_have_count(3)
    founded = page.locator("[name=founded]")
    expect(founded).to_have_accessible_description("Please enter a year of four digits, such as 2021.")
    founded.fill("20")
    founded.blur()
    expect(founded).to_have_attribute("aria-invalid", "true")
    founded.fill("2020")
    expect(marked(page)).to_have_count(2)
    fill(page, employees="11-50", email="")
    expect(marked(page)).to_have_count(0)
    expect(notice(page, "Please correct the marked fields")).to_have_count(0)
    submit(page, "Create Company")
    expect(notice(page, "Company created successfully")).to_be_visible()


@pytest.mark.spec("SAY-4")
def test_errors_are_counted_beside_the_button_with_links_to_them(staff: Staff) -> None:
    page = staff().open(NEW)
    fill_required(page, name="", description="", slug="counted-at-the-button", email="nobody")
    page.get_by_role("button", name="Add founder").click()
    submit(page, "Create Company")
    foot = page.locator(".form-foot")
    expect(foot.get_by_role("link", name="3 fields to correct")).to_be_visible()
    expect(foot.get_by_role("listitem")).to_have_text(["Name", "Description", "Email"])
    foot.get_by_role("link", name="Email").click()
    email = page.locator("[name=email]")
    expect(email).to_be_focused()
    expect(email).to_be_in_viewport()
    box = foot.bounding_box()
    assert box and email.evaluate("field => field.getBoundingClientRect().bottom") < box["y"]
    assert page.url.endswith(NEW)
    email.fill("kelp@northstrait.example")
    expect(foot.get_by_role("link", name="2 fields to correct")).to_be_visible()


@pytest.mark.spec("SAY-4")
def test_a_missing_picture_is_named_as_the_form_calls_it(staff: Staff) -> None:
    page = staff().open(advisor_form.NEW)
    submit(page, "Create Advisor")
    expect(page.locator(".form-foot").get_by_role("listitem")).to_have_text(["Name", "Title", "Bio", "Portrait"])
    portrait, cover = (page.locator(f"[name={name}]").bounding_box() for name in ("image_url", "cover_image_url"))
    assert portrait and cover and portrait["y"] < cover["y"]


@pytest.mark.spec("SAY-4")
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_an_invalid_field_is_red_even_with_focus(staff: Staff, theme: str) -> None:
    page = staff(color_scheme=theme).open(NEW)
    submit(page, "Create Company")
    name = page.locator("[name=name]")
    expect(name).to_be_focused()
    red = name.evaluate("field => getComputedStyle(field.closest('.backoffice')).getPropertyValue('--danger')").strip()
    ring = page.evaluate(
        "color => { const probe = document.createElement('i'); probe.style.color = color;"
        " document.body.append(probe); return getComputedStyle(probe).color }",
        red,
    )
    expect(name).to_have_css("border-top-color", ring)
    expect(name).to_have_css("box-shadow", re.compile(re.escape(ring)))  # it fades in


@pytest.mark.spec("SAY-4")
def test_a_field_of_a_row_is_marked_and_named_by_its_row(staff: Staff, company: Callable[..., str]) -> None:
    page = staff().open(edit(company()))
    title = page.get_by_role("group", name="Founder 1").get_by_label("Title")
    title.fill("x" * 20_001)
    submit(page, "Update Company")
    expect(page.locator(".form-foot").get_by_role("link", name="Founder 1: Title")).to_be_visible()
    title.fill("CEO")
    expect(marked(page)).to_have_count(0)


@pytest.mark.spec("SAY-4", "ADM-4")
def test_an_invalid_own_name_is_marked_until_corrected(staff: Staff) -> None:
    page = staff().open("/admin/profile")
    first_name = page.get_by_label("First name")
    first_name.fill(" ")
    page.get_by_role("button", name="Save name").click()
    expect(first_name).to_have_attribute("aria-invalid", "true")
    first_name.fill("Mei")
    expect(first_name).not_to_have_attribute("aria-invalid", "true")


@pytest.mark.spec("SAY-4", "ADM-4")
def test_the_error_of_differing_passwords_clears_when_either_is_corrected(staff: Staff) -> None:
    page = staff().open("/admin/profile")
    page.locator("#password-form").get_by_role("textbox", name="Current password").fill("a-long-quiet-evening-42")
    page.get_by_role("textbox", name="New password", exact=True).fill("three unrelated word")
    confirm = page.get_by_role("textbox", name="Confirm new password")
    confirm.fill("three unrelated words")
    page.get_by_role("button", name="Change password").click()
    expect(confirm).to_have_attribute("aria-invalid", "true")
    page.get_by_role("textbox", name="New password", exact=True).fill("three unrelated words")
    expect(confirm).not_to_have_attribute("aria-invalid", "true")
