"""Dates and times: one way to write them, by the clock of the person who reads."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa
from playwright.sync_api import expect
from sqlmodel import col

from advisory_site.companies.models import columns as companies
from sitekit.accounts.models import Profile
from sitekit.base.db.database import transaction
from sitekit.base.permissions import Role
from sitekit.records.revisions import columns as revisions
from tests.e2e.backoffice.company_form import edit, fill, submit
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.steps import row
from tests.e2e.conftest import Watch
from tests.support import factories

LATE = datetime(2026, 3, 2, 20, 30, tzinfo=UTC)
# Where it was evening, night and the day before, whatever language the browser speaks.
CLOCKS = [
    ({"timezone_id": "Asia/Singapore"}, "3 Mar 2026", "3 Mar 2026, 4:30 am"),
    ({"timezone_id": "America/Lima", "locale": "en-US"}, "2 Mar 2026", "2 Mar 2026, 3:30 pm"),
    ({"timezone_id": "Europe/London", "locale": "de-DE"}, "2 Mar 2026", "2 Mar 2026, 8:30 pm"),
]

AGES = [
    (timedelta(seconds=-30), "just now"),
    (timedelta(seconds=59), "just now"),
    (timedelta(minutes=1), "1 min ago"),
    (timedelta(minutes=59, seconds=30), "59 min ago"),
    (timedelta(hours=1), "1 hour ago"),
    (timedelta(hours=23, minutes=59), "23 hours ago"),
    (timedelta(days=1), "1 day ago"),
    (timedelta(days=6, hours=23), "6 days ago"),
    (timedelta(days=7), "3 Mar 2026"),
]


@pytest.mark.spec("SAY-1")
@pytest.mark.parametrize(("browser_of", "day", "moment"), CLOCKS)
def test_enquiry_times_are_in_the_time_zone_of_the_browser(
    staff: Staff, browser_of: dict[str, str], day: str, moment: str
) -> None:
    town = browser_of["timezone_id"].rpartition("/")[2]  # of several on one day the list has the hour instead
    with transaction() as session:
        factories.add_enquiry(session, first_name="Late", last_name=town, created_at=LATE)
    page = staff(**browser_of).open(f"/admin/enquiries?search={town}")
    line = row(page, f"Late {town}").first
    expect(line.get_by_text(day, exact=True)).to_be_visible()
    line.get_by_role("link", name=f"Late {town}").click()
    expect(page.get_by_role("article").get_by_text(moment, exact=True)).to_be_visible()


@pytest.mark.spec("SAY-1", "USR-1")
def test_membership_dates_are_in_the_time_zone_of_the_browser(staff: Staff) -> None:
    browser_of, day, _ = CLOCKS[1]
    colleague = staff(Role.ADMIN, **browser_of)
    with transaction() as session:
        session.execute(sa.update(Profile).where(col(Profile.id) == colleague.user_id).values(created_at=LATE))
    page = colleague.open(f"/admin?tab=users&search={colleague.email}")
    expect(row(page, colleague.email).get_by_text(day, exact=True)).to_be_visible()


@pytest.mark.spec("SAY-1")
def test_conflict_times_are_in_the_time_zone_of_the_browser(staff: Staff, company: Callable[..., str]) -> None:
    slug, (browser_of, _, moment) = company(), CLOCKS[1]
    page = staff(**browser_of).open(edit(slug))
    fill(page, location="Mine")
    with transaction() as session:
        theirs = {"version": 7, "updated_at": LATE, "location": "Theirs"}
        session.connection().execute(sa.update(companies.id.table).where(companies.slug == slug).values(theirs))
    submit(page, "Update Company")
    expect(page.locator(".form-foot").get_by_role("alert")).to_contain_text(
        f"Someone saved this on {moment}, after you opened it."
    )


@pytest.mark.spec("SAY-1")
def test_ages_are_shown_in_whole_units_and_as_dates_after_a_week(staff: Staff, watch: Watch) -> None:
    watch.expect("WebSocket is closed before")  # a minute that passes at once is one without an answer
    at = LATE + timedelta(seconds=40)
    with transaction() as session:
        factories.add_company(session, name="Aged Ltd")
    with transaction() as session:
        session.execute(sa.update(revisions.id.table).where(revisions.label == "Aged Ltd").values(at=at))
    colleague = staff(timezone_id="Asia/Singapore")
    page = colleague.context.new_page()
    page.clock.install(time=at)
    page.goto(colleague.site.url + "/admin")
    line = page.get_by_role("listitem").filter(has_text="Aged Ltd").filter(has=page.locator("time"))
    expect(line).to_be_visible()
    for later, age in AGES:
        page.clock.set_fixed_time(at + later)
        page.clock.fast_forward(60_000)  # an age is told anew every minute
        expect(line.locator("time")).to_have_text(age)
    expect(line.locator("time")).to_have_attribute("title", re.compile("^3 Mar 2026, 4:30 am"))
