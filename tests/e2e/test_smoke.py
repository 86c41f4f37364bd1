"""Every public route answers with its page, and the browser has nothing to complain about."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support.public_pages import STATIC


@pytest.mark.parametrize("path", STATIC)
def test_a_public_page_has_one_headline_and_a_clean_console(visit: Callable[[str], Page], path: str) -> None:
    page = visit(path)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    expect(page.get_by_role("main")).to_be_visible()
