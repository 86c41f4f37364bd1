"""An uploaded picture from the request of a signed-in browser to the pages that visitors see."""

import json
import urllib.error
import urllib.request
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Request, Response, expect

from sitekit.accounts import one_use_links
from sitekit.admin.pictures.uploads import SUBJECT
from sitekit.base import paths
from sitekit.base.db.database import transaction
from sitekit.records.pictures.addresses import key_of
from tests.e2e.conftest import Site
from tests.support import factories
from tests.support.people import person, signed_in
from tests.support.photographs import encoded, landscape, portrait

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 780}, "device_scale_factor": 2}
LARGE = {"portrait": partial(portrait, 2400, 3000), "landscape": partial(landscape, 3000, 2000)}
MOST_BYTES = 25_000
LARGEST_PAINT = """() => new Promise((found) => new PerformanceObserver((list) => found(list.getEntries().at(-1).url))
  .observe({type: "largest-contentful-paint", buffered: true}))"""


@pytest.fixture(scope="module")
def uploaded() -> dict[str, str]:
    """The addresses of the pictures that are uploaded already: encoding one takes seconds."""
    return {}


@pytest.fixture
def upload(uploaded: dict[str, str], site: Site, database: object) -> Callable[[str], str]:
    """Uploads a large picture, once; returns its address."""

    def send(kind: str) -> str:
        if kind not in uploaded:
            token = one_use_links.issue(signed_in(person(f"{kind}@northstrait.example")).access_token, SUBJECT)
            headers = {"authorization": f"Bearer {token}", "x-file-name": "me.jpg"}
            data = encoded(LARGE[kind]())
            request = urllib.request.Request(site.url + paths.ADMIN_UPLOAD, data, headers, method="POST")
            with urllib.request.urlopen(request, timeout=200) as answer:
                uploaded[kind] = json.load(answer)["address"]
        return uploaded[kind]

    return send


def opened(page: Page, url: str) -> dict[str, Response]:
    """Open a page; the uploaded files that it has loaded."""
    loaded: dict[str, Response] = {}

    def note(answer: Response) -> None:
        if "/media/" in answer.url:
            loaded[answer.url] = answer

    page.on("response", note)
    page.goto(url)
    page.wait_for_load_state("networkidle")
    return loaded


def requests_of(page: Page, key: str) -> list[str]:
    """Collects the requests of a page for the files of a picture."""
    urls: list[str] = []

    def note(request: Request) -> None:
        if key in request.url:
            urls.append(request.url)

    page.on("request", note)
    return urls


@pytest.mark.spec("IMG-2")
def test_a_phone_loads_one_small_file_of_a_large_portrait(
    browser: Browser, site: Site, upload: Callable[[str], str]
) -> None:
    address = upload("portrait")
    with transaction() as session:
        slug = factories.add_member(session, name="Photographed Lim", image_url=address).slug
    context = browser.new_context(**PHONE)
    page = context.new_page()
    loaded = opened(page, f"{site.url}/team-profile/{slug}")
    [(url, answer)] = loaded.items()
    assert key_of(address) in url and url.endswith(".avif")
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert len(answer.body()) <= MOST_BYTES
    picture = page.get_by_role("img", name="Portrait of Photographed Lim")
    drawn, stored = picture.evaluate("one => [one.clientWidth * devicePixelRatio, one.naturalWidth * devicePixelRatio]")
    assert stored >= 0.8 * drawn
    assert picture.get_attribute("width") and picture.get_attribute("height")
    context.close()


@pytest.mark.spec("IMG-2")
def test_portraits_of_a_list_are_small_on_a_phone(browser: Browser, site: Site, upload: Callable[[str], str]) -> None:
    addresses = [upload("portrait"), upload("landscape")]
    with transaction() as session:
        for number, address in enumerate(addresses):
            for add in (factories.add_member, factories.add_advisor):
                add(session, name=f"Listed Lim {number}", image_url=address)
    for path in ("/team", "/advisors"):
        context = browser.new_context(**PHONE)
        page = context.new_page()
        loaded = opened(page, site.url + path)
        for number in range(len(addresses)):
            picture = page.get_by_role("img", name=f"Portrait of Listed Lim {number}")
            picture.scroll_into_view_if_needed()
            picture.evaluate("picture => picture.decode()")  # once it is loaded
        sizes = {url: len(answer.body()) for url, answer in loaded.items()}
        assert {key_of(address) for address in addresses} <= {key_of(urlsplit(url).path) for url in sizes}
        assert max(sizes.values()) <= MOST_BYTES
        context.close()


@pytest.mark.spec("IMG-2")
def test_the_largest_picture_of_a_page_is_loaded_first_and_once(
    browser: Browser, site: Site, upload: Callable[[str], str]
) -> None:
    face, cover = upload("portrait"), upload("landscape")
    with transaction() as session:
        member = factories.add_member(session, name="First Lim", image_url=face).slug
        advisor = factories.add_advisor(session, name="Covered Lim", image_url=face, cover_image_url=cover).slug
    for path, key in ((f"/team-profile/{member}", key_of(face)), (f"/advisor/{advisor}", key_of(cover))):
        context = browser.new_context(**PHONE)
        page = context.new_page()
        requests = requests_of(page, key)
        page.goto(site.url + path)
        page.wait_for_load_state("networkidle")
        [url] = requests
        assert page.evaluate(LARGEST_PAINT) == url
        preloads = page.locator("link[rel=preload][as=image]")
        expect(preloads).to_have_count(1)
        expect(preloads).to_have_attribute("fetchpriority", "high")
        context.close()


@pytest.mark.spec("IMG-2", "IMG-6")
def test_the_same_picture_files_are_offered_without_scripts(
    browser: Browser, site: Site, upload: Callable[[str], str]
) -> None:
    address = upload("landscape")
    with transaction() as session:
        slug = factories.add_member(session, name="Plain Lim", image_url=address).slug
    context = browser.new_context(java_script_enabled=False, **PHONE)
    page = context.new_page()
    loaded = opened(page, f"{site.url}/team-profile/{slug}")
    [url] = loaded
    assert key_of(address) in url and url.endswith(".avif")
    expect(page.locator("picture source")).to_have_count(2)
    context.close()
