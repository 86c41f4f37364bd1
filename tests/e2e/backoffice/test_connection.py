"""The server goes, or the line to it: staff are told, lose nothing, and what they asked for is done once afterwards."""

import os
import re
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, WebSocketRoute, expect

from advisory_site.enquiries import messages as enquiry_messages
from advisory_site.enquiries import texts as contact
from sitekit.base import messages
from sitekit.base.permissions import Role
from tests.conftest import use
from tests.e2e.backoffice.picture_uploads import ADDED, Endpoint, choose, field
from tests.e2e.backoffice.steps import answer, notice, row, stay
from tests.e2e.clocks import pause_clock
from tests.e2e.conftest import ADMIN_EMAIL, ADMIN_PASSWORD, Site, Watch, _copy, serving, start_afresh
from tests.e2e.contact_form import fill as fill_enquiry
from tests.e2e.hydration import SETTLED
from tests.support.people import person, signed_in
from tests.support.ports import free_port
from tests.support.slow_line import Line, line_to
from tests.support.waiting import INTERVAL, wait_for

AWAY = r"WebSocket connection to|ERR_(CONNECTION_REFUSED|EMPTY_RESPONSE|CONNECTION_RESET|SOCKET_NOT_CONNECTED)"
EDIT = "/admin/companies/sawit-trace/edit"


class Server:
    """The site behind a line: both can be stopped and started again at the same address."""

    def __init__(self, data_dir: Path, line: Line, port: int) -> None:
        self.data_dir, self.line, self.url, self._port = data_dir, line, line.url, port
        self._block: AbstractContextManager[Site] | None = None
        self.site: Site

    @property
    def is_running(self) -> bool:
        return self._block is not None and self.site.process.poll() is None

    def start(self) -> None:
        self._block = serving(self.data_dir, self._port, PUBLIC_URL=self.url)
        self.site = self._block.__enter__()

    def stop(self) -> None:
        """As an operator does: what is being done is finished."""
        block, self._block = self._block, None
        if block is not None:
            block.__exit__(None, None, None)

    def freeze(self) -> None:
        """It takes what is sent, and does nothing."""
        os.killpg(self.site.process.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        os.killpg(self.site.process.pid, signal.SIGCONT)

    def kill(self) -> None:
        """A crash: nothing is finished."""
        os.killpg(self.site.process.pid, signal.SIGKILL)
        self.site.process.wait()

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.data_dir / "advisory.db", timeout=60)) as connection:
            return connection.execute(query).fetchall()


@pytest.fixture(scope="module")
def lasting_server(seeded: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    port = free_port()
    with line_to(port) as line:
        server = Server(_copy(seeded, tmp_path_factory.mktemp("server")), line, port)
        yield server
        server.stop()


@pytest.fixture
def server(lasting_server: Server, seeded: Path, watch: Watch, monkeypatch: pytest.MonkeyPatch) -> Server:
    """The site behind its line, both working again, whatever the test before did to them."""
    watch.expect(AWAY)
    lasting_server.line.mend()
    if lasting_server.is_running:
        lasting_server.thaw()
    if not lasting_server.is_running:
        lasting_server.stop()
        lasting_server.start()
    start_afresh(lasting_server.site, seeded)
    use(monkeypatch, lasting_server.data_dir)
    return lasting_server


@pytest.fixture
def staff_page(browser: Browser, server: Server, watch: Watch) -> Iterator[Callable[..., Page]]:
    """Opens a path of that site in a new tab of somebody who is signed in."""
    contexts: list[BrowserContext] = []

    def open_page(path: str, **options: Any) -> Page:
        if not contexts or options:
            user_id = person(f"connected{len(contexts)}@northstrait.example", Role.ADMIN)
            stored = {"name": "advisory_session", "value": signed_in(user_id).to_json()}
            kept = {"cookies": [], "origins": [{"origin": server.url, "localStorage": [stored]}]}
            context = browser.new_context(
                **{"viewport": {"width": 1280, "height": 900}, "locale": "en-SG", "storage_state": kept, **options}
            )
            context.on("page", watch.on)
            contexts.append(context)
        page = contexts[-1].new_page()
        page.goto(server.url + path)
        return page

    yield open_page
    for context in contexts:
        context.close()


def bar(page: Page, text: str) -> Locator:
    return page.locator(".connection-bar").filter(has_text=text)


def edited(page: Page, phone: str) -> Page:
    """The form of a company, with another phone number typed into it."""
    expect(page.locator("[name=phone]")).not_to_have_value("")
    page.locator("[name=phone]").fill(phone)
    return page


def phones(server: Server) -> list[tuple[Any, ...]]:
    return server.rows("SELECT phone, version FROM companies WHERE slug = 'sawit-trace'")


def cut(page: Page, server: Server) -> None:
    """Break the line, and wait until the page knows."""
    with page.expect_event("websocket"):
        server.line.cut()


def lose(page: Page, server: Server) -> None:
    """Break the line, and tell a page whose clock stands still."""
    server.line.cut()
    page.evaluate("dispatchEvent(new Event('offline'))")


def mend_until(shown: Locator, server: Server) -> None:
    """Mend the line, and let the clock of a page run, no faster than time itself, until something is shown."""
    page = shown.page
    server.line.mend()

    def is_shown() -> bool:
        page.evaluate("dispatchEvent(new Event('online'))")
        page.clock.run_for(round(1000 * INTERVAL))
        return shown.is_visible()

    wait_for(is_shown, "the page is connected", 60, page=page)


def mend(page: Page, server: Server) -> None:
    server.line.mend()
    # Not the button "Try now": the page may be back by itself before it is pressed.
    page.evaluate("dispatchEvent(new Event('online'))")
    away = bar(page, messages.CONNECTION_LOST).or_(bar(page, messages.CONNECTION_WAITING))
    expect(away).to_have_count(0)


@pytest.mark.spec("SAY-3")
def test_an_outage_of_minutes_is_reported_and_loses_nothing(
    staff_page: Callable[..., Page], server: Server, context: BrowserContext
) -> None:
    form, edited_form, companies = staff_page(EDIT), staff_page(EDIT), staff_page("/admin?tab=companies&search=tiffin")
    expect(companies.get_by_role("row").nth(1)).to_be_visible()
    expect(edited_form.locator("[name=tagline]")).not_to_have_value("")
    edited(form, "+65 6000 0001")
    undoing = staff_page("/admin?tab=companies&search=halia")
    answer(undoing, yes=True)
    undoing.get_by_role("button", name="Delete Halia Diagnostics").click()
    expect(notice(undoing, "Company deleted successfully")).to_be_visible()
    auth_page, enquiry = context.new_page(), context.new_page()
    auth_page.goto(f"{server.url}/auth")
    auth_page.locator("[name=email]").fill(ADMIN_EMAIL)
    auth_page.locator("[name=password]").fill(ADMIN_PASSWORD)
    enquiry.goto(f"{server.url}/contact")
    enquiry.get_by_role("textbox", name="First Name").focus()
    enquiry.locator(SETTLED).wait_for(state="attached")
    fill_enquiry(enquiry)
    form.clock.install()  # of all tabs of staff

    server.stop()
    undoing.get_by_role("button", name="Undo").click()
    expect(bar(undoing, messages.CONNECTION_WAITING)).to_be_visible()
    expect(bar(edited_form, messages.CONNECTION_LOST)).to_be_visible()
    edited_form.locator("[name=tagline]").fill("Typed while nobody was there")

    form.get_by_role("button", name="Update Company").click()
    expect(form.get_by_role("button", name="Waiting for the connection")).to_be_disabled()
    expect(bar(form, messages.CONNECTION_WAITING)).to_be_visible()
    form.locator("[name=industry]").fill("Typed after pressing")

    answer(companies, yes=True)
    for _ in range(2):
        companies.get_by_role("button", name="Delete Tiffin Cloud").click()
    expect(bar(companies, messages.CONNECTION_WAITING)).to_be_visible()

    auth_page.get_by_role("button", name="Sign in", exact=True).click()
    expect(auth_page.get_by_role("button", name="Waiting for the connection")).to_be_disabled()
    expect(bar(auth_page, messages.CONNECTION_WAITING)).to_be_visible()

    enquiry.get_by_role("button", name="Send Message").click()
    expect(enquiry.get_by_text(enquiry_messages.ENQUIRY_WAITS)).to_be_visible()
    expect(enquiry.get_by_role("textbox", name="First Name")).to_have_value("Ann")
    form.clock.fast_forward(240_000)
    server.start()

    expect(notice(form, "Company updated successfully")).to_be_visible()
    form.wait_for_url("**/admin?tab=companies")
    assert phones(server) == [("+65 6000 0001", 2)]
    assert server.rows("SELECT industry FROM companies WHERE slug = 'sawit-trace'") == [("Typed after pressing",)]
    expect(bar(edited_form, messages.CONNECTION_LOST)).to_have_count(0)
    expect(edited_form.locator("[name=tagline]")).to_have_value("Typed while nobody was there")
    expect(notice(companies, "Company deleted successfully")).to_be_visible()
    expect(companies.locator(".notice-error")).to_have_count(0)
    expect(notice(undoing, "Undone: Halia Diagnostics")).to_be_visible()
    expect(row(undoing, "Halia Diagnostics")).to_be_visible()
    auth_page.wait_for_url("**/admin")
    expect(enquiry.locator("#enquiry-sent")).to_be_visible()
    assert server.rows("SELECT first_name, email FROM enquiries") == [("Ann", "ann@example.com")]


@pytest.mark.spec("SAY-3")
def test_the_connection_bar_appears_after_two_seconds_and_confirms_recovery(
    staff_page: Callable[..., Page], server: Server
) -> None:
    page = staff_page("/admin?tab=teams")
    expect(page.get_by_role("row").nth(1)).to_be_visible()
    pause_clock(page)
    lose(page, server)
    page.clock.run_for(1_900)
    expect(page.locator(".connection-bar")).to_have_text("")
    page.clock.run_for(200)
    expect(bar(page, messages.CONNECTION_LOST)).to_be_visible()
    mend_until(bar(page, messages.CONNECTION_BACK), server)
    page.clock.run_for(2_800)
    expect(bar(page, messages.CONNECTION_BACK)).to_be_visible()
    page.clock.run_for(300)
    expect(page.locator(".connection-bar")).to_have_text("")


# Notes what the bar shows from now on, also for a moment.
NOTE_SHOWN = """() => {
    const bar = document.querySelector(".connection-bar"), shown = window.shown = [];
    const note = () => { if (bar.textContent) shown.push(bar.textContent); };
    new MutationObserver(note).observe(bar, { subtree: true, childList: true, characterData: true });
}"""


@pytest.mark.spec("SAY-3")
def test_a_short_interruption_is_not_reported(staff_page: Callable[..., Page], server: Server) -> None:
    page = staff_page("/admin?tab=teams")
    expect(page.get_by_role("row").nth(1)).to_be_visible()
    pause_clock(page)
    page.evaluate(NOTE_SHOWN)
    lose(page, server)
    page.clock.run_for(500)
    received: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: received.append(str(frame))))
    server.line.mend()

    def is_back() -> bool:
        page.evaluate("dispatchEvent(new Event('online'))")
        page.clock.run_for(1)  # in sum less than two seconds, however long it takes
        return any('"is_hydrated_rx_state_":true' in frame for frame in received)

    wait_for(is_back, "the page is connected", 60, page=page)
    page.clock.run_for(10_000)
    assert page.evaluate("shown") == []


# Reports the end of each attempt when the page has heard of it, and so has set the timer of the next.
SAY_CLOSED = """Object.defineProperty(WebSocket.prototype, "onclose", {
    set(handle) { this.addEventListener("close", (event) => { handle(event); console.log("closed"); }); },
})"""


@pytest.mark.spec("SAY-3")
def test_the_browser_reconnects_after_1_2_5_10_and_10_seconds(staff_page: Callable[..., Page], server: Server) -> None:
    page = staff_page("/admin?tab=teams")
    expect(page.get_by_role("row").nth(1)).to_be_visible()
    attempts: list[object] = []
    failures: list[object] = []
    page.on("websocket", lambda attempt: attempts.append(attempt))
    page.on("console", lambda message: failures.append(message) if message.text == "closed" else None)
    page.clock.install(time=0)
    page.clock.pause_at(5)
    page.evaluate("Math.random = () => 0.5")  # The middle of the spread.
    page.evaluate(SAY_CLOSED)
    with page.expect_event("console", lambda message: "offline" in message.text):
        page.evaluate("addEventListener('offline', () => console.log('offline'))")
        server.line.cut()
        page.evaluate("dispatchEvent(new Event('offline'))")
    for number, pause in enumerate((1, 2, 5, 10, 10)):
        page.clock.run_for(1_000 * pause - 300)
        assert len(attempts) == number, f"too early, before {pause} s"
        page.clock.run_for(400)
        # The browser delays the failure by seconds after the first attempts.
        while len(failures) <= number:
            page.wait_for_event("console", timeout=60_000)
        assert len(attempts) == number + 1, f"too late, after {pause} s"


@pytest.mark.spec("SAY-3")
def test_an_outage_keeps_a_form_and_its_cursor(staff_page: Callable[..., Page], server: Server) -> None:
    page = edited(staff_page(EDIT), "+65 6000")
    page.evaluate("document.querySelector('#company-form').dataset.same = 'yes'")
    before = page.locator("[name=phone]").bounding_box()
    cut(page, server)
    expect(bar(page, messages.CONNECTION_LOST)).to_be_visible()
    assert page.locator("[name=phone]").bounding_box() == before, "it moves from under a finger"
    page.keyboard.type(" 0002")
    mend(page, server)
    page.keyboard.type(" 3")
    expect(page.locator("[name=phone]")).to_have_value("+65 6000 0002 3")
    expect(page.locator("#company-form[data-same=yes]")).to_be_visible()
    page.keyboard.press("Control+s")
    expect(notice(page, "Company updated successfully")).to_be_visible()
    assert phones(server) == [("+65 6000 0002 3", 2)]


@pytest.mark.spec("SAY-3")
def test_added_rows_and_their_text_survive_an_outage(staff_page: Callable[..., Page], server: Server) -> None:
    page = staff_page(EDIT)
    names = page.locator("[name^='founders.'][name$='.name']")
    expect(names.first).to_be_visible()
    before = names.count()
    page.get_by_role("button", name="Add founder").click()
    expect(names).to_have_count(before + 1)
    names.last.fill("Somebody New")
    server.stop()
    expect(bar(page, messages.CONNECTION_LOST)).to_be_visible()
    server.start()
    expect(names).to_have_count(before + 1)
    expect(page.get_by_text("We restored your unsaved changes.")).to_be_visible()
    expect(names.last).to_be_focused()
    page.keyboard.type("er")
    expect(names.last).to_have_value("Somebody Newer")
    answer(page, yes=True)
    page.reload()
    expect(names.last).to_have_value("Somebody Newer")
    page.get_by_role("button", name="Update Company").click()
    expect(notice(page, "Company updated successfully")).to_be_visible()
    assert "Somebody Newer" in server.rows("SELECT founders FROM companies WHERE slug = 'sawit-trace'")[0][0]


@pytest.mark.spec("SAY-3", "LIST-3")
def test_save_and_stay_during_an_outage_stays_on_the_form(staff_page: Callable[..., Page], server: Server) -> None:
    page = edited(staff_page(EDIT), "+65 6000 0007")
    cut(page, server)
    stay(page)
    mend(page, server)
    expect(notice(page, "Company updated successfully")).to_be_visible()
    assert page.url == server.url + EDIT
    page.locator("[name=phone]").fill("+65 6000 0008")
    page.get_by_role("button", name="Update Company").click()
    page.wait_for_url("**/admin?tab=companies")
    assert phones(server) == [("+65 6000 0008", 3)]


@pytest.mark.spec("SAY-3")
def test_a_new_record_submitted_several_times_is_created_once(staff_page: Callable[..., Page], server: Server) -> None:
    page = staff_page("/admin?tab=teams&edit=new")
    expect(page.locator("[name=name]")).to_be_visible()
    values = {"name": "Only Once", "designation": "Partner", "email": "once@northstrait.example"}
    for name, value in (
        values | {"image_url": "/images/people/daniel-tay.svg", "bio": "x", "detailed_bio": "y"}
    ).items():
        page.locator(f"[name={name}]").fill(value)
    cut(page, server)
    page.get_by_role("button", name="Create Team Member").click()
    expect(page.get_by_role("dialog").get_by_text(messages.CONNECTION_WAITING)).to_be_visible()
    for _ in range(3):
        page.keyboard.press("Control+s")
    mend(page, server)
    expect(notice(page, "Team member created successfully")).to_be_visible()
    assert server.rows("SELECT slug FROM team_members WHERE slug LIKE 'only-once%'") == [("only-once",)]


@pytest.mark.spec("SAY-3")
def test_the_button_that_was_pressed_waits_for_the_connection(staff_page: Callable[..., Page], server: Server) -> None:
    page = edited(staff_page(EDIT), "+65 6000 0009")
    cut(page, server)
    page.get_by_role("button", name="Save and continue").click()
    expect(page.get_by_role("button", name="Waiting for the connection")).to_have_attribute("data-then", "stay")
    expect(page.get_by_role("button", name="Update Company")).to_be_disabled()
    mend(page, server)
    expect(notice(page, "Company updated successfully")).to_be_visible()
    expect(page.get_by_role("button", name="Save and continue")).to_be_enabled()


@pytest.mark.spec("SAY-3")
def test_a_stalled_server_is_reported_and_saves_once(staff_page: Callable[..., Page], server: Server) -> None:
    page = edited(staff_page(EDIT), "+65 6000 0003")
    server.freeze()
    try:
        page.get_by_role("button", name="Update Company").click()
        expect(bar(page, messages.CONNECTION_WAITING)).to_be_visible()
        expect(page.get_by_role("button", name="Waiting for the connection")).to_be_disabled()
    finally:
        server.thaw()
    expect(notice(page, "Company updated successfully")).to_be_visible()
    assert phones(server) == [("+65 6000 0003", 2)]


@pytest.mark.spec("SAY-3", "SES-1", "AUTH-3")
def test_a_save_lost_with_a_server_is_repeated_at_the_next_without_sign_out(
    staff_page: Callable[..., Page], server: Server
) -> None:
    page = edited(staff_page(EDIT), "+65 6000 0004")
    server.freeze()
    page.get_by_role("button", name="Update Company").click()
    expect(bar(page, messages.CONNECTION_WAITING)).to_be_visible()
    server.kill()
    server.start()
    expect(notice(page, "Company updated successfully")).to_be_visible()
    assert phones(server) == [("+65 6000 0004", 2)]
    page.goto(f"{server.url}/auth")
    page.wait_for_url("**/admin")


def lose_the_answers(socket: WebSocketRoute) -> None:
    """Once a form is sent, its acknowledgement is the last that arrives."""
    far, is_sent = socket.connect_to_server(), False

    def up(message: str | bytes) -> None:
        nonlocal is_sent
        is_sent = is_sent or "form_state.save" in str(message)
        far.send(message)

    def down(message: str | bytes) -> None:
        is_acknowledgement = str(message).startswith("43")
        if not is_sent or is_acknowledgement:
            socket.send(message)
        if is_sent and is_acknowledgement:
            socket.close()

    socket.on_message(up)
    far.on_message(down)


@pytest.mark.spec("SAY-3")
def test_an_uncertain_save_is_reported_as_uncertain(staff_page: Callable[..., Page], server: Server) -> None:
    page = staff_page("/admin?tab=teams")
    page.route_web_socket(re.compile("_event"), lose_the_answers)
    page.goto(server.url + EDIT)
    edited(page, "+65 6000 0005")
    page.get_by_role("button", name="Update Company").click()
    expect(notice(page, messages.CONNECTION_UNSURE)).to_be_visible()
    expect(page.get_by_role("button", name="Update Company")).to_be_enabled()


@pytest.mark.spec("SAY-3")
def test_old_pending_actions_are_not_carried_out_after_an_outage(
    staff_page: Callable[..., Page], server: Server
) -> None:
    page = staff_page(EDIT)
    companies = staff_page("/admin?tab=companies&search=tiffin", locale="en-SG")  # with a clock of its own
    expect(companies.get_by_role("row").nth(1)).to_be_visible()
    edited(page, "+65 6000 0006")
    answer(companies, yes=True)
    for tab in (page, companies):
        pause_clock(tab)
    for tab in (page, companies):
        lose(tab, server)
        tab.clock.run_for(2_500)
        expect(bar(tab, messages.CONNECTION_LOST)).to_be_visible()
    page.get_by_role("button", name="Update Company").click()
    companies.get_by_role("button", name="Delete Tiffin Cloud").click()
    for tab in (page, companies):
        expect(bar(tab, messages.CONNECTION_WAITING)).to_be_visible()
        tab.clock.fast_forward(301_000)
    for tab in (page, companies):
        mend_until(notice(tab, messages.CONNECTION_LATE), server)
        expect(bar(tab, messages.CONNECTION_WAITING)).to_have_count(0)
    expect(page.locator("[name=phone]")).to_have_value("+65 6000 0006")
    expect(page.get_by_role("button", name="Update Company")).to_be_enabled()
    assert phones(server)[0][1] == 1
    assert len(server.rows("SELECT 1 FROM companies WHERE slug = 'tiffin-cloud'")) == 1


@pytest.mark.spec("SAY-3")
def test_a_link_waits_during_an_outage_instead_of_showing_a_browser_error(
    staff_page: Callable[..., Page], server: Server
) -> None:
    page = staff_page("/admin?tab=companies")
    expect(page.get_by_role("row").nth(1)).to_be_visible()
    cut(page, server)
    page.get_by_role("link", name="Add Company").click()
    expect(bar(page, messages.CONNECTION_WAITING)).to_be_visible()
    mend(page, server)
    page.wait_for_url("**/admin/companies/new")
    expect(page.locator("[name=name]")).to_be_visible()


@pytest.mark.spec("SAY-3")
@pytest.mark.parametrize("path", ["/auth", "/auth/forgot"])
def test_signing_in_without_a_server_is_reported(server: Server, context: BrowserContext, path: str) -> None:
    page = context.new_page()
    with page.expect_event("websocket"):  # from then on it tries to connect
        page.goto(server.url + path)
    page.locator("[name=email]").fill("ann@example.com")
    cut(page, server)
    page.locator("button[type=submit]").click()
    expect(page.get_by_role("button", name="Waiting for the connection")).to_be_disabled()
    # The line may be cut before the page was connected.
    expect(bar(page, messages.CONNECTION_WAITING).or_(bar(page, messages.CONNECTION_NONE))).to_be_visible()
    expect(page.locator("[name=email]")).to_have_value("ann@example.com")


@pytest.mark.spec("SAY-3")
def test_an_enquiry_that_cannot_be_sent_keeps_its_text(server: Server, first_visit: BrowserContext) -> None:
    page = first_visit.new_page()  # whose scripts do not come
    page.goto(f"{server.url}/contact")
    server.line.cut()
    fill_enquiry(page)
    for _ in range(2):
        page.get_by_role("button", name="Send Message").click()
        expect(page.get_by_role("alert").filter(has_text=enquiry_messages.ENQUIRY_NOT_SENT)).to_be_in_viewport()
    expect(page.get_by_role("heading", level=1)).to_have_text(contact.HERO.title)
    expect(page.get_by_role("textbox", name="First Name")).to_have_value("Ann")
    server.line.mend()
    page.get_by_role("button", name="Send Message").click()
    expect(page.locator("#enquiry-sent")).to_be_visible()
    assert server.rows("SELECT first_name, email FROM enquiries") == [("Ann", "ann@example.com")]


@pytest.mark.spec("IMG-1", "SAY-3")
def test_a_picture_chosen_during_an_outage_is_uploaded_afterwards(
    staff_page: Callable[..., Page], server: Server
) -> None:
    page = staff_page(EDIT)
    Endpoint(page)
    edited(page, "+65 6000 0002")
    cut(page, server)
    choose(page, "logo_url")
    expect(field(page, "logo_url").get_by_text("Uploading...")).to_be_visible()
    expect(bar(page, messages.CONNECTION_LOST)).to_be_visible()
    mend(page, server)
    expect(field(page, "logo_url").get_by_text(ADDED)).to_be_visible()
    expect(page.locator("[name=phone]")).to_have_value("+65 6000 0002")
