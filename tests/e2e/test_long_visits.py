"""A visitor whose tab the server has forgotten, or does not let in, loses nothing and sends what was typed."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from advisory_site.enquiries import messages as enquiry_messages
from sitekit.base import messages
from tests.e2e.conftest import Site, Watch, _copy, serving
from tests.e2e.contact_form import HOSTILE, enquiries, fill, send
from tests.support.raw_socket import Socket


@pytest.fixture(autouse=True)
def expected(watch: Watch) -> None:
    """The browser complains about a connection that is lost or refused."""
    watch.expect("WebSocket|ERR_|Failed to load resource")


def connected(context: BrowserContext, site: Site) -> Page:
    """The contact page of a visitor who forgot something; with the first event, a public page connects."""
    page = context.new_page()
    page.goto(f"{site.url}/contact")
    fill(page, **{"Last Name": ""})
    send(page)
    expect(page.get_by_role("textbox", name="Last Name")).to_have_accessible_description(
        enquiry_messages.LAST_NAME_MISSING
    )
    return page


@pytest.mark.spec("CON-4")
def test_a_form_is_kept_and_sent_once_after_the_server_dropped_its_state(
    seeded: Path, tmp_path: Path, context: BrowserContext
) -> None:
    folder = _copy(seeded, tmp_path)
    with serving(folder) as site:
        page = connected(context, site)
        port = int(site.url.rsplit(":", 1)[1])
    # A server that has just started knows as little of the tab as one that has forgotten it. It may use the port at
    # once, although connections to it have only just been closed.
    with serving(folder, port=port) as site:
        assert site.process.poll() is None
        expect(page.get_by_role("textbox", name="Message")).to_have_value(HOSTILE)
        page.get_by_role("textbox", name="Last Name").fill("Lee")
        send(page)
        expect(page.locator("#enquiry-sent")).to_be_visible()
        assert enquiries(site) == [("Ann", "ann@example.com", "", HOSTILE)]


@pytest.mark.spec("CON-4", "ROLE-4", "SAY-3")
def test_a_browser_tab_over_the_limit_is_informed_and_can_send_the_contact_form(
    own_site: Callable[..., Site], context: BrowserContext
) -> None:
    site = own_site(SOCKETS_PER_ADDRESS="3")
    sockets = [Socket(site.url) for _ in range(3)]
    page = context.new_page()
    page.goto(f"{site.url}/contact")
    fill(page)
    send(page)
    expect(page.locator("#enquiry-sent")).to_be_visible()
    assert enquiries(site) == [("Ann", "ann@example.com", "", HOSTILE)]
    page.goto(f"{site.url}/auth")
    bar = page.locator(".connection-bar")
    expect(bar).to_contain_text(messages.CONNECTION_FULL)
    sockets.pop().close()
    expect(bar).to_have_text("")
    page.close()
    for socket in sockets:
        socket.close()
