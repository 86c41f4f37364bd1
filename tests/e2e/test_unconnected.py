"""A visitor whose scripts run but whose connection does not: what is sent arrives all the same, once."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, WebSocketRoute, expect

from advisory_site.content.firm import FIRM
from advisory_site.enquiries import messages as enquiry_messages
from sitekit.base import messages
from tests.e2e.conftest import Site, Watch
from tests.e2e.contact_form import HOSTILE, enquiries, fill, send
from tests.e2e.hydration import SETTLED
from tests.e2e.sockets import EVENTS, refuse
from tests.support.outbox import mail_files
from tests.support.waiting import wait_for

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


def opened(context: BrowserContext, site: Site, fault: Callable[[WebSocketRoute], None] = refuse) -> Page:
    """The form, with its scripts awake and this fault in its connection."""
    context.route_web_socket(EVENTS, fault)
    page = context.new_page()
    page.goto(f"{site.url}/contact")
    page.get_by_role("textbox", name="First Name").focus()
    page.locator(SETTLED).wait_for(state="attached")
    return page


def letters(site: Site) -> int:
    """How many mails the firm was sent. The visitor gets one too."""
    return sum(f"\nTo: {FIRM.email}\n" in path.read_text() for path in mail_files(site.data_dir))


@pytest.mark.spec("CON-4")
@pytest.mark.parametrize("fault", [refuse, keep_silent, swallow_the_answers])
def test_a_message_is_sent_once_without_a_socket(
    context: BrowserContext, fresh_site: Site, fault: Callable[[WebSocketRoute], None]
) -> None:
    page = opened(context, fresh_site, fault)
    fill(page)
    page.get_by_role("combobox", name="Stage").select_option("scale")
    page.evaluate(NOTE_BUSY)
    send(page)
    expect(page.locator("#enquiry-sent").get_by_text("Thank you, Ann.")).to_be_visible()
    assert page.evaluate("sessionStorage.getItem('busy')") == "Sending..."
    expect(page.locator("[name=message]")).to_have_value("")
    assert enquiries(fresh_site) == [("Ann", "ann@example.com", "scale", HOSTILE)]
    wait_for(lambda: letters(fresh_site) == 1, "the firm is told", 60)


@pytest.mark.spec("CON-4")
def test_errors_are_shown_beside_the_text_and_a_retry_succeeds(
    context: BrowserContext, fresh_site: Site, watch: Watch
) -> None:
    watch.expect("422")
    page = opened(context, fresh_site)
    fill(page, Email="ann@")
    send(page)
    email = page.get_by_role("textbox", name="Email")
    expect(email).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_text(enquiry_messages.CONTACT_EMAIL_INVALID)).to_be_visible()
    expect(page.get_by_role("textbox", name="Message")).to_have_value(HOSTILE)
    assert enquiries(fresh_site) == []

    email.fill("ann@example.com")
    page.locator(SETTLED).wait_for(state="attached")
    send(page)
    expect(page.locator("#enquiry-sent").get_by_text("Thank you, Ann.")).to_be_visible()
    assert len(enquiries(fresh_site)) == 1
    wait_for(lambda: letters(fresh_site) == 1, "the firm is told", 60)


@pytest.mark.spec("CON-4")
def test_a_message_is_kept_while_the_server_is_unreachable_and_sent_later(
    context: BrowserContext, fresh_site: Site, watch: Watch
) -> None:
    watch.expect("ERR_INTERNET_DISCONNECTED")
    page = opened(context, fresh_site)
    fill(page)
    context.set_offline(True)
    with page.expect_event("requestfailed"):
        send(page)
    expect(page.get_by_role("textbox", name="Message")).to_have_value(HOSTILE)
    expect(page.get_by_role("button", name=messages.WAITING_FOR_CONNECTION)).to_be_disabled()
    expect(page.get_by_role("textbox", name="Message")).not_to_be_editable()
    context.set_offline(False)
    expect(page.locator("#enquiry-sent").get_by_text("Thank you, Ann.")).to_be_visible()
    assert len(enquiries(fresh_site)) == 1


@pytest.mark.spec("CON-4", "SAY-3")
def test_a_message_with_errors_is_not_said_to_wait_for_the_connection(
    context: BrowserContext, fresh_site: Site, watch: Watch
) -> None:
    watch.expect("ERR_INTERNET_DISCONNECTED")
    page = opened(context, fresh_site)
    fill(page, Email="ann@", Message=" ")
    context.set_offline(True)
    send(page)
    email, message = (page.get_by_role("textbox", name=name) for name in ("Email", "Message"))
    incomplete = page.get_by_text(enquiry_messages.ENQUIRY_INCOMPLETE).filter(visible=True)
    expect(page.get_by_text(enquiry_messages.CONTACT_EMAIL_INVALID)).to_be_visible()
    expect(page.get_by_text(enquiry_messages.CONTACT_MESSAGE_MISSING)).to_be_visible()
    expect(email).to_be_focused()
    expect(incomplete).to_have_count(1)
    expect(page.get_by_text(enquiry_messages.ENQUIRY_WAITS)).to_have_count(0)

    email.fill("ann@example.com")
    message.fill(HOSTILE)
    expect(incomplete).to_have_count(0)
    send(page)
    expect(page.get_by_text(enquiry_messages.ENQUIRY_WAITS)).to_be_visible()
    expect(message).to_have_attribute("aria-invalid", "false")
    context.set_offline(False)
    expect(page.locator("#enquiry-sent").get_by_text("Thank you, Ann.")).to_be_visible()
    assert len(enquiries(fresh_site)) == 1


@pytest.mark.spec("CON-4")
def test_the_form_is_sent_even_if_the_scripts_do_not_load(
    context: BrowserContext, fresh_site: Site, watch: Watch
) -> None:
    watch.expect("Failed to load resource|Failed to fetch dynamically imported module")
    context.route("**/assets/*.js", lambda route: route.abort())
    page = context.new_page()
    page.goto(f"{fresh_site.url}/contact")
    fill(page)
    send(page)
    expect(page.locator("#enquiry-sent").get_by_text("Thank you, Ann.")).to_be_visible()
    assert len(enquiries(fresh_site)) == 1
