"""The back office on a phone with letters of twice the size."""

import pytest
from playwright.sync_api import expect

from sitekit.base import paths
from sitekit.base.permissions import Role
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.conftest import Watch
from tests.e2e.large_text import cut_at_twice_the_size
from tests.e2e.states import GATE, OTHERS
from tests.e2e.walks import check


@pytest.mark.timeout(600)
@pytest.mark.spec("AUTH-1")
def test_no_state_cuts_texts_or_scrolls_sideways(staff: Staff, watch: Watch) -> None:
    watch.expect("Failed to load resource")
    check(GATE + OTHERS, staff, lambda state: cut_at_twice_the_size(state.page))


@pytest.mark.spec("AUTH-1")
@pytest.mark.parametrize("width", [360, 768])
def test_the_header_keeps_to_the_window_with_letters_doubled_by_the_page_itself(staff: Staff, width: int) -> None:
    """Some phones change the size of the root's letters, which no query of the window sees."""
    page = staff(Role.ADMIN).open(paths.ADMIN_PROFILE)
    page.set_viewport_size({"width": width, "height": 740})
    menu = page.locator(".avatar-button")
    expect(menu).to_be_visible()
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    expect(page.locator(".finder-label")).to_have_css("width", "1px")
    expect(menu).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
