"""The public company pages: the list, and one company."""

from collections.abc import Callable
from typing import ClassVar

import reflex as rx
from sqlmodel import Session

from sitekit.base import paths
from sitekit.base.list_filters import Filter
from sitekit.ui.public import filters
from sitekit.ui.public.record_page import FilteredList, RecordPage
from sitekit.ui.public.words import words_of

from .. import routes
from ..components import profile, sections
from ..components.layout import page
from ..components.mentions import Mention, Partner
from . import texts
from .fields import CompanyCard, CompanyPage, ShownCompany
from .list_views import company_row, featured_case
from .models import STAGES
from .service import COMPANIES, get_shown
from .views import CaseLink, company_profile

# A page with fewer parts below its head is in one column.
FEW_PARTS = 3


class CompanyListState(FilteredList, rx.State):
    """The state of the list: the active companies in three parts. A filtered list has no part for featured ones."""

    count: str = ""
    featured: list[CompanyCard] = []
    companies: list[CompanyCard] = []
    exited: list[CompanyCard] = []

    record_type: ClassVar = COMPANIES
    seo: ClassVar = texts.SEO
    path: ClassVar = routes.COMPANIES
    filtered_by: ClassVar = (
        Filter("sector", texts.SECTOR_LABEL, lambda company: [company.industry], folds_rare=True),
        Filter("country", texts.COUNTRY_LABEL, lambda company: [company.country]),
        Filter("stage", texts.STAGE_LABEL, lambda company: [company.stage], order=STAGES),
    )

    def _show(self, selected: list[CompanyCard], cards: list[CompanyCard]) -> None:
        self.exited = [company for company in selected if company.exit_note]
        self.featured = [
            company for company in selected if company.is_featured and not company.exit_note and not self.chosen
        ]
        self.companies = [
            company for company in selected if company not in self.exited and company not in self.featured
        ]
        countries = {company.country for company in cards} - {""}
        self.count = COMPANIES.number_of(len(cards)) + texts.in_countries(len(countries))
        if not self.chosen:
            self.list_title = texts.MORE_TITLE if self.featured else texts.LIST_TITLE


class CompanyState(RecordPage, rx.State):
    """The state of a company's page."""

    company: CompanyPage = CompanyPage()
    partner: Partner = Partner()
    previous: Mention = Mention()
    following: Mention = Mention()
    story: list[str] = []
    is_sparse: bool = False

    record_type: ClassVar = COMPANIES
    seo: ClassVar = texts.DETAIL_SEO
    not_found_title: ClassVar = texts.NOT_FOUND_TITLE

    def _find(self, session: Session, slug: str) -> ShownCompany:
        return get_shown(session, slug)

    def _show(self, record: ShownCompany | None) -> None:
        details = record or ShownCompany()
        self.company, self.partner = details.company, details.partner
        self.previous, self.following = details.previous, details.following
        self.story = profile.paragraphs_of(self.company.detailed_description)
        self.is_sparse = _count_parts(details) < FEW_PARTS
        self._title = self.company.name
        self._summary = self.company.description


def _count_parts(details: ShownCompany) -> int:
    """How many parts a company's page has below its head."""
    company = details.company
    work = company.our_role or details.partner.slug or company.support_area or company.since
    lists = company.services or company.target_market or company.coverage_areas
    parts = (work, company.quote, company.key_metrics, company.detailed_description.strip(), company.founders, lists)
    return sum(map(bool, parts))


def companies_page(case_link: CaseLink) -> rx.Component:
    """The list page: featured cases, the other companies with their filters, and those that have exited.

    `case_link` leads to the article about a featured one.
    """
    state = CompanyListState
    return page(
        routes.COMPANIES,
        sections.page_head(texts.HERO, rx.cond(state.total > 0, rx.el.p(state.count, class_name="list-count"))),
        sections.section(
            rx.cond(
                state.is_loading,
                profile.loading(texts.LOADING),
                rx.cond(state.total > 0, _list(case_link), profile.empty(state, texts.EMPTY_TITLE, texts.EMPTY_TEXT)),
            ),
            tone="section-follow",
        ),
        sections.closing(texts.CLOSING, look="closing-centred section-sunken"),
    )


def _list(case_link: CaseLink) -> rx.Component:
    state = CompanyListState
    return rx.fragment(
        rx.cond(
            profile.has_items(state.featured),
            rx.el.section(
                rx.el.h2(texts.FEATURED_TITLE, class_name="visually-hidden"),
                rx.el.ul(
                    rx.foreach(state.featured, lambda company: rx.el.li(featured_case(company, case_link))),
                    class_name="cases",
                ),
            ),
        ),
        rx.el.section(
            filters.list_head(state),
            filters.filter_rows(state.filters, texts.FILTERS_LABEL),
            _rows(state.companies),
            id=paths.LIST,
        ),
        rx.cond(
            profile.has_items(state.exited),
            rx.el.section(
                rx.el.h2(words_of(texts.EXITED_TITLE), class_name="title-m"), _rows(state.exited), class_name="exited"
            ),
        ),
    )


def _rows(companies: list[CompanyCard]) -> rx.Component:
    return rx.el.ul(rx.foreach(companies, lambda company: rx.el.li(company_row(company))), class_name="companies")


def company_page(case_link: CaseLink, articles: Callable[[str], rx.Component]) -> rx.Component:
    """The page of one company; `articles` shows those about it, and `case_link` leads to its case."""
    return page(
        routes.COMPANIES,
        profile.profile_page(
            CompanyState,
            texts.BACK,
            texts.LOADING,
            content=rx.fragment(
                company_profile(CompanyState, case_link, articles),
                sections.closing(texts.CLOSING, look="closing-line"),
            ),
            missing=profile.not_found(CompanyState, texts.NOT_FOUND_TITLE, texts.NOT_FOUND_TEXT, texts.BACK),
        ),
    )
