"""Which texts of which pages staff can change."""

import json
import re

import pytest

from advisory_site.advisory_site import PAGES
from sitekit.app.page import Page
from sitekit.base import paths
from sitekit.ui.copy import ORIGINALS
from sitekit.ui.public.words import words_of

PUBLIC = {page.route: page for page in PAGES if not page.is_private}
CALL = re.compile(r'words\(("(?:[^"\\]|\\.)*")\)')
# What the specification names, as far as it has more words than a label.
FIXED = """Start Your Journey / Why Founders Choose Us / Key Operational & Strategic Issues
Supportive Mentoring Advice / Product Review & Vision Development / Investor Attraction & Funding Optimisation
Market & Intellectual Property Review / GTM Material Preparation & Partner Outreach
Financial Metrics & Founder Investibility / Additional Customised GTM Plans / Book a Consultation / Explore Our Model
Start the Conversation / Let's Scale Your Vision / Get in Touch / Back to Companies / Company Not Found
Years combined experience / Loading team members... / Back to Team / Team Member Not Found
How Our Advisory Network Works / Back to Advisors / Advisor Not Found / Advisor not found
Failed to load advisor profile / Oops! Page not found / Return to Home"""


def texts_of(page: Page) -> list[str]:
    """The texts of a page that staff can change, in the order of its elements."""
    code = [str(page.component()), *map(str, map(words_of, (page.title, page.description)))]
    return [json.loads(text) for text in CALL.findall(" ".join(code))]


@pytest.fixture(scope="module")
def texts() -> dict[str, list[str]]:
    """The texts of each public page."""
    return {route: texts_of(page) for route, page in PUBLIC.items()}


@pytest.mark.spec("COPY-7")
def test_every_changeable_text_is_shown_by_some_page(texts: dict[str, list[str]]) -> None:
    shown = {text for of_page in texts.values() for text in of_page}
    assert sorted(ORIGINALS - shown) == []
    assert len(shown) > 250


@pytest.mark.spec("COPY-7")
def test_no_text_of_law_or_of_the_404_can_be_changed(texts: dict[str, list[str]]) -> None:
    assert [texts[paths.PRIVACY], texts["/terms"], texts["404"]] == [[], [], []]


def test_only_pages_that_follow_content_have_changeable_texts(texts: dict[str, list[str]]) -> None:
    """Other pages are rendered once per build."""
    assert [route for route, of_page in texts.items() if of_page and not PUBLIC[route].follows_content] == []


@pytest.mark.spec("COPY-7")
def test_what_the_specification_fixes_cannot_be_changed() -> None:
    assert ORIGINALS & set(re.split(r" / |\n", FIXED)) == set()


@pytest.mark.spec("COPY-8")
def test_title_and_description_for_search_can_be_changed() -> None:
    of_records = {page.route for page in PUBLIC.values() if page.resolve_slug}
    fixed = {paths.PRIVACY, "/terms", "404"}
    for route in PUBLIC.keys() - of_records - fixed:
        shown = map(words_of, (PUBLIC[route].title, PUBLIC[route].description))
        assert [bool(CALL.search(str(text))) for text in shown] == [True, True], route
