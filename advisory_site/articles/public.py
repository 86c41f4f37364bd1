"""The public pages of articles: the list, one article with its JSON-LD, and the feed."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime
from typing import Any, ClassVar

import reflex as rx
from sqlmodel import Session

from sitekit.base import paths
from sitekit.base.db.database import now
from sitekit.base.list_filters import Filter
from sitekit.base.settings import get_settings
from sitekit.base.site import get_site
from sitekit.records.pictures.addresses import without_crop
from sitekit.server.seo.atom import Feed, FeedEntry
from sitekit.server.seo.meta_tags import PageContext, PageMeta
from sitekit.server.seo.page_graph import absolute
from sitekit.ui.public import filters
from sitekit.ui.public.record_page import FilteredList, RecordPage

from .. import routes
from ..components import json_ld, profile, sections
from ..components.layout import page
from ..components.mentions import Mention
from ..content.firm import FIRM
from . import texts
from .fields import ArticleCard, ArticlePage, Author, ShownArticle
from .service import ARTICLES, get_shown, list_for_feed
from .views import article_view, insight

IN_FEED = 20
OLD_AFTER, FRESH_FOR = 18, 12  # months
LEAST_ON_HOME = 3


class ArticleListState(FilteredList, rx.State):
    """The state of the list: one page of the active articles, newest first."""

    articles: list[ArticleCard] = []

    record_type: ClassVar = ARTICLES
    seo: ClassVar = texts.SEO
    path: ClassVar = routes.INSIGHTS
    filtered_by: ClassVar = (Filter("topic", texts.TOPIC_LABEL, lambda article: article.topics),)
    page_size: ClassVar = 20

    def _show(self, selected: list[ArticleCard], _cards: list[ArticleCard]) -> None:
        self.articles = selected


class ArticleState(RecordPage, rx.State):
    """The state of an article's page. `age` is said of an old one, `update` of one whose readers were told."""

    article: ArticlePage = ArticlePage()
    html: str = ""
    author: Author = Author()
    companies: list[Mention] = []
    others: list[ArticleCard] = []
    next_case: ArticleCard = ArticleCard()
    topics: list[tuple[str, str]] = []
    age: str = ""
    update: str = ""

    record_type: ClassVar = ARTICLES
    seo: ClassVar = texts.ARTICLE_SEO
    not_found_title: ClassVar = texts.NOT_FOUND_TITLE

    def _find(self, session: Session, slug: str) -> ShownArticle:
        return get_shown(session, slug)

    def _show(self, record: ShownArticle | None) -> None:
        shown = record or ShownArticle()
        self.article, self.html, self.author = shown.article, shown.html, shown.author
        self.companies, self.others, self.next_case = list(shown.companies), list(shown.others), shown.next_case
        self.topics = [(topic, routes.insights_about(topic)) for topic in shown.article.topics]
        self.age, self.update = age_of(shown.article.iso_date, now()), update_of(shown.article.told_at)
        self._title, self._summary = shown.article.name, shown.article.summary


def age_of(written_on: str, at: datetime) -> str:
    """What is said of an article that is older than 18 months; empty for others."""
    is_old = written_on != "" and _months_since(written_on, at) >= OLD_AFTER
    return texts.WRITTEN_IN.format(month=f"{date.fromisoformat(written_on):%B %Y}") if is_old else ""


def _months_since(day: str, at: datetime) -> int:
    since, today = date.fromisoformat(day), at.astimezone(get_site().zone).date()
    return (today.year - since.year) * 12 + today.month - since.month - (today.day < since.day)


def update_of(told_at: str) -> str:
    """When readers were told that an article was updated."""
    if not told_at:
        return ""
    day = datetime.fromisoformat(told_at).astimezone(get_site().zone)
    return texts.UPDATED.format(day=f"{day.day} {day:%B %Y}")


def newest_article(at: datetime) -> ArticleCard:
    """The newest of at least three articles if it is less than a year old, else an empty one."""
    articles = ARTICLES.read(ARTICLES.list_public)
    newest = articles[0] if len(articles) >= LEAST_ON_HOME else ArticleCard()
    return newest if newest.slug and _months_since(newest.iso_date, at) < FRESH_FOR else ArticleCard()


def insights_page() -> rx.Component:
    """The list page: one page of articles, with the topics as filters."""
    state = ArticleListState
    return page(
        routes.INSIGHTS,
        sections.page_head(texts.HERO),
        sections.section(
            filters.list_head(state, texts.LIST_TITLE),
            filters.filter_rows(state.filters, texts.FILTERS_LABEL),
            profile.listing(
                state,
                state.articles,
                lambda article, _: insight(article),
                wait=texts.LOADING,
                nothing=rx.cond(
                    state.is_unavailable,
                    profile.empty(state, texts.AWAY_TITLE, texts.AWAY_TEXT),
                    profile.empty(state, texts.EMPTY_TITLE, texts.EMPTY_TEXT),
                ),
                class_name="insights",
            ),
            filters.page_links(state),
            tone="section-follow",
            id=paths.LIST,
        ),
        sections.closing(texts.CLOSING, look="closing-soft closing-split"),
    )


def article_page(case: Callable[[str], rx.Component]) -> rx.Component:
    """The page of one article; `case` opens the article with this slug if it is the case of a company."""
    content = rx.fragment(
        article_view(ArticleState, case(ArticleState.article.slug)),
        sections.closing(texts.CLOSING, look="closing-line"),
    )
    missing = profile.not_found(ArticleState, texts.NOT_FOUND_TITLE, texts.NOT_FOUND_TEXT, texts.BACK)
    shown = profile.profile_page(ArticleState, texts.BACK, texts.LOADING, content=content, missing=missing)
    return page(routes.INSIGHTS, shown)


def list_meta(context: PageContext) -> PageMeta:
    """The list in the order of the page, with its feed; an empty one is not indexed."""
    articles = context.var(ArticleListState.get_full_name(), "articles") or []
    items = [(article["name"], routes.article_page(article["slug"])) for article in articles]
    return replace(json_ld.PAGE_GRAPH.collection(context, texts.NAME, items), feed=routes.FEED, is_indexed=bool(items))


def article_meta(context: PageContext) -> PageMeta:
    """One article by its author; it is shared with its cover, or with the author's portrait."""
    state = ArticleState.get_full_name()
    article, author = context.var(state, "article") or {}, context.var(state, "author") or {}
    picture = _address(article.get("cover")) or _address(author.get("picture"))
    person = {
        "@type": "Person",
        "name": author.get("name"),
        "url": context.origin + author["page"] if author.get("page") else "",
    }
    thing = {
        "@type": "Article",
        "name": article.get("name", ""),
        "headline": article.get("name", ""),
        "description": article.get("summary"),
        "image": absolute(context.origin, picture),
        "author": person if author.get("name") else {"@id": f"{context.origin}/#organization"},
        "datePublished": article.get("iso_date"),
        "dateModified": max(article.get("told_at") or "", article.get("iso_date") or ""),
        "publisher": {"@id": f"{context.origin}/#organization"},
    }
    return replace(json_ld.PAGE_GRAPH.profile(context, thing, (texts.NAME, routes.INSIGHTS)), kind="article")


def _address(picture: Any) -> str:
    return without_crop((picture or {}).get("image_url") or "")


def read_feed() -> Feed:
    """The newest articles with their whole text. Runs in a thread."""
    origin = get_settings().public_url
    articles = ARTICLES.read(lambda session: list_for_feed(session, IN_FEED, origin))
    entries = [
        FeedEntry(
            # With the id, which stays when the address of the page changes.
            id=f"tag:{FIRM.domain},2026:article/{row.id}",
            title=row.name,
            url=origin + routes.article_page(row.slug),
            published=_midnight(row.written_on),
            updated=max(filter(None, (_midnight(row.written_on), row.told_at)), key=datetime.fromisoformat),
            author=row.author_name,
            summary=row.summary,
            html=row.html,
            topics=row.topics,
        )
        for row in articles
    ]
    since = "2026-11-26T00:00:00Z"  # of this page
    return Feed(origin + routes.FEED, origin + routes.INSIGHTS, texts.FEED_TITLE, FIRM.name, since, entries)


def _midnight(day: str) -> str:
    return datetime.fromisoformat(day).replace(tzinfo=get_site().zone).isoformat()
