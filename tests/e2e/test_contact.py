"""A visitor writes to the firm, in a real browser."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from advisory_site.enquiries import messages
from tests.e2e.clocks import pause_clock
from tests.e2e.conftest import Site, Watch, wait_until_painted
from tests.e2e.contact_form import HOSTILE, enquiries, fill, send
from tests.e2e.low_windows import covered_fields
from tests.support.outbox import mail_files
from tests.support.waiting import wait_for


@pytest.fixture
def form(fresh_site: Site, context: BrowserContext, watch: Watch) -> Page:
    # A form that the socket does not take up in four seconds, as on a loaded machine, would be posted plainly. It asks
    # before whether the site can be reached.
    watch.expect("503")
    page = context.new_page()
    page.route("**/contact", lambda asked: asked.fulfill(status=503) if is_ping(asked) else asked.fallback())
    page.goto(f"{fresh_site.url}/contact")
    wait_until_connected(page)
    return page


def is_ping(route: Route) -> bool:
    return route.request.method == "OPTIONS"


def wait_until_connected(page: Page) -> None:
    """The hidden id comes over the websocket."""
    expect(page.locator("input[name=submission]")).not_to_have_value("")


def expect_thanks(page: Page) -> None:
    expect(page.locator("#enquiry-sent")).to_be_visible()


@pytest.mark.spec("CON-4", "ENQ-9")
def test_a_message_is_acknowledged_stored_as_typed_and_mailed(form: Page, fresh_site: Site) -> None:
    fill(form)
    form.get_by_role("combobox", name="Stage").select_option("scale")
    send(form)
    thanks = form.locator("#enquiry-sent")
    expect(thanks).to_contain_text(re.compile(r"Thank you, Ann\. One of the three above replies by \w+day, \d+ \w+\."))
    expect(thanks).to_contain_text("We have sent this to ann@example.com.")
    expect(thanks.get_by_role("link", name="Rather talk?")).to_be_visible()
    expect(thanks).to_be_focused()
    expect(form.locator("[name=message]")).to_be_hidden()
    expect(form.locator("[name=message]")).to_have_value("")
    expect(form.locator("[name=stage]")).to_have_value("")
    assert enquiries(fresh_site) == [("Ann", "ann@example.com", "scale", HOSTILE)]
    # To the firm, and that it has arrived to the visitor.
    wait_for(lambda: len(mail_files(fresh_site.data_dir)) == 2, "both mails are sent", 60)


@pytest.mark.spec("CON-4", "CON-5")
def test_pressing_enter_sends_the_form(form: Page, fresh_site: Site) -> None:
    expect(form.get_by_role("textbox", name="Website")).to_have_count(0)  # it is for bots
    fill(form)
    form.get_by_role("textbox", name="Email").press("Enter")
    expect_thanks(form)
    assert len(enquiries(fresh_site)) == 1


@pytest.mark.spec("CON-4")
def test_a_button_that_moves_while_pressed_still_works(form: Page) -> None:
    fill(form)
    button = form.get_by_role("button", name="Send Message")
    for _ in range(20):  # on a loaded machine the first presses may be lost
        wait_until_painted(form)
        button.hover()
        form.mouse.down()
        if button.evaluate("button => button.hasPointerCapture(1)"):
            break
        form.mouse.move(0, 0)  # elsewhere, so that it is no click
        form.mouse.up()
    button.evaluate("button => { button.style.translate = '0 200px'; }")
    form.mouse.up()
    expect_thanks(form)


@pytest.mark.spec("CON-4")
def test_errors_are_shown_beside_their_fields_and_typed_text_is_kept(form: Page, fresh_site: Site) -> None:
    fill(form, **{"Last Name": "", "Email": "ann@"})
    form.get_by_role("combobox", name="Stage").select_option("pmf")
    send(form)
    last_name, email = form.get_by_role("textbox", name="Last Name"), form.get_by_role("textbox", name="Email")
    expect(last_name).to_be_focused()
    expect(last_name).to_have_attribute("aria-invalid", "true")
    expect(last_name).to_have_accessible_description(messages.LAST_NAME_MISSING)
    expect(email).to_have_accessible_description(
        f"{messages.CONTACT_EMAIL_INVALID} We reply to this address and use it for nothing else."
    )
    expect(form.get_by_role("textbox", name="First Name")).to_have_attribute("aria-invalid", "false")
    expect(form.get_by_role("textbox", name="Message")).to_have_value(HOSTILE)
    expect(form.get_by_role("combobox", name="Stage")).to_have_value("pmf")
    assert enquiries(fresh_site) == []
    assert covered_fields(form) == []

    last_name.fill("Lee")
    email.fill("ann@example.com")
    send(form)
    expect_thanks(form)
    assert len(enquiries(fresh_site)) == 1


@pytest.mark.spec("CON-4")
def test_a_refused_second_message_stays_in_the_form(form: Page, fresh_site: Site) -> None:
    fill(form)
    send(form)
    expect_thanks(form)
    form.reload()
    wait_until_connected(form)
    expect(form.get_by_role("textbox", name="Message")).to_have_value("")
    fill(form, Message="A second thought", Email="ann@")
    form.get_by_role("combobox", name="Stage").select_option("pmf")
    send(form)
    expect(form.get_by_role("textbox", name="Email")).to_have_attribute("aria-invalid", "true")
    expect(form.get_by_role("textbox", name="Message")).to_have_value("A second thought")
    expect(form.get_by_role("textbox", name="First Name")).to_have_value("Ann")
    expect(form.get_by_role("combobox", name="Stage")).to_have_value("pmf")
    expect(form.locator("#enquiry-sent")).to_have_count(0)
    form.get_by_role("textbox", name="Email").fill("ann@example.com")
    send(form)
    expect_thanks(form)
    assert [message for *_, message in enquiries(fresh_site)] == [HOSTILE, "A second thought"]


@contextmanager
def nobody_else_may_write(site: Site) -> Iterator[None]:
    holder = sqlite3.connect(site.data_dir / "advisory.db", isolation_level=None)
    with closing(holder):
        holder.execute("BEGIN IMMEDIATE")
        yield


@pytest.mark.spec("CON-4")
def test_the_button_is_busy_while_sending_and_a_failure_keeps_the_text(form: Page, fresh_site: Site) -> None:
    fill(form)
    with nobody_else_may_write(fresh_site):
        send(form)
        expect(form.get_by_role("button", name="Sending...")).to_be_disabled()
        refusal = form.get_by_role("alert").filter(has_text=messages.ENQUIRY_NOT_STORED)
        # The site waits for its turn to write, and another of its writers may wait before it.
        expect(refusal).to_contain_text("what you typed is still here")
    expect(form.get_by_role("textbox", name="Message")).to_have_value(HOSTILE)
    send(form)
    expect_thanks(form)
    assert len(enquiries(fresh_site)) == 1


@pytest.mark.spec("DATA-4")
def test_a_dismissed_notice_does_not_come_back(form: Page) -> None:
    send(form)
    notice = form.get_by_role("alert").filter(has_text=messages.ENQUIRY_INCOMPLETE)
    expect(notice).to_be_visible()
    form.get_by_role("button", name="Dismiss").click()
    expect(form.get_by_text(messages.ENQUIRY_INCOMPLETE)).to_have_count(0)
    form.reload()
    # A second reply shows that the page is alive again, and brings no older one with it.
    send(form)
    expect(form.get_by_text(messages.ENQUIRY_INCOMPLETE)).to_have_count(1)


@pytest.mark.spec("DATA-4", "SAY-2")
def test_a_refusal_stays_beside_the_button_until_the_message_is_sent(form: Page) -> None:
    pause_clock(form)
    send(form)
    refusal = form.get_by_role("alert").filter(has_text=messages.ENQUIRY_INCOMPLETE)
    expect(refusal).to_be_visible()
    form.clock.run_for(40_000)  # Less than the connection stands without a word from the server.
    expect(refusal).to_be_visible()
    assert refusal.evaluate("element => element.closest('form') !== null")
    fill(form)
    send(form)
    expect_thanks(form)
    expect(refusal).to_have_count(0)


@pytest.mark.spec("CON-4")
def test_no_field_stays_marked_after_the_message_was_sent(form: Page) -> None:
    send(form)
    expect(form.get_by_role("textbox", name="Email")).to_have_attribute("aria-invalid", "true")
    # As an extension does that fills in an address.
    form.get_by_role("textbox", name="Email").evaluate("field => { field.value = 'mei@firm.example'; }")
    for name in ("First Name", "Last Name", "Message"):
        form.get_by_role("textbox", name=name).fill("Mei")
    send(form)
    expect_thanks(form)
    expect(form.locator("[aria-invalid=true]")).to_have_count(0)
