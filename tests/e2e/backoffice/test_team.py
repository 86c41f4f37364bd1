"""The teams tab and its dialog in a real browser: what they show and keep, and when the dialog asks."""

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
import sqlalchemy as sa
from playwright.sync_api import Page, expect

from advisory_site.team.models import TeamMember, columns
from sitekit.admin.texts import TICK_PAGE
from sitekit.base.db.database import transaction
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.steps import answer, notice, reply, row
from tests.e2e.backoffice.team_dialog import (
    IMAGE,
    NEW,
    REQUIRED,
    TAB,
    add,
    dialog,
    edit,
    field,
    fill,
    stored,
    submit,
)
from tests.e2e.conftest import Watch

UNSAVED = "You have unsaved changes. Leave without saving them?"


@pytest.mark.spec("ATM-1")
def test_members_are_listed_in_display_order_with_all_columns(staff: Staff, database: object) -> None:
    add(name="Comes First", slug="comes-first", display_order=-5, is_active=False)
    add(name="Comes Second", email="", display_order=-4)
    page = staff().open(TAB)
    expect(page.get_by_role("heading", name="Team Management")).to_be_visible()
    heads = [TICK_PAGE + "Name", "Designation", "Email", "Order", "Status", "Actions"]
    expect(page.get_by_role("columnheader")).to_have_text(heads)
    first, second = page.get_by_role("row").nth(1), page.get_by_role("row").nth(2)
    for text in ("Comes First", "comes-first", "Partner", "mei@northstrait.example", "-5", "Inactive"):
        expect(first).to_contain_text(text)
    expect(first.get_by_role("presentation").or_(first.locator("img"))).to_have_attribute("src", IMAGE)
    expect(second.get_by_text("Active", exact=True)).to_be_visible()
    expect(second).to_contain_text("Comes Second")
    expect(second).not_to_contain_text("@")


@pytest.mark.spec("ATM-1")
def test_a_broken_image_falls_back_to_a_placeholder(staff: Staff, watch: Watch, database: object) -> None:
    watch.expect("Failed to load resource")
    member_id = add(name="No Portrait", image_url="/images/people/nobody.svg")
    page = staff().open(f"{TAB}&search=portrait")
    expect(row(page, "No Portrait").locator("img")).to_have_attribute("src", "/images/placeholder-person.svg")
    with transaction() as session:
        session.connection().execute(sa.delete(TeamMember).where(columns.id == member_id))


@pytest.mark.spec("ATM-1", "ATM-4", "FIND-2", "TM-1")
def test_a_member_added_in_a_dialog_is_shown_to_visitors(staff: Staff, visit: Callable[[str], Page]) -> None:
    page = staff().open(TAB)
    page.get_by_role("link", name="Add Team Member").click()
    expect(field(page, "name")).to_be_visible()
    expect(dialog(page).get_by_role("heading", name="Add Team Member")).to_be_focused()
    fill(page, **REQUIRED | {"name": "Newly Added", "display_order": "77"})
    submit(page, "Create Team Member")
    expect(notice(page, "Team member created successfully")).to_be_visible()
    expect(dialog(page)).to_have_count(0)
    expect(row(page, "Newly Added")).to_contain_text("newly-added")
    expect(row(page, "Newly Added")).to_contain_text("77")
    expect(visit("/team-profile/newly-added").get_by_role("heading", name="Newly Added")).to_be_visible()


@pytest.mark.spec("ATM-1", "ATM-4")
def test_editing_a_member_keeps_search_and_sort_order(
    staff: Staff, visit: Callable[[str], Page], database: object
) -> None:
    member_id = add(name="Before Edit", slug="before-edit")
    page = staff().open(f"{TAB}&search=edit&sort=name")
    page.get_by_role("link", name="Edit Before Edit").click()
    expect(dialog(page).get_by_role("heading", name="Edit Team Member Before Edit")).to_be_visible()
    expect(page).to_have_title("Before Edit | Edit Team Member")
    expect(field(page, "name")).to_have_value("Before Edit")
    fill(page, name="After Edit", designation="Chair")
    submit(page, "Update Team Member")
    expect(notice(page, "Team member updated successfully")).to_be_visible()
    expect(row(page, "After Edit")).to_contain_text("Chair")
    expect(page).to_have_title("Teams | Admin Dashboard")
    assert parse_qs(urlsplit(page.url).query) == {"tab": ["teams"], "search": ["edit"], "sort": ["name"]}
    assert stored(member_id).slug == "after-edit"
    expect(visit("/team-profile/after-edit").get_by_text("Chair").first).to_be_visible()


@pytest.mark.spec("ATM-2")
def test_closing_with_changes_asks_and_then_resets_the_dialog(staff: Staff) -> None:
    page = staff().open(NEW)
    fill(page, name="Half Typed")
    asked = answer(page, yes=True)
    page.keyboard.press("Escape")
    expect(dialog(page)).to_have_count(0)
    page.get_by_role("link", name="Add Team Member").click()
    expect(field(page, "name")).to_have_value("")
    assert asked == [UNSAVED]


@pytest.mark.spec("ATM-2")
def test_the_dialog_asks_about_changes_only_and_is_empty_after_saving(staff: Staff, database: object) -> None:
    add(name="Looked At")
    page = staff().open(f"{TAB}&search=looked")
    link = page.get_by_role("link", name="Edit Looked At")
    link.click()
    expect(field(page, "name")).to_have_value("Looked At")
    page.keyboard.press("Escape")
    expect(link).to_be_focused()
    link.click()
    expect(field(page, "name")).to_have_value("Looked At")
    fill(page, designation="Chair")
    page.get_by_role("button", name="Close").click()
    assert reply(page, yes=False) == UNSAVED
    expect(field(page, "designation")).to_have_value("Chair")
    submit(page, "Update Team Member")
    expect(dialog(page)).to_have_count(0)
    page.get_by_role("link", name="Add Team Member").click()
    for name in REQUIRED:
        expect(field(page, name)).to_have_value("")
    expect(page.get_by_role("checkbox", name="Active")).to_be_checked()


def test_escape_closes_a_dialog_without_a_focused_element(staff: Staff) -> None:
    page = staff().open(NEW)
    expect(field(page, "name")).to_be_visible()
    page.get_by_role("button", name="Close").focus()
    page.evaluate(
        "document.activeElement.remove();"
        "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape', bubbles: true}))"
    )
    expect(dialog(page)).to_have_count(0)


def test_a_member_can_be_added_by_keyboard(staff: Staff) -> None:
    page = staff().open(TAB)
    page.get_by_role("link", name="Add Team Member").focus()
    page.keyboard.press("Enter")
    expect(field(page, "name")).to_be_visible()
    expect(dialog(page).get_by_role("heading", name="Add Team Member")).to_be_focused()
    # Past the button that closes the dialog.
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    main = ("By Keyboard", "Partner", "keys@northstrait.example", "", "Short.", "Long.", "", "")
    # Then the button of the picture, and its address.
    for text in (*main, "", IMAGE):
        page.keyboard.type(text)
        page.keyboard.press("Tab")
    page.keyboard.press("Meta+s")
    expect(notice(page, "Team member created successfully")).to_be_visible()
    expect(dialog(page).get_by_role("heading", name="Edit Team Member")).to_be_visible()
    page.keyboard.press("Escape")
    expect(row(page, "By Keyboard")).to_be_visible()


def test_a_draft_of_one_member_is_not_shown_for_another(staff: Staff, database: object) -> None:
    one, other = add(designation="One"), add(designation="Other")
    colleague = staff()
    page = colleague.open(edit(one))
    fill(page, designation="Typed for one")
    answer(page, yes=True)
    page.goto(f"{colleague.site.url}{edit(other)}")
    expect(field(page, "designation")).to_have_value("Other")
    page.goto(f"{colleague.site.url}{edit(one)}")
    expect(field(page, "designation")).to_have_value("Typed for one")


def test_a_draft_restored_after_signing_in_keeps_its_base_version(staff: Staff, database: object) -> None:
    member_id = add()
    page = staff().open(edit(member_id))
    fill(page, designation="Mine")
    with transaction() as session:
        session.get_one(TeamMember, member_id).designation = "Theirs"
    answer(page, yes=True)
    page.reload()
    expect(field(page, "designation")).to_have_value("Mine")
    submit(page, "Update Team Member")
    expect(page.locator(".form-foot").get_by_role("alert")).to_contain_text("saved this on")
    assert stored(member_id).designation == "Theirs"
