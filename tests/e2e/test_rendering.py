"""Content in the first response: whole, fresh in every process, and the same after the scripts."""

import pytest
from playwright.sync_api import BrowserContext, WebSocketRoute, expect

from sitekit.base.typography import typeset
from tests.e2e.conftest import FirstVisits, Site, Watch, serving, wait_until_painted
from tests.e2e.demo_firm import change, records, remove
from tests.e2e.hydration import wake
from tests.e2e.policy import LISTEN
from tests.e2e.raw_html import read, status
from tests.e2e.sockets import EVENTS, refuse
from tests.support.each import check_each
from tests.support.public_pages import PUBLIC


@pytest.mark.spec("CO-1", "CO-2")
def test_every_active_company_is_in_the_raw_html(site: Site) -> None:
    listed = read(site, "/companies")
    for company in records("companies"):
        if company.get("status", "Active") == "Active":
            assert company["name"] in listed
            assert f'href="/companies/{company["slug"]}"' in listed
            own = read(site, f"/companies/{company['slug']}")
            for field in ("name", "tagline", "description", "legal_entity_name", "registration_number"):
                assert typeset(company.get(field, "")) in own


@pytest.mark.spec("TM-1", "TM-2", "AD-1", "AD-3")
@pytest.mark.parametrize(
    ("name", "lists", "page", "fields"),
    [
        ("team_members", ("/team", "/team-profiles"), "/team-profile/", ("name", "designation", "bio", "email")),
        ("advisors", ("/advisors",), "/advisor/", ("name", "title", "bio", "tagline")),
    ],
)
def test_every_active_person_is_in_the_raw_html(
    site: Site, name: str, lists: tuple[str, ...], page: str, fields: tuple[str, ...]
) -> None:
    for person in records(name):
        if person.get("is_active", True):
            for path in lists:
                assert person["name"] in read(site, path)
            own = read(site, page + person["slug"])
            for field in fields:
                assert typeset(person.get(field) or "") in own


@pytest.mark.spec("ROLE-3")
def test_a_change_appears_in_the_next_page_of_every_process(fresh_site: Site) -> None:
    with serving(fresh_site.data_dir) as other:
        for site in (fresh_site, other):
            assert "Toko Tally" in read(site, "/companies")
            assert "Toko Tally" in read(site, "/companies/toko-tally")
        change(fresh_site.data_dir, name="Warung Ledger")
        for site in (fresh_site, other):
            assert "Warung Ledger" in read(site, "/companies")
            assert "Toko Tally |" not in read(site, "/companies/toko-tally")
        change(fresh_site.data_dir, status="Inactive")
        for site in (fresh_site, other):
            assert "Warung Ledger" not in read(site, "/companies")
            assert status(site, "/companies/toko-tally") == 404
        change(fresh_site.data_dir, status="Active")
        remove(fresh_site.data_dir)
        for site in (fresh_site, other):
            assert "Warung Ledger" not in read(site, "/companies")
            assert status(site, "/companies/toko-tally") == 404


def test_pages_need_no_script_to_be_read_and_no_connection_to_hydrate(first_visits: FirstVisits, site: Site) -> None:
    """With its connection blocked a page reads fully, too; nothing on it is refused by its policy."""

    def check(path: str) -> None:
        with first_visits() as context:
            fetched: list[str] = []

            def cut(socket: WebSocketRoute) -> None:
                fetched.append("websocket")
                refuse(socket)

            context.add_init_script(LISTEN)
            page = context.new_page()
            page.on("request", lambda request: fetched.append(request.resource_type))
            context.route_web_socket(EVENTS, cut)
            page.goto(site.url + path, wait_until="networkidle")
            page.mouse.wheel(0, 2000)
            wait_until_painted(page)
            assert "script" not in fetched
            expect(page.get_by_role("main")).to_be_visible()
            expect(page.get_by_role("heading", level=1)).to_have_count(1)
            before = page.locator("main").text_content()
            assert len(before or "") > 200
            wake(page)
            assert page.locator("main").text_content() == before
            page.get_by_role("button", name="Switch between light and dark").click()
            assert page.evaluate("window.refused") == []
            assert "websocket" not in fetched

    check_each(PUBLIC, check)


NEVER_USED = '<!doctype html><link rel="preload" as="image" href="/favicon.svg?never-used">'


def test_open_pages_cause_no_browser_warnings(first_visit: BrowserContext, site: Site, watch: Watch) -> None:
    """What was loaded and never used, the browser says when some seconds have passed: of the last page as well."""
    watch.expect("never-used")
    watch.allows_slowness = False
    for path in PUBLIC:
        page = first_visit.new_page()
        page.goto(site.url + path)
        wake(page)
    last = first_visit.new_page()
    last.route("**/last", lambda route: route.fulfill(body=NEVER_USED, content_type="text/html"))
    with last.expect_console_message(lambda message: "never-used" in message.text):
        last.goto(f"{site.url}/last")
    watch.check()


def test_a_hydration_mismatch_is_detected(context: BrowserContext, site: Site, watch: Watch) -> None:
    watch.expect(r"Minified React error #4(18|23|25)|aborted|interrupted")
    context.route("**/page-state/**", lambda route: route.fulfill(json={}))
    page = context.new_page()
    page.goto(site.url + "/companies")
    with page.expect_event("pageerror", lambda error: "React error #418" in str(error)):
        wake(page)
