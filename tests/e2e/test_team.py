"""What a visitor sees of the team, in a real browser."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Watch

TEAM = [
    "Adeline Koh",
    "Rajan Subramaniam",
    "Siti Aisyah Rahman",
    "Daniel Tay",
    "Le Thi Minh Chau",
    "Harpreet Singh Gill",
    "Celine Marquez",
]


@pytest.mark.spec("TM-1")
def test_members_are_in_display_order_and_cards_link_to_profiles(visit: Callable[[str], Page]) -> None:
    page = visit("/team")
    expect(page.get_by_role("article").get_by_role("heading")).to_have_text(TEAM)
    page.get_by_role("article").filter(has_text="Rajan Subramaniam").click()
    expect(page).to_have_url(re.compile("/team-profile/rajan-subramaniam$"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Rajan Subramaniam")


@pytest.mark.spec("TM-2")
def test_an_unknown_member_is_reported_as_not_found(visit: Callable[[str], Page], watch: Watch) -> None:
    watch.expect(r"Failed to load resource: the server responded with a status of 404")
    page = visit("/team-profile/nobody")
    expect(page.get_by_role("heading", level=1)).to_have_text("Team Member Not Found")
    expect(page.get_by_role("link", name="Back to Team")).to_have_attribute("href", "/team")


@pytest.mark.spec("TM-4", "PUB-6")
def test_the_team_pages_link_to_each_other(visit: Callable[[str], Page]) -> None:
    page = visit("/meet-our-team")
    card = page.get_by_role("main").get_by_role("listitem")
    expect(card.filter(has_text=re.compile("|".join(TEAM)))).to_have_text(TEAM)
    views = page.get_by_role("navigation", name="Views of the team")
    expect(views.locator("[aria-current]")).to_have_count(0)
    for label, path in (("Portraits", "/team"), ("Directory", "/team-profiles")):
        views.get_by_role("link", name=label).click()
        expect(page).to_have_url(re.compile(f"{path}$"))
        expect(views.locator("[aria-current=page]")).to_have_text(label)


@pytest.mark.spec("PUB-6")
def test_team_portraits_overlap_only_on_small_screens(visit: Callable[[str], Page]) -> None:
    page = visit("/meet-our-team")
    faces, names = page.locator(".faces img"), page.locator(".face-names li")
    for width, rows in ((360, 2), (768, 1), (1024, 1), (1920, 1)):
        page.set_viewport_size({"width": width, "height": 900})
        boxes = [box for face in faces.all() if (box := face.bounding_box())]
        assert len({round(box["y"]) for box in boxes}) == rows
        (first, second), written = boxes[:2], names.nth(1).bounding_box()
        seen = (second["x"] - first["x"]) / first["width"]
        if width < 1024:
            assert seen == pytest.approx(0.88, abs=0.01)
        else:
            assert seen > 1
            assert written
            assert written["x"] == pytest.approx(second["x"], abs=1)


@pytest.mark.spec("TM-3")
def test_people_are_found_by_name_and_by_expertise(visit: Callable[[str], Page]) -> None:
    page = visit("/team-profiles")
    by_family_name = page.get_by_role("main").get_by_role("link").filter(has_text=re.compile("|".join(TEAM)))
    expect(by_family_name.nth(0)).to_have_text("Harpreet Singh Gill")
    expect(by_family_name.nth(2)).to_have_text("Le Thi Minh Chau")
    for name in TEAM:
        expect(page.get_by_role("link", name=name).first).to_be_visible()
    expect(page.get_by_role("row")).to_have_count(1 + len(TEAM))
    page.get_by_role("link", name="Market entry").first.click()
    expect(page).to_have_url(re.compile(r"/team-profiles\?field=Market\+entry#list$"))
    expect(page.get_by_role("rowheader")).to_have_text(["Le Thi Minh Chau", "Rajan Subramaniam"])
    page.get_by_role("link", name="Show all 7").click()
    expect(page.get_by_role("rowheader")).to_have_count(len(TEAM))
