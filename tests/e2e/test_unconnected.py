"""A visitor whose scripts run but whose connection does not: what is sent arrives all the same, once."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, WebSocketRoute, expect

from advisory_site.content import messages
from tests.e2e.conftest import Site, Watch
from tests.e2e.contact_form import HOSTILE, enquiries, fill, send
from tests.e2e.hydration import SETTLED
from tests.e2e.sockets import EVENTS, refuse

# The button is busy for seconds only, and on a busy machine they may be over before a test has looked.
NOTE_BUSY = """new MutationObserver(() => {
    const busy = document.querySelector("main button:disabled");
    if (busy) sessionStorage.setItem("busy", busy.textContent);
}).observe(document.body, { subtree: true, childList: true, attributes: true })"""


def keep_silent(socket: WebSocketRoute) -> None:
    """The connection is made, and nobody speaks."""


def swallow_the_answers(socket: WebSocketRoute) -> None:
    """What is sent arrives; the answers are lost from then on."""
    server, is_sent = socket.connect_to_server(), False

    def up(message: str | bytes) -> None:
        nonlocal is_sent
        is_sent = is_sent or "contact_state.send" in str(message)
        server.send(message)

    def down(message: str | bytes) -> None:
        if not is_sent:
            socket.send(message)

    socket.on_message(up)
    server.on_message(down)


def opened(context: BrowserContext, site: Site) -> Page:
    """The form, with its scripts awake."""
    page = context.new_page()
    page.goto(f"{site.url}/contact")
    page.get_by_role("textbox", name="First Name").focus()
    page.locator(SETTLED).wait_for(state="attached")
    return page


def letters(site: Site) -> int:
    """How many mails the firm was sent."""
    return len(list((site.data_dir / "outbox").glob("[!.]*.eml")))


@pytest.mark.spec("CON-4")
@pytest.mark.parametrize("fault", [refuse, keep_silent, swallow_the_answers])
def test_a_message_arrives_once_and_is_thanked_for(
    context: BrowserContext, fresh_site: Site, fault: Callable[[WebSocketRoute], None]
) -> None:
    context.route_web_socket(EVENTS, fault)
    page = opened(context, fresh_site)
    fill(page)
    page.get_by_role("combobox", name="Stage").select_option("scale")
    page.evaluate(NOTE_BUSY)
    send(page)
    expect(page.locator("main").get_by_text(messages.ENQUIRY_SENT)).to_be_visible()
    assert page.evaluate("sessionStorage.getItem('busy')") == "Sending..."
    expect(page.get_by_role("textbox", name="Message")).to_have_value("")
    assert enquiries(fresh_site) == [("Ann", "ann@example.com", "scale", HOSTILE)]
    assert letters(fresh_site) == 1


@pytest.mark.spec("CON-4")
def test_what_hinders_is_said_beside_what_was_typed_and_the_next_try_arrives(
    context: BrowserContext, fresh_site: Site, watch: Watch
) -> None:
    watch.expect("422")
    context.route_web_socket(EVENTS, refuse)
    page = opened(context, fresh_site)
    fill(page, Email="ann@")
    send(page)
    email = page.get_by_role("textbox", name="Email")
    expect(email).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_text(messages.CONTACT_EMAIL_INVALID)).to_be_visible()
    expect(page.get_by_role("textbox", name="Message")).to_have_value(HOSTILE)
    assert enquiries(fresh_site) == []

    email.fill("ann@example.com")
    page.locator(SETTLED).wait_for(state="attached")
    send(page)
    expect(page.locator("main").get_by_text(messages.ENQUIRY_SENT)).to_be_visible()
    assert len(enquiries(fresh_site)) == letters(fresh_site) == 1


@pytest.mark.spec("CON-4")
def test_out_of_reach_nothing_is_lost_and_it_is_sent_when_the_way_is_free(
    context: BrowserContext, fresh_site: Site, watch: Watch
) -> None:
    watch.expect("ERR_INTERNET_DISCONNECTED")
    context.route_web_socket(EVENTS, refuse)
    page = opened(context, fresh_site)
    fill(page)
    context.set_offline(True)
    with page.expect_event("requestfailed"):
        send(page)
    expect(page.get_by_role("textbox", name="Message")).to_have_value(HOSTILE)
    expect(page.get_by_role("button", name=messages.WAITING_FOR_CONNECTION)).to_be_disabled()
    context.set_offline(False)
    expect(page.locator("main").get_by_text(messages.ENQUIRY_SENT)).to_be_visible()
    assert len(enquiries(fresh_site)) == 1


@pytest.mark.spec("CON-4")
def test_without_the_scripts_coming_the_button_sends_all_the_same(
    context: BrowserContext, fresh_site: Site, watch: Watch
) -> None:
    watch.expect("Failed to load resource|Failed to fetch dynamically imported module")
    context.route("**/assets/*.js", lambda route: route.abort())
    page = context.new_page()
    page.goto(f"{fresh_site.url}/contact")
    fill(page)
    send(page)
    expect(page.locator("main").get_by_text(messages.ENQUIRY_SENT)).to_be_visible()
    assert len(enquiries(fresh_site)) == 1
