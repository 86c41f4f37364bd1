"""What staff see while they wait: a spinner for the session and for a record, bones for lists and numbers."""

import os
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Route, expect

from tests.e2e.backoffice.conftest import Staff
from tests.e2e.conftest import Site

CHAKRA = re.compile(r"/assets/chakra-[^/]*\.js")


@contextmanager
def standing_still(site: Site) -> Iterator[None]:
    """The server answers nothing, though it is there."""
    os.killpg(site.process.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.killpg(site.process.pid, signal.SIGCONT)


@pytest.mark.spec("ADM-2")
def test_a_spinner_is_shown_while_the_session_loads(staff: Staff) -> None:
    colleague = staff()
    page = colleague.context.new_page()
    page.route_web_socket(re.compile("_event"), lambda _socket: None)
    page.goto(colleague.site.url + "/admin?tab=companies")
    expect(page.locator(".avatar-button .backoffice-spinner")).to_be_visible()
    expect(page.get_by_role("tab", name="Companies")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("link", name="Add company")).to_be_hidden()
    page.goto(colleague.site.url + "/admin/profile")
    expect(page.get_by_role("main").locator(".backoffice-spinner")).to_be_visible()


@pytest.mark.spec("ACO-4")
def test_a_spinner_is_shown_while_a_record_loads(staff: Staff, site: Site, company: Callable[..., str]) -> None:
    company(name="Slow to Come")
    page = staff().open("/admin?tab=companies&search=slow+to+come")
    edit = page.get_by_role("link", name="Edit Slow to Come")
    edit.click()
    expect(page.locator("[name=name]")).to_be_visible()
    page.get_by_role("link", name="Back to Companies").click()
    expect(page.get_by_role("row").nth(1)).to_be_visible()
    with standing_still(site):
        page.get_by_role("link", name="Edit").first.click()
        expect(page.locator("[name=name]").or_(page.locator(".backoffice-spinner"))).to_be_visible()
    expect(page.locator("[name=name]")).to_be_visible()


@pytest.mark.spec("DASH-3")
def test_skeletons_are_shown_while_numbers_and_rows_load(staff: Staff, site: Site) -> None:
    page = staff().open("/admin?tab=users")
    expect(page.get_by_role("row").nth(1)).to_be_visible()
    with standing_still(site):
        page.get_by_role("tab", name="Dashboard").click()
        expect(page.get_by_text("Registered in the system")).to_be_visible()
        assert page.locator(".tiles .backoffice-bone").count() == 4
        assert page.locator(".work-panel").filter(has=page.locator(".backoffice-bone")).count() == 4
        page.get_by_role("tab", name="Companies").click()
        expect(page.locator("[data-bone]").first).to_be_visible()
    expect(page.get_by_role("row").nth(1)).to_be_visible()
    expect(page.locator(".backoffice-bone")).to_have_count(0)


def test_menus_and_dialogs_come_after_the_rows(staff: Staff, company: Callable[..., str]) -> None:
    """What gives them their behaviour is larger than the list: nobody waits for it, and an early press counts."""
    company(name="Early Bird")
    colleague = staff()
    page = colleague.context.new_page()
    held: list[Route] = []
    page.route(CHAKRA, lambda route: held.append(route))
    menu = page.get_by_role("button", name="More actions for Early Bird")
    with page.expect_request(CHAKRA):
        page.goto(colleague.site.url + "/admin?tab=companies&search=early+bird")
        menu.click()
    expect(menu).to_have_attribute("aria-expanded", "false")
    for route in held:
        route.continue_()
    expect(page.get_by_role("menuitem").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(menu).to_be_focused()
