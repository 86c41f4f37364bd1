"""A picture from a file of staff to the page of visitors, through the real endpoint."""

from collections.abc import Callable

import pytest
from playwright.sync_api import FilePayload, expect

from sitekit.records.pictures.addresses import key_of
from tests.e2e.backoffice import company_form
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.picture_uploads import ADDED, address, choose, field
from tests.e2e.backoffice.steps import notice, stay
from tests.support.photographs import encoded, portrait

LOGO = "logo_url"


@pytest.mark.spec("IMG-1", "IMG-2")
def test_an_uploaded_picture_is_shown_to_visitors(staff: Staff, company: Callable[..., str]) -> None:
    slug = company(name="Kelp Photographed")
    page = staff().open(company_form.edit(slug))
    photo: FilePayload = {"name": "Küche.jpg", "mimeType": "image/jpeg", "buffer": encoded(portrait(1200, 1200))}
    choose(page, LOGO, photo)
    expect(field(page, LOGO).get_by_text(ADDED)).to_be_visible()
    shown = field(page, LOGO).locator(".picture-preview img")
    expect(shown).to_have_js_property("naturalWidth", 960)
    stay(page)
    expect(notice(page, "Company updated successfully")).to_be_visible()
    stored = company_form.stored(slug).logo_url
    assert key_of(stored) and stored == address(page, LOGO).input_value()
    visitor = staff(java_script_enabled=False).open(f"/companies/{slug}")
    picture = visitor.locator(f"img[src='{stored}']").first
    picture.scroll_into_view_if_needed()
    expect(picture).to_have_js_property("complete", True)
    # The placeholder of a missing picture is no square.
    expect(picture).to_have_attribute("alt", "Logo of Kelp Photographed")
    assert picture.evaluate("one => one.naturalWidth > 0 && one.naturalWidth === one.naturalHeight")
