"""The record type of articles, and what pages read of them."""

from collections.abc import Collection
from dataclasses import replace

import sqlalchemy as sa
from sqlmodel import Session

from sitekit.base.db.folding import folded
from sitekit.base.permissions import Actor
from sitekit.base.text import slugify_hyphenated, usable_slug
from sitekit.records.activity import PROFILES
from sitekit.records.csv_export import csv_of
from sitekit.records.fields.markdown import html_of
from sitekit.records.listing import ListOptions
from sitekit.records.pictures.addresses import answering, picture_at
from sitekit.records.pictures.held import with_pictures
from sitekit.records.record import PUBLISHING
from sitekit.records.record_type import RecordType, pages_in
from sitekit.records.selection import Selection, Shown
from sitekit.records.slug_redirects import all_slugs

from .. import routes
from ..components.mentions import Mention
from ..permissions import SiteAction
from .fields import ArticleCard, ArticlePage, ArticleRow, Author, FeedArticle, LinkedCase, ShownArticle
from .models import ADVISOR, AUTHOR, AUTHOR_NAME, COMPANY, Article, columns, mentions_of

MOST_OTHERS = 3

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
    author = _author(session, row.author, article.author_name)
    reference = AUTHOR if author.is_member else ADVISOR
    slugs = {row.author, *all_slugs(session, reference.columns.slug, reference.is_public, author.slug)}
    others = [each for each in list_by(session, slugs) if each.slug != article.slug][:MOST_OTHERS]
    return ShownArticle(
        article,
        html_of(session, row.text),
        author,
        tuple(filter(None, (company_of(session, mention.company) for mention in mentions_of(row.companies)))),
        tuple(others),
        _case_after(session, article),
    )


def _case_after(session: Session, article: ArticleCard) -> ArticleCard:
    """The case before this one in time; the newest after the oldest and after other articles. Empty without one."""
    cases = _cases(session, ArticleCard)
    if not article.case_of:
        return next(iter(cases), ArticleCard())
    after = [*cases[1:], *cases[:1]] if len(cases) > 1 else []
    return next((card for case, card in zip(cases, after, strict=False) if case.slug == article.slug), ArticleCard())


def _author(session: Session, slug: str, name: str) -> Author:
    """The author as a public member or advisor; one who left is named alone."""
    for reference, role in ((AUTHOR, "designation"), (ADVISOR, "title")):
        if row := reference.find_public(session, slug, "slug", "name", role, "image_url", "unanswered"):
            picture = picture_at(answering(row.image_url, row.unanswered))
            author = Author(row.name, row.slug, reference is AUTHOR, row[2], picture)
            return with_pictures(session, [author])[0]
    return Author(name)


def author_of(session: Session, actor: Actor) -> str:
    """The slug of the public member who has the email address of a user; empty if there is none."""
    email = sa.select(PROFILES.c.email).where(PROFILES.c.id == actor.user_id).scalar_subquery()
    query = sa.select(AUTHOR.columns.slug).where(AUTHOR.is_public, sa.func.lower(AUTHOR.columns.email) == email)
    return session.execute(query.limit(1)).scalar() or ""


def company_of(session: Session, slug: str) -> Mention | None:
    """The public company that has this slug or had it."""
    row = COMPANY.find_public(session, slug, "slug", "name")
    return Mention(row.slug, row.name) if row else None


def list_by(session: Session, authors: Collection[str]) -> list[ArticleCard]:
    """The public articles of an author, whose slugs these are, newest first."""
    selection = Selection(Article, ArticleCard, ARTICLES.fields)
    return selection.select(session, ARTICLES.is_public & columns.author.in_(authors), ARTICLES.order)


def list_about(session: Session, companies: Collection[str]) -> list[ArticleCard]:
    """The public articles that speak of a company, whose slugs these are, newest first; its cases too."""
    query = sa.select(columns.slug, columns.case_of, columns.companies).where(ARTICLES.is_public)
    about = {
        row.slug
        for row in session.execute(query)
        if not {row.case_of, *(mention.company for mention in mentions_of(row.companies))}.isdisjoint(companies)
    }
    selection = Selection(Article, ArticleCard, ARTICLES.fields)
    return selection.select(session, ARTICLES.is_public & columns.slug.in_(about), ARTICLES.order) if about else []


def list_for_feed(session: Session, most: int, origin: str) -> list[FeedArticle]:
    """The newest public articles with their whole text as HTML, in which addresses are absolute."""
    articles = ARTICLES.select_public(session, FeedArticle)[:most]
    return [replace(article, html=html_of(session, article.html, origin)) for article in articles]


def list_cases(session: Session) -> dict[str, str]:
    """The slug of the newest public case of each public company, by the company's slug."""
    cases: dict[str, str] = {}
    for case in reversed(_cases(session, LinkedCase)):
        if company := company_of(session, case.case_of):
            cases[company.slug] = case.slug
    return cases


def _cases(session: Session, shape: type[Shown]) -> list[Shown]:
    """The public cases, newest first."""
    selection = Selection(Article, shape, ARTICLES.fields)
    return selection.select(session, ARTICLES.is_public & (columns.case_of != ""), ARTICLES.order)


ARTICLES_CSV = csv_of(ARTICLES, "articles")
