"""Texts in Markdown: what may be saved, and the HTML that page, preview and feed share."""

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from sqlmodel import Session

from advisory_site.articles.service import ARTICLES
from sitekit.admin.pictures import library
from sitekit.base import messages, site_pages
from sitekit.base.errors import InvalidInput
from sitekit.base.settings import get_settings
from sitekit.records.features import record_types
from sitekit.records.fields.markdown import MarkdownField, html_of, keys_in
from sitekit.records.pictures.uses import count_uses
from tests.support.each import check_each
from tests.support.factories import add_actor, add_article, add_company, add_picture, article_form

PICTURE = f"/media/{'a' * 32}-960.jpg"
# What is copied from word processors and pages, and as what it is pasted: pasted_markdown.test.mjs compares the two.
PASTES = Path(__file__).parents[1] / "ui/js/pastes"
VOID = {"br", "col", "hr", "img", "meta"}


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The paths that have a page."""
    known = {"/", "/companies", "/companies/kelp"}
    monkeypatch.setattr(site_pages, "_has_page", lambda _session, path: path in known)
    return known


def save(session: Session, text: str, **fields: Any) -> int:
    data = ARTICLES.data_class.read(article_form(text=text, **fields))
    return ARTICLES.create(session, add_actor(session), data)


@pytest.mark.spec("NEWS-3")
def test_a_subset_of_markdown_becomes_html_and_the_rest_is_shown_as_typed(session: Session) -> None:
    def check(case: tuple[str, str]) -> None:
        typed, html = case
        assert html_of(session, typed) == html

    cases = [
        ("# One\n\n## Two\n\n### Three\n\n#### Four", "<h2>One</h2>\n<h2>Two</h2>\n<h3>Three</h3>\n<h3>Four</h3>"),
        ("*a* **b**", "<p><em>a</em> <strong>b</strong></p>"),
        ("- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>"),
        ("2. a", '<ol start="2">\n<li>a</li>\n</ol>'),
        ("> a", "<blockquote>\n<p>a</p>\n</blockquote>"),
        ("<b>a</b> &amp;", "<p>&lt;b&gt;a&lt;/b&gt; &amp;amp;</p>"),
        ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"),
        ("[a](javascript:alert(1))", "<p>[a](javascript:alert(1))</p>"),
        ("`a` ~~b~~ ---", "<p>`a` ~~b~~ ---</p>"),
    ]
    check_each(cases, check)


class Words(HTMLParser):
    """The words of an HTML text, and the signs that Markdown reads; not the numbers that Word writes of its lists."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.hidden: list[bool] = []
        self.found: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            is_hidden = tag in ("style", "title") or "mso-list:Ignore" in (dict(attrs).get("style") or "")
            self.hidden.append(is_hidden or self.hidden[-1:] == [True])

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            self.hidden.pop()

    def handle_data(self, data: str) -> None:
        if self.hidden[-1:] != [True]:
            self.found += re.findall(r"\w+|[*_\\\[\]#>]", data)


@pytest.mark.spec("NEWS-3")
def test_what_was_pasted_is_shown_with_the_words_and_signs_that_were_copied(session: Session) -> None:
    def check(markdown: Path) -> None:
        copied = markdown.with_suffix(".html").read_text(encoding="utf-8")
        assert "".join(Words(html_of(session, markdown.read_text(encoding="utf-8"))).found) == "".join(
            Words(copied).found
        )

    check_each(sorted(PASTES.glob("*.md")), check)


@pytest.mark.spec("NEWS-3")
def test_signs_are_set_across_emphasis_but_not_in_addresses(session: Session) -> None:
    html = html_of(session, """It's "*so*" -- [10-12](/a-b?c="10-12")""")
    assert html == '<p>It’s “<em>so</em>” – <a href="/a-b?c=%2210-12%22">10–12</a></p>'


@pytest.mark.spec("NEWS-4")
def test_only_links_to_other_sites_get_rel_and_a_feed_gets_absolute_addresses(session: Session) -> None:
    text = "[here](/companies#list) [there](https://other.example/)"
    assert html_of(session, text) == (
        '<p><a href="/companies#list">here</a> <a href="https://other.example/" rel="noopener">there</a></p>'
    )
    assert 'href="https://firm.example/companies#list"' in html_of(session, text, "https://firm.example")


@pytest.mark.spec("NEWS-3")
def test_a_picture_has_its_sizes_and_the_description_of_the_library(session: Session) -> None:
    picture = add_picture(session, width=1600, height=1200, alt='A "pump"')
    html = html_of(session, f"![](/media/{picture.key}-960.jpg)", "https://firm.example")
    assert f'src="https://firm.example/media/{picture.key}-1600.webp"' in html
    assert f"/media/{picture.key}-320.webp 320w, " in html
    assert 'width="1600" height="1200" alt="A &quot;pump&quot;" loading="lazy"' in html
    assert 'alt="Two “pumps”"' in html_of(session, f'![Two "pumps"](/media/{picture.key}-960.jpg)')
    assert html_of(session, f"![gone]({PICTURE})") == "<p></p>"


@pytest.mark.spec("NEWS-4")
@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("![a](https://other.example/a.png)", messages.MARKDOWN_PICTURE.format(address="https://other.example/a.png")),
        ("![a](/images/og.png)", messages.MARKDOWN_PICTURE.format(address="/images/og.png")),
    ],
)
def test_pictures_of_other_hosts_are_refused(typed: str, sentence: str) -> None:
    with pytest.raises(ValueError) as refused:
        MarkdownField().read(typed)
    assert str(refused.value) == sentence


@pytest.mark.spec("NEWS-4")
def test_a_link_that_cannot_lead_anywhere_is_refused(session: Session) -> None:
    def check(address: str) -> None:
        with pytest.raises(ValueError) as refused:
            MarkdownField().read(f"a [b]({address})")
        assert str(refused.value) == messages.MARKDOWN_LINK.format(address=unquote(address) or "()")
        html_of(session, f"a [b]({address})")  # what is typed is previewed before it is refused

    here = ("", "#results", "?sector=x", "?sector=x#results", "//other.example", "///companies", "//")
    web = (
        "https://",
        "http://",
        "https:/other.example",
        "https:other.example",
        "https://?a=b",
        "https://#a",
        "HTTPS://",
    )
    broken = ("https://[", "https://a]b", "https://%20/")
    others = (
        "mailto:",
        "mailto:no-at",
        "mailto:a@b",
        "mailto:?subject=a",
        "tel:",
        "tel:now",
        "tel:1",
        "ftp://a.example",
        "sms:1",
    )
    check_each([*here, *web, *broken, *others], check)


@pytest.mark.spec("NEWS-4")
def test_links_to_other_sites_to_mail_and_to_telephones_are_kept(session: Session) -> None:
    def check(address: str) -> None:
        text = f"[b]({address})"
        assert MarkdownField().read(text) == text
        assert html_of(session, text) == f'<p><a href="{address}" rel="noopener">b</a></p>'

    web = ("https://other.example", "HTTPS://Other.example/A?b=c#d", "http://[::1]:80/", "https://other.example/%2Fa")
    check_each(
        [*web, "mailto:a@b.example", "mailto:a@b.example,c@d.example?subject=e", "tel:+6561234567", "tel:995"], check
    )


@pytest.mark.spec("NEWS-4")
def test_a_link_to_this_site_leads_somewhere(session: Session, pages: set[str]) -> None:
    save(session, "[a](/companies/kelp#top) [b](/companies?sector=x) [c](https://other.example/compnies)")
    for path in ("/compnies", "/companies/auk", "compnies", "companies", "/companies%2Fkelp", "/companies%3Fx"):
        with pytest.raises(InvalidInput) as refused:
            save(session, f"[a]({path})")
        shown = path if "%2F" in path else unquote(path)
        assert refused.value.fields == {"text": messages.NO_PAGE_AT.format(path=shown)}


@pytest.mark.spec("NEWS-4")
def test_a_link_may_be_spelled_as_the_site_redirects_it(session: Session, pages: set[str]) -> None:
    origin = get_settings().public_url
    for path in ("/companies/", "/Companies", "/companies//kelp/", "/COMPANIES/Kelp?sector=x", "/companies/%6Belp"):
        save(session, f"[a]({path}) [b]({origin.upper()}{path})")
    with pytest.raises(InvalidInput) as refused:
        save(session, f"[a]({origin.upper()}/Compnies)")
    assert refused.value.fields == {"text": messages.NO_PAGE_AT.format(path="/Compnies")}


@pytest.mark.spec("NEWS-4")
@pytest.mark.usefixtures("app")
def test_links_may_lead_to_the_feed_and_the_files_for_programs(session: Session) -> None:
    save(session, "[a](/insights/feed.xml) [b](/sitemap.xml) [c](/robots.txt) [d](/insights/)")
    for path in ("/Sitemap.xml", "/sitemap.xml/", "/admin", "/healthz"):
        with pytest.raises(InvalidInput):
            save(session, f"[a]({path})")


@pytest.mark.spec("NEWS-4")
def test_a_link_that_broke_later_stands_in_the_way_of_no_other_change(session: Session, pages: set[str]) -> None:
    article, actor = save(session, "[a](/companies/kelp)"), add_actor(session)
    pages.remove("/companies/kelp")
    form = ARTICLES.get_for_edit(session, actor, article)
    ARTICLES.update(
        session, actor, article, ARTICLES.data_class.read({**form.inputs(), "summary": "Less."}), form.version
    )
    assert ARTICLES.get_for_edit(session, actor, article).texts["summary"] == "Less."


@pytest.mark.spec("NEWS-3")
def test_a_picture_in_a_text_exists_and_is_described_before_visitors_see_it(session: Session) -> None:
    bare, described = add_picture(session, alt=""), add_picture(session, alt="A pump")
    with pytest.raises(InvalidInput) as refused:
        save(session, f"![]({PICTURE})")
    assert refused.value.fields == {"text": messages.PICTURE_GONE}
    with pytest.raises(InvalidInput) as refused:
        save(session, f"![](/media/{bare.key}-960.jpg)")
    assert refused.value.fields == {"text": messages.MARKDOWN_UNDESCRIBED}
    save(session, f"![A pump](/media/{bare.key}-960.jpg)")
    save(session, f"![](/media/{described.key}-960.jpg)")
    save(session, f"![](/media/{bare.key}-960.jpg)", is_active="")


@pytest.mark.spec("NEWS-3")
def test_a_picture_in_a_text_is_used_and_can_be_replaced(session: Session) -> None:
    old, new = add_picture(session), add_picture(session)
    article = add_article(session, text=f"![a](/media/{old.key}-960.jpg) b", cover_url=f"/media/{old.key}-960.jpg")
    add_company(session, logo_url=f"/media/{old.key}-960.jpg")
    assert count_uses(session, record_types(), [old.key, new.key]) == {old.key: 2}
    assert library.replace(session, add_actor(session), old.id, new.id) == 2
    session.refresh(article)
    assert keys_in(article.text) == {new.key}
    assert article.text.endswith(") b")
