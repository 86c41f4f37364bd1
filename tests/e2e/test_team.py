"""What a visitor sees of the team, in a real browser."""

import re
from collections.abc import Callable
from itertools import combinations

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

FACES_AND_NAMES = """links => {
    const boxes = (part) => links.map((link) => {
        const range = new Range();
        range.selectNode(part(link));
        return range.getBoundingClientRect().toJSON();
    });
    return [boxes((link) => link.querySelector("img")), boxes((link) => link.lastChild)];
}"""


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
def test_each_portrait_of_the_team_is_whole_and_has_its_name(visit: Callable[[str], Page]) -> None:
    page = visit("/meet-our-team")
    links = page.locator(".faces a")
    expect(links).to_have_count(len(TEAM))
    for width, rows in ((360, len(TEAM)), (768, 2), (1024, 1), (1920, 1)):
        page.set_viewport_size({"width": width, "height": 900})
        faces, names = links.evaluate_all(FACES_AND_NAMES)
        assert len({round(face["y"]) for face in faces}) == rows
        for one, other in combinations(faces, 2):
            assert one["right"] <= other["x"] or one["bottom"] <= other["y"], (width, one, other)
        for face, name in zip(faces, names, strict=True):
            if width == 360:
                assert name["x"] >= face["right"] and face["y"] < name["y"] < face["bottom"]
            else:
                assert name["y"] >= face["bottom"] and name["x"] == pytest.approx(face["x"], abs=1)


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
