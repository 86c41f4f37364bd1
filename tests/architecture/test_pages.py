"""The declarations in PAGES are consistent."""

import pytest

from advisory_site.enquiries.desk.list_page import EnquiryInboxState
from advisory_site.enquiries.desk.new_count import NewEnquiriesState
from sitekit.app.page import Page
from sitekit.app.site_app import SiteApp
from sitekit.base import paths


@pytest.fixture
def pages(app: SiteApp) -> list[Page]:
    """The pages of the site, except the one for unknown addresses."""
    return [page for page in app.pages if page.route != "404"]


def test_only_the_back_office_and_the_sign_in_pages_are_private(pages: list[Page]) -> None:
    assert [page.route for page in pages if page.is_private != page.route.startswith(paths.PRIVATE)] == []


def test_public_pages_that_read_records_are_rendered_again_after_changes(pages: list[Page]) -> None:
    assert [page.route for page in pages if not page.is_private and bool(page.on_load) != page.follows_content] == []
    assert [page.route for page in pages if page.shows_records and not page.follows_content] == []


def test_every_public_page_can_be_indexed_by_search_engines(app: SiteApp, pages: list[Page]) -> None:
    # A list that is indexed only with records in it is in the sitemap only then.
    lists = {path for source in app.sitemap_sources for path in source.lists}
    for page in pages:
        is_of_records = "[" in page.route
        assert (page.in_sitemap or page.route in lists) == (not page.is_private and not is_of_records), page.route
        assert bool(page.meta) == (not page.is_private), page.route
        assert bool(page.resolve_slug) == (not page.is_private and is_of_records), page.route


@pytest.mark.spec("CON-6")
def test_every_back_office_page_loads_the_count_of_new_enquiries(pages: list[Page]) -> None:
    counting = (NewEnquiriesState.load, EnquiryInboxState.load)
    without = [page.route for page in pages if page.route.startswith(paths.ADMIN) and page.on_load[-1] not in counting]
    assert without == []


def test_the_components_of_a_page_are_gathered_by_the_module_of_its_function(pages: list[Page]) -> None:
    """Else all pages that are partials share a script, and visitors load the forms of the back office."""
    assert [page.route for page in pages if page.component.__module__ == "functools"] == []


def test_no_component_has_a_property_that_its_element_does_not_know(pages: list[Page]) -> None:
    """Reflex makes a style of such a property, so that a link's `title` would be none."""
    assert [page.route for page in pages if "css:(" in str(page.component())] == []
