"""The history of a record in a real browser: reached, compared on a phone, and a version restored by keys."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from advisory_site.companies.service import COMPANIES
from advisory_site.team.service import MEMBERS
from sitekit.base.db.database import transaction
from sitekit.base.permissions import Actor
from sitekit.records.record_type import AnyRecordType
from tests.e2e.axe import PHONE
from tests.e2e.backoffice import team_dialog as team
from tests.e2e.backoffice.company_form import edit, stored
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.steps import notice
from tests.support.factories import add_actor

OLD = "We grow kelp. 我们在新加坡种海带。"
NEW = "We grow good kelp. 我们在柔佛种海带。"
LONG = " ".join(f"Word{number}" for number in range(200))
FOUNDERS = [{"name": "Ann Lim", "title": "CEO", "bio": ""}, {"name": "Ravi Das", "title": "CTO", "bio": ""}]


def save(record_type: AnyRecordType, actor: Actor, record: int, **typed: Any) -> None:
    with transaction() as session:
        form = record_type.get_stored(session, actor, record)
        assert form is not None
        inputs = form.inputs()
        record_type.update(session, actor, record, record_type.data_class.read(inputs | typed, inputs), form.version)


@pytest.fixture
def changed(company: Callable[..., str]) -> str:
    """The slug of a company whose texts, list, founders and picture were changed by Wei."""
    lists = {"services": ["Farms", "Feed"], "founders": FOUNDERS}
    slug = company(name="Kelp", description=OLD, detailed_description=f"{LONG} end.", logo_url="", **lists)
    with transaction() as session:
        wei = add_actor(session, first_name="Wei", last_name="Tan")
    typed = {
        "description": NEW,
        "detailed_description": f"{LONG} stop.",
        "services": "Feed, Labs",
        "founders": FOUNDERS[::-1],
        "founded": "2001",
    }
    save(COMPANIES, wei, stored(slug).id or 0, **typed, logo_url="/images/treacle-tech.svg")
    return slug


def field(page: Page, label: str) -> Any:
    return page.locator(".compare-field").filter(has=page.get_by_role("heading", name=label, exact=True))


@pytest.mark.spec("HIST-2")
def test_two_versions_can_be_compared_on_a_phone(staff: Staff, changed: str) -> None:
    page = staff(viewport=PHONE).open("/admin?tab=companies&search=kelp")
    page.get_by_role("button", name="More actions for Kelp").first.click()
    page.get_by_role("menuitem", name="History").click()
    expect(page.get_by_role("heading", name="History of Kelp")).to_be_visible()
    expect(field(page, "Description").get_by_role("insertion")).to_have_text(["Added: good ", "Added: 柔佛"])
    expect(field(page, "Description").get_by_role("deletion")).to_have_text(["Removed: 新加坡"])
    expect(field(page, "Services").get_by_role("listitem")).to_have_text(["Removed: −Farms", "Feed", "Added: +Labs"])
    expect(field(page, "Founders")).to_contain_text("moved from place 2")
    expect(field(page, "Founded").get_by_role("insertion")).to_have_text("Added: 2001")
    expect(field(page, "Logo").locator("img")).to_have_attribute("src", "/images/treacle-tech.svg")
    expect(page.locator(".compare-field")).to_have_count(6)
    long = field(page, "Detailed description")
    expect(long.get_by_text("Word199")).to_be_visible()
    expect(long.get_by_text("Word50")).to_be_hidden()
    long.locator("summary").press("Enter")
    expect(long.get_by_text("Word50")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 360


@pytest.mark.spec("HIST-2")
def test_going_back_at_once_does_not_return_to_the_history(staff: Staff, changed: str) -> None:
    page = staff().open(edit(changed))
    # A slow machine sends the load of the address with both numbers when the page is left already.
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 6})
    page.get_by_role("link", name="History").press("Enter")
    page.wait_for_url("**?from=1&to=2")
    page.go_back()
    expect(page.locator("[name=description]")).to_have_value(NEW)
    # What the server still had to say of the history comes before this reply.
    page.locator("[name=description]").press("Control+s")
    expect(notice(page, "Company updated successfully")).to_be_visible()
    assert page.url.endswith(edit(changed))


@pytest.mark.spec("HIST-2", "HIST-3")
def test_versions_can_be_chosen_and_restored_by_keyboard(staff: Staff, changed: str) -> None:
    page = staff().open(edit(changed))
    page.get_by_role("link", name="History").press("Enter")
    expect(page.get_by_role("link", name="Version 2 (now)")).to_be_visible()
    page.wait_for_url("**?from=1&to=2")
    # It has no entry of its own.
    page.go_back()
    page.wait_for_url("**/edit")
    page.get_by_role("link", name="History").focus()
    page.keyboard.press("Enter")  # press() would look for the link once more, on the page to which it has led
    page.wait_for_url("**?from=1&to=2")
    page.get_by_role("link", name="Version 1", exact=True).press("Enter")
    page.wait_for_url("**?from=1&to=1")
    expect(page.get_by_text("This is the first version.")).to_be_visible()
    page.get_by_label("After", exact=True).select_option("2")
    expect(field(page, "Founded")).to_be_visible()
    page.get_by_role("link", name="Restore into the form").press("Enter")
    page.wait_for_url("**/edit?*revision=1")
    note = page.get_by_role("status").filter(has_text="This form shows version 1")
    expect(note).to_contain_text("Nothing changes until you save it.")
    expect(page.locator("[name=description]")).to_have_value(OLD)
    assert stored(changed).description == NEW
    page.locator("[name=description]").press("Control+s")
    expect(notice(page, "Company updated successfully")).to_be_visible()
    expect(note).to_have_count(0)
    page.wait_for_url(lambda url: "revision" not in url)
    assert (stored(changed).description, stored(changed).founded) == (OLD, "2019")
    # The form is drawn once more at its own address, which would take the key.
    page.reload()
    page.get_by_role("link", name="History").press("Enter")
    expect(page.get_by_text("Restored from version 1")).to_be_visible()
    page.get_by_role("button", name="More actions for Version 2").press("Enter")
    page.get_by_role("menuitem", name="Restore and publish at once").press("Enter")
    expect(notice(page, "Version 2 restored")).to_be_visible()
    expect(page.get_by_text("Restored from version 2")).to_be_visible()
    assert stored(changed).description == NEW


@pytest.mark.spec("HIST-3", "HIST-4")
def test_a_member_version_is_restored_in_the_dialog_separately_from_a_draft(staff: Staff, database: object) -> None:
    member = team.add(name="Siti Rahman", bio="Led a bank.")
    with transaction() as session:
        actor = add_actor(session)
    save(MEMBERS, actor, member, bio="Led two banks.")
    page = staff().open(team.edit(member))
    team.field(page, "bio").fill("Led three banks.")
    # The draft is written when typing pauses.
    page.wait_for_function("() => Object.values(sessionStorage).some(kept => kept.includes('Led three banks.'))")
    page.goto(page.url)
    expect(page.get_by_text("We restored your unsaved changes.")).to_be_visible()
    page.goto(f"{page.url}&revision=1")
    expect(page.get_by_text("This form shows version 1")).to_be_visible()
    expect(team.field(page, "bio")).to_have_value("Led a bank.")
    page.get_by_role("button", name="Show what is stored").click()
    expect(page.get_by_text("We restored your unsaved changes.")).to_be_visible()
    expect(team.field(page, "bio")).to_have_value("Led three banks.")
    page.goto(f"{page.url}&revision=1")
    team.submit(page, "Update Team Member")
    expect(team.dialog(page)).to_have_count(0)
    assert team.stored(member).bio == "Led a bank."
