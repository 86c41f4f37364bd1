"""Pages that a translator or an extension of the browser has changed: nothing typed is lost, and every button works."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.e2e.conftest import ADMIN_EMAIL, ADMIN_PASSWORD, Site, Watch
from tests.e2e.contact_form import enquiries, fill, send
from tests.e2e.hydration import SETTLED
from tests.e2e.translator import TRANSLATE
from tests.support.waiting import wait_for

CHANGES = {
    "translated": TRANSLATE,
    "checked by a grammar extension": "document.querySelector('textarea').after(document.createElement('x-note'))",
    "with a button in it": "document.querySelector('[name=firstName]').before(document.createElement('button'))",
    "with a bar first": "document.body.prepend(document.createElement('div'))",
}


@pytest.fixture
def hydrates_anew(watch: Watch) -> None:
    """React reports that the page differs from what it would draw."""
    watch.expect("Minified React error #4(18|23|25)")


@pytest.mark.spec("CON-4", "LAY-2")
@pytest.mark.usefixtures("hydrates_anew")
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_is_typed_into_a_changed_page_is_kept_with_the_cursor_and_sent(
    fresh_site: Site, context: BrowserContext, change: str
) -> None:
    page = context.new_page()
    held: list[Route] = []
    page.route("**/assets/entry.client-*.js", lambda route: held.append(route), times=1)
    page.goto(f"{fresh_site.url}/contact")
    page.evaluate(change)
    page.locator("[name=firstName]").focus()
    wait_for(lambda: held, "the scripts are asked for", page=page)
    fill(page)
    page.locator("[name=stage]").select_option("scale")
    page.locator("[name=lastName]").evaluate("field => { field.focus(); field.setSelectionRange(1, 1); }")
    held[0].continue_()
    page.locator(SETTLED).wait_for(state="attached")
    expect(page.locator("[name=firstName]")).to_have_value("Ann")
    expect(page.locator("[name=stage]")).to_have_value("scale")
    expect(page.locator("[name=lastName]")).to_be_focused()
    page.keyboard.type("-")
    expect(page.locator("[name=lastName]")).to_have_value("L-ee")
    send(page)
    expect(page.locator("#enquiry-sent").get_by_text("Thank you, Ann.")).to_be_visible()
    assert [row[0] for row in enquiries(fresh_site)] == ["Ann"]


@pytest.mark.spec("AUTH-3")
@pytest.mark.usefixtures("hydrates_anew")
@pytest.mark.parametrize("change", [TRANSLATE, CHANGES["with a bar first"]], ids=["translated", "with a bar first"])
@pytest.mark.parametrize(("path", "names"), [("/auth", ("email", "password")), ("/auth/forgot", ("email",))])
def test_what_is_typed_before_the_scripts_of_a_sign_in_page_come_is_kept(
    site: Site, context: BrowserContext, path: str, names: tuple[str, ...], change: str
) -> None:
    page = context.new_page()
    held: list[Route] = []
    page.route("**/assets/entry.client-*.js", lambda route: held.append(route), times=1)
    page.goto(site.url + path, wait_until="commit")
    wait_for(lambda: held, "the scripts are asked for", page=page)
    for name in names:
        page.locator(f"[name={name}]").fill(f"typed as {name}")
    page.locator("[name=email]").focus()
    page.evaluate(change)
    held[0].continue_()
    page.locator(SETTLED).wait_for(state="attached")
    for name in names:
        expect(page.locator(f"[name={name}]")).to_have_value(f"typed as {name}")
    expect(page.locator("[name=email]")).to_be_focused()


@pytest.mark.spec("LAY-2")
@pytest.mark.usefixtures("hydrates_anew")
def test_the_first_press_on_a_translated_page_counts(visit: Callable[[str], Page]) -> None:
    page = visit("/contact")
    page.set_viewport_size({"width": 360, "height": 740})
    page.evaluate(TRANSLATE)
    page.locator(".menu > summary").click()
    page.locator(SETTLED).wait_for(state="attached")
    expect(page.get_by_role("navigation").get_by_role("link").first).to_be_visible()
    theme = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.get_by_role("button", name="Switch between light and dark").click()
    page.wait_for_function("was => getComputedStyle(document.body).backgroundColor !== was", arg=theme)


@pytest.mark.spec("AUTH-3")
def test_staff_sign_in_on_a_translated_page(visit: Callable[[str], Page]) -> None:
    page = visit("/auth")
    expect(page.locator("html")).to_have_attribute("translate", "no")
    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_enabled()
    page.evaluate(TRANSLATE)
    page.locator("[name=email]").fill(ADMIN_EMAIL)
    page.locator("[name=password]").fill("not the password")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("alert").first).to_be_visible()
    page.evaluate(TRANSLATE)
    page.locator("[name=password]").fill(ADMIN_PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url("**/admin")
