"""The frame that crops a portrait in the form, by pointer and by keys, and what visitors see of it."""

import io

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from sitekit.base.db.database import transaction
from sitekit.records.pictures.addresses import address_of, file_names
from tests.e2e.axe import PHONE
from tests.e2e.backoffice import team_dialog as team
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.picture_uploads import address
from tests.e2e.backoffice.steps import stay, wait_until_settled
from tests.e2e.conftest import Site, Watch
from tests.support import factories

pytestmark = pytest.mark.spec("IMG-3")

PORTRAIT = "image_url"
WIDTH, HEIGHT = 1600, 1000


@pytest.fixture
def uploaded(site: Site, database: object) -> str:
    """The address of a wide picture, whose files are all stored."""
    folder = site.data_dir / "media"
    folder.mkdir(exist_ok=True)
    with transaction() as session:
        media = factories.add_picture(session, width=WIDTH, height=HEIGHT)
        key = media.key
    for name in file_names(key, WIDTH):
        width = int(name.split("-")[1].split(".")[0])
        stored = io.BytesIO()
        Image.new("RGB", (width, width * HEIGHT // WIDTH), "teal").save(stored, "JPEG")
        (folder / name).write_bytes(stored.getvalue())  # browsers look at the bytes, not at the type
    return address_of(key, WIDTH)


def frame(page: Page) -> Locator:
    return page.get_by_role("slider", name="Visible part")


def heading(page: Page) -> Locator:
    """What gets the focus in a dialog that opens, also from what a test has given it in between."""
    return page.locator(".backoffice-dialog > h2")


def saved(page: Page, member: int) -> str:
    stay(page)
    expect(page.locator(".notice").filter(has_text="Team member updated successfully")).to_be_visible()
    return team.stored(member).image_url


def test_a_portrait_cropped_by_keyboard_is_shown_cropped_to_visitors(staff: Staff, uploaded: str) -> None:
    member = team.add(name="Wide Portrait", slug="wide-portrait", image_url=uploaded)
    page = staff().open(team.edit(member))
    expect(heading(page)).to_be_focused()
    frame(page).focus()
    expect(frame(page)).to_have_attribute("aria-valuetext", "50% from the left, 50% from the top, enlarged 1 times")
    for key in ("Shift+ArrowLeft", "Shift+ArrowLeft", "ArrowUp", "+", "+", "+", "+", "+", "+", "-"):
        page.keyboard.press(key)
    expect(frame(page)).to_have_attribute("aria-valuetext", "30% from the left, 49% from the top, enlarged 1.5 times")
    assert saved(page, member) == f"{uploaded}#30,49,1.5"
    # In lists too; the part that is seen fills its place.
    page.goto(page.url.split("/admin")[0] + f"{team.TAB}&search=Wide+Portrait")
    for path, shown in (
        ("", page.locator(".cell-picture")),
        ("/team-profile/wide-portrait", page.locator(".portrait")),
    ):
        if path:
            page.goto(page.url.split("/admin")[0] + path)
        expect(shown.first).to_have_css("object-position", "30% 49%")
        expect(shown.first).to_have_css("scale", "1.5")
        assert shown.first.evaluate("one => getComputedStyle(one).clipPath").startswith(
            "inset(16.33% 23.33% 17% 10% round"
        )
    card = page.locator("meta[property='og:image']")  # sites that draw it know no crop
    assert (card.get_attribute("content") or "").endswith(uploaded)
    page.goto(page.url.split("/team-profile")[0] + team.edit(member))
    expect(heading(page)).to_be_focused()
    frame(page).press("Home")
    assert saved(page, member) == uploaded


def test_the_crop_frame_can_be_dragged_and_clicked_into_place(staff: Staff, uploaded: str) -> None:
    member = team.add(name="Dragged Portrait", slug="dragged-portrait", image_url=uploaded)
    page = staff().open(team.edit(member))
    frame(page).scroll_into_view_if_needed()
    wait_until_settled(page.get_by_role("dialog"))
    box, picture = frame(page).bounding_box(), page.locator(".crop-picture").bounding_box()
    assert box and picture
    page.mouse.move(box["x"] + 5, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 5 + (picture["width"] - box["width"]) / 4, box["y"] + 30, steps=4)
    page.mouse.up()
    expect(address(page, PORTRAIT)).to_have_value(f"{uploaded}#75,50")
    page.mouse.click(picture["x"] + 2, picture["y"] + 20)
    expect(address(page, PORTRAIT)).to_have_value(f"{uploaded}#0,50")
    page.get_by_role("slider", name="Zoom").fill("3")
    expect(address(page, PORTRAIT)).to_have_value(f"{uploaded}#0,50,3")
    # The whole picture, typed again.
    page.get_by_role("button", name="Use an address instead").click()
    address(page, PORTRAIT).fill(uploaded)
    address(page, PORTRAIT).blur()
    expect(frame(page)).to_have_attribute("aria-valuetext", "50% from the left, 50% from the top, enlarged 1 times")
    page.get_by_role("button", name="Remove").click()
    expect(address(page, PORTRAIT)).to_have_value("")
    expect(page.get_by_role("button", name="Choose a picture")).to_be_focused()
    expect(frame(page)).to_have_count(0)


def test_touch_scrolls_outside_the_crop_frame_and_a_tap_moves_it(staff: Staff, uploaded: str) -> None:
    member = team.add(name="Tapped Portrait", slug="tapped-portrait", image_url=uploaded)
    page = staff(viewport=PHONE, has_touch=True, is_mobile=True).open(team.edit(member))
    frame(page).scroll_into_view_if_needed()
    wait_until_settled(page.get_by_role("dialog"))
    picture = page.locator(".crop-picture").bounding_box()
    assert picture
    page.touchscreen.tap(picture["x"] + picture["width"] - 3, picture["y"] + 20)
    expect(address(page, PORTRAIT)).to_have_value(f"{uploaded}#100,50")


# Each place with several portraits: the page, and the selector of what shows them.
ROWS = (
    ("/team", ".card .portrait"),
    ("/meet-our-team", ".faces .portrait"),
    ("/advisors", ".card .portrait"),
)
WIDTHS = (360, 768, 1280)
TOPS = """all => all.map((one) =>
    one.closest("a, article").getBoundingClientRect().top - one.getBoundingClientRect().top)"""


def test_drawn_uploaded_and_missing_portraits_are_aligned(staff: Staff, uploaded: str, watch: Watch) -> None:
    """Each stands as far below the top of its card or link as its neighbours, and the crop is obeyed."""
    watch.expect("404")
    portraits = {"drawn": team.IMAGE, "uploaded": f"{uploaded}#30,0", "missing": "/images/no-such-picture.svg"}
    for place, (name, portrait) in enumerate(portraits.items()):
        fields = {"slug": name, "image_url": portrait, "display_order": place - 9}
        team.add(name=f"Portrait {name}", **fields)
        with transaction() as session:
            factories.add_advisor(session, name=f"Portrait {name}", title="CFO", bio="Bio.", **fields)
    page = staff().open("/team")
    origin = page.url.split("/team")[0]
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        for path, selector in ROWS:
            page.goto(origin + path)
            shown = page.locator(selector)
            expect(shown.nth(2)).to_be_visible()
            expect(shown.nth(1)).to_have_css("object-position", "30% 0%")
            assert len({round(top) for top in shown.evaluate_all(TOPS)[:3]}) == 1, (width, path)
        tops = set()
        for name in portraits:
            page.goto(f"{origin}/team-profile/{name}")
            tops.add(
                page.locator(".profile .portrait").first.evaluate("one => Math.round(one.getBoundingClientRect().top)")
            )
        assert len(tops) == 1, width
        page.goto(origin + "/team-profiles")
        expect(page.locator("tr, .row").filter(has_text="Portrait uploaded").locator("img").first).to_have_css(
            "object-position", "30% 0%"
        )
        assert page.evaluate("document.documentElement.scrollWidth") <= width
