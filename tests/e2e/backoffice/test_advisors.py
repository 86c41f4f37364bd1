"""The advisors tab and form in a real browser: cards, groups that repeat, and what is kept."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

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
from tests.e2e.backoffice.steps import notice

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
        bio="A sentence that goes on. " * 40,
    )
    add(name="Vera Whole", image_url="", expertise=["One"], bio="A word.")
    page = staff().open(f"{TAB}&search=whole")
    expect(page.get_by_role("heading", name="Advisor Management")).to_be_visible()
    expect(page.get_by_text("Manage your advisor network and their profiles")).to_be_visible()
    shown = card(page, "Shown Whole")
    for text in ("Chair", "Kelp & Co", "Inactive", "#7", "One", "Two", "Three", "+2 more"):
        expect(shown.get_by_text(text, exact=text != "#7").first).to_be_visible()
    expect(shown.get_by_text("Four")).to_have_count(0)
    expect(shown).to_contain_text("A sentence that goes on.")
    link = shown.get_by_role("link", name="LinkedIn")
    expect(link).to_have_attribute("href", "https://www.linkedin.com/in/whole")
    expect(shown.get_by_role("link", name="Edit Shown Whole")).to_be_visible()
    expect(shown.get_by_role("button", name="Delete Shown Whole")).to_be_visible()
    other = card(page, "Vera Whole")
    expect(other.get_by_text("VW", exact=True)).to_be_visible()
    expect(other.get_by_role("link", name="LinkedIn")).to_have_count(0)
    expect(other.get_by_text("more")).to_have_count(0)
    # A long text takes two lines.
    heights = [one.locator(".backoffice-card-text").evaluate("text => text.clientHeight") for one in (shown, other)]
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
