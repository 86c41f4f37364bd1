"""The library of pictures in a browser: the list, and the dialog by pointer and by keys alone."""

from collections.abc import Callable

import pytest
import sqlalchemy as sa
from PIL import Image
from playwright.sync_api import expect

from advisory_site.companies.models import columns as company_columns
from sitekit.base.db.database import read_session, transaction
from sitekit.records.pictures.addresses import PREFIX, address_of, thumbnail_of
from sitekit.records.pictures.models import Media
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.steps import answer, notice
from tests.e2e.conftest import Site
from tests.support import factories

pytestmark = pytest.mark.spec("IMG-3", "IMG-4")

PATH = "/admin/media"


@pytest.fixture
def picture(site: Site, database: object) -> Callable[..., int]:
    """Stores a picture with the files that the back office shows; returns its id."""
    folder = site.data_dir / "media"
    folder.mkdir(exist_ok=True)

    def add(**fields: object) -> int:
        with transaction() as session:
            row = factories.add_picture(session, **fields)
            address = address_of(row.key, row.width)
            for shown in (address, address.replace("jpg", "webp"), thumbnail_of(address)):
                Image.new("RGB", (320, 240), "teal").save(folder / shown.removeprefix(PREFIX))
            return factories.id_of(row)

    return add


def stored(picture: int) -> Media:
    with read_session() as session:
        return session.get_one(Media, picture)


def test_a_picture_can_be_found_and_described_by_keyboard(staff: Staff, picture: Callable[..., int]) -> None:
    wanted = picture(name="harbour-one.jpg", alt="")
    picture(name="office-one.jpg", alt="")
    page = staff().open(PATH)
    expect(page.get_by_role("link", name="office-one.jpg")).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("harbour-one")
    expect(page.get_by_role("link", name="office-one.jpg")).to_have_count(0)
    page.get_by_role("link", name="harbour-one.jpg").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="harbour-one.jpg", level=2)).to_be_visible()
    description = page.get_by_role("textbox", name="Description")
    expect(description).to_be_visible()
    page.keyboard.press("Tab")
    expect(description).to_be_focused()
    page.keyboard.type("The harbour at night")
    page.keyboard.press("Control+s")
    expect(notice(page, "Picture saved")).to_be_visible()
    assert stored(wanted).alt == "The harbour at night"
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    # Its card is named after what it shows.
    expect(page.get_by_role("link", name="The harbour at night")).to_be_visible()


def test_unsaved_details_ask_before_leaving_and_survive_a_reload(staff: Staff, picture: Callable[..., int]) -> None:
    page = staff().open(f"{PATH}?open={picture(name='harbour-five.jpg', alt='A harbour')}")
    asked = answer(page, yes=True)
    page.get_by_role("textbox", name="Description").fill("The harbour at noon")
    page.reload()
    expect(page.get_by_text("We restored your unsaved changes.")).to_be_visible()
    expect(page.get_by_role("textbox", name="Description")).to_have_value("The harbour at noon")
    asked.clear()
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert asked == ["You have unsaved changes. Leave without saving them?"]


def test_a_picture_address_can_be_copied(staff: Staff, picture: Callable[..., int]) -> None:
    address = f"/media/{'0a' * 16}-960.jpg"
    picture(name="harbour-six.jpg", key="0a" * 16)
    page = staff(permissions=["clipboard-read", "clipboard-write"]).open(f"{PATH}?search=harbour-six")
    page.get_by_role("button", name="Copy address harbour-six.jpg").click()
    expect(page.get_by_role("button", name="Copied harbour-six.jpg")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == address


def test_a_picture_can_be_replaced_everywhere_by_keyboard_and_undone(
    staff: Staff, picture: Callable[..., int], company: Callable[..., str]
) -> None:
    before, after = "0c" * 16, "0d" * 16
    wanted = picture(name="harbour-eight.jpg", key=before)
    picture(name="office-eight.jpg", key=after)
    slug = company(name="Harbour Eight", logo_url=f"/media/{before}-960.jpg")

    def logo() -> object:
        with read_session() as session:
            query = sa.select(company_columns.logo_url).where(company_columns.slug == slug)
            return session.execute(query).scalar_one()

    page = staff().open(f"{PATH}?open={wanted}")
    asked = answer(page, yes=True)
    page.get_by_role("searchbox", name="Search the other pictures").focus()
    expect(page.get_by_role("button", name="Use this one office-eight.jpg")).to_be_visible()
    page.keyboard.type("nothing like it")
    expect(page.get_by_text("No other picture matches.")).to_be_visible()
    page.keyboard.press("Control+a")
    page.keyboard.type("office-eight")
    page.get_by_role("button", name="Use this one office-eight.jpg").focus()
    page.keyboard.press("Enter")
    expect(notice(page, "Picture replaced in 1 record")).to_be_visible()
    assert logo() == f"/media/{after}-960.jpg"
    expect(page.get_by_text("No record uses this picture.")).to_be_visible()
    notice(page, "Picture replaced").get_by_role("button", name="Undo").click()
    expect(notice(page, "Undone: Harbour Eight")).to_be_visible()
    assert logo() == f"/media/{before}-960.jpg"
    expect(page.get_by_role("link", name="Harbour Eight")).to_be_visible()
    assert asked == ["Replace the picture in every record that uses it?"]
