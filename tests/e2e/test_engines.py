"""Everyday jobs of visitors and staff in WebKit, the engine of Safari, and in Firefox."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from sitekit.base import messages
from tests.e2e.backoffice.company_form import NEW, REQUIRED, edit
from tests.e2e.backoffice.picture_uploads import ADDED
from tests.e2e.conftest import ADMIN_EMAIL, ADMIN_PASSWORD, Site
from tests.e2e.contact_form import enquiries
from tests.e2e.engines import CONTROL, Tab, installed
from tests.e2e.hydration import SETTLED
from tests.e2e.processes import frozen
from tests.support.photographs import encoded, portrait

# As a module, for a test that is skipped fails with CI=true: not every distribution has these engines.
if not installed():
    pytest.skip("neither WebKit nor Firefox of Debian is installed", allow_module_level=True)


@pytest.fixture(params=installed())
def tab(request: pytest.FixtureRequest, fresh_site: Site, tmp_path: Path) -> Iterator[Tab]:
    """A tab at Home. On no page may anything go wrong, except for what shows first that this is noted."""
    with request.param(tmp_path) as send:
        tab = Tab(send, fresh_site)
        tab.go("/")
        tab.evaluate("void window.Promise.reject('provoked')")
        tab.wait("sessionStorage.faults?.includes('provoked')")
        tab.evaluate("delete sessionStorage.faults")
        yield tab
        assert tab.evaluate("sessionStorage.faults ?? ''") == ""


def test_back_leads_from_a_page_to_home(tab: Tab) -> None:
    heading = tab.evaluate("document.querySelector('h1').textContent")
    tab.press("header a[href='/advisors']")
    tab.wait("location.pathname === '/advisors' && document.readyState === 'complete'")
    tab.send("Back")
    tab.find("h1", heading)


def test_the_first_press_of_the_theme_switch_counts(tab: Tab) -> None:
    for theme in ("dark", "light"):
        tab.go("/")
        tab.press("[aria-label='Switch between light and dark']")
        tab.wait(f"getComputedStyle(document.documentElement).colorScheme === '{theme}'")


def test_a_message_typed_at_once_is_sent(tab: Tab) -> None:
    typed = {"firstName": "Zoë", "lastName": "Lee", "email": "zoe@example.com", "message": "Ünïcode? <b> &"}
    tab.go("/contact")
    for name, text in typed.items():
        tab.type(f"form [name={name}]", text)
    tab.find(SETTLED)
    assert [tab.evaluate(f"document.forms.enquiry.{name}.value") for name in typed] == [*typed.values()]
    tab.press("main form button[type=submit]")
    tab.find("#enquiry-sent")
    assert enquiries(tab.site) == [("Zoë", "zoe@example.com", "", typed["message"])]


def test_a_company_is_created_by_keys_illustrated_and_changed_during_an_outage(tab: Tab, tmp_path: Path) -> None:
    tab.go("/auth")
    tab.type("[name=email]", ADMIN_EMAIL)
    tab.type("[name=password]", ADMIN_PASSWORD)
    tab.press("form button[type=submit]")
    # A page that is left while it loads its stylesheet reports it as an error.
    tab.wait("location.pathname === '/admin' && [...document.styleSheets].some(one => /backoffice/.test(one.href))")

    tab.go(NEW)
    for name, text in REQUIRED.items():
        if name != "slug":  # which follows the name
            tab.type(f"[name={name}]", text)
    tab.find("[name=slug]", condition=f"one.value === '{REQUIRED['slug']}'")
    tab.type("[name=name]", f"{CONTROL}s")
    tab.find(".notice", "Company created successfully")

    picture, field = tmp_path / "Küche.jpg", ".backoffice-field:has([name=logo_url])"
    picture.write_bytes(encoded(portrait(1200, 1200)))
    tab.go(edit(REQUIRED["slug"]))
    tab.find("[name=name]", condition=f"one.value === '{REQUIRED['name']}'")
    tab.type(f"{field} [type=file]", str(picture), condition="true")
    tab.find(field, ADDED)
    tab.find(f"{field} .picture-preview img", condition="one.naturalWidth === 960")

    with frozen(tab.site):
        tab.type("[name=phone]", f"+65 6000 0003{CONTROL}s")
        tab.find(".connection-bar", messages.CONNECTION_WAITING)
    tab.find(".notice", "Company updated successfully")
    with closing(sqlite3.connect(tab.site.data_dir / "advisory.db")) as database:
        query = "SELECT phone, version, logo_url LIKE '/media/%-960.jpg' FROM companies WHERE slug = ?"
        assert database.execute(query, [REQUIRED["slug"]]).fetchall() == [("+65 6000 0003", 2, True)]
