"""Articles as staff write them: Markdown with its preview, what is pasted, and what readers get."""

import re
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest
from playwright.sync_api import FilePayload, Locator, Page, expect

from sitekit.admin import texts
from sitekit.base import messages
from sitekit.base.db.database import transaction
from sitekit.records.pictures.texts import PICTURE_FORMAT
from tests.e2e.axe import serious_findings
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.picture_uploads import ADDRESS, OTHER, PHOTO, Endpoint, bring
from tests.e2e.backoffice.steps import notice
from tests.e2e.conftest import Site, Watch
from tests.e2e.raw_html import read, status
from tests.support.factories import add_article, add_picture

PASTED = (
    '<h1>Where they stood</h1><p>It was <b>late</b>, see <a href="https://other.example/">this</a>.</p>'
    "<ul><li>one</li><li>two</li></ul><table><tr><td>Month</td><td>Cost</td></tr></table>"
)
PASTE = """html => {
  const data = new DataTransfer();
  data.setData("text/html", html);
  const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
  document.activeElement.dispatchEvent(event);
}"""


def preview(page: Page) -> str:
    return page.get_by_role("region", name=texts.MARKDOWN_PREVIEW).inner_text()


@pytest.fixture
def page(staff: Staff) -> Iterator[Page]:
    """The form of a new article."""
    yield staff().open("/admin/articles/new")


@pytest.mark.spec("NEWS-1", "NEWS-3")
def test_what_is_pasted_becomes_markdown_and_its_preview_is_what_readers_get(page: Page, site: Site) -> None:
    told = page.get_by_label("Tell readers that this was updated")
    page.get_by_label("Title").fill("A pasted case")
    page.get_by_label("Summary").fill("It was late.")
    page.get_by_role("textbox", name="Date").fill("2026-11-20")
    page.get_by_label("Topics").fill("Pasting")
    text = page.get_by_role("textbox", name="Text", exact=True)
    region = page.get_by_role("region", name=texts.MARKDOWN_PREVIEW)
    expect(region).to_contain_text(texts.MARKDOWN_EMPTY)
    text.focus()
    page.evaluate(PASTE, PASTED)
    expect(text).to_have_value(
        "## Where they stood\n\nIt was **late**, see [this](https://other.example/).\n\n- one\n- two\n\nMonth | Cost"
    )
    expect(region.get_by_role("status")).to_have_text(texts.MARKDOWN_TABLE)
    expect(region.get_by_role("heading", level=2)).to_have_text("Where they stood")
    expect(region.get_by_role("listitem")).to_have_text(["one", "two"])
    expect(region.get_by_role("list")).to_have_css("list-style-type", "disc")
    shown = page.locator(".markdown-text").inner_html()
    page.keyboard.press("Control+z")
    expect(text).to_have_value("")
    page.keyboard.press("Control+Shift+z")
    page.get_by_label("Author").select_option("Adeline Koh")
    expect(told).to_have_count(0)
    page.get_by_role("button", name="Create Article").click()
    expect(notice(page, "Article created successfully")).to_be_visible()
    expect(page.get_by_role("heading", name="Insights", exact=True)).to_be_visible()
    expect(page.get_by_text("20 Nov 2026")).to_be_visible()
    page.get_by_role("link", name="A pasted case", exact=True).click()
    expect(told).to_be_visible()
    html = read(site, "/insights/a-pasted-case")
    assert shown in html
    assert "Adeline Koh" in html
    assert "A pasted case" in read(site, "/insights?topic=Pasting")


@pytest.fixture
def text(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Text", exact=True)


def cursor(text: Locator) -> int:
    expect(text).to_be_focused()
    return int(text.evaluate("area => area.selectionEnd"))


@pytest.mark.spec("NEWS-3", "IMG-1", "IMG-3")
def test_pictures_are_pasted_dropped_and_chosen_into_the_text_with_the_cursor_at_their_description(
    page: Page, text: Locator, database: object
) -> None:
    with transaction() as session:
        picture = add_picture(session, name="ledger.jpg", alt="A ledger")
    endpoint = Endpoint(page)
    text.fill("First words.\n\nLast words.")
    text.evaluate("area => area.setSelectionRange(5, 5)")
    assert bring(text, "paste")
    expect(text).to_have_value(f"First words.\n\n![]({ADDRESS})\n\nLast words.")
    assert cursor(text) == len("First words.\n\n![")
    page.keyboard.type("The ledger")
    endpoint.answer_with(OTHER)
    assert bring(text, "drop")
    first = f"First words.\n\n![The ledger]({ADDRESS})\n\n![]({OTHER})"
    expect(text).to_have_value(f"{first}\n\nLast words.")
    assert cursor(text) == len(first) - len(f"]({OTHER})")
    page.get_by_role("button", name="Insert a picture: Text").click()
    search = page.get_by_role("searchbox", name="Search pictures")
    expect(search).to_be_focused()
    page.keyboard.type("ledger")
    page.keyboard.press("Enter")  # does not send the form
    page.get_by_role("button", name="A ledger").click()
    expect(text).to_have_value(f"{first}\n\n![](/media/{picture.key}-960.jpg)\n\nLast words.")
    expect(search).to_have_count(0)
    page.keyboard.press("Control+z")
    expect(text).to_have_value(f"{first}\n\nLast words.")


@pytest.mark.spec("NEWS-3", "IMG-1")
def test_several_pictures_are_uploaded_in_turn_while_somebody_writes(page: Page, text: Locator, watch: Watch) -> None:
    watch.expect("Failed to load resource")
    endpoint = Endpoint(page, None)
    chooser = page.locator(".markdown-field input[type=file]")
    notes: FilePayload = {"name": "notes.pdf", "mimeType": "application/pdf", "buffer": b"n" * 2000}
    chooser.set_input_files([PHOTO, notes, PHOTO])
    alert = page.locator(".markdown-field").get_by_role("alert")
    expect(alert).to_have_text(PICTURE_FORMAT)
    text.focus()
    page.keyboard.type("I am writing")
    assert bring(text, "drop")
    page.keyboard.type(" on")
    endpoint.respond()
    expect(text).to_have_value(f"I am writing on\n\n![]({ADDRESS})")
    page.keyboard.type(".")
    expect(text).to_have_value(f"I am writing on.\n\n![]({ADDRESS})")
    endpoint.respond(503, "")
    expect(alert).to_have_text("Pictures cannot be uploaded at the moment. Please try again.")
    endpoint.answer_with(OTHER)
    page.get_by_role("button", name="Try again").click()
    expect(text).to_have_value(f"I am writing on.\n\n![]({OTHER})\n\n![]({OTHER})\n\n![]({ADDRESS})")
    assert len(endpoint.requests) == 4


@pytest.mark.spec("NEWS-3")
def test_words_with_a_picture_of_them_are_pasted_as_words(page: Page, text: Locator) -> None:
    endpoint = Endpoint(page)
    assert not bring(text, "paste", text="Words, and a picture of them")
    assert endpoint.requests == []


@pytest.mark.spec("NEWS-3")
def test_a_long_preview_is_reached_by_keys_and_looks_as_the_page_does(staff: Staff) -> None:
    page = staff(bypass_csp=True).open("/admin/articles/new")
    page.get_by_role("textbox", name="Text", exact=True).fill("1. one\n\n" + "Many words.\n\n" * 60)
    region = page.get_by_role("region", name=texts.MARKDOWN_PREVIEW)
    expect(region.get_by_role("list")).to_have_css("list-style-type", "decimal")
    region.focus()
    page.keyboard.press("End")
    expect(region.get_by_role("paragraph").last).to_be_in_viewport()
    assert serious_findings(page) == []


@pytest.mark.spec("NEWS-4")
def test_a_link_that_leads_nowhere_is_marked_and_nothing_is_lost(page: Page) -> None:
    page.get_by_label("Title").fill("A broken link")
    page.get_by_label("Summary").fill("It is.")
    page.get_by_role("textbox", name="Date").fill("2026-11-20")
    text = page.get_by_role("textbox", name="Text", exact=True)
    text.fill("[a](/compnies)")
    page.get_by_role("button", name="Create Article").click()
    # The field is so high that its end may be outside the window.
    said = page.get_by_text(messages.NO_PAGE_AT.format(path="/compnies"), exact=True)
    expect(said).to_have_count(2)
    expect(said.first).to_be_in_viewport(ratio=1)
    expect(text).to_be_focused()
    expect(text).to_have_accessible_description(messages.NO_PAGE_AT.format(path="/compnies"))
    expect(text).to_have_value("[a](/compnies)")
    text.fill("[a](/companies)")
    page.get_by_role("button", name="Create Article").click()
    expect(notice(page, "Article created successfully")).to_be_visible()


@pytest.mark.spec("NEWS-3")
def test_the_help_stands_beside_the_field(page: Page) -> None:
    page.get_by_text(texts.MARKDOWN_HELP_TITLE).click()
    expect(page.locator(".markdown-help dt")).to_have_text([typed for typed, _ in texts.MARKDOWN_HELP])


@pytest.mark.spec("NEWS-9")
def test_an_article_of_1500_words_is_small(site: Site, database: object) -> None:
    known = re.findall(r"[a-z]{2,}", read(site, "/privacy") + read(site, "/terms") + read(site, "/how-we-work"))
    words = [known[place * 7 % len(known)] for place in range(1500)]
    text = "\n\n".join(" ".join(words[start : start + 75]) for start in range(0, 1500, 75))
    with transaction() as session:
        slug = add_article(session, text=text, summary="Long.", topics=["Length"]).slug
    asked = urllib.request.Request(f"{site.url}/insights/{slug}", headers={"accept-encoding": "br"})
    for _ in range(2):  # the first answer is compressed quickly
        with urllib.request.urlopen(asked, timeout=60) as answer:
            size = len(answer.read())
    assert answer.headers["content-encoding"] == "br"
    assert size <= 18_000


@pytest.mark.spec("NEWS-5")
def test_the_feed_answers_with_a_tag_and_its_folder_has_no_other(site: Site) -> None:
    with urllib.request.urlopen(f"{site.url}/insights/feed.xml", timeout=60) as answer:
        assert answer.headers["content-type"] == "application/atom+xml; charset=utf-8"
        tag = answer.headers["etag"]
    asked = urllib.request.Request(f"{site.url}/insights/feed.xml", headers={"if-none-match": tag})
    with pytest.raises(urllib.error.HTTPError) as unchanged:
        urllib.request.urlopen(asked, timeout=60)
    assert unchanged.value.code == 304
    unchanged.value.close()
    assert status(site, "/insights/rss.xml") == 404
