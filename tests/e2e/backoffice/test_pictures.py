"""The library of pictures in a browser: the list, and the dialog by pointer and by keys alone."""

from collections.abc import Callable

import pytest
import sqlalchemy as sa
from PIL import Image
from playwright.sync_api import expect

from advisory_site.companies.models import Company
from advisory_site.companies.models import columns as company_columns
from sitekit.accounts.models import Profile
from sitekit.admin.pictures import texts
from sitekit.base.db.database import read_session, transaction
from sitekit.base.permissions import Role
from sitekit.records.pictures.addresses import PREFIX, address_of, thumbnail_of
from sitekit.records.pictures.models import Media
from tests.e2e.axe import PHONE, findings_by_width
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


def test_a_file_name_is_refused_as_a_description(staff: Staff, picture: Callable[..., int]) -> None:
    page = staff().open(f"{PATH}?open={picture(name='harbour-four.jpg', alt='')}")
    description, save = page.get_by_role("textbox", name="Description"), page.get_by_role("button", name="Save")
    refusal = page.get_by_text("This is the name of a file.")
    description.fill("IMG_2041")
    save.click()
    expect(refusal).to_be_visible()
    expect(description).to_be_focused()
    description.fill("The harbour at night")
    expect(refusal).to_have_count(0)
    description.fill("")
    save.click()
    expect(notice(page, "Picture saved")).to_be_visible()


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


def test_list_and_dialog_are_accessible_and_fit_the_screen(staff: Staff, picture: Callable[..., int]) -> None:
    wanted = picture(name=f"harbour-{'long-' * 20}seen.jpg", alt="")
    page = staff(Role.ADMIN, viewport=PHONE, bypass_csp=True).open(f"{PATH}?filter=unused")
    expect(page.get_by_role("link", name="long-seen")).to_be_visible()
    assert findings_by_width(page) == []
    page.goto(f"{page.url}&open={wanted}")
    page.get_by_role("textbox", name="Description").fill("IMG_2041")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("[aria-invalid=true]")).to_have_count(1)
    assert findings_by_width(page, within=page.locator(".chakra-modal__body")) == []


def test_a_picture_address_can_be_copied(staff: Staff, picture: Callable[..., int]) -> None:
    address = f"/media/{'0a' * 16}-960.jpg"
    picture(name="harbour-six.jpg", key="0a" * 16)
    page = staff(permissions=["clipboard-read", "clipboard-write"]).open(f"{PATH}?search=harbour-six")
    page.get_by_role("button", name="Copy address harbour-six.jpg").click()
    expect(page.get_by_role("button", name="Copied harbour-six.jpg")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == address


def test_a_used_picture_links_to_its_records_and_an_unused_one_can_be_deleted(
    staff: Staff, picture: Callable[..., int], company: Callable[..., str]
) -> None:
    wanted = picture(name="harbour-seven.jpg", key="0b" * 16)
    slug = company(name="Harbour Seven", logo_url=f"/media/{'0b' * 16}-960.jpg")
    page = staff().open(f"{PATH}?open={wanted}&search=harbour-seven")
    asked = answer(page, yes=True)
    delete = page.get_by_role("button", name="Delete", exact=True)
    delete.click()
    expect(notice(page, "This picture cannot be deleted while records use it: Harbour Seven.")).to_be_visible()
    page.get_by_role("link", name="Harbour Seven").click()
    page.wait_for_url(f"**/admin/companies/{slug}/edit")
    expect(page.locator("[name=name]")).to_have_value("Harbour Seven")
    with transaction() as session:
        session.delete(session.execute(sa.select(Company).where(company_columns.slug == slug)).scalar_one())
    with transaction() as session:
        session.execute(sa.text("DELETE FROM revisions WHERE label = 'Harbour Seven'"))
    page.go_back()
    expect(page.get_by_text(texts.UNUSED_TEXT)).to_be_visible()
    delete.click()
    expect(notice(page, "Picture deleted")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_text("Nothing matches 'harbour-seven'.")).to_be_visible()
    assert asked == ["Delete this picture permanently? It cannot be restored."] * 2


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


@pytest.mark.spec("SAY-4")
def test_a_conflicting_description_is_reported_and_can_be_resolved(staff: Staff, picture: Callable[..., int]) -> None:
    wanted = picture(name="two-people.jpg")
    path = f"{PATH}?open={wanted}"
    first, second = staff().open(path), staff(Role.MANAGER).open(path)
    with transaction() as session:
        session.execute(sa.update(Profile).values(first_name="Mei", last_name="Lin"))
    first.get_by_role("textbox", name="Description").fill("The harbour at dawn")
    second.get_by_role("textbox", name="Description").fill("The harbour at night")
    first.get_by_role("button", name="Save").click()
    expect(notice(first, texts.SAVED)).to_be_visible()
    second.get_by_role("button", name="Save").click()
    refusal = second.locator(".form-foot").get_by_role("alert")
    expect(refusal).to_contain_text("Mei Lin saved this on")
    with second.context.expect_page() as opened:
        refusal.get_by_role("link", name="Look at that version").click()
    expect(opened.value.get_by_role("textbox", name="Description")).to_have_value("The harbour at dawn")
    expect(second.get_by_role("textbox", name="Description")).to_have_value("The harbour at night")
    refusal.get_by_role("button", name="Overwrite with mine").click()
    expect(notice(second, texts.SAVED)).to_be_visible()
    expect(refusal).to_have_count(0)
    assert stored(wanted).alt == "The harbour at night"
