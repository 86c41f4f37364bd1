"""The teams tab and its dialog in a real browser: what they show, keep, refuse, and how two people share them."""

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
import sqlalchemy as sa
from playwright.sync_api import Page, expect

from advisory_site.team.models import TeamMember, columns
from sitekit.accounts.models import Profile
from sitekit.admin.texts import TICK_PAGE
from sitekit.base.db.database import transaction
from sitekit.base.permissions import Role
from tests.e2e.axe import PHONE, findings_by_width
from tests.e2e.backoffice.conftest import Staff, TableChange
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
    named,
    stored,
    submit,
)
from tests.e2e.conftest import Watch

UNSAVED = "You have unsaved changes. Leave without saving them?"


@pytest.mark.spec("ATM-1")
def test_members_are_listed_in_display_order_with_all_columns(staff: Staff, database: object) -> None:
    add(name="Comes First", slug="comes-first", display_order=-5, is_active=False)
    page = staff().open(TAB)
    expect(page.get_by_role("heading", name="Team Management")).to_be_visible()
    heads = [TICK_PAGE + "Name", "Designation", "Email", "Order", "Status", "Actions"]
    expect(page.get_by_role("columnheader")).to_have_text(heads)
    first, second = page.get_by_role("row").nth(1), page.get_by_role("row").nth(2)
    for text in ("Comes First", "comes-first", "Partner", "mei@northstrait.example", "-5", "Inactive"):
        expect(first).to_contain_text(text)
    expect(first.get_by_role("presentation").or_(first.locator("img"))).to_have_attribute("src", IMAGE)
    expect(second.get_by_text("Active", exact=True)).to_be_visible()


@pytest.mark.spec("ATM-1")
def test_a_broken_image_falls_back_to_a_placeholder(staff: Staff, watch: Watch, database: object) -> None:
    watch.expect("Failed to load resource")
    member_id = add(name="No Portrait", image_url="/images/people/nobody.svg")
    page = staff().open(f"{TAB}&search=portrait")
    expect(row(page, "No Portrait").locator("img")).to_have_attribute("src", "/images/placeholder-person.svg")
    with transaction() as session:
        session.connection().execute(sa.delete(TeamMember).where(columns.id == member_id))


@pytest.mark.spec("ATM-1", "ATM-4", "TM-1")
def test_a_member_added_in_a_dialog_is_shown_to_visitors(staff: Staff, visit: Callable[[str], Page]) -> None:
    page = staff().open(TAB)
    page.get_by_role("link", name="Add Team Member").click()
    expect(dialog(page).get_by_role("heading", name="Add Team Member")).to_be_visible()
    expect(field(page, "name")).to_be_focused()
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
def test_missing_fields_are_marked_focused_and_announced(staff: Staff) -> None:
    page = staff().open(NEW)
    fill(page, designation="Partner")
    submit(page, "Create Team Member")
    said = notice(page, "Please fill in all required fields")
    expect(said).to_be_visible()
    expect(field(page, "name")).to_be_focused()
    expect(page.locator("#team-member-form [aria-invalid=true]")).to_have_count(5)
    expect(field(page, "designation")).to_have_value("Partner")


@pytest.mark.spec("ATM-2")
def test_an_invalid_email_is_refused_beside_its_field(staff: Staff) -> None:
    page = staff().open(NEW)
    for name, text, sentence in (
        ("email", "nobody", "Please enter a full email address, such as name@company.com."),
        ("image_url", "portrait", "Please enter the full address of an image, beginning with https://, or a path"),
        ("linkedin_url", "javascript:alert(1)", "Please enter a full address that begins with https:// or http://."),
    ):
        fill(page, **REQUIRED | {name: text})
        submit(page, "Create Team Member")
        expect(field(page, name), name).to_be_focused()
        expect(dialog(page).get_by_text(sentence), name).to_be_visible()
        fill(page, **{name: REQUIRED.get(name, "")})
        expect(dialog(page).get_by_text(sentence), name).to_have_count(0)


@pytest.mark.spec("ATM-2", "ATM-3")
def test_lists_are_split_the_order_falls_back_and_a_second_namesake_gets_a_number(
    staff: Staff, database: object
) -> None:
    add(name="Ümit Öz / Sons", slug="umit-oz-sons")
    page = staff().open(NEW)
    fill(page, **REQUIRED | {"name": "Ümit Öz / Sons", "display_order": "soon"})
    fill(page, expertise=" Growth ,, Sales,", achievements="One exit")
    submit(page, "Create Team Member")
    expect(notice(page, "Team member created successfully")).to_be_visible()
    _, member = named("Ümit Öz / Sons")
    assert (member.slug, member.display_order, member.linkedin_url) == ("umit-oz-sons-2", 0, None)
    assert (member.expertise, member.achievements, member.is_active) == (["Growth", "Sales"], ["One exit"], True)


def test_a_round_trip_keeps_every_field(staff: Staff, database: object) -> None:
    long = 'Ünïcode 🦪 "quoted", with commas;\nand lines.\n' * 230
    member_id = add(
        name="O'Neil & <b>Sons</b> 🐙",
        slug="kept-slug",
        bio=long,
        detailed_bio=long,
        linkedin_url="https://www.linkedin.com/in/x?a=1&b=2",
        expertise=["One, with a comma", "Two"],
        achievements="not a list",
        display_order=-3,
        is_active=False,
    )
    changing = {"updated_at", "version", "updated_by", "designation", "slug"}
    before = stored(member_id).model_dump(exclude=changing)
    page = staff().open(edit(member_id))
    fill(page, designation="Changed")
    submit(page, "Update Team Member")
    expect(notice(page, "Team member updated successfully")).to_be_visible()
    after = stored(member_id)
    assert (after.designation, after.slug) == ("Changed", "kept-slug")
    assert after.model_dump(exclude=changing) == before
    expect(row(page, "O'Neil & <b>Sons</b> 🐙")).to_be_visible()


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
def test_closing_can_be_cancelled_to_keep_typing(staff: Staff) -> None:
    page = staff().open(NEW)
    fill(page, name="Half Typed")
    answer(page, yes=False)
    page.get_by_role("button", name="Close").click()
    expect(field(page, "name")).to_have_value("Half Typed")


@pytest.mark.spec("ATM-2")
def test_saving_resets_the_dialog(staff: Staff, database: object) -> None:
    page = staff().open(edit(add(name="Saved Before")))
    fill(page, designation="Chair")
    submit(page, "Update Team Member")
    expect(dialog(page)).to_have_count(0)
    page.get_by_role("link", name="Add Team Member").click()
    for name in REQUIRED:
        expect(field(page, name)).to_have_value("")
    expect(page.get_by_role("checkbox", name="Active")).to_be_checked()


def test_closing_without_changes_does_not_ask_and_restores_the_focus(staff: Staff, database: object) -> None:
    add(name="Looked At")
    page = staff().open(f"{TAB}&search=looked")
    asked = answer(page, yes=False)
    page.get_by_role("link", name="Edit Looked At").click()
    expect(field(page, "name")).to_have_value("Looked At")
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="Edit Looked At")).to_be_focused()
    assert asked == []


@pytest.mark.spec("ATM-4")
def test_deleting_asks_first_and_can_be_cancelled(staff: Staff, database: object) -> None:
    member_id = add(name="Keep This One")
    page = staff().open(f"{TAB}&search=keep")
    page.get_by_role("button", name="Delete Keep This One").click()
    assert reply(page, yes=False) == "Are you sure you want to delete this team member?"
    assert stored(member_id)


@pytest.mark.spec("ATM-4")
def test_deleting_removes_the_row_and_confirms_it(staff: Staff, database: object) -> None:
    add(name="Take This Away")
    page = staff().open(f"{TAB}&search=take")
    answer(page, yes=True)
    page.get_by_role("button", name="Delete Take This Away").click()
    expect(notice(page, "Team member deleted successfully")).to_be_visible()
    expect(row(page, "Take This Away")).to_have_count(0)


@pytest.mark.spec("ATM-4")
def test_deleting_an_already_deleted_member_is_reported_and_reloads(staff: Staff, database: object) -> None:
    member_id = add(name="Gone Already")
    page = staff().open(f"{TAB}&search=gone")
    expect(row(page, "Gone Already")).to_be_visible()
    with transaction() as session:
        session.connection().execute(sa.delete(TeamMember).where(columns.id == member_id))
    answer(page, yes=True)
    page.get_by_role("button", name="Delete Gone Already").click()
    expect(notice(page, "Failed to delete team member: it has already been deleted")).to_be_visible()
    expect(row(page, "Gone Already")).to_have_count(0)


@pytest.mark.spec("ATM-4")
def test_an_unreadable_team_is_reported_with_a_retry(staff: Staff, taken_away: TableChange) -> None:
    colleague = staff()
    with taken_away("team_members"):
        page = colleague.open(TAB)
        expect(notice(page, "Failed to fetch team members")).to_be_visible()
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("row").nth(1)).to_be_visible()


@pytest.mark.spec("ATM-4")
def test_the_dialog_of_an_unknown_member_closes_again(staff: Staff) -> None:
    page = staff().open(edit(999_999))
    expect(notice(page, "Failed to fetch team members")).to_be_visible()
    page.wait_for_url(f"**{TAB}")
    expect(dialog(page)).to_have_count(0)


@pytest.mark.spec("ATM-4")
def test_a_failed_save_is_reported_and_keeps_the_form(staff: Staff, taken_away: TableChange) -> None:
    page = staff().open(NEW)
    fill(page, **REQUIRED | {"name": "Still Here", "display_order": "12"})
    with taken_away("team_members"):
        submit(page, "Create Team Member")
        expect(notice(page, "Failed to save team member")).to_be_visible()
    expect(field(page, "name")).to_have_value("Still Here")
    expect(field(page, "display_order")).to_have_value("12")
    submit(page, "Create Team Member")
    expect(notice(page, "Team member created successfully")).to_be_visible()
    assert len(named("Still Here")) == 1


@pytest.mark.spec("ATM-4")
def test_saving_a_deleted_member_is_reported_and_keeps_the_text(staff: Staff, database: object) -> None:
    member_id = add()
    page = staff().open(edit(member_id))
    fill(page, designation="Typed for nothing")
    with transaction() as session:
        session.connection().execute(sa.delete(TeamMember).where(columns.id == member_id))
    submit(page, "Update Team Member")
    expect(notice(page, "Failed to save team member: it has already been deleted")).to_be_visible()
    expect(field(page, "designation")).to_have_value("Typed for nothing")


@pytest.mark.spec("ATM-3")
def test_two_quick_submits_create_one_member(staff: Staff) -> None:
    page = staff().open(NEW)
    fill(page, **REQUIRED | {"name": "Only One"})
    page.locator("#team-member-form").evaluate("form => { form.requestSubmit(); form.requestSubmit(); }")
    expect(notice(page, "Team member created successfully")).to_be_visible()
    expect(row(page, "Only One")).to_have_count(1)
    assert [member.slug for member in named("Only One")] == ["only-one"]


def test_a_member_without_an_email_has_an_empty_cell(staff: Staff) -> None:
    page = staff().open(TAB)
    add(name="Without Email", email="")
    page.goto(page.url + "&search=Without+Email")
    expect(row(page, "Without Email")).to_be_visible()
    expect(row(page, "Without Email")).not_to_contain_text("@")


def test_escape_closes_a_dialog_without_a_focused_element(staff: Staff) -> None:
    page = staff().open(NEW)
    expect(field(page, "name")).to_be_focused()
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
    expect(field(page, "name")).to_be_focused()
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


@pytest.mark.spec("SES-2")
def test_typed_text_survives_the_end_of_the_session(staff: Staff, database: object) -> None:
    colleague, member_id = staff(), add(display_order=3)
    page = colleague.open(edit(member_id))
    fill(page, designation="Typed before the session ended", display_order="41")
    page.get_by_text("Active", exact=True).last.click()
    with transaction() as session:
        session.execute(sa.text("UPDATE auth_sessions SET ended_at = CURRENT_TIMESTAMP"))
    submit(page, "Update Team Member")
    page.wait_for_url("**/auth?next=**")
    page.get_by_label("Email", exact=True).fill(colleague.email)
    page.get_by_label("Password", exact=True).fill("a-long-quiet-evening-42")
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url(f"**{edit(member_id)}")
    expect(page.get_by_text("We restored your unsaved changes.")).to_be_visible()
    expect(field(page, "designation")).to_have_value("Typed before the session ended")
    expect(field(page, "display_order")).to_have_value("41")
    submit(page, "Update Team Member")
    expect(notice(page, "Team member updated successfully")).to_be_visible()
    member = stored(member_id)
    assert (member.designation, member.display_order) == ("Typed before the session ended", 41)
    assert member.is_active is False


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


def test_a_newer_change_is_not_overwritten_silently(staff: Staff, database: object) -> None:
    member_id = add()
    first, second = staff().open(edit(member_id)), staff(Role.MANAGER).open(edit(member_id))
    fill(first, designation="First")
    fill(second, designation="Second")
    with transaction() as session:
        session.execute(sa.update(Profile).values(first_name="Mei", last_name="Lin"))
    submit(first, "Update Team Member")
    expect(notice(first, "Team member updated successfully")).to_be_visible()
    submit(second, "Update Team Member")
    refusal = second.locator(".form-foot").get_by_role("alert")
    expect(refusal).to_contain_text("Mei Lin saved this on")
    with second.context.expect_page() as opened:
        refusal.get_by_role("link", name="Look at that version").click()
    expect(field(opened.value, "designation")).to_have_value("First")
    expect(field(second, "designation")).to_have_value("Second")
    refusal.get_by_role("button", name="Overwrite with mine").click()
    expect(notice(second, "Team member updated successfully")).to_be_visible()
    assert stored(member_id).designation == "Second"


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


def test_an_empty_list_and_an_empty_search_have_different_messages(staff: Staff, emptied: TableChange) -> None:
    colleague = staff()
    with emptied("team_members"):
        page = colleague.open(TAB)
        expect(page.get_by_text("No team members yet")).to_be_visible()
        expect(page.get_by_role("link", name="Add Team Member")).to_have_count(2)
    page = colleague.open(f"{TAB}&search=zzzz")
    expect(page.get_by_text("Nothing matches")).to_be_visible()


def test_tab_and_dialog_are_accessible_without_horizontal_scrolling(staff: Staff, database: object) -> None:
    colleague = staff(viewport=PHONE, bypass_csp=True)
    add(name="Accessible Tan")
    add(name="Accessible Lim", is_active=False)
    page = colleague.open(f"{TAB}&search=accessible")
    expect(page.get_by_role("row").nth(2)).to_be_visible()
    assert findings_by_width(page) == []
    page = colleague.open(NEW)
    submit(page, "Create Team Member")
    expect(page.locator("#team-member-form [aria-invalid=true]").first).to_be_visible()
    assert findings_by_width(page, within=dialog(page)) == []
