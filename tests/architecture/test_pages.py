"""The declarations in PAGES are consistent."""

import pytest

from advisory_site.asgi import Page, Site
from advisory_site.core import routes
from advisory_site.enquiries.admin_page import EnquiryInboxState
from advisory_site.enquiries.new_count import NewEnquiriesState


@pytest.fixture
def pages(app: Site) -> list[Page]:
    """The pages of the site, except the one for unknown addresses."""
    return [page for page in app.pages if page.route != "404"]


def test_the_back_office_and_the_sign_in_pages_are_private_and_nothing_else(pages: list[Page]) -> None:
    assert [page.route for page in pages if page.is_private != page.route.startswith(routes.PRIVATE)] == []


def test_a_public_page_that_reads_records_is_rendered_again_when_they_change(pages: list[Page]) -> None:
    assert [page.route for page in pages if not page.is_private and bool(page.on_load) != page.follows_content] == []
    assert [page.route for page in pages if page.shows_records and not page.follows_content] == []


def test_every_public_page_is_found_by_search_engines(pages: list[Page]) -> None:
    for page in pages:
        is_of_records = "[" in page.route
        assert page.in_sitemap == (not page.is_private and not is_of_records), page.route
        assert bool(page.meta) == (not page.is_private), page.route
        assert bool(page.resolve_slug) == (not page.is_private and is_of_records), page.route


@pytest.mark.spec("CON-6")
def test_every_page_of_the_back_office_counts_the_new_enquiries(pages: list[Page]) -> None:
    counting = (NewEnquiriesState.load, EnquiryInboxState.load)
    without = [page.route for page in pages if page.route.startswith(routes.ADMIN) and page.on_load[-1] not in counting]
    assert without == []
