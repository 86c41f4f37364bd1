"""The description of an uploaded cover in the form of an advisor: asked for, filled in, saved, restored."""

import json
from collections.abc import Callable

import pytest
import sqlalchemy as sa
from playwright.sync_api import Locator, Page, expect

from sitekit.admin import texts as admin_texts
from sitekit.base.db.database import read_session, transaction
from sitekit.records.pictures import texts as media_texts
from sitekit.records.pictures.addresses import address_of
from sitekit.records.pictures.models import Media, columns
from sitekit.records.pictures.texts import PREVIEW
from tests.e2e.backoffice import advisor_form
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.picture_uploads import Endpoint, address, button, choose
from tests.e2e.backoffice.steps import notice, stay
from tests.support import factories

COVER = "cover_image_url"
FAILED = "Failed to load resource"
SAVED = "Advisor updated successfully"


@pytest.fixture
def picture(database: object) -> Callable[..., str]:
    """Stores an uploaded picture; returns its address."""

    def add(**fields: object) -> str:
        with transaction() as session:
            media = factories.add_picture(session, **fields)
            return address_of(media.key, media.width)

    return add


def stored(address: str) -> Media:
    with read_session() as session:
        media: Media = session.execute(sa.select(Media).where(columns.key == address[7:39])).scalar_one()
        return media


def text(page: Page) -> Locator:
    return page.get_by_role("group", name="Cover").get_by_role("textbox", name="Description")


def tick(page: Page) -> Locator:
    return page.get_by_role("group", name="Cover").get_by_label("Decorative")


def upload(page: Page, wanted: str) -> None:
    """Upload a file that is the picture with this address."""
    page.unroute_all()
    Endpoint(page, 200, json.dumps({"address": wanted}))
    choose(page, COVER)
    expect(address(page, COVER)).to_have_value(wanted)


@pytest.mark.spec("IMG-3")
def test_an_uploaded_cover_can_be_described_in_the_form(staff: Staff, picture: Callable[..., str]) -> None:
    new, known, decorative = picture(alt=""), picture(alt="A kelp farm"), picture(alt="", is_decorative=True)
    advisor, other = advisor_form.add(), advisor_form.add()
    page = staff().open(advisor_form.edit(advisor))
    expect(address(page, COVER)).to_be_visible()
    expect(text(page)).to_have_count(0)
    # A public record is refused until the picture is described, and the cursor is in the description.
    upload(page, new)
    expect(text(page)).to_have_value("")
    label = page.locator(".picture-description label").first
    expect(label).to_have_text("Description*")
    expect(text(page)).to_have_attribute("aria-required", "true")
    tick(page).press("Space")
    expect(label.locator("[role=presentation]")).to_be_hidden()
    expect(text(page)).to_have_attribute("aria-required", "false")
    tick(page).press("Space")
    stay(page)
    expect(page.get_by_text(media_texts.DESCRIBE)).to_be_visible()
    expect(text(page)).to_be_focused()
    expect(page.locator(".form-wrong").get_by_role("link", name="Cover: Description")).to_be_visible()
    page.keyboard.type("IMG_2041")
    expect(page.get_by_text(media_texts.NOT_A_FILE_NAME)).to_be_visible()
    text(page).fill("")
    expect(page.get_by_text(media_texts.DESCRIBE)).to_be_visible()
    tick(page).press("Space")
    expect(page.locator("[aria-invalid=true]")).to_have_count(0)
    tick(page).press("Space")
    text(page).fill("Two people at a kelp farm")
    expect(page.locator("[aria-invalid=true]")).to_have_count(0)
    stay(page)
    expect(notice(page, SAVED)).to_be_visible()
    assert (stored(new).alt, stored(new).is_decorative) == ("Two people at a kelp farm", False)
    assert advisor_form.stored(advisor).cover_image_url == new
    # The same picture in another record has its description already, and so has any other.
    page.get_by_role("link", name="Cancel").click()
    page.goto(page.url.split("/admin")[0] + advisor_form.edit(other))
    expect(address(page, COVER)).to_be_visible()
    upload(page, new)
    expect(text(page)).to_have_value("Two people at a kelp farm")
    expect(address(page, COVER)).to_be_hidden()
    button(page, COVER, PREVIEW["address"]).click()
    address(page, COVER).fill(decorative)
    expect(tick(page)).to_be_checked()
    expect(text(page)).to_have_value("")
    address(page, COVER).fill(known)
    expect(text(page)).to_have_value("A kelp farm")
    expect(tick(page)).not_to_be_checked()
    address(page, COVER).fill("/images/placeholder-person.svg")
    expect(text(page)).to_have_count(0)
    address(page, COVER).fill(known)
    expect(text(page)).to_have_value("A kelp farm")
    # What a colleague has written meanwhile stays, unless the description is edited here.
    with transaction() as session:
        session.execute(sa.update(Media).where(columns.key == known[7:39]).values(alt="A farm in Changi"))
    stay(page)
    expect(notice(page, SAVED)).to_be_visible()
    expect(text(page)).to_have_value("A farm in Changi")
    assert stored(known).alt == "A farm in Changi"


@pytest.mark.spec("IMG-3")
def test_a_hidden_record_without_a_description_is_saved_and_published_later(
    staff: Staff, picture: Callable[..., str]
) -> None:
    new, advisor = picture(alt=""), advisor_form.add(name="Omar Undescribed", is_active=False)
    page = staff().open(advisor_form.edit(advisor))
    upload(page, new)
    stay(page)
    expect(notice(page, SAVED)).to_be_visible()
    assert (advisor_form.stored(advisor).cover_image_url, stored(new).alt) == (new, "")
    page.goto(page.url.split("/admin")[0] + advisor_form.TAB + "&search=Omar+Undescribed")
    page.get_by_role("button", name="More actions for Omar Undescribed").click()
    page.get_by_role("menuitem", name="Publish", exact=True).click()
    expect(notice(page, "Not published, because a picture has no description")).to_be_visible()
    assert not advisor_form.stored(advisor).is_active
    # Published in the form, the error is beside the picture, and goes when the record is hidden again.
    page.goto(page.url.split("/admin")[0] + advisor_form.edit(advisor))
    advisor_form.field(page, "is_active").press("Space")
    stay(page)
    expect(page.get_by_text(media_texts.DESCRIBE)).to_be_visible()
    advisor_form.field(page, "is_active").press("Space")
    expect(page.get_by_text(media_texts.DESCRIBE)).to_have_count(0)


@pytest.mark.spec("IMG-3")
def test_a_typed_description_survives_a_reload(staff: Staff, picture: Callable[..., str]) -> None:
    new = picture(alt="", is_decorative=True)
    page = staff().open(advisor_form.edit(advisor_form.add()))
    page.on("dialog", lambda dialog: dialog.accept())
    upload(page, new)
    expect(tick(page)).to_be_checked()
    tick(page).press("Space")
    text(page).fill("A kelp farm at dawn")
    page.reload()
    expect(page.get_by_text(admin_texts.RESTORED)).to_be_visible()
    expect(text(page)).to_have_value("A kelp farm at dawn")
    expect(tick(page)).not_to_be_checked()
    stay(page)
    expect(notice(page, SAVED)).to_be_visible()
    assert (stored(new).alt, stored(new).is_decorative) == ("A kelp farm at dawn", False)
