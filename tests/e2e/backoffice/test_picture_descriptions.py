"""The description of an uploaded picture in the form of a record: asked for, filled in, saved, restored."""

import json
from collections.abc import Callable
from types import ModuleType

import pytest
import sqlalchemy as sa
from playwright.sync_api import Locator, Page, expect

from advisory_site.content import backoffice as words
from advisory_site.content import media_texts
from advisory_site.core.pictures import address_of
from advisory_site.db.database import read_session, transaction
from advisory_site.media.models import Media, columns
from tests.e2e.axe import PHONE, findings_by_width
from tests.e2e.backoffice import advisor_form, company_form, team_dialog
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.picture_uploads import FILE, PIXEL, Endpoint, address, choose
from tests.e2e.backoffice.steps import notice, row, stay
from tests.e2e.conftest import Watch
from tests.support import factories

LOGO = "logo_url"
PORTRAIT = "image_url"
FAILED = "Failed to load resource"
SAVED = "Company updated successfully"


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
    return page.get_by_role("group", name="Logo").get_by_label("Description")


def tick(page: Page) -> Locator:
    return page.get_by_role("group", name="Logo").get_by_label("Decorative")


def upload(page: Page, wanted: str) -> None:
    """Upload a file that is the picture with this address."""
    page.unroute_all()
    Endpoint(page, 200, json.dumps({"address": wanted}))
    choose(page, LOGO)
    expect(address(page, LOGO)).to_have_value(wanted)


@pytest.mark.spec("IMG-3")
def test_an_uploaded_picture_is_described_in_the_form(
    staff: Staff, company: Callable[..., str], picture: Callable[..., str]
) -> None:
    new, known, decorative = picture(alt=""), picture(alt="A kelp farm"), picture(alt="", is_decorative=True)
    slug, other = company(), company()
    page = staff().open(company_form.edit(slug))
    expect(address(page, LOGO)).to_be_visible()
    expect(text(page)).to_have_count(0)
    # A public record is refused until the picture is described, and the cursor is in the description.
    upload(page, new)
    expect(text(page)).to_have_value("")
    stay(page)
    expect(page.get_by_text(media_texts.DESCRIBE)).to_be_visible()
    expect(text(page)).to_be_focused()
    expect(page.locator(".form-wrong").get_by_role("link", name="Logo: Description")).to_be_visible()
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
    assert company_form.stored(slug).logo_url == new
    # The same picture in another record has its description already, and so has any other.
    page.get_by_role("link", name="Cancel").click()
    page.goto(page.url.split("/admin")[0] + company_form.edit(other))
    expect(address(page, LOGO)).to_be_visible()
    upload(page, new)
    expect(text(page)).to_have_value("Two people at a kelp farm")
    address(page, LOGO).fill(decorative)
    expect(tick(page)).to_be_checked()
    expect(text(page)).to_have_value("")
    address(page, LOGO).fill(known)
    expect(text(page)).to_have_value("A kelp farm")
    expect(tick(page)).not_to_be_checked()
    address(page, LOGO).fill("/images/placeholder-company.svg")
    expect(text(page)).to_have_count(0)
    address(page, LOGO).fill(known)
    expect(text(page)).to_have_value("A kelp farm")
    # What a colleague has written meanwhile stays, unless the description is edited here.
    with transaction() as session:
        session.execute(sa.update(Media).where(columns.key == known[7:39]).values(alt="A farm in Changi"))
    stay(page)
    expect(notice(page, SAVED)).to_be_visible()
    expect(text(page)).to_have_value("A farm in Changi")
    assert stored(known).alt == "A farm in Changi"


@pytest.mark.spec("IMG-3")
def test_a_hidden_record_is_saved_and_published_later(
    staff: Staff, company: Callable[..., str], picture: Callable[..., str]
) -> None:
    new = picture(alt="")
    slug = company(name="Kelp Undescribed", status="Inactive")
    page = staff().open(company_form.edit(slug))
    upload(page, new)
    stay(page)
    expect(notice(page, SAVED)).to_be_visible()
    assert (company_form.stored(slug).logo_url, stored(new).alt) == (new, "")
    page.goto(page.url.split("/admin")[0] + "/admin?tab=companies&search=Kelp+Undescribed")
    row(page, "Kelp Undescribed").get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Publish", exact=True).click()
    expect(notice(page, "Not published, because a picture has neither a description")).to_be_visible()
    assert company_form.stored(slug).status == "Inactive"
    # Published in the form, the error is beside the picture, and goes when the record is hidden again.
    page.goto(page.url.split("/admin")[0] + company_form.edit(slug))
    page.get_by_label("Status", exact=True).select_option("Active")
    stay(page)
    expect(page.get_by_text(media_texts.DESCRIBE)).to_be_visible()
    page.get_by_label("Status", exact=True).select_option("Inactive")
    expect(page.get_by_text(media_texts.DESCRIBE)).to_have_count(0)


@pytest.mark.spec("IMG-3")
def test_a_typed_description_survives_a_reload(
    staff: Staff, company: Callable[..., str], picture: Callable[..., str]
) -> None:
    new = picture(alt="", is_decorative=True)
    page = staff().open(company_form.edit(company()))
    page.on("dialog", lambda dialog: dialog.accept())
    upload(page, new)
    expect(tick(page)).to_be_checked()
    tick(page).press("Space")
    text(page).fill("A kelp farm at dawn")
    page.reload()
    expect(page.get_by_text(words.RESTORED)).to_be_visible()
    expect(text(page)).to_have_value("A kelp farm at dawn")
    expect(tick(page)).not_to_be_checked()
    stay(page)
    expect(notice(page, SAVED)).to_be_visible()
    assert (stored(new).alt, stored(new).is_decorative) == ("A kelp farm at dawn", False)


@pytest.mark.spec("IMG-3")
@pytest.mark.parametrize("form", [advisor_form, team_dialog])
def test_the_description_is_accessible_and_fits(
    staff: Staff, watch: Watch, picture: Callable[..., str], form: ModuleType
) -> None:
    watch.expect(FAILED)
    page = staff(viewport=PHONE, bypass_csp=True).open(form.NEW)
    page.route(FILE, lambda route: route.fulfill(body=PIXEL))
    form.fill(page, **form.REQUIRED | {PORTRAIT: picture(alt="")})
    page.keyboard.press("Control+s")
    expect(page.get_by_text(media_texts.DESCRIBE)).to_be_visible()
    assert findings_by_width(page) == []
