"""The enquiries in a real browser: read, marked, deleted and taken home as a file."""

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import sqlalchemy as sa
from playwright.sync_api import Page, expect

from advisory_site.enquiries.models import Enquiry
from sitekit.base.db.database import read_session, transaction
from sitekit.base.permissions import Role
from tests.e2e.backoffice.conftest import Staff, TableChange
from tests.e2e.backoffice.steps import notice, reply
from tests.support import factories

PAGE = "/admin/enquiries"


def add(first_name: str, **fields: Any) -> int:
    """Store an enquiry; returns the id."""
    with transaction() as session:
        return factories.id_of(factories.add_enquiry(session, first_name=first_name, **fields))


def is_handled(enquiry_id: int) -> bool:
    with read_session() as session:
        return session.get_one(Enquiry, enquiry_id).handled_at is not None


@pytest.mark.spec("CON-4", "CON-6")
def test_a_sent_enquiry_is_listed_first_for_staff(staff: Staff, visit: Callable[[str], Page]) -> None:
    sent = visit("/contact")
    for label, text in (("First Name", "Wei"), ("Last Name", "Goh"), ("Email", "wei@example.com")):
        sent.get_by_label(label).fill(text)
    sent.get_by_label("Message").fill("Two lines,\nand a question?")
    sent.get_by_role("button", name="Send Message").click()
    expect(sent.locator("#enquiry-sent")).to_be_visible()
    sent.close()
    page = staff().open("/admin")
    page.get_by_role("navigation").get_by_role("link", name="Enquiries", exact=True).click()
    expect(page.get_by_role("heading", name="Enquiries", level=1)).to_be_visible()
    first = page.get_by_role("row").nth(1)
    for text in ("Wei Goh", "wei@example.com", "Two lines, and a question?", "New"):
        expect(first).to_contain_text(text)


@pytest.mark.spec("CON-6")
def test_the_header_links_to_the_enquiries_and_counts_new_ones(staff: Staff, emptied: TableChange) -> None:
    colleague = staff()
    with emptied("enquiries"):
        first = add("First")
        add("Second")
        page = colleague.open("/admin?tab=companies")
        header = page.get_by_role("banner")
        header.get_by_role("link", name="Enquiries 2 new").click()
        page.wait_for_url(f"**{PAGE}")
        page.get_by_role("link", name="First Lee").click()
        page.wait_for_url(f"**{PAGE}/{first}")
        page.get_by_role("button", name="Mark as handled").click()
        expect(page.locator("header .count-badge")).to_have_text("1 new")
        with transaction() as session:
            session.execute(sa.update(Enquiry).values(state="handled"))
        page.get_by_role("link", name="Dashboard", exact=True).click()
        expect(header.get_by_role("link", name="Enquiries", exact=True)).to_be_visible()


@pytest.mark.spec("CON-6", "ADM-3")
def test_the_header_fits_on_a_phone(staff: Staff, database: object) -> None:
    with transaction() as session:
        for _ in range(120):
            factories.add_enquiry(session)
    page = staff(Role.ADMIN, viewport={"width": 360, "height": 780}).open("/admin/profile")
    header = page.get_by_role("banner")
    expect(header.get_by_role("link", name="Enquiries 99+ new")).to_be_visible()
    expect(header.get_by_text("Admin Dashboard")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert header.evaluate("header => header.offsetHeight") <= 62


@pytest.mark.spec("CON-6", "ENQ-1")
def test_an_opened_enquiry_shows_its_full_message_and_can_be_answered(staff: Staff, database: object) -> None:
    message = "First line\n\n<b>Not bold</b> 🦪 " + "and so on " * 400
    enquiry_id = add("Opened", company="Reef Ltd", stage="pmf", message=message)
    page = staff().open(f"{PAGE}?search=reef&filter=new")
    page.get_by_role("link", name="Opened Lee").click()
    page.wait_for_url(f"**{PAGE}/{enquiry_id}?*")
    expect(page.get_by_role("heading", name="Opened Lee", exact=True)).to_be_visible()
    expect(page).to_have_title(re.compile("^Opened Lee"))
    assert page.get_by_role("article").locator(".desk-entry-text").text_content() == message
    for text in ("Reef Ltd", "Product-Market Fit"):
        expect(page.get_by_text(text)).to_be_visible()
    link = urlsplit(page.get_by_role("link", name="Open in your mail program").get_attribute("href"))
    assert link.scheme == "mailto"
    assert parse_qs(link.query)["body"][0].startswith("Dear Opened,")
    page.get_by_role("main").get_by_role("link", name="Back to Enquiries").click()
    page.wait_for_url("**search=reef**")
    expect(page.get_by_text("1–1 of 1")).to_be_visible()


@pytest.mark.spec("CON-6")
def test_an_enquiry_is_marked_handled_and_new_again(staff: Staff, database: object) -> None:
    enquiry_id = add("Marked")
    page = staff().open(f"{PAGE}/{enquiry_id}")
    page.get_by_role("button", name="Mark as handled").click()
    expect(notice(page, "Marked as handled")).to_be_visible()
    expect(page.get_by_text("Handled", exact=True).first).to_be_visible()
    assert is_handled(enquiry_id)
    page.get_by_role("button", name="Mark as new").click()
    expect(page.get_by_text("New", exact=True).first).to_be_visible()
    assert not is_handled(enquiry_id)


@pytest.mark.spec("CON-6")
def test_deleting_asks_first_and_then_shows_the_list(staff: Staff, database: object) -> None:
    enquiry_id = add("Deleted")
    page = staff().open(f"{PAGE}/{enquiry_id}?search=deleted")
    page.get_by_role("button", name="Delete").click()
    assert reply(page, yes=False) == "Are you sure you want to delete this enquiry?"
    expect(page.get_by_role("heading", name="Deleted Lee", exact=True)).to_be_visible()
    page.get_by_role("button", name="Delete").click()
    reply(page, yes=True)
    expect(notice(page, "Enquiry deleted successfully")).to_be_visible()
    page.wait_for_url(f"**{PAGE}?search=deleted")
    expect(page.get_by_text("Nothing matches")).to_be_visible()


@pytest.mark.spec("CON-6")
def test_the_export_has_the_search_results_and_no_formula(staff: Staff, database: object, tmp_path: Path) -> None:
    add("=HYPERLINK(1)", company="Exported", message="-1\nÜmlaut, 🦪")
    add("Other", company="Elsewhere")
    page = staff().open(f"{PAGE}?search=exported")
    expect(page.get_by_text("1–1 of 1")).to_be_visible()
    with page.expect_download() as begun:
        page.get_by_role("button", name="Export CSV").click()
    expect(notice(page, "Enquiries exported: 1")).to_be_visible()
    assert re.fullmatch(r"enquiries-\d{4}-\d\d-\d\d\.csv", begun.value.suggested_filename)
    begun.value.save_as(tmp_path / "enquiries.csv")
    text = (tmp_path / "enquiries.csv").read_bytes().decode("utf-8-sig")
    _, cells = list(csv.reader(io.StringIO(text, newline="")))
    assert (cells[1], cells[4], cells[6]) == ("'=HYPERLINK(1)", "Exported", "'-1\nÜmlaut, 🦪")
