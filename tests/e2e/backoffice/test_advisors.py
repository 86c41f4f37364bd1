"""The advisors tab and form in a real browser: cards, groups that repeat, what is kept, and two people at once."""

import re
from collections.abc import Callable

import pytest
import sqlalchemy as sa
from playwright.sync_api import Page, expect

from advisory_site.advisors.models import Advisor, columns
from sitekit.accounts.models import Profile
from sitekit.base.db.database import transaction
from sitekit.base.permissions import Role
from tests.e2e.axe import PHONE, findings_by_width
from tests.e2e.backoffice.advisor_form import (
    NEW,
    REQUIRED,
    TAB,
    add,
    card,
    edit,
    field,
    fill,
    named,
    stored,
    submit,
)
from tests.e2e.backoffice.conftest import Staff, TableChange
from tests.e2e.backoffice.steps import answer, notice, reply

UNSAVED = "You have unsaved changes. Leave without saving them?"


@pytest.mark.spec("AAD-1")
def test_an_advisor_card_shows_all_its_details(staff: Staff, database: object) -> None:
    add(
        name="Shown Whole",
        company="Kelp & Co",
        display_order=7,
        is_active=False,
        expertise=["One", "Two", "Three", "Four", "Five"],
        linkedin_url="https://www.linkedin.com/in/whole",
    )
    page = staff().open(f"{TAB}&search=whole")
    expect(page.get_by_role("heading", name="Advisor Management")).to_be_visible()
    expect(page.get_by_text("Manage your advisor network and their profiles")).to_be_visible()
    shown = card(page, "Shown Whole")
    for text in ("Chair", "Kelp & Co", "Inactive", "#7", "One", "Two", "Three", "+2 more", "Chairs boards."):
        expect(shown.get_by_text(text, exact=text != "#7").first).to_be_visible()
    expect(shown.get_by_text("Four")).to_have_count(0)
    link = shown.get_by_role("link", name="LinkedIn")
    expect(link).to_have_attribute("href", "https://www.linkedin.com/in/whole")
    expect(shown.get_by_role("link", name="Edit Shown Whole")).to_be_visible()
    expect(shown.get_by_role("button", name="Delete Shown Whole")).to_be_visible()


@pytest.mark.spec("AAD-1")
def test_a_card_shows_initials_without_an_image_and_no_missing_link(staff: Staff, database: object) -> None:
    add(name="Vera Initials", image_url="", expertise=["One"])
    page = staff().open(f"{TAB}&search=initials")
    shown = card(page, "Vera Initials")
    expect(shown.get_by_text("VI", exact=True)).to_be_visible()
    expect(shown.get_by_role("link", name="LinkedIn")).to_have_count(0)
    expect(shown.get_by_text("more")).to_have_count(0)


@pytest.mark.spec("AAD-1")
def test_a_long_bio_is_cut_to_two_lines_on_the_card(staff: Staff, database: object) -> None:
    add(name="Long Winded", bio="A sentence that goes on. " * 40)
    add(name="Short Spoken", bio="A word.")
    page = staff().open(f"{TAB}&search=chair")
    heights = [
        card(page, name).locator(".backoffice-card-text").evaluate("one => one.clientHeight")
        for name in ("Long Winded", "Short Spoken")
    ]
    assert heights[0] == pytest.approx(2 * heights[1], abs=2)


@pytest.mark.spec("AAD-1")
def test_an_empty_list_and_an_empty_search_have_different_messages(staff: Staff, emptied: TableChange) -> None:
    colleague = staff()
    with emptied("advisors"):
        page = colleague.open(TAB)
        expect(page.get_by_text("No advisors found", exact=True)).to_be_visible()
        expect(page.get_by_role("link", name="Add Advisor")).to_have_count(2)
    page = colleague.open(f"{TAB}&search=zzzz")
    expect(page.get_by_text("Nothing matches")).to_be_visible()
    page.get_by_role("link", name="Clear search and filter").click()
    expect(page.get_by_role("heading", level=3).first).to_be_visible()


def test_search_and_filters_are_in_the_page_address(staff: Staff, database: object) -> None:
    add(name="Barnacle Bill", is_active=False)
    add(name="Barnacle Beth")
    page = staff().open(TAB)
    page.get_by_role("searchbox", name="Search advisors").fill("barnacle")
    expect(page.get_by_text("1-2 of 2")).to_be_visible()
    page.get_by_role("combobox", name="Status").select_option("inactive")
    expect(page.get_by_text("1-1 of 1")).to_be_visible()
    page.wait_for_url("**search=barnacle&filter=inactive")
    expect(card(page, "Barnacle Bill")).to_be_visible()


@pytest.mark.spec("AAD-2", "AAD-3", "AAD-5", "AD-1")
def test_a_created_advisor_appears_in_the_tab_and_on_the_site(staff: Staff, visit: Callable[[str], Page]) -> None:
    page = staff().open(TAB)
    page.get_by_role("link", name="Add Advisor").click()
    expect(page.get_by_role("heading", name="Add Advisor")).to_be_visible()
    fill(page, **REQUIRED | {"name": "Zoë Öst, Jr.", "display_order": "lots", "expertise": " Growth,, Sales ,"})
    submit(page, "Create Advisor")
    page.wait_for_url(f"**{TAB}")
    expect(notice(page, "Advisor created successfully")).to_be_visible()
    expect(card(page, "Zoë Öst, Jr.")).to_be_visible()
    (advisor,) = named("Zoë Öst, Jr.")
    assert (advisor.slug, advisor.display_order, advisor.is_active) == ("zoe-ost-jr", 0, True)
    assert (advisor.expertise, advisor.testimonials) == (["Growth", "Sales"], [])
    expect(visit("/advisor/zoe-ost-jr").get_by_role("heading", name="Zoë Öst, Jr.")).to_be_visible()


@pytest.mark.spec("AAD-3")
def test_missing_fields_are_marked_focused_and_announced(staff: Staff) -> None:
    page = staff().open(NEW)
    fill(page, title="Chair")
    submit(page, "Create Advisor")
    expect(notice(page, "Please fill in all required fields")).to_be_visible()
    expect(field(page, "name")).to_be_focused()
    expect(page.locator("#advisor-form [aria-invalid=true]")).to_have_count(3)
    expect(field(page, "title")).to_have_value("Chair")


@pytest.mark.spec("AAD-3")
def test_an_invalid_email_is_refused_beside_its_field(staff: Staff) -> None:
    page = staff().open(NEW)
    fill(page, **REQUIRED | {"email": "nobody at all"})
    submit(page, "Create Advisor")
    expect(field(page, "email")).to_be_focused()
    expect(field(page, "email")).to_have_accessible_description(
        "Please enter a full email address, such as name@company.com."
    )


@pytest.mark.spec("AAD-3")
def test_a_taken_slug_is_refused_while_typing_and_on_saving(staff: Staff, database: object) -> None:
    add(slug="taken-here")
    page = staff().open(NEW)
    fill(page, **REQUIRED | {"slug": "taken-here"})
    sentence = "This address is already in use. Please choose another."
    expect(page.get_by_text(sentence)).to_be_visible()
    submit(page, "Create Advisor")
    expect(notice(page, sentence)).to_be_visible()
    expect(field(page, "slug")).to_be_focused()
    fill(page, slug="free-here")
    expect(page.get_by_text("This address is free.")).to_be_visible()


@pytest.mark.spec("AAD-4", "AD-3")
def test_groups_are_added_removed_and_shown_to_visitors(staff: Staff, visit: Callable[[str], Page]) -> None:
    page = staff().open(NEW)
    fill(page, **REQUIRED | {"name": "Grouped Person"})
    for label in ("Add stat", "Add experience", "Add service", "Add stat"):
        submit(page, label)
    expect(page.get_by_role("group", name=re.compile("^Stat [0-9]$"))).to_have_count(2)
    page.get_by_role("group", name="Stat 1").get_by_label("Label").fill("Dropped")
    second = page.get_by_role("group", name="Stat 2")
    second.get_by_label("Label").fill("Boards")
    second.get_by_label("Value").fill("12")
    page.get_by_role("button", name="Remove stat 1").click()
    expect(page.get_by_role("group", name="Stat 1").get_by_label("Label")).to_have_value("Boards")
    position = page.get_by_role("group", name="Position 1")
    for label, text in (("Position", "CFO"), ("Company", "Reef Ltd"), ("Duration", "2018 to 2023")):
        position.get_by_label(label, exact=True).fill(text)
    position.get_by_label("Description").fill("Listed it, twice.")
    service = page.get_by_role("group", name="Service 1")
    for label, text in (("Title", "Board review"), ("Price", "S$800 an hour"), ("Description", "Reads the papers.")):
        service.get_by_label(label).fill(text)
    submit(page, "Create Advisor")
    expect(notice(page, "Advisor created successfully")).to_be_visible()
    (advisor,) = named("Grouped Person")
    assert advisor.stats == [{"label": "Boards", "value": "12"}]
    assert advisor.experience == [
        {
            "role": "CFO",
            "company": "Reef Ltd",
            "period": "2018 to 2023",
            "description": "Listed it, twice.",
            "achievements": [],
        }
    ]
    assert advisor.services == [
        {
            "title": "Board review",
            "description": "Reads the papers.",
            "price": "S$800 an hour",
            "duration": "S$800 an hour",
        }
    ]
    profile = visit("/advisor/grouped-person")
    for text in ("Boards", "CFO", "2018 to 2023", "Board review", "S$800 an hour"):
        expect(profile.get_by_text(text, exact=True).first).to_be_visible()


@pytest.mark.spec("AAD-4")
def test_stored_fields_are_labelled_position_duration_and_price(staff: Staff, database: object) -> None:
    held = {"role": "COO", "company": "Reef", "period": "2010", "description": "", "achievements": ["Won"]}
    offered = {"title": "Hour", "description": "", "price": "ignored", "duration": "60 minutes"}
    advisor_id = add(experience=[held], services=[offered], stats="not a list")
    page = staff().open(edit(advisor_id))
    expect(page.get_by_role("heading", name="Omar Aziz", level=1)).to_be_visible()
    expect(field(page, "experience.0.position")).to_have_value("COO")
    expect(field(page, "experience.0.duration")).to_have_value("2010")
    expect(field(page, "services.0.price")).to_have_value("60 minutes")
    expect(page.get_by_role("group", name=re.compile("Stat [0-9]"))).to_have_count(0)
    submit(page, "Update Advisor")
    expect(notice(page, "Advisor updated successfully")).to_be_visible()
    assert stored(advisor_id).experience == [held | {"description": "- Won", "achievements": []}]
    assert stored(advisor_id).services == [offered | {"price": "60 minutes"}]


@pytest.mark.spec("AAD-4")
def test_a_round_trip_keeps_every_field_and_the_testimonials(staff: Staff, database: object) -> None:
    long = 'Ünïcode 🦪 "quoted", with commas;\nand lines.\n' * 230
    advisor_id = add(
        name="O'Neil & <b>Sons</b> 🐙",
        slug="kept-slug",
        bio=long,
        detailed_bio=long,
        tagline="<i>&amp;</i>",
        availability="Two days, a month",
        cover_image_url="/images/covers/jonathan-reyes.svg",
        linkedin_url="https://www.linkedin.com/in/x?a=1&b=2",
        email="omar@northstrait.example",
        expertise=["One, with a comma", "Two"],
        stats=[{"label": "A, b", "value": '"12"'}],
        experience=[{"role": "R", "company": "C", "period": "P", "description": long, "achievements": []}],
        services=[{"title": "T", "description": long, "price": "D", "duration": "D"}],
        testimonials=[{"quote": "Kept.", "author": "Somebody, CEO"}],
        display_order=-3,
        is_active=False,
    )
    changing = {"updated_at", "version", "updated_by", "location"}
    before = stored(advisor_id).model_dump(exclude=changing)
    page = staff().open(edit(advisor_id))
    fill(page, location="Tuas")
    expect(page.get_by_text("Kept.")).to_have_count(0)
    submit(page, "Update Advisor")
    expect(notice(page, "Advisor updated successfully")).to_be_visible()
    after = stored(advisor_id)
    assert after.location == "Tuas"
    assert after.model_dump(exclude=changing) == before
    expect(card(page, "O'Neil & <b>Sons</b> 🐙")).to_be_visible()


@pytest.mark.spec("AAD-2")
@pytest.mark.parametrize("wanted", ["999999", "nobody", "-1"])
def test_an_unknown_advisor_redirects_to_the_tab(staff: Staff, wanted: str) -> None:
    page = staff().open(f"/admin/advisors/{wanted}/edit")
    page.wait_for_url(f"**{TAB}")
    expect(notice(page, "Failed to fetch advisor details")).to_be_visible()


@pytest.mark.spec("AAD-2")
def test_an_unreadable_advisor_redirects_to_the_tab(staff: Staff, database: object, taken_away: TableChange) -> None:
    advisor_id, colleague = add(), staff()
    with taken_away("advisors"):
        page = colleague.open(edit(advisor_id))
        page.wait_for_url(f"**{TAB}")
        expect(page.get_by_text("The records could not be loaded. Nothing is lost.")).to_be_visible()
        expect(page.locator(".notice")).to_contain_text(["Failed to fetch advisor details"])
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", level=3).first).to_be_visible()


@pytest.mark.spec("AAD-5")
@pytest.mark.parametrize(
    ("is_new", "button", "sentence"),
    [(True, "Create Advisor", "Failed to create advisor"), (False, "Update Advisor", "Failed to update advisor")],
)
def test_a_failed_save_is_reported_and_keeps_the_form(
    staff: Staff, taken_away: TableChange, database: object, is_new: bool, button: str, sentence: str
) -> None:
    page = staff().open(NEW if is_new else edit(add()))
    fill(page, **REQUIRED | {"name": "Still Here"})
    submit(page, "Add stat")
    field(page, "stats.0.label").fill("Typed")
    with taken_away("advisors"):
        submit(page, button)
        expect(notice(page, sentence)).to_be_visible()
    expect(field(page, "name")).to_have_value("Still Here")
    expect(field(page, "stats.0.label")).to_have_value("Typed")
    expect(page.get_by_role("button", name=button)).to_be_enabled()


@pytest.mark.spec("AAD-5")
def test_deleting_asks_first_and_can_be_cancelled(staff: Staff, database: object) -> None:
    advisor_id = add(name="Keep This One")
    page = staff().open(f"{TAB}&search=keep")
    page.get_by_role("button", name="Delete Keep This One").click()
    assert reply(page, yes=False) == "Are you sure you want to delete this advisor?"
    assert stored(advisor_id)


@pytest.mark.spec("AAD-5")
def test_deleting_removes_the_card_and_confirms_it(staff: Staff, database: object) -> None:
    add(name="Take This Away")
    page = staff().open(f"{TAB}&search=take")
    answer(page, yes=True)
    page.get_by_role("button", name="Delete Take This Away").click()
    expect(notice(page, "Advisor deleted successfully")).to_be_visible()
    expect(card(page, "Take This Away")).to_have_count(0)


@pytest.mark.spec("AAD-5")
def test_deleting_an_already_deleted_advisor_is_reported_and_reloads(staff: Staff, database: object) -> None:
    advisor_id = add(name="Gone Already")
    page = staff().open(f"{TAB}&search=gone")
    expect(card(page, "Gone Already")).to_be_visible()
    with transaction() as session:
        session.connection().execute(sa.delete(Advisor).where(columns.id == advisor_id))
    answer(page, yes=True)
    page.get_by_role("button", name="Delete Gone Already").click()
    expect(notice(page, "Failed to delete advisor: it has already been deleted")).to_be_visible()
    expect(card(page, "Gone Already")).to_have_count(0)


@pytest.mark.spec("AAD-3")
def test_two_quick_submits_create_one_advisor(staff: Staff) -> None:
    page = staff().open(NEW)
    fill(page, **REQUIRED | {"name": "Only One"})
    page.locator("#advisor-form").evaluate("form => { form.requestSubmit(); form.requestSubmit(); }")
    expect(notice(page, "Advisor created successfully")).to_be_visible()
    expect(page.locator(".notice-error")).to_have_count(0)
    assert [advisor.slug for advisor in named("Only One")] == ["only-one"]


def test_pressing_control_s_saves(staff: Staff, database: object) -> None:
    advisor_id = add()
    page = staff().open(edit(advisor_id))
    fill(page, location="Jurong")
    page.keyboard.press("Control+s")
    expect(notice(page, "Advisor updated successfully")).to_be_visible()
    assert stored(advisor_id).location == "Jurong"


def test_leaving_with_unsaved_changes_asks_first(staff: Staff, database: object) -> None:
    page = staff().open(edit(add()))
    fill(page, location="Somewhere")
    page.get_by_role("link", name="Cancel").click()
    assert reply(page, yes=False) == UNSAVED
    expect(field(page, "location")).to_have_value("Somewhere")


@pytest.mark.spec("SES-2")
def test_typed_text_survives_the_end_of_the_session(staff: Staff, database: object) -> None:
    colleague, advisor_id = staff(), add(stats=[{"label": "Boards", "value": "12"}])
    page = colleague.open(edit(advisor_id))
    fill(page, location="Typed before the session ended", display_order="41")
    submit(page, "Add experience")
    field(page, "experience.0.position").fill("Typed too")
    with transaction() as session:
        session.execute(sa.text("UPDATE auth_sessions SET ended_at = CURRENT_TIMESTAMP"))
    submit(page, "Update Advisor")
    page.wait_for_url("**/auth?next=**")
    page.get_by_label("Email", exact=True).fill(colleague.email)
    page.get_by_label("Password", exact=True).fill("a-long-quiet-evening-42")
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url(f"**{edit(advisor_id)}")
    expect(page.get_by_text("We restored your unsaved changes.")).to_be_visible()
    expect(field(page, "experience.0.position")).to_have_value("Typed too")
    expect(field(page, "stats.0.value")).to_have_value("12")
    submit(page, "Update Advisor")
    expect(notice(page, "Advisor updated successfully")).to_be_visible()
    advisor = stored(advisor_id)
    assert (advisor.location, advisor.display_order) == ("Typed before the session ended", 41)
    assert advisor.experience[0]["role"] == "Typed too"


def test_a_newer_change_is_not_overwritten_silently(staff: Staff, database: object) -> None:
    advisor_id = add()
    first, second = staff().open(edit(advisor_id)), staff(Role.MANAGER).open(edit(advisor_id))
    fill(first, location="First")
    fill(second, location="Second")
    with transaction() as session:
        session.execute(sa.update(Profile).values(first_name="Mei", last_name="Lin"))
    submit(first, "Update Advisor")
    expect(notice(first, "Advisor updated successfully")).to_be_visible()
    submit(second, "Update Advisor")
    refusal = second.locator(".form-foot").get_by_role("alert")
    expect(refusal).to_contain_text("Mei Lin saved this on")
    assert stored(advisor_id).location == "First"
    refusal.get_by_role("button", name="Overwrite with mine").click()
    expect(notice(second, "Advisor updated successfully")).to_be_visible()
    assert stored(advisor_id).location == "Second"


def test_tab_and_form_are_accessible_without_horizontal_scrolling(staff: Staff, database: object) -> None:
    groups = {"stats": [{"label": "A"}], "experience": [{"role": "B"}], "services": [{"title": "C"}]}
    advisor_id = add(name="Accessible Tan", **groups)
    add(name="Accessible Lim", is_active=False)
    colleague = staff(viewport=PHONE, bypass_csp=True)
    page = colleague.open(f"{TAB}&search=accessible")
    expect(page.get_by_role("heading", level=3)).to_have_count(2)
    assert findings_by_width(page) == []
    page = colleague.open(edit(advisor_id))
    fill(page, name="", email="x")
    submit(page, "Update Advisor")
    expect(page.locator("#advisor-form [aria-invalid=true]")).to_have_count(2)
    assert findings_by_width(page) == []
