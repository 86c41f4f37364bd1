"""The states in which records are found, changed, compared, shared and deleted; a part of the table in `states.py`."""

import io
from collections.abc import Iterator
from datetime import timedelta

from PIL import Image
from playwright.sync_api import expect

from advisory_site.companies.service import COMPANIES
from advisory_site.content import home
from sitekit.base import paths
from sitekit.base.db.database import now, transaction
from sitekit.base.permissions import Role
from sitekit.records.pictures.addresses import address_of
from sitekit.records.proposals import ProposalState
from tests.e2e.backoffice import advisor_form, company_form, team_dialog
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.picture_uploads import FILE, Endpoint, bring, field
from tests.e2e.backoffice.steps import question, reply, row
from tests.e2e.walks import State, Walk, settled
from tests.support import factories

PORTRAIT = "image_url"
LIST = "/admin?tab=companies&search="


def finder_and_keys(staff: Staff) -> Iterator[State]:
    page = settled(staff(bypass_csp=True).open(f"{LIST}tech"))
    page.get_by_role("button", name="Find anything").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("combobox").fill("a")
    expect(dialog.get_by_role("option").first).to_be_visible()
    yield State("the finder", page, page.locator(".finder"))
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys that work here")).to_be_visible()
    yield State("the keys of a page", page)


def selected_and_deleted_rows(staff: Staff) -> Iterator[State]:
    with transaction() as session:
        factories.add_company(session, **factories.company_form(name="Selectable Tea"))
    admin = staff(Role.ADMIN, bypass_csp=True)
    page = admin.open(f"{LIST}selectable")
    box = page.get_by_role("checkbox", name="Select Selectable Tea")
    expect(box).to_be_enabled()
    box.click(force=True)
    expect(page.get_by_role("region", name="Selected records")).to_be_visible()
    yield State("a selected row", page)
    page = admin.open(f"{LIST}selectable")
    page.get_by_role("button", name="More actions for Selectable Tea").click()
    page.get_by_role("menuitem", name="Delete").click()
    expect(question(page).get_by_role("button", name="Cancel")).to_be_focused()
    yield State("the question before a deletion", page)
    reply(page, yes=True)
    expect(row(page, "Selectable Tea")).to_have_count(0)
    page = admin.open("/admin/trash")
    expect(row(page, "Selectable Tea")).to_be_visible()
    yield State("a deleted record", page)


def draft(staff: Staff) -> Iterator[State]:
    with transaction() as session:
        company = factories.add_company(session, **factories.company_form(name="Drafted Kelp"))
        times = {"state": ProposalState.SCHEDULED, "publish_at": now() + timedelta(days=300)}
        inputs = {"name": "Sea Grass", "industry": "Deep-sea farming"}
        number = factories.id_of(factories.add_draft(session, company, inputs=inputs, **times))
        slug = company.slug
    colleague = staff(bypass_csp=True)
    page = colleague.open(company_form.edit(slug))
    expect(page.locator(".form-draft")).to_contain_text("Publishes")
    yield State("a scheduled draft", page)
    page = colleague.open(paths.preview_page(number))
    expect(page.frame_locator("iframe").get_by_role("heading", name="Sea Grass", level=1)).to_be_visible()
    yield State("the preview of a draft", page)
    page = colleague.open(paths.preview_page(number))
    page.get_by_role("link", name="Share").click()
    page.get_by_role("dialog").get_by_role("button", name="Create link").click()
    expect(page.get_by_role("dialog").locator("code")).to_be_visible()
    yield State("the link to a preview", page, page.locator(".chakra-modal__body"))


def versions(staff: Staff) -> Iterator[State]:
    long = " ".join(f"Word{number}" for number in range(200))
    fields = {"name": "Compared Kelp", "detailed_description": f"{long} end.", "logo_url": "", "services": ["Farms"]}
    with transaction() as session:
        wei = factories.add_actor(session)
        company = factories.id_of(factories.add_company(session, **factories.company_form(**fields)))
        form = COMPANIES.get_stored(session, wei, company)
        assert form is not None
        typed = {
            "detailed_description": f"{long} stop.",
            "services": "Feed",
            "founded": "2001",
            "logo_url": "/images/treacle-tech.svg",
        }
        inputs = form.inputs()
        COMPANIES.update(session, wei, company, COMPANIES.data_class.read(inputs | typed, inputs), form.version)
    page = staff(bypass_csp=True).open(f"/admin/history/companies/{company}?from=1&to=2")
    expect(page.locator(".compare-field")).to_have_count(4)
    page.locator(".compare-field summary").press("Enter")
    expect(page.get_by_text("Word50")).to_be_visible()
    yield State("two versions of a record", page)


def page_texts(staff: Staff) -> Iterator[State]:
    manager = staff(Role.MANAGER, bypass_csp=True)
    yield State("the texts of all pages", settled(manager.open(paths.ADMIN_TEXTS)))
    page = manager.open(f"{paths.ADMIN_PAGE_TEXTS}?at=/")
    page.get_by_role("link", name=home.HERO.text).click()
    expect(page.get_by_role("textbox", name="Text")).to_be_focused()
    yield State("a text of a page", page)


def crop_frame(staff: Staff) -> Iterator[State]:
    with transaction() as session:
        picture = factories.add_picture(session, width=1600, height=1000)
        address = address_of(picture.key, picture.width)
    member = team_dialog.add(name="Cropped Tan", image_url=address)
    wide = io.BytesIO()
    Image.new("RGB", (16, 10), "teal").save(wide, "PNG")
    page = staff(bypass_csp=True).open("/admin/profile")  # where the answers for its pictures can be set
    page.route(FILE, lambda route: route.fulfill(body=wide.getvalue()))
    page.goto(page.url.replace("/admin/profile", team_dialog.edit(member)))
    expect(page.get_by_role("slider", name="Visible part")).to_be_visible()
    yield State("the frame that crops a portrait", page)


def uploads(staff: Staff) -> Iterator[State]:
    colleague = staff(bypass_csp=True)
    for place, path in (("form", advisor_form.NEW), ("dialog", f"{team_dialog.NEW}&search=none")):
        page = colleague.open(path)
        endpoint = Endpoint(page, None)
        bring(field(page, PORTRAIT), "drop")
        expect(field(page, PORTRAIT).get_by_text("Uploading...")).to_be_visible()
        yield State(f"an upload in a {place}", page)
        endpoint.respond(503, "")
        expect(field(page, PORTRAIT).get_by_role("alert")).to_be_visible()
        yield State(f"a failed upload in a {place}", page)


RECORDS: tuple[Walk, ...] = (
    finder_and_keys,
    selected_and_deleted_rows,
    draft,
    versions,
    page_texts,
    crop_frame,
    uploads,
)
