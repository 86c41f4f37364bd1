"""The companies on a member's page: those for which the member led the work."""

from dataclasses import replace

import reflex as rx

from sitekit.base.text import escape_controls
from sitekit.records.slug_redirects import all_slugs
from sitekit.server.framework.event_marks import public_event
from sitekit.ui.public.record_page import PublicPage

from .. import routes
from ..companies.fields import LedCompany
from ..companies.service import COMPANIES, list_led_by
from ..components import profile
from ..team import texts
from ..team.service import MEMBERS

# At most so many characters of what the firm did.
MOST_OF_ROLE = 240


class MemberCompaniesState(PublicPage, rx.State):
    """The companies of the member with this slug."""

    companies: list[LedCompany] = []
    member_slug: str = ""

    @public_event
    async def load(self) -> None:
        """Read the companies of the member that the address names; before the member, to be shown together."""
        slug = str(self.slug)
        companies = await self._read(lambda: _companies_of(slug), f"The companies of '{escape_controls(slug, 80)}'")
        self.companies, self.member_slug = companies or [], slug


def _companies_of(slug: str) -> list[LedCompany]:
    companies = COMPANIES.read(
        lambda session: list_led_by(session, all_slugs(session, MEMBERS.columns.slug, MEMBERS.is_public, slug))
    )
    return [
        replace(company, our_role=profile.whole_sentences(company.our_role or company.tagline, MOST_OF_ROLE))
        for company in companies
    ]


def member_companies(slug: str) -> rx.Component:
    """The part of the page of the member with this slug; nothing without companies."""
    is_theirs = MemberCompaniesState.member_slug == slug
    companies = MemberCompaniesState.companies
    return profile.part(
        texts.COMPANIES_TITLE,
        rx.el.ul(rx.foreach(companies, _company), class_name="rows marks"),
        when=is_theirs & profile.has_items(companies),
    )


def _company(company: LedCompany) -> rx.Component:
    mark = profile.mark(company.mark, size=(56, 56), places=(("", "3.5rem"),))
    return profile.row(mark, company.name, company.our_role, routes.company_page(company.slug))
