"""Titles and descriptions: short enough to be shown whole, long enough to help, never said twice."""

from collections import Counter

import pytest

from advisory_site.advisors import texts as advisors
from advisory_site.articles import texts as articles
from advisory_site.companies import texts as companies
from advisory_site.content import home, how_we_work, not_found, privacy, terms, what_we_do, why_us
from advisory_site.content.firm import FIRM
from advisory_site.enquiries import texts as contact
from advisory_site.team import texts as team

PAGES = {
    "home": home.SEO,
    "why us": why_us.SEO,
    "what we do": what_we_do.SEO,
    "how we work": how_we_work.SEO,
    "contact": contact.SEO,
    "companies": companies.SEO,
    "company": companies.DETAIL_SEO,
    "team": team.SEO,
    "team directory": team.DIRECTORY_SEO,
    "team profile": team.PROFILE_SEO,
    "meet our team": team.MEET_SEO,
    "advisors": advisors.SEO,
    "advisor": advisors.PROFILE_SEO,
    "insights": articles.SEO,
    "article": articles.ARTICLE_SEO,
    "privacy": privacy.SEO,
    "terms": terms.SEO,
    "not found": not_found.SEO,
}


def test_titles_name_the_firm_and_fit_into_60_characters() -> None:
    wrong = {page: seo.title for page, seo in PAGES.items() if FIRM.name not in seo.title or len(seo.title) > 60}
    assert not wrong


def test_descriptions_fit_into_a_search_result() -> None:
    wrong = {
        page: f"{len(seo.description)} characters: {seo.description}"
        for page, seo in PAGES.items()
        if not 120 <= len(seo.description) <= 158 or "  " in seo.description
    }
    assert not wrong


@pytest.mark.parametrize("part", ["title", "description"])
def test_no_two_pages_share_a_title_or_description(part: str) -> None:
    counted = Counter(getattr(seo, part) for seo in PAGES.values())
    assert [text for text, times in counted.items() if times > 1] == []
