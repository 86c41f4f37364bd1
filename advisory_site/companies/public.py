"""The public company pages: the list, and one company."""

from typing import ClassVar

import reflex as rx

from ..core import routes
from ..core.list_filters import ListFilters
from ..core.typography import typeset_record
from ..db.database import read_session
from ..framework.event_marks import public_event
from ..ui.public import filters, profile, sections
from ..ui.public.layout import page
from ..ui.public.page_state import FilteredList, RecordPage
from . import texts as words
from .fields import CompanyCard, CompanyLink, CompanyPage, Partner, ShownCompany
from .filters import filters_of
from .list_views import company_row, featured_case
from .service import COMPANIES, get_shown
from .views import company_profile

# A page with fewer parts below its head is in one column.
FEW_PARTS = 3


class CompanyListState(FilteredList, rx.State):
    """The state of the list: the active companies in three parts. A filtered list has no part for featured ones."""

    count: str = ""
    featured: list[CompanyCard] = []
    companies: list[CompanyCard] = []
    exited: list[CompanyCard] = []

    seo: ClassVar = words.SEO

    @public_event
    async def load(self) -> None:
        """Read the list again."""
        companies = await self._read(_companies, "The list of companies") or []
        shown = [companies[place] for place in self._select(filters_of(companies), routes.COMPANIES)]
        self.exited = [company for company in shown if company.exit_note]
        self.featured = [one for one in shown if one.is_featured and not one.exit_note and not self.chosen]
        self.companies = [one for one in shown if one not in self.exited and one not in self.featured]
        self.count = words.number_in(len(companies), len({one.country for one in companies if one.country}))
        if self.chosen:
            self.list_title = f"{words.number_of(len(shown))}: {self.chosen}"
        else:
            self.list_title = words.MORE_TITLE if self.featured else words.LIST_TITLE


class CompanyState(RecordPage, rx.State):
    """The state of a company's page."""

    company: CompanyPage = CompanyPage()
    partner: Partner = Partner()
    previous: CompanyLink = CompanyLink()
    following: CompanyLink = CompanyLink()
    story: list[str] = []
    is_sparse: bool = False

    kind: ClassVar = COMPANIES
    seo: ClassVar = words.DETAIL_SEO
    not_found_title: ClassVar = words.NOT_FOUND_TITLE

    def _find(self, slug: str) -> ShownCompany:
        with read_session() as session:
            return typeset_record(get_shown(session, slug))

    def _show(self, found: ShownCompany | None) -> None:
        shown = found or ShownCompany()
        self.company, self.partner = shown.company, shown.partner
        self.previous, self.following = shown.previous, shown.following
        self.story = profile.paragraphs_of(self.company.detailed_description)
        self.is_sparse = _count_parts(shown) < FEW_PARTS
        self._title = self.company.name
        self._summary = self.company.description


def _companies() -> list[CompanyCard]:
    with read_session() as session:
        return typeset_record(COMPANIES.list_public(session))


def read_filters() -> ListFilters:
    """The filters of the list."""
    return filters_of(_companies())


def _count_parts(shown: ShownCompany) -> int:
    """How many parts a company's page has below its head."""
    company = shown.company
    work = company.our_role or shown.partner.slug or company.support_area or company.since
    lists = company.services or company.target_market or company.coverage_areas
    parts = (work, company.quote, company.key_metrics, company.detailed_description.strip(), company.founders, lists)
    return sum(map(bool, parts))


def companies_page() -> rx.Component:
    """The list page: featured cases, the other companies with their filters, and those that have exited."""
    state = CompanyListState
    return page(
        routes.COMPANIES,
        sections.page_head(words.HERO, rx.cond(state.total > 0, rx.el.p(state.count, class_name="list-count"))),
        sections.section(
            rx.cond(
                state.is_loading,
                profile.loading(words.LOADING),
                rx.cond(state.total > 0, _list(), profile.empty(state, words.EMPTY_TITLE, words.EMPTY_TEXT)),
            ),
            tone="section-follow",
        ),
        sections.closing(words.CLOSING, look="closing-centred section-sunken"),
    )


def _list() -> rx.Component:
    state = CompanyListState
    return rx.fragment(
        rx.cond(
            profile.has_items(state.featured),
            rx.el.section(
                rx.el.h2(words.FEATURED_TITLE, class_name="visually-hidden"),
                rx.el.ul(rx.foreach(state.featured, lambda one: rx.el.li(featured_case(one))), class_name="cases"),
            ),
        ),
        rx.el.section(
            filters.list_head(state, routes.COMPANIES),
            filters.filter_rows(state.filters, words.FILTERS_LABEL),
            _rows(state.companies),
            id=routes.LIST,
        ),
        rx.cond(
            profile.has_items(state.exited),
            rx.el.section(rx.el.h2(words.EXITED_TITLE, class_name="title-m"), _rows(state.exited), class_name="exited"),
        ),
    )


def _rows(companies: list[CompanyCard]) -> rx.Component:
    return rx.el.ul(rx.foreach(companies, lambda one: rx.el.li(company_row(one))), class_name="companies")


def company_page() -> rx.Component:
    """The page of one company."""
    return page(
        routes.COMPANIES,
        profile.profile_page(
            CompanyState,
            words.BACK,
            words.LOADING,
            found=rx.fragment(
                company_profile(CompanyState),
                sections.closing(words.CLOSING, look="closing-line"),
            ),
            missing=profile.not_found(CompanyState, words.NOT_FOUND_TITLE, words.NOT_FOUND_TEXT, words.BACK),
        ),
    )
