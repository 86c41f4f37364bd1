"""An address that does not answer with a picture: it is saved, and the form stays open and says so beside the field."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from sitekit.records.pictures.texts import PREVIEW
from tests.e2e.backoffice import company_form
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.picture_uploads import PIXEL, address, field
from tests.e2e.backoffice.steps import notice
from tests.e2e.conftest import Watch

LOGO = "logo_url"
FAILED = "Failed to load resource"
SAVED = "Company updated successfully"


@pytest.mark.spec("IMG-6")
def test_an_address_without_a_picture_is_saved_with_a_warning(
    staff: Staff, watch: Watch, company: Callable[..., str]
) -> None:
    watch.expect(FAILED)
    missing, slug = "https://images.example/none.png", company()
    page = staff().open(company_form.edit(slug))
    page.route(missing, lambda route: route.fulfill(status=404))
    address(page, LOGO).fill(missing)
    company_form.submit(page, "Update Company")
    said = field(page, LOGO).get_by_role("status").filter(has_text=PREVIEW["unanswered"])
    expect(said).to_be_visible()
    expect(notice(page, SAVED)).to_be_visible()
    expect(address(page, LOGO)).to_be_focused()
    assert (company_form.stored(slug).logo_url, company_form.stored(slug).unanswered) == (missing, [missing])
    # It was said: the next save leaves the form, as any other.
    company_form.submit(page, "Update Company")
    page.wait_for_url("**/admin?tab=companies*")
    page.goto(page.url.split("/admin")[0] + company_form.edit(slug))
    expect(said).to_be_visible()
    page.unroute(missing)
    page.route(missing, lambda route: route.fulfill(body=PIXEL))
    page.reload()
    expect(address(page, LOGO)).to_have_value(missing)
    expect(said).to_have_count(0)
    found = field(page, LOGO).get_by_text(PREVIEW["answered"])
    expect(found).to_be_visible()
    page.keyboard.press("Control+s")
    expect(found).to_have_count(0)
    assert company_form.stored(slug).unanswered == []
    # A path of this site, saved with keys while the cursor is in the field.
    address(page, LOGO).fill("/admin")
    page.keyboard.press("Control+s")
    expect(said).to_be_visible()
    assert company_form.stored(slug).logo_url == "/admin"


@pytest.mark.spec("IMG-6")
def test_a_form_waits_for_the_check_of_a_picture_address(staff: Staff, watch: Watch) -> None:
    watch.expect(FAILED)
    late, held = "https://images.example/late.png", list[Route]()
    page = staff(viewport={"width": 360, "height": 800}).open(company_form.NEW)
    page.route(late, lambda route: held.append(route))
    company_form.fill_required(page, name="Kelp Late", slug="kelp-late")
    address(page, LOGO).fill(late)
    company_form.submit(page, "Create Company")
    expect(field(page, LOGO).get_by_text(PREVIEW["checking"])).to_be_visible()
    held[0].fulfill(status=404)
    page.wait_for_url("**/admin/companies/kelp-late/edit")
    page.unroute(late)
    page.route(late, lambda route: route.fulfill(status=404))
    expect(field(page, LOGO).get_by_text(PREVIEW["unanswered"])).to_be_visible()
    assert company_form.stored("kelp-late").logo_url == late


@pytest.mark.spec("IMG-6")
def test_a_silent_picture_host_delays_a_form_only_briefly(staff: Staff, company: Callable[..., str]) -> None:
    silent, slug = "https://images.example/silent.png", company()
    page = staff().open(company_form.edit(slug))
    page.route(silent, lambda _route: None)
    address(page, LOGO).fill(silent)
    company_form.submit(page, "Update Company")
    expect(field(page, LOGO).get_by_text(PREVIEW["unanswered"])).to_be_visible()
    assert company_form.stored(slug).logo_url == silent
