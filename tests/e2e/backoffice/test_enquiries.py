"""The enquiries in a real browser: read, answered, marked, deleted and taken home as a file."""

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import sqlalchemy as sa
from playwright.sync_api import Locator, Page, expect

from advisory_site.core.permissions import Role
from advisory_site.db.database import now, read_session, transaction
from advisory_site.enquiries.models import Enquiry, columns
from tests.e2e.axe import PHONE, findings_by_width
from tests.e2e.backoffice.conftest import SchemaChange, Staff, TableChange
from tests.e2e.backoffice.steps import answer, notice, row
from tests.e2e.conftest import Watch
from tests.support import factories

PAGE = "/admin/enquiries"


def add(first_name: str, **fields: Any) -> int:
    """Store an enquiry; returns the id."""
    with transaction() as session:
        return factories.id_of(factories.add_enquiry(session, first_name=first_name, **fields))


def dialog(page: Page) -> Locator:
    return page.get_by_role("dialog")


def is_handled(enquiry_id: int) -> bool:
    with read_session() as session:
        return session.get_one(Enquiry, enquiry_id).handled_at is not None


@pytest.mark.spec("CON-4", "CON-6")
def test_what_a_visitor_sends_is_the_first_that_staff_read(
    staff: Staff, visit: Callable[[str], Page], watch: Watch
) -> None:
    watch.expect("global_styles.* was preloaded using link preload but not used")
    sent = visit("/contact")
    for label, text in (("First Name", "Wei"), ("Last Name", "Goh"), ("Email", "wei@example.com")):
        sent.get_by_label(label).fill(text)
    sent.get_by_label("Message").fill("Two lines,\nand a question?")
    sent.get_by_role("button", name="Send Message").click()
    expect(sent.locator("#enquiry-sent")).to_be_visible()
    sent.close()
    page = staff().open("/admin")
    page.get_by_role("button", name="Account menu").click()
    page.get_by_role("menuitem", name="Enquiries").click()
    expect(page.get_by_role("heading", name="Enquiries", level=1)).to_be_visible()
    first = page.get_by_role("row").nth(1)
    for text in ("Wei Goh", "wei@example.com", "Two lines, and a question?", "New"):
        expect(first).to_contain_text(text)


@pytest.mark.spec("CON-6")
def test_the_header_leads_to_the_enquiries_and_counts_the_new_ones(staff: Staff, emptied: TableChange) -> None:
    colleague = staff()
    with emptied("enquiries"):
        first = add("First")
        add("Second")
        page = colleague.open("/admin?tab=companies")
        header = page.get_by_role("banner")
        header.get_by_role("link", name="Enquiries 2 new").click()
        page.wait_for_url(f"**{PAGE}")
        page.get_by_role("link", name="First Lee").click()
        page.wait_for_url(f"**{PAGE}?open={first}")
        dialog(page).get_by_role("button", name="Mark as handled").click()
        expect(page.locator("header .count-badge")).to_have_text("1 new")
        page.keyboard.press("Escape")
        with transaction() as session:
            session.execute(sa.update(Enquiry).values(handled_at=sa.func.now()))
        page.get_by_role("link", name="Back to the dashboard").click()
        expect(header.get_by_role("link", name="Enquiries", exact=True)).to_be_visible()


@pytest.mark.spec("CON-6", "ADM-3")
@pytest.mark.parametrize("role", list(Role))
def test_the_header_fits_on_a_phone(staff: Staff, database: object, role: Role) -> None:
    with transaction() as session:
        for _ in range(120):
            factories.add_enquiry(session)
    page = staff(role, viewport={"width": 360, "height": 780}).open("/admin/profile")
    header = page.get_by_role("banner")
    expect(header.get_by_role("link", name="Enquiries 99+ new")).to_be_visible()
    expect(header.get_by_text("Admin Dashboard")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert header.evaluate("header => header.offsetHeight") <= 62


@pytest.mark.spec("CON-6")
def test_an_opened_enquiry_is_whole_and_can_be_answered(staff: Staff, database: object) -> None:
    message = "First line\n\n<b>Not bold</b> 🦪 " + "and so on " * 400
    enquiry_id = add("Opened", company="Reef Ltd", stage="pmf", message=message)
    page = staff().open(PAGE)
    page.get_by_role("link", name="Opened Lee").click()
    expect(dialog(page).get_by_role("heading", name="Enquiry from Opened Lee")).to_be_visible()
    assert dialog(page).locator(".enquiry-message").text_content() == message
    for text in ("Reef Ltd", "Product-Market Fit"):
        expect(dialog(page).get_by_text(text)).to_be_visible()
    link = urlsplit(dialog(page).get_by_role("link", name="Reply by email").get_attribute("href"))
    assert link.scheme == "mailto"
    assert parse_qs(link.query)["body"][0].startswith("Dear Opened,")
    page.wait_for_url(f"**{PAGE}?open={enquiry_id}")
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="Opened Lee")).to_be_focused()


@pytest.mark.spec("CON-6")
def test_an_enquiry_is_marked_handled_and_new_again(staff: Staff, database: object) -> None:
    enquiry_id = add("Marked")
    page = staff().open(f"{PAGE}?open={enquiry_id}")
    dialog(page).get_by_role("button", name="Mark as handled").click()
    expect(notice(page, "Enquiry updated successfully")).to_be_visible()
    expect(dialog(page).get_by_text("Handled", exact=True)).to_be_visible()
    assert is_handled(enquiry_id)
    dialog(page).get_by_role("button", name="Mark as new").click()
    expect(dialog(page).get_by_text("New", exact=True)).to_be_visible()
    assert not is_handled(enquiry_id)


@pytest.mark.spec("CON-6")
def test_new_ones_are_told_from_handled_ones_in_the_address(staff: Staff, database: object) -> None:
    add("Waiting", company="Filterable")
    add("Answered", company="Filterable", handled_at=sa.func.now())
    page = staff().open(f"{PAGE}?search=filterable")
    page.get_by_role("combobox", name="Status").select_option("new")
    expect(page.get_by_text("1-1 of 1")).to_be_visible()
    expect(row(page, "Waiting Lee")).to_be_visible()
    page.get_by_role("combobox", name="Status").select_option("handled")
    expect(row(page, "Answered Lee")).to_be_visible()
    page.wait_for_url("**filter=handled")


@pytest.mark.spec("CON-6")
def test_deleting_asks_first_and_then_closes_the_dialog(staff: Staff, database: object) -> None:
    enquiry_id = add("Deleted")
    page = staff().open(f"{PAGE}?open={enquiry_id}&search=deleted")
    asked = answer(page, yes=True)
    dialog(page).get_by_role("button", name="Delete").click()
    expect(notice(page, "Enquiry deleted successfully")).to_be_visible()
    assert asked == ["Are you sure you want to delete this enquiry?"]
    expect(dialog(page)).to_have_count(0)
    expect(page.get_by_text("Nothing matches")).to_be_visible()
    expect(page.locator(".notice-error")).to_have_count(0)


@pytest.mark.spec("CON-6")
def test_no_is_taken_for_an_answer(staff: Staff, database: object) -> None:
    enquiry_id = add("Kept")
    page = staff().open(f"{PAGE}?open={enquiry_id}")
    answer(page, yes=False)
    dialog(page).get_by_role("button", name="Delete").click()
    expect(dialog(page)).to_be_visible()
    assert not is_handled(enquiry_id)


@pytest.mark.spec("CON-6")
def test_what_a_colleague_has_deleted_says_so_and_closes(staff: Staff, database: object) -> None:
    enquiry_id = add("Gone Already")
    page = staff().open(f"{PAGE}?open={enquiry_id}")
    expect(dialog(page).get_by_role("button", name="Mark as handled")).to_be_visible()
    with transaction() as session:
        session.execute(sa.delete(Enquiry).where(columns.id == enquiry_id))
    dialog(page).get_by_role("button", name="Mark as handled").click()
    expect(notice(page, "Failed to update enquiry: it has already been deleted")).to_be_visible()
    expect(dialog(page)).to_have_count(0)


@pytest.mark.spec("CON-6")
@pytest.mark.parametrize("wanted", ["999999", "nobody"])
def test_an_enquiry_that_is_not_there_is_not_opened(staff: Staff, wanted: str) -> None:
    page = staff().open(f"{PAGE}?open={wanted}")
    expect(notice(page, "Failed to fetch enquiry")).to_be_visible()
    page.wait_for_url(f"**{PAGE}")


@pytest.mark.spec("CON-6")
def test_enquiries_that_cannot_be_read_say_so_and_can_be_tried_again(
    staff: Staff, database: object, taken_away: TableChange
) -> None:
    add("Back Again")
    colleague = staff()
    with taken_away("enquiries"):
        page = colleague.open(PAGE)
        expect(notice(page, "Failed to fetch enquiries")).to_be_visible()
    page.get_by_role("button", name="Try again").click()
    expect(row(page, "Back Again")).to_be_visible()


@pytest.mark.spec("CON-6")
def test_what_cannot_be_changed_says_so_and_stays_open(staff: Staff, database: object, broken: SchemaChange) -> None:
    enquiry_id = add("Unchanged")
    page = staff().open(f"{PAGE}?open={enquiry_id}")
    answer(page, yes=True)
    refuse = "CREATE TRIGGER refuse BEFORE {0} ON enquiries BEGIN SELECT RAISE(ABORT, 'no'); END"
    for event, button, sentence in (
        ("UPDATE", "Mark as handled", "Failed to update enquiry"),
        ("DELETE", "Delete", "Failed to delete enquiry"),
    ):
        with transaction() as session:
            session.execute(sa.text(refuse.format(event)))
        dialog(page).get_by_role("button", name=button).click()
        expect(notice(page, sentence)).to_be_visible()
        expect(dialog(page).get_by_role("button", name=button)).to_be_visible()
        with transaction() as session:
            session.execute(sa.text("DROP TRIGGER refuse"))
    assert not is_handled(enquiry_id)


@pytest.mark.spec("CON-6")
def test_the_file_holds_what_was_looked_for_and_no_formula(staff: Staff, database: object, tmp_path: Path) -> None:
    add("=HYPERLINK(1)", company="Exported", message="-1\nÜmlaut, 🦪")
    add("Other", company="Elsewhere")
    page = staff().open(f"{PAGE}?search=exported")
    expect(page.get_by_text("1-1 of 1")).to_be_visible()
    with page.expect_download() as begun:
        page.get_by_role("button", name="Export CSV").click()
    expect(notice(page, "Enquiries exported: 1")).to_be_visible()
    assert begun.value.suggested_filename == f"enquiries-{now():%Y-%m-%d}.csv"
    begun.value.save_as(tmp_path / "enquiries.csv")
    text = (tmp_path / "enquiries.csv").read_bytes().decode("utf-8-sig")
    _, cells = list(csv.reader(io.StringIO(text, newline="")))
    assert (cells[1], cells[4], cells[6]) == ("'=HYPERLINK(1)", "Exported", "'-1\nÜmlaut, 🦪")


@pytest.mark.spec("CON-6")
def test_a_file_that_cannot_be_made_says_so(staff: Staff, database: object, taken_away: TableChange) -> None:
    add("Not Exported")
    page = staff().open(PAGE)
    button = page.get_by_role("button", name="Export CSV")
    expect(button).to_be_enabled()
    with taken_away("enquiries"):
        button.click()
        expect(notice(page, "Failed to export enquiries")).to_be_visible()
    expect(button).to_be_enabled()


def test_the_first_day_and_an_empty_search_read_differently(staff: Staff, emptied: TableChange) -> None:
    colleague = staff()
    with emptied("enquiries"):
        page = colleague.open(PAGE)
        expect(page.get_by_text("No enquiries yet")).to_be_visible()
        expect(page.get_by_role("button", name="Export CSV")).to_be_disabled()
    page = colleague.open(f"{PAGE}?search=zzzz")
    expect(page.get_by_text("Nothing matches")).to_be_visible()


@pytest.mark.spec("ADM-2", "CON-6")
def test_a_visitor_is_sent_to_sign_in_and_reads_nothing(visit: Callable[[str], Page], database: object) -> None:
    page = visit(f"{PAGE}?open={add('Private')}")
    page.wait_for_url("**/auth?next=**")
    expect(page.get_by_text("Private")).to_have_count(0)


def test_page_and_dialog_are_accessible_and_never_scroll_sideways(staff: Staff, database: object) -> None:
    enquiry_id = add("Accessible", company="A-very-long-name-without-any-break-" * 4, handled_at=sa.func.now())
    colleague = staff(viewport=PHONE, bypass_csp=True)
    page = colleague.open(f"{PAGE}?search=accessible")
    expect(page.get_by_role("row").nth(1)).to_be_visible()
    assert findings_by_width(page) == []
    page = colleague.open(f"{PAGE}?open={enquiry_id}")
    expect(dialog(page).get_by_role("button", name="Mark as new")).to_be_visible()
    assert findings_by_width(page, within=dialog(page)) == []
