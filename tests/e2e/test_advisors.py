"""What a visitor sees of the advisors, in a real browser."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from advisory_site.advisors import texts
from advisory_site.content.firm import FIRM
from tests.e2e.conftest import Watch


@pytest.mark.spec("AD-1")
def test_the_author_of_the_invitation_stays_visible_while_scrolling(visit: Callable[[str], Page]) -> None:
    page = visit("/advisors")
    writer = page.locator(".letter-writer")
    page.locator("address").scroll_into_view_if_needed()
    expect(writer.get_by_role("link", name=FIRM.founder_email)).to_be_in_viewport()
    expect(writer.locator("img")).to_be_in_viewport()
    writer.get_by_role("link", name=FIRM.founder_name).click()
    expect(page).to_have_url(re.compile("/team-profile/adeline-koh$"))


@pytest.mark.spec("AD-1")
def test_the_list_links_to_each_advisor(visit: Callable[[str], Page]) -> None:
    page = visit("/advisors")
    expect(page.get_by_role("article")).to_have_count(11)
    # Nobody has to scroll to see the first one.
    portrait = page.get_by_role("img", name="Portrait of Kavitha Raman").bounding_box()
    assert portrait and portrait["y"] < 650
    page.get_by_role("article").filter(has_text="Kavitha Raman").click()
    expect(page).to_have_url(re.compile("/advisor/kavitha-raman$"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Kavitha Raman")
    page.get_by_role("link", name="Back to Advisors").click()
    expect(page).to_have_url(re.compile("/advisors$"))


@pytest.mark.spec("AD-3", "PUB-4")
def test_a_profile_shows_everything_except_testimonials(visit: Callable[[str], Page]) -> None:
    main = visit("/advisor/kavitha-raman").get_by_role("main")
    expect(main.get_by_role("img", name="Portrait of Kavitha Raman")).to_be_visible()
    expect(main.locator("img[src='/images/covers/kavitha-raman.svg']")).to_be_visible()
    for text in (
        "Independent Director & Physician, Straits Meridian Hospitals",
        "Gets medical products past the committee and onto the ward",
        "Taking one new company this quarter",
        "Products reviewed as buyer",
        "Chief Medical Officer",
        "2011 to 2022",
        "Cut average length of stay from 4.9 to 3.8 days",
        "Evidence plan",
        "Three sessions of 90 minutes",
        "Hospital procurement",
    ):
        expect(main.get_by_text(text, exact=True)).to_be_visible()
    expect(main.get_by_text("a donation.")).to_be_visible()
    expect(main.get_by_role("link", name="kavitha.raman@northstrait.example")).to_be_visible()
    expect(main).not_to_contain_text("who would sign the order")
    shared = main.get_by_role("listitem").get_by_role("link")
    expect(shared).to_have_text(["Board governance"])
    expect(shared).to_have_attribute("href", "/advisors?field=Board+governance")


@pytest.mark.spec("AD-2")
def test_an_unknown_advisor_is_reported_as_not_found(visit: Callable[[str], Page], watch: Watch) -> None:
    watch.expect(r"Failed to load resource: the server responded with a status of 404")
    page = visit("/advisor/nobody")
    expect(page.get_by_role("heading", level=1)).to_have_text("Advisor Not Found")
    expect(page.get_by_text("Advisor not found", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Back to Advisors")).to_have_attribute("href", "/advisors")
    page.get_by_role("link", name="All Advisors by Field").click()
    expect(page.get_by_role("navigation", name=texts.EXPERTISE_TITLE)).to_be_in_viewport()
