"""The public pages of articles as their states serve them, what other pages say of articles, and the feed."""

import asyncio
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import pytest

from advisory_site.articles.public import (
    ArticleListState,
    ArticleState,
    article_meta,
    list_meta,
    newest_article,
    read_feed,
)
from advisory_site.articles.related import RelatedState
from advisory_site.articles.service import ARTICLES, read_cases
from advisory_site.pages.case_opening import CaseOpeningState
from sitekit.app.site_app import SiteApp
from sitekit.base.settings import get_settings
from sitekit.server.seo.atom import atom
from sitekit.server.seo.meta_tags import PageMetaBuilder, head_tags
from sitekit.server.ssr.initial_state import InitialStates
from sitekit.server.ssr.routing import PageContext
from tests.conftest import on_sqlite
from tests.support.event_client import EventClient, Reply
from tests.support.factories import add_actor, add_advisor, add_article, add_company, add_member, article_form

pytestmark = on_sqlite  # what differs between databases is proved with the record types

REQUIRED = ("id", "title", "updated", "author")
ORIGIN = "https://firm.example"
ATOM = "{http://www.w3.org/2005/Atom}"


def open_article(tab: EventClient, slug: str) -> Reply:
    return tab.send(ArticleState.load, path=f"/insights/{slug}", query={"slug": slug})


@pytest.fixture
def head(app: SiteApp) -> Iterator[Callable[..., str]]:
    """The tags in the head of the page at a route, with a slug."""
    states = InitialStates(app, 4.0, app.read_texts)
    asyncio.run(states.read_defaults())

    def tags(meta: PageMetaBuilder, route: str, **slug: str) -> str:
        path = route.replace("[slug]", slug.get("slug", ""))
        return head_tags(meta, "Firm", PageContext(ORIGIN, path, "", "", states.take_here(route, path, slug).vars))

    yield tags
    states.close()


@pytest.mark.spec("NEWS-2")
def test_the_newest_articles_come_first_on_pages_of_twenty(tab: EventClient, database: ModuleType) -> None:
    with database.transaction() as session:
        for number in range(41):
            add_article(session, name=f"A{number}", written_on=f"2026-{1 + number // 28:02}-{1 + number % 28:02}")
        add_article(session, name="Hidden", is_active=False)
    shown = {}
    for query in ("", "page=2", "page=3", "page=4", "page=02", "page=0", "page=2&x=1"):
        reply = tab.send(ArticleListState.load, path=f"/insights?{query}")
        names = [article.name for article in reply.var("article_list_state.articles")]
        links = tuple(reply.var(f"article_list_state.{name}") or "" for name in ("newer", "older"))
        shown[query] = (names[0], len(names), *links)
    first = ("A40", 20, "", "/insights?page=2")
    assert shown == {
        "": first,
        "page=2": ("A20", 20, "/insights", "/insights?page=3"),
        "page=3": ("A0", 1, "/insights?page=2", ""),
        **dict.fromkeys(["page=4", "page=02", "page=0", "page=2&x=1"], first),
    }


@pytest.mark.spec("NEWS-2")
def test_articles_are_filtered_by_topic(tab: EventClient, database: ModuleType) -> None:
    with database.transaction() as session:
        for number in range(22):
            add_article(session, name=f"A{number}", topics=["Pricing", "Hiring"] if number else ["Debt"])
    reply = tab.send(ArticleListState.load, path="/insights?page=2&topic=pricing")
    assert [article.name for article in reply.var("article_list_state.articles")] == ["A1"]
    assert reply.var("article_list_state.newer") == "/insights?topic=Pricing"
    (topics,) = reply.var("article_list_state.filters")
    assert [(one.label, one.href) for one in topics.options] == [
        ("Pricing", "/insights"),
        ("Hiring", "/insights?topic=Hiring#list"),
        ("Debt", "/insights?topic=Debt#list"),
    ]


@pytest.mark.spec("NEWS-6")
def test_an_empty_list_is_not_indexed(head: Callable[..., str], database: ModuleType) -> None:
    assert head(list_meta, "/insights") == '<meta name="robots" content="noindex">'
    with database.transaction() as session:
        add_article(session)
    tags = head(list_meta, "/insights")
    assert "noindex" not in tags
    assert '<link rel="alternate" type="application/atom+xml" href="/insights/feed.xml">' in tags


@pytest.mark.spec("NEWS-2", "NEWS-8")
def test_an_article_shows_its_author_companies_and_what_else_they_wrote(
    tab: EventClient, head: Callable[..., str], database: ModuleType
) -> None:
    with database.transaction() as session:
        add_advisor(session, slug="ann", name="Ann Lee", title="Chair", image_url="/media/" + "a" * 32 + "-960.jpg")
        add_company(session, slug="kelp", name="Kelp")
        add_company(session, slug="auk", name="Auk", status="Inactive")
        for number in range(5):
            add_article(session, slug=f"a{number}", author="ann", written_on=f"2026-01-0{number + 1}")
        companies = [{"company": "kelp"}, {"company": "auk"}]
        add_article(
            session, slug="whole", name="Ann's", summary="Brief.", text="word " * 660, author="ann", companies=companies
        )
    reply = open_article(tab, "whole")
    article, author = reply.var("article_state.article"), reply.var("article_state.author")
    assert (article.name, article.written_on, article.minutes) == ("Ann’s", "1 November 2026", 3)
    assert (author.name, author.page, author.role) == ("Ann Lee", "/advisor/ann", "Chair")
    assert [company.name for company in reply.var("article_state.companies")] == ["Kelp"]
    assert [other.slug for other in reply.var("article_state.others")] == ["a4", "a3", "a2"]
    assert reply.var("article_state.page_title") == "Ann’s | Northstrait"
    tags = head(article_meta, "/insights/[slug]", slug="whole")
    assert '"@type":"Article"' in tags
    assert '"author":{"@type":"Person","name":"Ann Lee","url":"https://firm.example/advisor/ann"}' in tags
    assert f'<meta property="og:image" content="https://firm.example/media/{"a" * 32}-960.jpg">' in tags
    assert '"datePublished":"2026-11-01"' in tags


@pytest.mark.spec("NEWS-7")
def test_an_author_who_left_stays_named_without_a_link(tab: EventClient, database: ModuleType) -> None:
    with database.transaction() as session:
        actor, member = add_actor(session), add_member(session, slug="ann", name="Ann Lee")
        data = ARTICLES.data_class.read(article_form(author="ann"))
        ARTICLES.create(session, actor, data)
        session.delete(member)
    author = open_article(tab, "what-a-year-costs").var("article_state.author")
    assert (author.name, author.slug) == ("Ann Lee", "")


@pytest.mark.spec("NEWS-6")
def test_home_has_the_newest_of_three_if_it_is_fresh(database: ModuleType) -> None:
    at = datetime(2026, 11, 26, 3, tzinfo=UTC)
    with database.transaction() as session:
        for day in ("2025-11-27", "2025-01-01"):
            add_article(session, slug=f"of-{day}", written_on=day)
    assert newest_article(at).slug == ""
    with database.transaction() as session:
        add_article(session, written_on="2025-01-02")
    assert newest_article(at).slug == "of-2025-11-27"
    assert newest_article(datetime(2026, 11, 27, 3, tzinfo=UTC)).slug == ""


@pytest.mark.spec("NEWS-6")
def test_authors_and_companies_name_the_articles_that_concern_them(tab: EventClient, database: ModuleType) -> None:
    with database.transaction() as session:
        add_member(session, slug="ann")
        add_company(session, slug="kelp")
        for number in range(4):
            add_article(session, slug=f"a{number}", author="ann", written_on=f"2026-01-0{number + 1}")
        add_article(session, slug="case", case_of="kelp", written_on="2026-01-01")
        add_article(session, slug="mention", companies=[{"company": "kelp"}], written_on="2026-01-02")
        add_article(session, slug="hidden", author="ann", case_of="kelp", is_active=False)

    def related(handler: Any, slug: str) -> list[str]:
        reply = tab.send(handler, path=f"/any/{slug}", query={"slug": slug})
        return [article.slug for article in reply.var("related_state.articles") or []]

    assert related(RelatedState.load_by_author, "ann") == ["a3", "a2", "a1"]
    assert related(RelatedState.load_by_author, "ben") == []
    assert related(RelatedState.load_about_company, "kelp") == ["mention", "case"]
    assert related(RelatedState.load_about_company, "auk") == []


@pytest.mark.spec("NEWS-11")
def test_a_case_opens_with_its_company_which_leads_to_it(tab: EventClient, database: ModuleType) -> None:
    with database.transaction() as session:
        add_company(session, slug="kelp", name="Kelp", quote='"We sold."', quoted_name="Ann", key_metrics=["40 shops"])
        add_company(session, slug="auk", status="Inactive")
        add_article(session, slug="case", case_of="kelp")
        add_article(session, slug="of-hidden", case_of="auk")
        add_article(session, slug="plain")
    assert read_cases() == {"kelp": "/insights/case"}
    opened = {}
    for slug in ("case", "of-hidden", "plain", "none"):
        reply = tab.send(CaseOpeningState.load, path=f"/insights/{slug}", query={"slug": slug})
        case = reply.var("case_opening_state.case")
        opened[slug] = (case.slug, case.quote, case.figure.value) if case else ("", "", "")
    nothing = ("", "", "")
    assert opened == {"case": ("kelp", "We sold.", "40"), "of-hidden": nothing, "plain": nothing, "none": nothing}


@pytest.mark.spec("NEWS-11")
def test_a_case_leads_to_the_one_before_and_the_oldest_and_other_articles_to_the_newest(
    tab: EventClient, database: ModuleType
) -> None:
    with database.transaction() as session:
        for day, slug in enumerate(("first", "second", "third"), start=1):
            add_article(session, slug=slug, case_of="kelp", written_on=f"2026-01-0{day}")
        add_article(session, slug="plain", written_on="2026-01-02")
        add_article(session, slug="hidden", case_of="kelp", written_on="2026-01-02", is_active=False)
    following = {
        slug: open_article(tab, slug).var("article_state.next_case").slug
        for slug in ("third", "second", "first", "plain")
    }
    assert following == {"third": "second", "second": "first", "first": "third", "plain": "third"}


@pytest.mark.spec("NEWS-5")
def test_the_feed_can_be_read_with_what_was_stored_before_such_characters_were_removed(database: ModuleType) -> None:
    with database.transaction() as session:
        add_article(session, name="co\ufffeop", text="a\uffffb\x01", topics=["c\ufffe"], author_name="d\uffff\x0b")
    root = ElementTree.fromstring(atom(read_feed()))
    assert root.findtext(f"{ATOM}entry/{ATOM}title") == "coop"


@pytest.mark.spec("NEWS-5", "NEWS-8")
@pytest.mark.parametrize(
    ("written_on", "told_at", "updated", "modified"),
    [
        ("2027-06-01", "2026-11-20T08:00:00Z", "2027-06-01T00:00:00+08:00", "2027-06-01"),
        ("2026-11-21", "2026-11-20T20:00:00Z", "2026-11-20T20:00:00Z", "2026-11-21"),
        ("2026-11-20", "2026-11-20T08:00:00Z", "2026-11-20T08:00:00Z", "2026-11-20T08:00:00Z"),
    ],
)
def test_an_article_is_never_changed_before_it_was_published(
    tab: EventClient,
    database: ModuleType,
    head: Callable[..., str],
    written_on: str,
    told_at: str,
    updated: str,
    modified: str,
) -> None:
    with database.transaction() as session:
        add_article(session, slug="told", written_on=written_on, told_at=told_at)
        add_article(session, written_on="0202-11-27")
        add_article(session, written_on="2020-11-27", told_at="2025-01-01T23:00:00Z")
    root = ElementTree.fromstring(atom(read_feed()))
    assert root.findtext(f"{ATOM}entry/{ATOM}updated") == root.findtext(f"{ATOM}updated") == updated
    assert f'"dateModified":"{modified}"' in head(article_meta, "/insights/[slug]", slug="told")


@pytest.mark.spec("NEWS-5")
def test_the_feed_has_whole_texts_with_absolute_addresses(database: ModuleType) -> None:
    origin = get_settings().public_url
    with database.transaction() as session:
        for number in range(21):
            add_article(session, written_on=f"2026-01-{number + 1:02}")
        add_article(session, slug="newest", name="It's <new>", text="[a](/companies)", author_name="Ann Lee")
    root = ElementTree.fromstring(atom(read_feed()))
    entries = root.findall(f"{ATOM}entry")
    assert len(entries) == 20
    assert entries[0].findtext(f"{ATOM}title") == "It’s <new>"
    assert entries[0].findtext(f"{ATOM}content") == f'<p><a href="{origin}/companies">a</a></p>'
    assert entries[0].findtext(f"{ATOM}author/{ATOM}name") == "Ann Lee"
    assert entries[1].findtext(f"{ATOM}author/{ATOM}name") == "Northstrait"
    assert root.findtext(f"{ATOM}updated") == "2026-11-01T00:00:00+08:00"
    # What RFC 4287 requires of a feed and of each entry.
    for element in (root, *entries):
        assert [name for name in REQUIRED if len(element.findall(ATOM + name)) != 1] == []
    assert {link.get("rel") for link in root.findall(f"{ATOM}link")} == {"self", "alternate"}


@pytest.mark.spec("NEWS-5")
def test_an_entry_keeps_its_id_and_is_updated_only_when_readers_are_told(database: ModuleType) -> None:
    with database.transaction() as session:
        actor = add_actor(session)
        article = ARTICLES.create(session, actor, ARTICLES.data_class.read(article_form()))

    def save(**changes: str) -> None:
        with database.transaction() as session:
            form = ARTICLES.get_for_edit(session, actor, article)
            data = ARTICLES.data_class.read({**form.inputs(), "is_active": "on", **changes})
            ARTICLES.update(session, actor, article, data, form.version)

    [before] = read_feed().entries
    save(name="Another title", slug="elsewhere")
    [renamed] = read_feed().entries
    assert renamed.url.endswith("/insights/elsewhere")
    assert (renamed.id, renamed.updated) == (before.id, before.updated)
    save(told_at="on")
    [told] = read_feed().entries
    assert told.updated > before.updated
    save(summary="Less.")
    assert read_feed().entries[0].updated == told.updated
