"""The company form in a real browser: what it refuses, what it keeps, and two people at once."""

from collections.abc import Callable

import pytest
import sqlalchemy as sa
from playwright.sync_api import Page, expect

from sitekit.accounts.models import Profile
from sitekit.base import messages
from sitekit.base.db.database import transaction
from sitekit.base.permissions import Role
from tests.e2e.backoffice.company_form import NEW, edit, fill, fill_required, stored, submit
from tests.e2e.backoffice.conftest import Staff, TableChange
from tests.e2e.backoffice.steps import answer, notice, reply, stay
from tests.e2e.conftest import Site

UNSAVED = "You have unsaved changes. Leave without saving them?"


@pytest.mark.spec("ACO-4", "ACO-7")
def test_a_created_company_appears_in_the_tab_and_on_the_site(staff: Staff, visit: Callable[[str], Page]) -> None:
    page = staff().open(NEW)
    expect(page.get_by_role("heading", name="Add Company")).to_be_visible()
    expect(page.locator("[name=status]")).to_have_value("Active")
    fill_required(page)
    submit(page, "Create Company")
    page.wait_for_url("**/admin?tab=companies")
    expect(notice(page, "Company created successfully")).to_be_visible()
    expect(page.get_by_role("row").nth(1)).to_contain_text("Kelp Works")
    expect(visit("/companies/kelp-works").get_by_role("heading", name="Kelp Works")).to_be_visible()


@pytest.mark.spec("ACO-5")
def test_missing_fields_are_marked_focused_and_announced(staff: Staff) -> None:
    page = staff().open(NEW)
    fill(page, industry="Aquaculture")
    submit(page, "Create Company")
    expect(notice(page, "Please fill in all required fields")).to_be_visible()
    expect(page.get_by_label("Name", exact=False).first).to_be_focused()
    expect(page.locator("[aria-invalid=true]")).to_have_count(6)
    expect(page.locator("[name=industry]")).to_have_value("Aquaculture")


@pytest.mark.spec("ACO-5", "SAY-3")
def test_long_texts_are_saved_or_refused_beside_their_field_in_any_script(staff: Staff) -> None:
    page = staff().open(NEW)
    texts = ("our_role", "quote", "description", "detailed_description", "services", "key_metrics")
    fill_required(page, slug="kelp-at-length", **dict.fromkeys(texts, "文" * 20_000))
    submit(page, "Create Company")
    expect(notice(page, "Company created successfully")).to_be_visible()
    assert len(stored("kelp-at-length").detailed_description) == 20_000
    page.goto(page.url.split("/admin")[0] + edit("kelp-at-length"))
    description = page.locator("[name=description]")
    for text in ("文" * 24_000, "x" * 200_000):
        description.fill(text)
        stay(page)
        expect(description).to_have_attribute("aria-invalid", "true")
        expect(page.get_by_text("Please shorten this to 20,000 characters or fewer.")).to_be_visible()
        description.fill("Short")
        expect(description).not_to_have_attribute("aria-invalid", "true")
    description.fill("x" * 4_100_000)
    stay(page)
    expect(page.locator(".notices").get_by_text(messages.FORM_TOO_LARGE)).to_be_visible()
    expect(page.locator(".connection-lost")).to_have_count(0)
    assert description.evaluate("field => field.value.length") == 4_100_000
    description.fill("Short")
    stay(page)
    expect(notice(page, "Company updated successfully")).to_be_visible()
    expect(notice(page, messages.FORM_TOO_LARGE)).to_have_count(0)


@pytest.mark.spec("ACO-8")
def test_a_taken_slug_is_refused_while_typing_and_on_saving(staff: Staff, company: Callable[..., str]) -> None:
    company(slug="kelp-taken")
    page = staff().open(NEW)
    fill_required(page, slug="kelp-taken")
    taken = page.get_by_text("This address is already in use. Please choose another.")
    expect(taken).to_be_visible()
    submit(page, "Create Company")
    expect(notice(page, "This address is already in use. Please choose another.")).to_be_visible()
    expect(page.locator("[name=slug]")).to_be_focused()
    fill(page, slug="kelp-free")
    expect(page.get_by_text("This address is free.")).to_be_visible()


def test_a_slug_is_suggested_from_the_name(staff: Staff) -> None:
    page = staff().open(NEW)
    page.locator("[name=name]").press_sequentially("Reef & Rope, Pte. Ltd.")
    expect(page.locator("[name=slug]")).to_have_value("reef-rope-pte-ltd")
    expect(page.locator("[name=name]")).to_have_value("Reef & Rope, Pte. Ltd.")


def test_a_round_trip_keeps_every_field(staff: Staff, company: Callable[..., str]) -> None:
    long = 'Ünïcode 🦪 "quoted", with commas;\nand lines.\n' * 230
    founders = [{"name": "Mei, Lin", "title": "CEO", "bio": long}, {"name": "O'Neil 🐙", "title": "", "bio": "a,b"}]
    slug = company(
        detailed_description=long,
        founders=founders,
        services=["One, with a comma", "Two"],
        key_metrics="not a list",
        tagline="<b>&amp;</b>",
    )
    before = stored(slug).model_dump(exclude={"updated_at", "version", "updated_by", "location"})
    page = staff().open(edit(slug))
    fill(page, location="Tuas")
    submit(page, "Update Company")
    expect(notice(page, "Company updated successfully")).to_be_visible()
    after = stored(slug)
    assert after.location == "Tuas"
    assert after.model_dump(exclude={"updated_at", "version", "updated_by", "location"}) == before


@pytest.mark.spec("ACO-7")
def test_a_failed_save_is_reported_and_keeps_the_form(
    staff: Staff, company: Callable[..., str], taken_away: TableChange
) -> None:
    page = staff().open(edit(company()))
    fill_required(page, name="Still Here", slug="still-here")
    expect(page.get_by_text("This address is free.")).to_be_visible()
    with taken_away("companies"):
        submit(page, "Update Company")
        expect(notice(page, "Failed to update company")).to_be_visible()
    expect(page.locator("[name=name]")).to_have_value("Still Here")
    expect(page.get_by_role("button", name="Update Company")).to_be_enabled()


def test_leaving_with_unsaved_changes_asks_first(staff: Staff, company: Callable[..., str]) -> None:
    page = staff().open(edit(company()))
    fill(page, location="Somewhere")
    page.get_by_role("link", name="Cancel").click()
    assert reply(page, yes=False) == UNSAVED
    expect(page.locator("[name=location]")).to_have_value("Somewhere")


def test_discarded_changes_are_not_restored(staff: Staff, company: Callable[..., str]) -> None:
    slug = company(location="Here")
    page = staff().open(edit(slug))
    fill(page, location="Somewhere")
    page.get_by_role("link", name="Cancel").click()
    reply(page, yes=True)
    page.wait_for_url("**/admin?tab=companies")
    page.go_back()
    expect(page.locator("[name=location]")).to_have_value("Here")


@pytest.mark.spec("SES-2")
def test_typed_text_survives_the_end_of_the_session(staff: Staff, company: Callable[..., str], site: Site) -> None:
    colleague = staff()
    slug = company()
    page = colleague.open(edit(slug))
    fill(page, location="Typed before the session ended", description="Also typed")
    page.get_by_role("button", name="Add founder").click()
    page.get_by_label("Founder’s name").nth(1).fill("A second founder")
    with transaction() as session:
        session.execute(sa.text("UPDATE auth_sessions SET ended_at = CURRENT_TIMESTAMP"))
    submit(page, "Update Company")
    page.wait_for_url("**/auth?next=**")
    page.get_by_label("Email", exact=True).fill(colleague.email)
    page.get_by_label("Password", exact=True).fill("a-long-quiet-evening-42")
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url(f"**{edit(slug)}")
    expect(page.get_by_text("We restored your unsaved changes.")).to_be_visible()
    expect(page.locator("[name=location]")).to_have_value("Typed before the session ended")
    expect(page.get_by_label("Founder’s name").nth(1)).to_have_value("A second founder")
    submit(page, "Update Company")
    expect(notice(page, "Company updated successfully")).to_be_visible()
    assert stored(slug).founders[-1]["name"] == "A second founder"


def test_typed_text_survives_a_reload_until_it_is_discarded(staff: Staff, company: Callable[..., str]) -> None:
    page = staff().open(edit(company(location="Here")))
    fill(page, location="Typed")
    asked = answer(page, yes=True)
    page.reload()
    expect(page.locator("[name=location]")).to_have_value("Typed")
    page.get_by_role("button", name="Discard").click()
    expect(page.locator("[name=location]")).to_have_value("Here")
    assert asked[-1] == "Discard your changes and show the saved record?"


# As the browser asks the server to show the draft, the form's button is pressed, or what it asked is lost.
ON_RESTORE = """
const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (text) {
  if (String(text).includes("form_state.restore") && !window.wasAsked) {
    window.wasAsked = true;
    %s
  }
  send.call(this, text);
};
"""
PRESS = "setTimeout(() => document.querySelector('#company-form').requestSubmit());"
LOSE = "return;"


@pytest.mark.spec("ACO-7")
def test_a_form_cannot_be_submitted_before_it_shows_the_draft(staff: Staff, company: Callable[..., str]) -> None:
    slug = company(location="Here")
    page = staff().open(edit(slug))
    fill(page, location="Typed")
    answer(page, yes=True)
    page.add_init_script(ON_RESTORE % PRESS)
    page.reload()
    expect(page.get_by_text("We restored your unsaved changes.")).to_be_visible()
    expect(page.locator("[name=location]")).to_have_value("Typed")
    assert page.evaluate("window.wasAsked")
    submit(page, "Update Company")
    expect(notice(page, "Company updated successfully")).to_be_visible()
    assert (stored(slug).location, stored(slug).version) == ("Typed", 2)


@pytest.mark.spec("ACO-7")
def test_a_draft_is_kept_in_the_browser_until_it_is_shown(staff: Staff, company: Callable[..., str]) -> None:
    page = staff().open(edit(company(location="Here")))
    fill(page, location="Typed")
    answer(page, yes=True)
    page.add_init_script(f"if (!sessionStorage.lost) {{ {ON_RESTORE % ('sessionStorage.lost = 1; ' + LOSE)} }}")
    page.reload()
    expect(page.locator("#company-form")).to_have_js_property("inert", True)
    expect(page.locator("[name=location]")).to_have_value("Here")
    page.reload()
    expect(page.locator("[name=location]")).to_have_value("Typed")
    page.reload()
    expect(page.locator("[name=location]")).to_have_value("Typed")


def test_a_newer_change_is_not_overwritten_silently(staff: Staff, company: Callable[..., str]) -> None:
    slug = company()
    first, second = staff().open(edit(slug)), staff(Role.MANAGER).open(edit(slug))
    fill(first, location="First")
    fill(second, location="Second")
    with transaction() as session:
        session.execute(sa.update(Profile).values(first_name="Mei", last_name="Lin"))
    submit(first, "Update Company")
    expect(notice(first, "Company updated successfully")).to_be_visible()
    submit(second, "Update Company")
    refusal = second.locator(".form-foot").get_by_role("alert")
    expect(refusal).to_contain_text("Mei Lin saved this on")
    with second.context.expect_page() as opened:
        refusal.get_by_role("link", name="Look at that version").click()
    expect(opened.value.locator("[name=location]")).to_have_value("First")
    assert stored(slug).location == "First"
    expect(second.locator("[name=location]")).to_have_value("Second")
    refusal.get_by_role("button", name="Overwrite with mine").click()
    expect(notice(second, "Company updated successfully")).to_be_visible()
    assert stored(slug).location == "Second"
