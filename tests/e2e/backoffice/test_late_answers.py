"""Forms when answers come late, or when the tab showed another record before: each shows its own record."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.e2e.backoffice.company_form import NEW, edit, fill, fill_required, submit
from tests.e2e.backoffice.conftest import Colleague, Staff
from tests.e2e.backoffice.steps import row
from tests.support.waiting import wait_for

TAKEN = "This address is already in use. Please choose another."


class Line:
    """The live connection of a page, whose answers can be held back and let through one by one."""

    def __init__(self, page: Page) -> None:
        self.is_holding = self.is_silent = False
        self.loads = 0  # how often a page was loaded
        self.held: list[str | bytes] = []
        self.sent = ""
        page.route_web_socket(re.compile("_event"), self._connect)

    def _connect(self, to_page: WebSocketRoute) -> None:
        self._to_page = to_page
        server = to_page.connect_to_server()
        server.on_message(self._answered)

        def pass_on(message: str | bytes) -> None:
            self.sent += str(message)
            server.send(message)

        to_page.on_message(pass_on)

    def _answered(self, message: str | bytes) -> None:
        if self.is_holding and str(message).startswith(("42", "43") if self.is_silent else "42"):
            self.held.append(message)
        else:
            self._to_page.send(message)
            self.loads += '"is_hydrated_rx_state_":true' in str(message)

    def hold(self, *, silent: bool = False) -> None:
        """From now on no answer arrives; with `silent` no acknowledgement either, as if the server were stopped."""
        self.is_holding, self.is_silent = True, silent

    def await_answers(self, page: Page, about: str, count: int = 1) -> None:
        """Wait until so many answers with a text have been held back."""

        def have_come() -> bool:
            return sum(about in str(one) for one in self.held) >= count

        wait_for(have_come, f"{count} answers with {about}", 60, page=page)

    def let_through(self, about: str) -> None:
        """Deliver what was held back, up to and with the first answer that speaks of something."""
        last = next(number for number, one in enumerate(self.held) if about in str(one))
        for message in self.held[: last + 1]:
            self._to_page.send(message)
        del self.held[: last + 1]

    def release(self) -> None:
        """Deliver what was held back, and hold nothing back any more."""
        self.is_holding = False
        for message in self.held:
            self._to_page.send(message)
        self.held.clear()


def test_actions_during_loading_run_after_the_on_load(staff: Staff) -> None:
    page, line = late(staff(), "/admin/profile")
    line.hold()
    page.get_by_role("link", name="Set up or change").click()
    page.locator("#add-app-form").get_by_role("button", name="Continue").press("Enter")
    line.await_answers(page, '"is_hydrated_rx_state_":true')
    assert "on_load_internal" in line.sent and "add_app_state" not in line.sent
    line.release()
    expect(page.locator(".secret-text")).to_be_visible()


def late(colleague: Colleague, path: str) -> tuple[Page, Line]:
    """A page of a colleague whose answers can be held back; its state has arrived."""
    page = colleague.context.new_page()
    line = Line(page)
    page.goto(colleague.site.url + path)
    wait_for(lambda: line.loads > 0, "the page has its state", 60, page=page)
    return page, line


def test_a_late_suggestion_does_not_replace_typed_text(staff: Staff) -> None:
    page, line = late(staff(), NEW)
    page.locator("[name=name]").press_sequentially("Zed")
    expect(page.locator("[name=slug]")).to_have_value("zed")
    line.hold()
    page.locator("[name=name]").press_sequentially(" Two")
    line.await_answers(page, "zed-two")
    page.locator("[name=slug]").fill("bb-1-0")
    line.release()
    expect(page.get_by_text("This address is free.")).to_be_visible()
    expect(page.locator("[name=slug]")).to_have_value("bb-1-0")


def test_a_late_suggestion_waits_while_the_field_has_the_focus(staff: Staff) -> None:
    page, line = late(staff(), NEW)
    expect(page.locator("[name=slug]")).to_be_visible()
    line.hold()
    page.locator("[name=name]").fill("Zed")
    page.locator("[name=slug]").focus()
    line.await_answers(page, '"zed"')
    line.release()
    page.keyboard.type("bb-1-0")
    expect(page.get_by_text("This address is free.")).to_be_visible()
    expect(page.locator("[name=slug]")).to_have_value("bb-1-0")
    page.locator("[name=slug]").fill("")
    page.locator("[name=name]").fill("Zed Three")
    expect(page.locator("[name=slug]")).to_have_value("zed-three")


@pytest.mark.spec("ACO-8")
def test_a_late_check_of_an_earlier_slug_is_not_shown(staff: Staff, company: Callable[..., str]) -> None:
    company(slug="kelp-older")
    page, line = late(staff(), NEW)
    fill_required(page, slug="kelp-first")
    expect(page.get_by_text("This address is free.")).to_be_visible()
    line.hold()
    fill(page, slug="kelp-older")
    line.await_answers(page, TAKEN)
    fill(page, slug="kelp-newer")
    line.let_through(TAKEN)
    line.await_answers(page, "This address is free.")
    expect(page.get_by_text(TAKEN)).to_have_count(0)
    expect(page.get_by_text("This address is free.")).to_have_count(0)
    line.release()
    expect(page.get_by_text("This address is free.")).to_be_visible()


@pytest.mark.spec("ACO-8")
def test_what_is_typed_while_the_server_is_silent_is_checked_afterwards(
    staff: Staff, company: Callable[..., str]
) -> None:
    company(slug="kelp-taken")
    page, line = late(staff(), NEW)
    line.hold(silent=True)
    fill(page, slug="kelp-first")
    page.locator("[name=name]").focus()  # leaving a field checks it at once
    expect(page.locator(".connection-lost")).to_be_visible()
    fill(page, slug="kelp-taken")
    page.locator("[name=name]").focus()
    line.release()
    expect(page.get_by_text(TAKEN)).to_be_visible()


@pytest.mark.spec("ACO-4")
def test_a_form_is_not_shown_before_its_record_is_loaded(staff: Staff, company: Callable[..., str]) -> None:
    one, other = company(name="Early Bird"), company(name="Late Bird")
    page, line = late(staff(), edit(one))
    expect(page.locator("[name=name]")).to_have_value("Early Bird")
    page.get_by_role("link", name="Back to Companies").click()
    link = page.get_by_role("link", name="Edit Late Bird")
    expect(link).to_be_visible()
    line.hold()
    link.click()
    page.wait_for_url(f"**{edit(other)}*")
    expect(page.get_by_text("Edit Company")).to_be_visible()
    expect(page.locator("[name=name]")).to_have_count(0)
    line.release()
    expect(page.locator("[name=name]")).to_have_value("Late Bird")


@pytest.mark.spec("ACO-4")
def test_a_form_is_not_shown_as_it_was_left_before_it_is_loaded_again(
    staff: Staff, company: Callable[..., str]
) -> None:
    slug = company(name="Early Tern")
    page, line = late(staff(), edit(slug))
    expect(page.locator("[name=name]")).to_have_value("Early Tern")
    loads = line.loads
    page.get_by_role("link", name="History").first.click()
    expect(page.get_by_role("link", name="Back to Early Tern")).to_be_visible()
    wait_for(lambda: line.loads > loads, "the history is loaded", page=page)
    line.hold()
    page.go_back()
    page.wait_for_url(f"**{edit(slug)}")
    expect(page.get_by_text("Edit Company")).to_be_visible()
    expect(page.locator("[name=name]")).to_have_count(0)
    line.release()
    expect(page.locator("[name=name]")).to_have_value("Early Tern")


def test_a_late_refusal_keeps_the_text_and_the_cursor(staff: Staff, company: Callable[..., str]) -> None:
    page, line = late(staff(), edit(company()))
    fill(page, email="nobody at all")
    line.hold()
    submit(page, "Update Company")
    line.await_answers(page, "full email address")
    location = page.locator("[name=location]")
    location.fill("Typed meanwhile")
    line.release()
    expect(page.locator("[name=email]")).to_have_attribute("aria-invalid", "true")
    expect(location).to_be_focused()
    expect(location).to_have_value("Typed meanwhile")


def test_a_late_answer_does_not_replace_the_search_text(staff: Staff, company: Callable[..., str]) -> None:
    company(name="Barnacle Sonar"), company(name="Barnacle Sand")
    page, line = late(staff(), "/admin?tab=companies")
    box = page.get_by_role("searchbox", name="Search companies")
    expect(row(page, "Barnacle Sand")).to_be_visible()
    line.hold()
    box.press_sequentially("barnacle s")
    page.wait_for_url("**search=barnacle+s")
    box.press_sequentially("onar")
    page.wait_for_url("**search=barnacle+sonar")
    line.release()
    expect(row(page, "Barnacle Sonar")).to_be_visible()
    expect(row(page, "Barnacle Sand")).to_have_count(0)
    expect(box).to_have_value("barnacle sonar")
