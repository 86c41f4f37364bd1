"""What is held about an email address, found, downloaded and erased in a real browser."""

import json
from itertools import count
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from sitekit.accounts.personal_data.search import person_of, survey
from sitekit.base.db.database import read_session, transaction
from sitekit.base.permissions import Role
from tests.e2e.axe import serious_findings
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.steps import notice, question
from tests.support import factories

pytestmark = pytest.mark.spec("ACC-4")

PATH = "/admin/personal-data"
_numbers = count(1)


def hold() -> str:
    """Store an enquiry and an advisor with a new address; returns it."""
    address = f"ann.lee{next(_numbers)}@kelp.example"
    with transaction() as session:
        factories.add_enquiry(session, email=address, message="Please call me at the long number 65 6123 4567.")
        factories.add_enquiry(session, email="bob@x.example", message=f"{address} told me about you. " * 30)
        factories.add_advisor(session, email=address, name="Ann Lee")
    return address


def look_up(page: Page, email: str) -> None:
    page.get_by_label("Email address of the person").fill(email)
    page.keyboard.press("Enter")


def held(address: str) -> list[str]:
    """Where the database holds the address."""
    with read_session() as session:
        return [found.rule.title for found in survey(session, person_of(session, address)).groups]


def test_personal_data_can_be_downloaded_and_erased_by_keyboard(staff: Staff, tmp_path: Path) -> None:
    address = hold()
    page = staff(Role.ADMIN).open(PATH)
    look_up(page, address.upper())
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as JSON").press("Enter")
    download.value.save_as(tmp_path / "held.json")
    assert "Enquiries" in [one["what"] for one in json.loads((tmp_path / "held.json").read_text())["held"]]
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as HTML").press("Enter")
    download.value.save_as(tmp_path / "held.html")
    expect(page.get_by_text("1 enquiry will be deleted.")).to_be_visible()
    expect(page.get_by_text("1 advisor will be kept.")).to_be_visible()
    page.get_by_role("button", name="Erase").press("Enter")
    expect(question(page)).to_contain_text(f"Erase what is held about {address}?")
    erase = question(page).get_by_role("button", name="Erase")
    expect(question(page).get_by_label("Type the address to confirm")).to_be_focused()
    page.keyboard.type(address[:-1])
    expect(erase).to_be_disabled()
    page.keyboard.press("Enter")
    page.keyboard.type(address[-1])
    expect(erase).to_be_enabled()
    page.keyboard.press("Enter")
    expect(notice(page, "Erased, apart from the items listed below.")).to_be_visible()
    expect(page.get_by_role("heading", name="What was deleted")).to_be_visible()
    expect(page.get_by_role("button", name="Erase")).to_have_count(0)
    assert held(address) == ["Advisors", "Present versions of records"]


def test_only_admins_see_the_form_and_the_link_to_it(staff: Staff) -> None:
    page = staff(Role.MANAGER).open(PATH)
    expect(page.get_by_text("Only admins can see what is held about a person.")).to_be_visible()
    expect(page.get_by_label("Email address of the person")).to_have_count(0)
    expect(page.get_by_role("link", name="Trash", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Personal data")).to_have_count(0)


def test_the_html_export_is_self_contained_and_runs_no_script(staff: Staff, tmp_path: Path) -> None:
    address = hold()
    page = staff(Role.ADMIN, bypass_csp=True).open(PATH)
    look_up(page, address)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as HTML").click()
    file = tmp_path / "held.html"
    download.value.save_as(file)
    page.goto(file.as_uri())
    expect(page.get_by_role("heading", name=f"What is held about {address}")).to_be_visible()
    assert page.locator("script").count() == 0
    assert serious_findings(page) == []
