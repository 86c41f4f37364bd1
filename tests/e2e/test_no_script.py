"""A visitor whose browser runs no scripts: reads everything, goes everywhere, writes to the firm."""

import re
import sqlite3
from collections.abc import Callable, Iterator
from io import BytesIO

import pytest
from PIL import Image, ImageChops
from playwright.sync_api import Browser, BrowserContext, Page, expect

from advisory_site import routes
from sitekit.base import paths
from tests.e2e.conftest import Site, Watch


@pytest.fixture
def context(browser: Browser, watch: Watch) -> Iterator[BrowserContext]:
    """A fresh visitor without scripts, on a phone."""
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    context.on("page", watch.on)
    yield context
    context.close()


def fill(page: Page, **fields: str) -> None:
    """Type into the form's fields by their names."""
    for name, text in fields.items():
        page.locator(f"[name={name}]").fill(text)


@pytest.mark.spec("LAY-2")
def test_the_menu_works_without_scripts(visit: Callable[[str], Page]) -> None:
    page = visit("/")
    page.locator("header summary").click()
    page.locator("header").get_by_role("link", name="Advisors").click()
    expect(page).to_have_url(re.compile("/advisors$"))


@pytest.mark.spec("CO-1", "CO-2")
def test_list_and_record_pages_link_to_each_other_without_scripts(visit: Callable[[str], Page]) -> None:
    page = visit("/companies")
    page.get_by_role("link", name="View Details").first.click()
    page.get_by_role("link", name="Back to Companies").first.click()
    expect(page).to_have_url(re.compile("/companies$"))


@pytest.mark.spec("CON-4")
def test_the_form_works_without_scripts(context: BrowserContext, fresh_site: Site) -> None:
    page = context.new_page()
    page.goto(f"{fresh_site.url}/contact")
    fill(page, firstName="Ann", lastName="Lim", email="ann@kelp.example", message="We sell kelp.")
    page.locator("[name=stage]").select_option("scale")
    page.get_by_role("button", name="Send Message").click()
    expect(page.get_by_text("Thank you, Ann.")).to_be_visible()
    expect(page.locator("[name=message]")).to_have_value("")
    with sqlite3.connect(fresh_site.data_dir / "advisory.db") as database:
        assert database.execute("SELECT first_name, stage, message FROM enquiries").fetchall() == [
            ("Ann", "scale", "We sell kelp.")
        ]


@pytest.mark.spec("CON-4")
def test_a_refused_form_keeps_its_text_without_scripts(context: BrowserContext, fresh_site: Site, watch: Watch) -> None:
    watch.expect("422")
    page = context.new_page()
    page.goto(f"{fresh_site.url}/contact")
    fill(page, firstName="Ann", email="ann at kelp", message="<b>We</b> sell kelp.")
    page.locator("[name=stage]").select_option("pmf")
    page.get_by_role("button", name="Send Message").click()
    for name, text in {"firstName": "Ann", "email": "ann at kelp", "message": "<b>We</b> sell kelp."}.items():
        expect(page.locator(f"[name={name}]")).to_have_value(text)
    expect(page.locator("[name=stage]")).to_have_value("pmf")
    expect(page.locator("[name=lastName]")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("[name=firstName]")).to_have_attribute("aria-invalid", "false")


def drawn(context: BrowserContext, site: Site, path: str, picture: str, **addresses: str) -> Image.Image:
    """What a page shows at the place of its first `picture` (a selector), if all records have these addresses."""
    with sqlite3.connect(site.data_dir / "advisory.db", timeout=60) as database:
        for place, address in addresses.items():
            table, column = place.split("__")
            database.execute(f"UPDATE {table} SET {column} = ?", (address,))
        database.execute("UPDATE content_version SET number = number + 1")
    page = context.new_page()
    page.goto(site.url + path, wait_until="load")
    return Image.open(BytesIO(page.locator(picture).first.screenshot())).convert("RGB")


@pytest.mark.spec("IMG-6")
@pytest.mark.parametrize(
    ("path", "picture", "place", "placeholder"),
    [
        ("/advisors", ".portrait", "advisors__image_url", paths.PLACEHOLDER_PERSON),
        ("/companies", ".mark", "companies__logo_url", routes.PLACEHOLDER_COMPANY),
        ("/", ".small-faces img", "team_members__image_url", paths.PLACEHOLDER_PERSON),
    ],
)
def test_a_broken_picture_looks_like_the_placeholder_without_scripts(
    context: BrowserContext, fresh_site: Site, watch: Watch, path: str, picture: str, place: str, placeholder: str
) -> None:
    watch.expect("ERR_NAME_NOT_RESOLVED")
    broken = drawn(context, fresh_site, path, picture, **{place: "https://gone.invalid/picture.png"})
    wanted = drawn(context, fresh_site, path, picture, **{place: placeholder})
    difference = ImageChops.difference(broken, wanted).convert("L").histogram()
    # The edges of the drawing are not the same to the last shade.
    assert sum(difference[64:]) < sum(difference) / 50
