"""Drafts in a browser: saved, compared, discarded, published; by mouse, by keys, on a phone, without a connection."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.backoffice.company_form import NEW, edit, fill, fill_required, stored, submit
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.steps import notice, row
from tests.e2e.conftest import Watch

SAVED = "Draft saved"


def save_draft(page: Page) -> None:
    page.get_by_role("button", name="Save draft").first.click()


@pytest.mark.spec("DRAFT-1", "DRAFT-3", "DRAFT-4", "DRAFT-5")
def test_a_draft_waits_beside_the_record_until_it_is_published(staff: Staff, company: Callable[..., str]) -> None:
    slug = company(name="Monday Kelp")
    page = staff().open(edit(slug))
    fill(page, tagline="A line for Monday", website_url="nowhere")
    save_draft(page)
    expect(notice(page, SAVED)).to_be_visible()
    expect(page.locator("[name=website_url]")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("[name=website_url]")).to_be_focused()
    assert stored(slug).tagline != "A line for Monday"
    page.reload()
    expect(page.get_by_text("Live, with a draft")).to_be_visible()
    expect(page.locator("[name=website_url]")).to_have_value("nowhere")
    page.get_by_role("link", name="Compare").click()
    expect(page.locator(".compare-field ins").first).to_contain_text("A line for Monday")
    page.go_back()
    # Marked for the next person too, whose cursor is not in it yet.
    expect(page.locator("[name=website_url]")).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_role("link", name="1 field to correct")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    fill(page, website_url="")
    submit(page, "Update Company")
    expect(row(page, "Monday Kelp")).to_be_visible()
    assert stored(slug).tagline == "A line for Monday"
    expect(row(page, "Monday Kelp").get_by_text("Live, with a draft")).to_have_count(0)


@pytest.mark.spec("DRAFT-2")
def test_the_draft_of_a_new_company_is_a_row_of_the_list_and_goes_on_from_there(staff: Staff) -> None:
    page = staff().open(NEW)
    fill(page, name="Mangrove & Daughters")
    save_draft(page)
    page.wait_for_url("**/new?draft=*")
    expect(page.get_by_text("Not on the site yet.")).to_be_visible()
    page.get_by_role("link", name="Cancel").first.click()
    colleague = staff().open("/admin?tab=companies&filter=draft")
    colleague.get_by_role("link", name="Mangrove & Daughters").click()
    expect(colleague.get_by_role("heading", level=1)).to_have_text("Mangrove & Daughters")
    expect(colleague).to_have_title("Mangrove & Daughters | Add Company")
    fill_required(colleague, slug="mangrove")
    submit(colleague, "Create Company")
    colleague.get_by_role("alertdialog").get_by_role("button", name="Publish").click()
    expect(row(colleague, "Kelp Works")).to_be_visible()
    expect(colleague.get_by_text("Not published yet")).to_have_count(0)
    assert stored("mangrove").name == "Kelp Works"


@pytest.mark.spec("DRAFT-4")
def test_a_discarded_draft_is_brought_back_by_keys_alone(staff: Staff, company: Callable[..., str]) -> None:
    page = staff().open(edit(company(name="Kelp")))
    page.locator("[name=tagline]").focus()
    page.keyboard.insert_text("A line for Monday")
    page.get_by_role("button", name="Save draft").first.focus()
    page.keyboard.press("Enter")
    expect(notice(page, SAVED)).to_be_visible()
    page.get_by_role("button", name="Discard draft").focus()
    page.keyboard.press("Enter")
    expect(notice(page, "Draft discarded")).to_be_visible()
    expect(page.locator("[name=tagline]")).not_to_have_value("A line for Monday")
    page.keyboard.press("Control+z")
    expect(notice(page, "The draft is back: Kelp")).to_be_visible()
    expect(page.locator("[name=tagline]")).to_have_value("A line for Monday")


@pytest.mark.spec("DRAFT-9")
def test_a_time_schedules_the_draft_and_is_taken_back_without_losing_it(
    staff: Staff, company: Callable[..., str]
) -> None:
    page = staff(viewport={"width": 360, "height": 740}).open(edit(company(name="Kelp")))
    fill(page, tagline="A line for Monday")
    page.get_by_text("Schedule", exact=True).click()
    page.locator("[name=draft_publish_at]").fill("2020-01-01T09:00")
    submit(page, "Schedule")
    expect(page.locator(".form-schedule").get_by_text("Choose a time at least one minute ahead.")).to_be_in_viewport()
    page.locator("[name=draft_publish_at]").fill("2126-12-03T09:00")
    page.keyboard.press("Control+s")
    expect(notice(page, "It will be published on 3 Dec 2126, 9:00 am (Singapore).")).to_be_visible()
    expect(page.locator(".form-draft")).to_contain_text("Publishes 3 Dec 2126, 9:00 am (Singapore)")
    page.locator(".form-more").click()
    expect(page.get_by_role("menuitem", name="Publish now")).to_be_visible()
    page.keyboard.press("Escape")
    page.locator("[name=draft_publish_at]").fill("")
    more(page, "Save draft")
    expect(page.locator(".form-draft")).to_contain_text("Live, with a draft")
    expect(page.locator("[name=tagline]")).to_have_value("A line for Monday")


def more(page: Page, name: str) -> None:
    """Choose from the menu that a phone has beside the main button."""
    page.locator(".form-more").click()
    page.get_by_role("menuitem", name=name).click()


@pytest.mark.spec("DRAFT-1")
def test_a_draft_saved_without_a_connection_is_kept_once(
    staff: Staff, company: Callable[..., str], watch: Watch
) -> None:
    watch.expect("WebSocket|ERR_INTERNET_DISCONNECTED|Failed to load resource|Failed to fetch")
    person = staff()
    page = person.open(edit(company(name="Kelp")))
    expect(page.locator("[name=tagline]")).to_be_visible()
    page.context.set_offline(True)
    page.evaluate("dispatchEvent(new Event('offline'))")
    fill(page, tagline="A line for Monday")
    save_draft(page)
    expect(page.get_by_text("Connection lost")).to_be_visible()
    page.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(notice(page, SAVED)).to_be_visible()
    page.reload()
    expect(page.locator("[name=tagline]")).to_have_value("A line for Monday")
    expect(page.get_by_text("Live, with a draft")).to_be_visible()


@pytest.mark.spec("DRAFT-2")
def test_two_people_do_not_overwrite_each_others_draft_unseen(staff: Staff, company: Callable[..., str]) -> None:
    slug = company(name="Kelp")
    mine, theirs = staff().open(edit(slug)), staff().open(edit(slug))
    fill(theirs, tagline="Their line")
    save_draft(theirs)
    expect(notice(theirs, SAVED)).to_be_visible()
    fill(mine, tagline="My line")
    save_draft(mine)
    expect(mine.get_by_text("See it, or replace it with yours.")).to_be_visible()
    expect(mine.locator("[name=tagline]")).to_have_value("My line")
    mine.get_by_role("button", name="Overwrite").click()
    expect(notice(mine, SAVED)).to_be_visible()
    theirs.reload()
    expect(theirs.get_by_text("has a draft of this, saved")).to_be_visible()
    expect(theirs.locator("[name=tagline]")).to_have_value("")
    theirs.get_by_role("link", name="Go on with it").click()
    expect(theirs.locator("[name=tagline]")).to_have_value("My line")
    assert stored(slug).tagline == ""


@pytest.mark.spec("DRAFT-4")
def test_publishing_the_draft_of_a_colleague_asks_first_by_keys_alone(
    staff: Staff, company: Callable[..., str]
) -> None:
    slug = company(name="Kelp to approve")
    theirs = staff().open(edit(slug))
    fill(theirs, tagline="A line to approve")
    save_draft(theirs)
    expect(notice(theirs, SAVED)).to_be_visible()
    mine = staff().open(edit(slug))
    mine.get_by_role("link", name="Go on with it").focus()
    mine.keyboard.press("Enter")
    expect(mine.locator("[name=tagline]")).to_have_value("A line to approve")
    question = mine.get_by_role("alertdialog", name="Publish the draft that Ann Lim worked on?")
    for key, tagline in (("Escape", ""), ("Tab+Enter", "A line to approve")):
        mine.locator("[name=tagline]").focus()
        mine.keyboard.press("Enter")
        expect(question.get_by_role("button", name="Cancel")).to_be_focused()
        for each in key.split("+"):
            mine.keyboard.press(each)
        expect(question).to_have_count(0)
        if not tagline:
            expect(mine.get_by_role("button", name="Update Company")).to_be_focused()
            assert stored(slug).tagline == ""
    expect(row(mine, "Kelp to approve")).to_be_visible()
    assert stored(slug).tagline == "A line to approve"
