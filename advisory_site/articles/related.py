"""What other pages say of articles: an author's newest, those about a company, and the link to its case."""

from itertools import chain
from typing import Any

import reflex as rx
from sqlmodel import Session

from sitekit.base.db.database import read_session
from sitekit.base.text import escape_controls
from sitekit.records.slug_redirects import all_slugs
from sitekit.server.framework.event_marks import public_event
from sitekit.ui.copy import Link
from sitekit.ui.public.links import arrow_link
from sitekit.ui.public.record_page import PublicPage

from .. import routes
from ..components import profile
from . import texts
from .fields import ArticleCard
from .models import ADVISOR, AUTHOR, COMPANY
from .service import ARTICLES, list_about, list_by, list_cases
from .views import article_rows

MOST = 3


class RelatedState(PublicPage, rx.State):
    """The articles that concern the record with this slug."""

    articles: list[ArticleCard] = []
    of_slug: str = ""

    @public_event
    async def load_by_author(self) -> None:
        """Read the newest articles of the member or advisor that the address names."""
        await self._load(list_by, AUTHOR, ADVISOR, most=MOST)

    @public_event
    async def load_about_company(self) -> None:
        """Read the articles about the company that the address names."""
        await self._load(list_about, COMPANY, most=None)

    async def _load(self, read: Any, *references: Any, most: int | None) -> None:
        slug = str(self.slug)

        def articles(session: Session) -> list[ArticleCard]:
            slugs = chain(*(all_slugs(session, to.columns.slug, to.is_public, slug) for to in references))
            return list(read(session, list(slugs))[:most])

        found = await self._read(lambda: ARTICLES.read(articles), f"The articles about '{escape_controls(slug, 80)}'")
        self.articles, self.of_slug = found or [], slug


class CasesState(PublicPage, rx.State):
    """The paths of the cases of companies, by the slugs of these."""

    cases: dict[str, str] = {}

    @public_event
    async def load(self) -> None:
        """Read the cases again."""
        self.cases = await self._read(read_cases, "The cases of companies") or {}


def read_cases() -> dict[str, str]:
    """The path of each company's case, by the company's slug."""
    with read_session() as session:
        return {company: routes.article_page(slug) for company, slug in list_cases(session).items()}


def author_articles(slug: Any) -> rx.Component:
    """The part of the page of the member or advisor with this slug; nothing without articles."""
    return _part(texts.BY_AUTHOR_TITLE, slug)


def company_articles(slug: Any) -> rx.Component:
    """The part of the page of the company with this slug; nothing without articles."""
    return _part(texts.ABOUT_COMPANY_TITLE, slug)


def _part(title: str, slug: Any) -> rx.Component:
    is_theirs = (RelatedState.of_slug == slug) & profile.has_items(RelatedState.articles)
    return profile.part(title, article_rows(RelatedState.articles), when=is_theirs)


def case_link(slug: Any, name: Any, class_name: str = "") -> rx.Component:
    """The link to the case of the company with this slug and name; nothing without one."""
    cases: Any = CasesState.cases
    return rx.cond(cases.contains(slug), rx.el.a(texts.CASE_LINK, _of(name), href=cases[slug], class_name=class_name))


def link_to_case(path: Any, name: Any) -> rx.Component:
    """The link with an arrow to the case at this path, of the company with this name."""
    return arrow_link(Link(texts.CASE_LINK, path), _of(name))


def _of(name: Any) -> rx.Component:
    return rx.el.span(" of ", name, class_name="visually-hidden")
