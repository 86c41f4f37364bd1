"""What other pages say of articles: an author's newest, those about a company, and the link to its case."""

from functools import partial
from typing import Any, ClassVar

import reflex as rx
from sqlmodel import Session

from sitekit.records.fields.reference import ReferenceField
from sitekit.records.references import list_naming
from sitekit.server.framework.event_marks import public_event
from sitekit.ui.copy import Link
from sitekit.ui.public.links import arrow_link
from sitekit.ui.public.record_page import PublicPage, RecordPart

from ..components import profile
from . import texts
from .fields import ArticleCard
from .models import AUTHOR, COMPANY
from .service import ARTICLES, read_cases
from .views import article_rows

MOST = 3


class RelatedState(RecordPart, rx.State):
    """The articles that concern the record with this slug."""

    articles: list[ArticleCard] = []

    record_type: ClassVar = ARTICLES

    @public_event
    async def load_by_author(self) -> None:
        """Read the newest articles of the member or advisor that the address names."""
        self.articles = (await self._read_part(partial(_naming, AUTHOR)) or [])[:MOST]

    @public_event
    async def load_about_company(self) -> None:
        """Read the articles about the company that the address names."""
        self.articles = await self._read_part(partial(_naming, COMPANY)) or []


def _naming(to: ReferenceField, session: Session, slug: str) -> list[ArticleCard]:
    return list_naming(session, ARTICLES, to, to.slugs_of(session, slug), ArticleCard)


class CasesState(PublicPage, rx.State):
    """The paths of the cases of companies, by the slugs of these."""

    cases: dict[str, str] = {}

    @public_event
    async def load(self) -> None:
        """Read the cases again."""
        self.cases = await self._read(read_cases, "The cases of companies") or {}


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
