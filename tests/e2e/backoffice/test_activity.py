"""The activity page in a browser: what was just done is found, and an employee sees their own acts alone."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from sitekit.base.db.database import transaction
from sitekit.base.observability.audit_log import AuditEvent
from sitekit.base.permissions import Role
from sitekit.records import activity
from tests.e2e.axe import PHONE
from tests.e2e.backoffice.conftest import Staff

pytestmark = pytest.mark.spec("LOG-1")


@pytest.mark.spec("ROLE-4")
def test_an_audit_event_is_found_by_filters_and_links_to_its_record(staff: Staff, company: Callable[..., str]) -> None:
    slug = company(name="Saltmarsh Logs")
    page = staff(Role.ADMIN).open("/admin")
    page.get_by_role("link", name="All activity").click()
    expect(page.get_by_role("heading", name="Activity", level=1)).to_be_visible()
    page.get_by_role("searchbox", name="Search the activity").fill("saltmarsh")
    page.get_by_label("Kind").select_option("Records")
    expect(page).to_have_url(re.compile(r"/admin/activity\?(?=.*search=saltmarsh)(?=.*filter=records)"))
    # Only then does the row stay where it is pressed.
    expect(page.get_by_role("table", name="Activity").get_by_role("row")).to_have_count(2)
    row = page.get_by_role("row", name="Saltmarsh Logs")
    expect(row).to_contain_text("Added a record")
    row.get_by_role("link", name="Saltmarsh Logs").click()
    page.wait_for_url(f"**/admin/companies/{slug}/edit")


# Both before the page is drawn again.
FILTER_AND_SEARCH = """async () => {
  const select = document.querySelector("select[aria-label='Kind']");
  select.value = "records";
  select.dispatchEvent(new Event("change", { bubbles: true }));
  for (let turn = 0; turn < 1000 && !location.search; turn += 1) await null;
  const enter = new KeyboardEvent("keydown", { key: "Enter", bubbles: true });
  document.querySelector("[role=searchbox]").dispatchEvent(enter);
}"""


def test_a_search_sent_just_after_a_filter_was_chosen_keeps_the_filter(staff: Staff) -> None:
    page = staff(Role.ADMIN).open("/admin/activity")
    search = page.get_by_role("searchbox", name="Search the activity")
    expect(search).to_be_visible()
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    search.fill("saltmarsh")
    page.evaluate(FILTER_AND_SEARCH)
    page.clock.resume()
    expect(page).to_have_url(re.compile(r"/admin/activity\?(?=.*search=saltmarsh)(?=.*filter=records)"))


@pytest.mark.spec("ROLE-4")
def test_an_employee_sees_only_their_own_audit_events_on_a_phone(staff: Staff, company: Callable[..., str]) -> None:
    company(name="Somebody Else's")
    page = staff(Role.EMPLOYEE, viewport={"width": 360, "height": 780}).open("/admin/profile")
    page.get_by_role("button", name="Account menu").click()
    page.get_by_role("menuitem", name="Activity").click()
    page.wait_for_url("**/admin/activity")
    rows = page.get_by_role("table", name="Activity").get_by_role("row")
    expect(rows.filter(has_text="Signed in")).to_have_count(1)
    expect(rows).to_have_count(2)
    expect(page.get_by_label("Person")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_an_email_address_is_broken_before_its_at_sign_on_a_phone(staff: Staff) -> None:
    with transaction() as session:
        activity.log(session, AuditEvent.SIGN_IN_FAILED, "wilhelmina.p@northstrait.example")
    page = staff(Role.ADMIN, viewport=PHONE).open("/admin/activity?search=wilhelmina")
    address = page.get_by_title("wilhelmina.p@northstrait.example")
    expect(address).to_be_visible()
    lines = address.evaluate(
        """(span) => {
          const texts = document.createTreeWalker(span, NodeFilter.SHOW_TEXT), range = document.createRange();
          const lines = [];
          while (texts.nextNode()) {
            range.selectNodeContents(texts.currentNode);
            lines.push(range.getClientRects().length);
          }
          return lines;
        }"""
    )
    assert lines == [1, 1, 1]
