"""The record type of articles, and what pages read of them."""

from dataclasses import replace

import sqlalchemy as sa
from sqlmodel import Session

from sitekit.base.db.database import read_session
from sitekit.base.db.folding import folded
from sitekit.base.permissions import Actor
from sitekit.base.text import slugify_hyphenated, usable_slug
from sitekit.records.activity import PROFILES
from sitekit.records.csv_export import csv_of
from sitekit.records.fields.markdown import html_of
from sitekit.records.listing import ListOptions
from sitekit.records.record import PUBLISHING
from sitekit.records.record_type import RecordType, pages_in
from sitekit.records.references import find_named, list_naming

from .. import routes
from ..components.mentions import Mention
from ..permissions import SiteAction
from .fields import ArticleCard, ArticlePage, ArticleRow, Author, FeedArticle, LinkedCase, MemberAuthor, ShownArticle
from .models import ADVISOR, AUTHOR, AUTHOR_NAME, COMPANY, Article, columns, mentions_of

MOST_OTHERS = 3
IS_CASE = columns.case_of != ""

ARTICLES = RecordType(
    noun="article",
    plural="articles",
    table=Article,
    card=ArticleCard,
    profile=ArticlePage,
    row=ArticleRow,
    read_action=SiteAction.READ_ARTICLES,
    change_action=SiteAction.CHANGE_ARTICLES,
    publishing=PUBLISHING,
    order=("-written_on", "-id"),
    options=ListOptions(
        searched=(columns.name, columns.slug, columns.summary, AUTHOR_NAME),
        sorts={
            "name": folded(columns.name),
            "author": folded(AUTHOR_NAME),
            "date": columns.written_on,
            "status": columns.is_active,
        },
        default=(columns.written_on.desc(), columns.id.desc()),
        id=columns.id,
    ),
    slug_for=lambda name: usable_slug(slugify_hyphenated(name), "article"),
    page=routes.article_page,
    tab="articles",
    staff_pages=pages_in("/admin/articles"),
    note="summary",
)


def get_shown(session: Session, slug: str) -> ShownArticle:
    """A public article with what its page shows. Raises `NotFound` or `RecordMoved`, as `get_public` does."""
    article = ARTICLES.get_public(session, slug)
    row = session.execute(
        sa.select(columns.text, columns.author, columns.companies).where(columns.slug == article.slug)
    ).one()
    author = find_named(session, AUTHOR, row.author, MemberAuthor) or find_named(session, ADVISOR, row.author, Author)
    author = author or Author(article.author_name)
    slugs = {row.author, *AUTHOR.slugs_of(session, author.slug)}
    by_author = list_naming(session, ARTICLES, AUTHOR, slugs, ArticleCard)
    _, next_case = ARTICLES.beside(session, article.slug, ArticleCard, IS_CASE)
    companies = (find_named(session, COMPANY, mention.company, Mention) for mention in mentions_of(row.companies))
    return ShownArticle(
        article,
        html_of(session, row.text),
        author,
        tuple(filter(None, companies)),
        tuple(each for each in by_author if each.slug != article.slug)[:MOST_OTHERS],
        next_case,
    )


def author_of(session: Session, actor: Actor) -> str:
    """The slug of the public member who has the email address of a user; empty if there is none."""
    email = sa.select(PROFILES.c.email).where(PROFILES.c.id == actor.user_id).scalar_subquery()
    query = sa.select(AUTHOR.columns.slug).where(AUTHOR.is_public, sa.func.lower(AUTHOR.columns.email) == email)
    return session.execute(query.limit(1)).scalar() or ""


def list_for_feed(session: Session, most: int, origin: str) -> list[FeedArticle]:
    """The newest public articles with their whole text as HTML, in which addresses are absolute."""
    articles = ARTICLES.select_public(session, FeedArticle)[:most]
    return [replace(article, html=html_of(session, article.html, origin)) for article in articles]


def read_cases() -> dict[str, str]:
    """The path of the newest public case of each public company, by the company's slug."""
    with read_session() as session:
        cases = ARTICLES.select_public(session, LinkedCase, IS_CASE)
        named = [(find_named(session, COMPANY, case.case_of, Mention), case.slug) for case in reversed(cases)]
    return {company.slug: routes.article_page(slug) for company, slug in named if company}


ARTICLES_CSV = csv_of(ARTICLES, "articles")
