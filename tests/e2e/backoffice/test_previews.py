"""A draft before it is published: seen by staff in a frame, and by somebody with the link, in real browsers."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from sitekit.base import paths
from sitekit.base.db.database import transaction
from tests.e2e.axe import PHONE
from tests.e2e.backoffice.company_form import stored
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.steps import notice, reply
from tests.e2e.conftest import LAPTOP, Site
from tests.support.factories import add_draft, id_of

pytestmark = pytest.mark.spec("DRAFT-6", "DRAFT-7", "DRAFT-8")
BAR = "Preview, not published"
GONE = "This preview is not available any more."


@pytest.fixture
def draft(company: Callable[..., str]) -> int:
    """The draft of a company that would be called Sea Grass and have another industry."""
    record = stored(company(industry="Aquaculture"))
    with transaction() as session:
        return id_of(add_draft(session, record, inputs={"name": "Sea Grass", "industry": "Deep-sea farming"}))


def choose(page: Page, group: str, option: str) -> None:
    page.get_by_role("navigation", name=group, exact=True).get_by_role("link", name=option, exact=True).click()


@pytest.mark.parametrize("size", [PHONE, LAPTOP["viewport"]], ids=["phone", "laptop"])
def test_staff_see_a_draft_as_visitors_would_and_share_it(
    staff: Staff, draft: int, browser: Browser, site: Site, size: ViewportSize
) -> None:
    page = staff(viewport=size).open(paths.preview_page(draft))
    expect(page.get_by_role("heading", name="Preview of Sea Grass")).to_be_visible()
    frame = page.frame_locator("iframe")
    expect(frame.get_by_text(BAR)).to_be_visible()
    expect(frame.get_by_role("heading", name="Sea Grass", level=1)).to_be_visible()
    choose(page, "Page", "Companies")
    expect(frame.get_by_role("link", name="Sea Grass")).to_be_visible()
    if size["width"] > 360:  # a phone has one width
        choose(page, "Width", "360")
    expect(page.locator("iframe")).to_have_js_property("clientWidth", 360)
    choose(page, "Theme", "Dark")
    expect(frame.locator("html.dark")).to_be_attached()
    frame.get_by_role("link", name="Sea Grass").click()
    expect(frame.get_by_role("heading", name="Sea Grass", level=1)).to_be_visible()
    expect(frame.locator("html.dark")).to_be_attached()

    page.get_by_role("link", name="Share").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Create link").click()
    expect(notice(page, "Link ready.")).to_be_visible()
    link = dialog.locator("code").inner_text()
    assert link.startswith(f"{site.url}/preview/")
    guest = browser.new_page(viewport=size)
    guest.goto(link)
    expect(guest.get_by_role("heading", name="Sea Grass", level=1)).to_be_visible()
    guest.get_by_role("link", name="Home").first.click()
    expect(guest.get_by_text(BAR)).to_be_visible()
    assert guest.url.startswith(f"{link}?page=home")
    guest.close()

    page.reload()
    expect(dialog.get_by_text("Opened 2 times")).to_be_visible()
    dialog.get_by_role("button", name="Revoke").click()
    assert reply(page, yes=True).startswith("Revoke this link?")
    expect(dialog.get_by_text("; revoked")).to_be_visible()
    guest = browser.new_page(viewport=size)
    guest.goto(link)
    expect(guest.get_by_text(GONE)).to_be_visible()
    guest.close()
    assert link.rpartition("/")[2] not in site.log
