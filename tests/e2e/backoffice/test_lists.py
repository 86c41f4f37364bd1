"""The back office's lists in a real browser: search, roles, deleting, and what failure looks like."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
import sqlalchemy as sa
from playwright.sync_api import expect
from sqlmodel import col

from advisory_site.companies.models import columns
from sitekit.accounts.models import Profile, UserRole
from sitekit.admin.texts import TICK_PAGE
from sitekit.base.db.database import now, transaction
from sitekit.base.permissions import Role
from sitekit.records.trash import TRASH_KEPT
from tests.e2e.backoffice import team_dialog
from tests.e2e.backoffice.conftest import Staff, TableChange, Transaction
from tests.e2e.backoffice.steps import answer, notice, question, reply, row
from tests.support import factories
from tests.support.people import person

Company = Callable[..., str]


@pytest.mark.spec("ACO-1", "ACO-2")
def test_companies_are_listed_newest_first_with_all_columns(staff: Staff, company: Company) -> None:
    slug = company(name="Newest of All", founders=[{"name": "Mei Lin"}, {"name": "Omar"}], status="Exited")
    page = staff().open("/admin?tab=companies")
    expect(page.get_by_text("Manage portfolio companies and their details")).to_be_visible()
    heads = [TICK_PAGE + "Company", "Industry", "Founded", "Employees", "Location", "Founder", "Status", "Actions"]
    expect(page.get_by_role("columnheader")).to_have_text(heads)
    first = page.get_by_role("row").nth(1)
    for text in ("Newest of All", slug, "Aquaculture", "2019", "11–50", "Singapore", "Mei Lin", "Exited"):
        expect(first).to_contain_text(text)


@pytest.mark.parametrize("tab", ["companies", "teams"])
def test_names_are_shown_whole_beside_aligned_checkboxes_on_a_laptop(staff: Staff, tab: str) -> None:
    page = staff(viewport={"width": 1280, "height": 800}).open(f"/admin?tab={tab}")
    names = page.locator("td .cell-title")
    expect(names.nth(7)).to_be_visible()
    cut = "names => names.filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent)"
    assert names.evaluate_all(cut) == []
    boxes = page.locator(":is(th, td) .backoffice-tick > input")
    assert len(set(boxes.evaluate_all("boxes => boxes.map((box) => box.getBoundingClientRect().x)"))) == 1


@pytest.mark.spec("ACO-1", "ATM-1")
def test_each_row_shows_its_page_address_or_email_at_every_width(staff: Staff, database: Transaction) -> None:
    with database() as session:
        factories.add_enquiry(session, email="ann@widths.example")
    page = staff().open("/admin?tab=companies")
    notes = page.locator("td .cell-name .cell-note")
    cut = "notes => notes.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
    for path in ("/admin?tab=companies", "/admin?tab=teams", "/admin?tab=articles", "/admin/enquiries"):
        page.goto(page.url.split("/admin")[0] + path)
        expect(notes.first).to_be_visible()
        for width in (768, 1024, 1280, 1439, 1440):
            page.set_viewport_size({"width": width, "height": 900})
            assert not [note for note in notes.all() if not note.is_visible()], (path, width)
            assert path == "/admin?tab=articles" or notes.evaluate_all(cut) == [], (path, width)
            assert page.evaluate("document.documentElement.scrollWidth") == width, path


def test_companies_and_owners_of_enquiries_are_whole_on_a_narrow_laptop(staff: Staff, database: Transaction) -> None:
    mei = staff(viewport={"width": 1024, "height": 768})
    with database() as session:
        factories.add_enquiry(session, company="Harbour Loom Logistics", owner_id=mei.user_id)
    facts = mei.open("/admin/enquiries?search=loom").locator("tbody .cell-content")
    expect(facts.filter(has_text="Harbour Loom Logistics")).to_be_visible()
    cut = "facts => facts.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
    assert facts.evaluate_all(cut) == []


def test_the_search_is_kept_in_the_page_address(staff: Staff, company: Company) -> None:
    company(name="Barnacle Sonar")
    colleague = staff()
    page = colleague.open("/admin?tab=companies")
    page.get_by_role("searchbox", name="Search companies").fill("barnacle sonar")
    page.wait_for_url("**/admin?tab=companies&search=barnacle+sonar")
    expect(page.get_by_text("1–1 of 1")).to_be_visible()
    again = colleague.open("/admin?tab=companies&search=barnacle+sonar")
    expect(again.get_by_role("searchbox")).to_have_value("barnacle sonar")
    expect(again.get_by_text("1–1 of 1")).to_be_visible()


def test_a_search_that_finds_nothing_says_so_to_screen_readers(staff: Staff) -> None:
    page = staff().open("/admin?tab=companies")
    # They speak only what comes into a region that was there before.
    region = page.locator(".backoffice-panel > [role=status]")
    region.evaluate("element => { element.dataset.wasThere = ''; }")
    page.get_by_role("searchbox").fill("zzzz")
    expect(page.locator("[data-was-there]").get_by_text("Nothing matches")).to_be_visible()
    page.get_by_role("link", name="Clear search and filter").click()
    expect(page.get_by_role("row").nth(1)).to_be_visible()


@pytest.mark.spec("ACO-3")
def test_deleting_asks_first_and_can_be_cancelled(staff: Staff, company: Company) -> None:
    slug = company(name="Keep This One")
    page = staff().open("/admin?tab=companies&search=keep")
    page.get_by_role("button", name="Delete Keep This One").click()
    asked = question(page)
    day = (datetime.now(UTC) + TRASH_KEPT).strftime("%-d %B")
    expect(asked).to_contain_text(f"Keep This OneIt stays in the trash until {day}.")
    expect(asked.locator("img")).to_have_count(1)
    expect(asked.get_by_role("button", name="Cancel")).to_be_focused()
    assert reply(page, yes=False) == "Are you sure you want to delete this company?"
    expect(page.get_by_role("button", name="Delete Keep This One")).to_be_focused()
    with transaction() as session:
        assert session.execute(sa.select(columns.id).where(columns.slug == slug)).first()


@pytest.mark.spec("ACO-3")
def test_deleting_removes_the_row_and_confirms_it(staff: Staff, company: Company) -> None:
    company(name="Take This Away")
    page = staff().open("/admin?tab=companies&search=take")
    answer(page, yes=True)
    page.get_by_role("button", name="Delete Take This Away").click()
    expect(notice(page, "Company deleted successfully")).to_be_visible()
    expect(row(page, "Take This Away")).to_have_count(0)


@pytest.mark.spec("ACO-3")
def test_unreadable_companies_are_reported_with_a_retry(staff: Staff, taken_away: TableChange) -> None:
    colleague = staff()
    with taken_away("companies"):
        page = colleague.open("/admin?tab=companies")
        expect(notice(page, "Failed to fetch companies")).to_be_visible()
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("row").nth(1)).to_be_visible()


@pytest.mark.spec("USR-1", "USR-3")
def test_an_admin_changes_a_role_at_once(staff: Staff) -> None:
    other = staff(Role.EMPLOYEE)
    page = staff(Role.ADMIN).open(f"/admin?tab=users&search={other.email}")
    heads = ["User", "Email", "Role", "Member Since", "Confirmed", "Last signed in", "Actions"]
    expect(page.get_by_role("columnheader")).to_have_text(heads)
    choice = page.get_by_label(f"Role of {other.email}")
    choice.select_option("Manager")
    expect(question(page)).to_contain_text(other.email)
    assert reply(page, yes=True) == "Change the role to Manager?"
    expect(notice(page, "User role updated successfully")).to_be_visible()
    expect(choice).to_have_value("manager")
    expect(choice).to_be_focused()
    expect(row(page, other.email).locator(".role-badge")).to_have_count(0)
    with transaction() as session:
        assert session.get_one(UserRole, other.user_id).role == Role.MANAGER


def role_of(user_id: int) -> str:
    with transaction() as session:
        return session.get_one(UserRole, user_id).role


@pytest.mark.spec("USR-3")
def test_a_role_chosen_by_key_asks_first_and_is_reset_on_cancel(staff: Staff) -> None:
    other = staff(Role.EMPLOYEE)
    page = staff(Role.ADMIN).open(f"/admin?tab=users&search={other.email}")
    choice = page.get_by_label(f"Role of {other.email}")
    for leave in ("Enter", "Escape"):
        choice.focus()
        page.keyboard.press("a")
        expect(question(page)).to_contain_text("Admins can invite people, change everyone’s role, and see backups")
        expect(question(page).get_by_role("button", name="Cancel")).to_be_focused()
        page.keyboard.press(leave)
        expect(question(page)).to_have_count(0)
        expect(choice).to_have_value("employee")
        expect(choice).to_be_focused()
    assert role_of(other.user_id) == Role.EMPLOYEE
    page.keyboard.press("ArrowDown")
    expect(question(page).get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(notice(page, "User role updated successfully")).to_be_visible()
    expect(choice).to_have_value("manager")
    assert role_of(other.user_id) == Role.MANAGER


@pytest.mark.spec("ACC-2")
def test_an_admin_deactivates_a_person_from_the_row_menu(staff: Staff) -> None:
    other, admin = staff(Role.EMPLOYEE), staff(Role.ADMIN)
    page = admin.open(f"/admin?tab=users&search={other.email}")
    more = page.get_by_role("button", name=f"More actions for {other.email}")
    more.click()
    items = ["Open", "Send a reset link", "Sign out everywhere", "Deactivate"]
    expect(page.get_by_role("menuitem")).to_have_text(items)
    page.get_by_role("menuitem", name="Deactivate").click()
    assert f"Deactivate the account of {other.email}?" in reply(page, yes=True)
    expect(notice(page, "The account is deactivated")).to_be_visible()
    expect(row(page, other.email).get_by_text("Deactivated")).to_be_visible()
    more.click()
    expect(page.get_by_role("menuitem")).to_have_text(["Open", "Reactivate"])
    page.goto(f"{admin.site.url}/admin?tab=users&search={admin.email}")
    page.get_by_role("button", name=f"More actions for {admin.email}").click()
    expect(page.get_by_role("menuitem")).to_have_text(items[:3])
    page.get_by_role("menuitem", name="Open").click()
    page.wait_for_url(f"**/admin/users/{admin.user_id}")


@pytest.mark.spec("USR-3", "USR-4")
def test_a_refused_role_change_is_not_shown_as_applied(staff: Staff) -> None:
    admin = staff(Role.ADMIN)
    with transaction() as session:
        session.execute(sa.update(UserRole).where(col(UserRole.user_id) != admin.user_id).values(role=Role.EMPLOYEE))
    page = admin.open(f"/admin?tab=users&search={admin.email}")
    choice = page.get_by_label(f"Role of {admin.email}")
    choice.select_option("Manager")
    assert "You give up your own rights as an admin." in reply(page, yes=True)
    expect(notice(page, "The last admin cannot be given another role")).to_be_visible()
    expect(choice).to_have_value("admin")


@pytest.mark.spec("USR-1")
def test_admins_see_confirmation_and_last_sign_in_and_who_has_no_name(staff: Staff) -> None:
    other = staff(Role.EMPLOYEE, timezone_id="Asia/Singapore")
    with transaction() as session:
        late = datetime(2026, 3, 2, 20, 30, tzinfo=UTC)
        session.execute(sa.update(Profile).where(col(Profile.id) == other.user_id).values(last_signed_in_at=late))
    idle = person("idle@northstrait.example", confirmed=False)
    with transaction() as session:
        session.execute(sa.update(Profile).where(col(Profile.id) == idle).values(first_name="", last_name=""))
    page = staff(Role.ADMIN, timezone_id="Asia/Singapore").open("/admin?tab=users&sort=signed_in")
    expect(row(page, other.email).get_by_role("cell").nth(4)).to_have_text("Yes")
    expect(row(page, other.email).get_by_role("cell").nth(5)).to_have_text("3 Mar 2026")
    expect(row(page, "idle@northstrait.example").get_by_text("No name provided")).to_be_visible()
    expect(row(page, "idle@northstrait.example").get_by_role("cell").nth(4)).to_have_text("Not yet")
    expect(row(page, "idle@northstrait.example").get_by_role("cell").nth(5)).to_have_text("Never")


def test_rows_are_cards_on_a_phone_without_horizontal_scrolling(staff: Staff, database: object) -> None:
    team_dialog.add(name="Pocket Sized")
    page = staff(viewport={"width": 360, "height": 780}).open(f"{team_dialog.TAB}&search=pocket")
    card = row(page, "Pocket Sized")
    expect(card).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert (
        card.get_by_role("cell").nth(1).evaluate("cell => getComputedStyle(cell, '::before').content")
        == '"Designation"'
    )
    box = card.bounding_box()
    assert box and box["height"] > 120


def test_rows_are_cards_of_two_columns_on_a_tablet(staff: Staff, database: object) -> None:
    team_dialog.add(name="Tablet Sized")
    page = staff(viewport={"width": 768, "height": 1024}).open(f"{team_dialog.TAB}&search=tablet")
    card = row(page, "Tablet Sized")
    expect(card).to_be_visible()
    designation, email = (card.get_by_role("cell").nth(number).bounding_box() for number in (1, 2))
    assert designation and email
    assert (designation["y"], designation["x"] < email["x"]) == (email["y"], True)
    expect(card.get_by_role("link", name="Edit Tablet Sized")).to_be_in_viewport(ratio=1)


def test_companies_are_a_table_on_a_tablet_without_two_columns(staff: Staff, company: Company) -> None:
    company(name="Tablet Table")
    page = staff().open("/admin?tab=companies&search=tablet")
    heads = page.get_by_role("columnheader")
    for width in (720, 768, 1023):
        page.set_viewport_size({"width": width, "height": 1024})
        expect(heads.filter(visible=True)).to_contain_text(["Company", "Industry", "Founded", "Location", "Status"])
        expect(row(page, "Tablet Table").get_by_role("cell").filter(visible=True)).to_have_count(6)
        expect(row(page, "Tablet Table").get_by_role("button", name="More actions")).to_be_in_viewport(ratio=1)
        box = row(page, "Tablet Table").bounding_box()
        assert box and box["height"] < 80, width


def test_facts_of_cards_have_the_same_places_with_and_without_a_value(staff: Staff, database: Transaction) -> None:
    with database() as session:
        for company, stage in (("", "scale"), ("Fixed Places", "")):
            factories.add_enquiry(session, last_name="Facts", company=company, stage=stage)
    page = staff(viewport={"width": 768, "height": 1024}).open("/admin/enquiries?search=facts")
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(2)
    places = "row => [...row.cells].map(cell => Math.round(cell.getBoundingClientRect().x)).join()"
    assert len({one.evaluate(places) for one in rows.all()}) == 1
    expect(rows.locator("td").filter(visible=True)).to_have_count(2 * 7)


def test_a_phone_has_the_due_time_below_the_name(staff: Staff, emptied: TableChange, database: Transaction) -> None:
    with emptied("enquiries"):
        with database() as session:
            factories.add_enquiry(
                session, first_name="Wen", last_name="Tan-Lee", stage="commercialization", due_at=now()
            )
        page = staff(viewport={"width": 360, "height": 780}).open("/admin")
        due = page.get_by_text("Overdue by").first.bounding_box()
        name = page.get_by_role("link", name="Wen Tan-Lee").bounding_box()
        assert name and due
        assert due["y"] >= name["y"] + name["height"]


@pytest.mark.spec("LIST-1")
def test_after_deleting_a_row_the_focus_is_on_the_next_one(staff: Staff, company: Company) -> None:
    for name in ("Focus A", "Focus B", "Focus C"):
        company(name=name)
    page = staff().open("/admin?tab=companies&search=focus&sort=name")
    answer(page, yes=True)
    page.get_by_role("button", name="Delete Focus B").press("Enter")
    expect(page.get_by_role("link", name="Focus C", exact=True)).to_be_focused()
    page.get_by_role("button", name="Delete Focus C").press("Enter")
    expect(page.get_by_role("link", name="Focus A", exact=True)).to_be_focused()
    page.get_by_role("button", name="Undo").first.press("Enter")
    expect(page.get_by_role("link", name="Focus C", exact=True)).to_be_focused()
