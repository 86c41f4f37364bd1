"""The public company pages: the list, and one company."""

from collections.abc import AsyncIterator

import reflex as rx

from ..content.firm import FIRM
from ..core import routes
from ..core.text import escape_controls
from ..core.typography import typeset_record
from ..db.database import read_session
from ..framework.event_marks import EventReply, public_event
from ..ui.public import profile, sections
from ..ui.public.layout import page
from ..ui.public.page_state import PublicPage
from . import texts as words
from .fields import CompanyCard, CompanyLink, CompanyPage, Partner, ShownCompany
from .service import COMPANIES, get_shown
from .views import company_card, company_profile

# A page with fewer parts below its head is in one column.
FEW_PARTS = 3


class CompanyListState(PublicPage, rx.State):
    """The state of the list: the active companies."""

    companies: list[CompanyCard] = []

    @public_event
    async def load(self) -> None:
        """Read the list again."""
        self.companies = await self._read(_companies, "The list of companies") or []


class CompanyState(PublicPage, rx.State):
    """The state of a company's page."""

    company: CompanyPage = CompanyPage()
    partner: Partner = Partner()
    previous: CompanyLink = CompanyLink()
    following: CompanyLink = CompanyLink()
    story: list[str] = []
    is_sparse: bool = False

    @rx.var
    def page_title(self) -> str:
        """The title of the document."""
        if self.is_missing or self.is_unavailable:
            return f"{words.NOT_FOUND_TITLE} | {FIRM.name}"
        return f"{self.company.name} | {FIRM.name}" if self.company.name else words.DETAIL_SEO.title

    @rx.var
    def page_description(self) -> str:
        """The description for search results."""
        return profile.in_brief(self.company.description) or words.DETAIL_SEO.description

    @public_event
    async def load(self) -> AsyncIterator[EventReply]:
        """Read the company that the address names."""
        slug = str(self.slug)
        if self._turns_to(slug):
            yield None
        found = await self._read(lambda: _company(slug), f"The company '{escape_controls(slug, 80)}'")
        if self._moved_to:
            yield rx.redirect(routes.company_page(self._moved_to), replace=True)
            return
        shown = found or ShownCompany()
        self.company, self.partner = shown.company, shown.partner
        self.previous, self.following = shown.previous, shown.following
        self.story = profile.paragraphs_of(self.company.detailed_description)
        self.is_sparse = _count_parts(shown) < FEW_PARTS


def _companies() -> list[CompanyCard]:
    with read_session() as session:
        return typeset_record(COMPANIES.list_public(session))


def _company(slug: str) -> ShownCompany:
    with read_session() as session:
        return typeset_record(get_shown(session, slug))


def _count_parts(shown: ShownCompany) -> int:
    """How many parts a company's page has below its head."""
    company = shown.company
    work = company.our_role or shown.partner.slug or company.support_area or company.since
    lists = company.services or company.target_market or company.coverage_areas
    parts = (work, company.quote, company.key_metrics, company.detailed_description.strip(), company.founders, lists)
    return sum(map(bool, parts))


def companies_page() -> rx.Component:
    """The list page: each active company as a card."""
    return page(
        routes.COMPANIES,
        sections.page_head(words.HERO),
        sections.section(
            rx.el.h2(words.LIST_TITLE, class_name="visually-hidden"),
            profile.listing(
                CompanyListState,
                CompanyListState.companies,
                lambda company, _index: company_card(company),
                wait=words.LOADING,
                nothing=profile.empty(words.EMPTY_TITLE, words.EMPTY_TEXT),
                class_name="card-grid",
            ),
            tone="section-follow",
        ),
        sections.closing(words.CLOSING),
    )


def company_page() -> rx.Component:
    """The page of one company."""
    return page(
        routes.COMPANIES,
        profile.profile_page(
            CompanyState,
            words.BACK,
            words.LOADING,
            found=rx.fragment(company_profile(CompanyState), sections.closing(words.CLOSING)),
            missing=profile.not_found(words.NOT_FOUND_TITLE, words.NOT_FOUND_TEXT, words.BACK),
        ),
    )
