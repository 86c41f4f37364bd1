"""What a reader sees of the articles, in a real browser."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from advisory_site.articles import texts
from tests.e2e.conftest import Site

CASE = "/insights/saga-seed-ten-schools-before-the-first-hire-in-hanoi"
METHOD = "/insights/the-two-page-document-that-stops-a-bad-market-entry"


@pytest.mark.spec("NEWS-2")
def test_a_reader_comes_from_a_topic_to_an_article_and_its_author(visit: Callable[[str], Page]) -> None:
    page = visit("/insights")
    expect(page.get_by_role("article")).to_have_count(5)
    expect(page.get_by_role("article").first).to_contain_text("12 November 2026")
    page.get_by_role("navigation", name=texts.FILTERS_LABEL).get_by_role("link", name="Market entry").click()
    expect(page).to_have_url(re.compile(r"/insights\?topic=Market\+entry#list$"))
    expect(page.get_by_role("article")).to_have_count(2)
    page.get_by_role("link", name="The two-page document").click()
    expect(page).to_have_url(re.compile(f"{METHOD}$"))
    article = page.get_by_role("article")
    expect(article.get_by_role("heading", level=1)).to_have_text("The two-page document that stops a bad market entry")
    expect(article.get_by_role("heading", level=2).first).to_have_text(
        "1. Take the last twenty sales, not the best ones"
    )
    expect(article.get_by_role("blockquote")).to_contain_text("Describe the last time")
    expect(article.get_by_text("min read")).to_have_text("8 October 2026 · 2 min read")
    expect(article.locator(".article-text").get_by_role("link", name="Treacle Tech")).to_have_attribute(
        "href", "/companies/treacle-tech"
    )
    expect(article.get_by_role("link", name="Ronda Health")).to_have_count(2)
    article.get_by_role("link", name="Rajan Subramaniam").click()
    expect(page.get_by_role("heading", level=2, name="Articles")).to_be_visible()
    expect(page.locator(".article-rows").get_by_role("link")).to_have_text(
        ["The two-page document that stops a bad market entry"]
    )


@pytest.mark.spec("NEWS-11")
def test_a_case_and_its_company_lead_to_each_other(visit: Callable[[str], Page]) -> None:
    page = visit("/companies")
    card = page.get_by_role("article").filter(has_text="Saga Seed")
    # Each link of the card can be pressed, though all of the card links to the company.
    card.get_by_role("link", name="Get in Touch").click()
    expect(page).to_have_url(re.compile("/contact$"))
    page.go_back()
    card.get_by_role("link", name=texts.CASE_LINK).click()
    expect(page).to_have_url(re.compile(f"{CASE}$"))
    opening = page.locator(".case-opening")
    expect(opening).to_contain_text("410 schools")
    expect(opening.get_by_role("blockquote")).to_contain_text("Our plan was to hire eight people")
    page.get_by_role("navigation", name=texts.NEXT_CASE).get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ashlar Materials: three buyers before the first bank")
    page.go_back()
    opening.get_by_role("link", name="Saga Seed").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Saga Seed")
    page.locator(".work-role").get_by_role("link", name=texts.CASE_LINK).click()
    expect(page).to_have_url(re.compile(f"{CASE}$"))
    page.goto(page.url.replace(CASE, "/"))
    page.locator(".testimonials").get_by_role("link", name=texts.CASE_LINK).click()
    expect(page).to_have_url(re.compile(f"{CASE}$"))


@pytest.mark.spec("NEWS-6")
def test_home_names_the_newest_article(visit: Callable[[str], Page]) -> None:
    page = visit("/")
    expect(page.locator(".newest").get_by_role("heading", level=3)).to_have_text(
        "Close the books in six days, then raise"
    )
    page.locator(".newest").get_by_role("link", name="All of our insights").click()
    expect(page).to_have_url(re.compile("/insights$"))


@pytest.mark.spec("NEWS-9")
@pytest.mark.parametrize("width", [320, 768, 1280, 1920])
def test_an_article_is_read_without_scripts_at_every_width(browser: Browser, site: Site, width: int) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": width, "height": 800})
    page = context.new_page()
    page.goto(site.url + CASE)
    text = page.locator(".article-text")
    expect(text).to_contain_text("I knew better and wanted the shorter trip.")
    box = text.bounding_box()
    assert box and box["x"] >= 0 and box["x"] + box["width"] <= width
    context.close()


@pytest.mark.spec("NEWS-9")
def test_an_article_is_printed_on_white_in_one_column(visit: Callable[[str], Page]) -> None:
    page = visit(METHOD)
    page.emulate_media(media="print", color_scheme="dark")
    expect(page.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")
    expect(page.locator(".article-end")).to_be_hidden()
    text, title = (page.locator(part).bounding_box() for part in (".article-text", ".article h1"))
    assert text and title and text["x"] == title["x"]
    assert text["y"] > title["y"] + title["height"]
