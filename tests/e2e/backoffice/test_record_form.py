"""The rail and the foot of a record's form: its page and its picture; on pages and in dialogs."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.backoffice import team_dialog
from tests.e2e.backoffice.company_form import edit, fill
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.steps import notice, stay
from tests.e2e.conftest import Watch

LOGO = "/images/companies/sawit-trace.svg"


def rail(page: Page) -> Locator:
    return page.get_by_role("complementary", name="On the site")


def foot(page: Page) -> Locator:
    return page.locator(".form-foot")


def edges(one: Locator) -> tuple[float, float, float, float]:
    """Left, top, right and bottom in px of the window."""
    box = one.bounding_box()
    assert box
    return box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]


@pytest.mark.spec("ACO-4")
def test_the_side_panel_is_beside_the_fields_only_on_wide_screens(staff: Staff, company: Callable[..., str]) -> None:
    page = staff(viewport={"width": 1100, "height": 800}).open(edit(company()))
    status, name = rail(page).get_by_label("Status", exact=True), page.locator("[name=name]")
    expect(status).to_be_visible()
    assert edges(status)[0] > edges(name)[2]
    page.locator("[name=registration_number]").scroll_into_view_if_needed()
    expect(name).not_to_be_in_viewport()
    assert edges(page.locator(".backoffice-header"))[3] <= edges(status)[1] < edges(page.locator(".form-foot"))[1]
    page.set_viewport_size({"width": 1099, "height": 800})
    assert edges(status)[1] > edges(page.locator("[name=registration_number]"))[3]


@pytest.mark.spec("ACO-4")
def test_a_public_record_links_to_its_page(staff: Staff, company: Callable[..., str]) -> None:
    slug = company(name="Kelp Seen")
    page = staff().open(edit(slug))
    view = page.get_by_role("link", name="View on site")
    with page.context.expect_page() as opened:
        view.click()
    expect(opened.value.get_by_role("heading", name="Kelp Seen", level=1)).to_be_visible()
    assert page.url.endswith(edit(slug))
    page.get_by_label("Status", exact=True).select_option("Exited")
    expect(view).to_be_visible()
    stay(page)
    expect(notice(page, "Company updated successfully")).to_be_visible()
    expect(view).to_have_count(0)


@pytest.mark.spec("ACO-4")
def test_a_picture_is_shown_as_visitors_see_it(staff: Staff, watch: Watch, company: Callable[..., str]) -> None:
    watch.expect("404")
    page = staff().open(edit(company(logo_url=LOGO)))
    field = page.locator("[name=logo_url]")
    picture, missing = (
        page.locator(".picture-logo .picture-shown img"),
        page.get_by_text("There is no picture at this address."),
    )
    expect(picture).to_have_attribute("src", LOGO)
    field.fill("/images/nothing-here.png")
    field.blur()
    expect(picture).to_have_attribute("src", "/images/placeholder-company.svg")
    expect(missing).to_be_visible()
    field.fill("")
    field.blur()
    expect(missing).to_have_count(0)
    expect(picture).to_have_attribute("src", "/images/placeholder-company.svg")
    field.fill(LOGO)
    field.blur()
    expect(picture).to_have_attribute("src", LOGO)
    expect(missing).to_have_count(0)


@pytest.mark.spec("ATM-1")
def test_the_dialog_has_the_same_layout_as_the_form_pages(staff: Staff, database: object) -> None:
    page = staff().open(team_dialog.edit(team_dialog.add(slug="ana-lim")))
    dialog = team_dialog.dialog(page)
    order = dialog.get_by_label("Display order")
    expect(order).to_be_visible()
    left, _, right, _ = edges(dialog)
    assert right - left == 880
    assert edges(order)[0] > edges(team_dialog.field(page, "designation"))[2]
    expect(dialog.locator(".picture-preview img")).to_have_attribute("src", team_dialog.IMAGE)
    view = dialog.get_by_role("link", name="View on site")
    expect(view).to_have_attribute("href", "/team-profile/ana-lim")
    page.set_viewport_size({"width": 360, "height": 740})
    assert edges(order)[1] > edges(team_dialog.field(page, "detailed_bio"))[3]


@pytest.mark.spec("ACO-2", "ACO-4")
def test_the_status_is_chosen_or_typed_and_says_who_sees_the_company(staff: Staff, company: Callable[..., str]) -> None:
    slug = company(name="Curlew", status="On hold")
    page = staff().open(f"/admin/companies/{slug}/edit")
    status, own = page.get_by_label("Status", exact=True), page.get_by_label("Status, in your own words")
    expect(own).to_have_value("On hold")
    status.select_option("Active")
    expect(own).to_be_hidden()
    expect(page.get_by_text("Visitors see this record once it is saved.")).to_be_visible()
    status.select_option("Other...")
    expect(own).to_be_focused()
    own.fill("Sold")
    expect(page.get_by_text("Hidden from visitors once it is saved.")).to_be_visible()
    stay(page)
    expect(notice(page, "Company updated successfully")).to_be_visible()
    expect(page.get_by_role("link", name="View on site")).to_have_count(0)
    page.reload()
    expect(own).to_have_value("Sold")


@pytest.mark.spec("PUB-1")
def test_a_partner_is_chosen_by_name_and_the_choice_survives_a_reload(
    staff: Staff, company: Callable[..., str], watch: Watch
) -> None:
    slug = company(name="Plover")
    page = staff().open(f"/admin/companies/{slug}/edit")
    partner, stage = page.get_by_label("Partner"), page.get_by_label("Stage", exact=True)
    for control in (partner, stage):
        expect(control.locator("option:checked")).to_have_text("None")
    partner.select_option("Adeline Koh")
    stage.select_option("Seed")
    # The draft is written when typing pauses.
    page.wait_for_function("() => Object.values(sessionStorage).some(kept => kept.includes('Seed'))")
    page.reload()
    expect(page.get_by_text("We restored your unsaved changes.")).to_be_visible()
    expect(partner).to_have_value("adeline-koh")
    stay(page)
    expect(notice(page, "Company updated successfully")).to_be_visible()
    page.reload()
    expect(partner.locator("option:checked")).to_have_text("Adeline Koh")
    expect(stage).to_have_value("Seed")


@pytest.mark.spec("ACO-4")
def test_a_form_opens_with_the_record_name_as_focused_heading(staff: Staff, company: Callable[..., str]) -> None:
    slug = company(name="Kelp Named")
    page = staff().open("/admin?tab=companies&search=kelp+named")
    page.get_by_role("link", name="Edit Kelp Named").click()
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("Kelp Named")
    expect(heading).to_be_focused()
    expect(page).to_have_title("Kelp Named | Edit Company")
    expect(page.get_by_text("Edit Company", exact=True)).to_be_visible()
    assert page.url.split("?")[0].endswith(edit(slug))
    page.get_by_role("link", name="Back to Companies").click()
    page.get_by_role("link", name="Add Company").click()
    expect(heading).to_have_text("Add Company")
    expect(heading).to_be_focused()
    expect(page).to_have_title("Add Company")


@pytest.mark.spec("ACO-4", "HIST-4")
def test_the_form_footer_is_one_row_on_a_phone(staff: Staff, company: Callable[..., str]) -> None:
    page = staff(viewport={"width": 360, "height": 740}).open(edit(company()))
    save = page.get_by_role("button", name="Update Company")
    expect(save).to_be_visible()
    _, top, _, bottom = edges(foot(page))
    assert bottom - top <= 72
    expect(page.locator(".form-end").get_by_text("Last saved")).to_be_visible()
    expect(page.get_by_role("banner").get_by_text("employee", exact=True)).to_be_hidden()
    assert edges(page.get_by_text("Admin Dashboard"))[3] - edges(page.get_by_text("Admin Dashboard"))[1] < 30
    fill(page, location="Tuas")
    page.get_by_role("button", name="More actions").click()
    page.get_by_role("menuitem", name="Save and continue").click()
    expect(notice(page, "Company updated successfully")).to_be_visible()
    page.get_by_role("button", name="More actions").click()
    page.get_by_role("menuitem", name="Cancel").click()
    page.wait_for_url("**/admin?tab=companies")


@pytest.mark.spec("ACO-4", "HIST-4")
def test_the_form_footer_is_one_row_on_a_tablet_and_in_a_dialog(staff: Staff, company: Callable[..., str]) -> None:
    colleague = staff(viewport={"width": 768, "height": 1024})
    for path, width in ((edit(company()), 768), (team_dialog.edit(team_dialog.add(name="Footed Tan")), 1280)):
        page = colleague.open(path)
        page.set_viewport_size({"width": width, "height": 1024})
        expect(page.locator(".form-end").get_by_text("Last saved")).to_be_visible()
        _, top, _, bottom = edges(foot(page))
        assert bottom - top <= 80


@pytest.mark.spec("ACO-1")
def test_a_company_is_a_two_line_card_on_a_phone(staff: Staff, company: Callable[..., str]) -> None:
    company(name="Kelp Carded", status="Exited", location="Tuas, Singapore")
    page = staff(viewport={"width": 360, "height": 740}).open("/admin?tab=companies&search=kelp+carded")
    card = page.get_by_role("row").filter(has_text="Kelp Carded")
    for shown in ("Kelp Carded", "Exited", "Tuas, Singapore"):
        expect(card.get_by_text(shown, exact=True)).to_be_visible()
    expect(card.get_by_role("button", name="More actions for Kelp Carded")).to_be_visible()
    expect(card.get_by_text("Aquaculture")).to_be_hidden()
    _, top, _, bottom = edges(card)
    assert bottom - top <= 92
    page.get_by_role("button", name="Account menu").click()
    expect(page.get_by_role("menu").get_by_text("employee", exact=True)).to_be_visible()
