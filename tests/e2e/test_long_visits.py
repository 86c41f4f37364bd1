"""A visitor whose tab the server has forgotten, or does not let in, loses nothing and sends what was typed."""

from collections.abc import Callable
from pathlib import Path

import pytest
import socketio
from playwright.sync_api import BrowserContext, Page, expect

from advisory_site.content import messages
from tests.e2e.conftest import Site, Watch, _copy, serving
from tests.e2e.contact_form import HOSTILE, enquiries, fill, send
from tests.support.raw_socket import Socket
from tests.support.waiting import wait_for


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
    expect(page.get_by_role("textbox", name="Last Name")).to_have_accessible_description(messages.LAST_NAME_MISSING)
    return page


@pytest.mark.spec("CON-4")
def test_a_form_is_kept_and_sent_once_when_the_server_has_forgotten_its_tab(
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
        expect(page.locator("#enquiry-sent")).to_be_visible(timeout=30_000)
        assert enquiries(site) == [("Ann", "ann@example.com", "", HOSTILE)]


@pytest.mark.spec("CON-4", "ROLE-4")
def test_an_address_holds_so_many_sockets_and_who_is_not_let_in_sends_the_form_all_the_same(
    own_site: Callable[..., Site], context: BrowserContext
) -> None:
    site = own_site(SOCKETS_PER_ADDRESS="3")
    sockets = [Socket(site.url) for _ in range(3)]
    assert not is_let_in(site)
    page = context.new_page()
    page.goto(f"{site.url}/contact")
    fill(page)
    send(page)
    expect(page.locator("#enquiry-sent")).to_be_visible(timeout=30_000)
    assert enquiries(site) == [("Ann", "ann@example.com", "", HOSTILE)]
    page.close()
    sockets.pop().close()
    wait_for(lambda: is_let_in(site), "the server has noticed that a socket is closed", 10)
    for socket in sockets:
        socket.close()


def is_let_in(site: Site) -> bool:
    """Whether a socket more is let in."""
    try:
        Socket(site.url).close()
    except socketio.exceptions.ConnectionError:
        return False
    return True
