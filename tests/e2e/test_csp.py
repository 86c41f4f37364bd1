"""The policy in force: what it refuses, and that nothing of ours is refused; public pages are in test_rendering.py."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.conftest import Site, Watch
from tests.e2e.policy import LISTEN


def test_the_content_security_policy_blocks_nothing_on_the_way_to_the_back_office(
    context: BrowserContext, site: Site
) -> None:
    context.add_init_script(LISTEN)
    page = context.new_page()
    page.goto(site.url + "/auth", wait_until="networkidle")
    assert page.evaluate("window.refused") == []


@pytest.mark.parametrize("path", ["/", "/auth"])
def test_the_content_security_policy_blocks_foreign_scripts(
    visit: Callable[[str], Page], watch: Watch, path: str
) -> None:
    watch.expect("Content Security Policy|Executing inline script")
    page = visit(path)
    page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "document.title = 'taken over'";
            document.body.append(script);
        }"""
    )
    expect(page).not_to_have_title("taken over")


def test_the_content_security_policy_blocks_eval(visit: Callable[[str], Page], watch: Watch) -> None:
    watch.expect("Content Security Policy|unsafe-eval|Refused to evaluate|Evaluating a string")
    page = visit("/")
    page.evaluate("() => { document.body.onclick = () => { try { eval('1') } catch { document.title = 'refused' } } }")
    page.locator("main").click(position={"x": 5, "y": 5})
    expect(page).to_have_title("refused")


@pytest.mark.spec("CON-4")
def test_the_contact_form_works_under_the_content_security_policy(context: BrowserContext, fresh_site: Site) -> None:
    context.add_init_script(LISTEN)
    page = context.new_page()
    page.goto(f"{fresh_site.url}/contact")
    for name, text in {"firstName": "Ann", "lastName": "Lim", "email": "ann@kelp.example", "message": "Hi"}.items():
        page.locator(f"[name={name}]").fill(text)
    page.get_by_role("button", name="Send Message").click()
    expect(page.get_by_text("Thank you, Ann.")).to_be_visible()
    assert page.evaluate("window.refused") == []
    page.close()  # before its server goes away
