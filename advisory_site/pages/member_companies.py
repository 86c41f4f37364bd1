"""The companies on a member's page: those for which the member led the work."""

from dataclasses import replace
from typing import ClassVar

import reflex as rx
from sqlmodel import Session

from sitekit.records.references import list_naming
from sitekit.server.framework.event_marks import public_event
from sitekit.ui.public.record_page import RecordPart

from .. import routes
from ..companies.fields import LedCompany
from ..companies.models import MEMBER
from ..companies.service import COMPANIES
from ..components import profile
from ..team import texts

# At most so many characters of what the firm did.
MOST_OF_ROLE = 240


class MemberCompaniesState(RecordPart, rx.State):
    """The companies of the member with this slug."""

    companies: list[LedCompany] = []

    record_type: ClassVar = COMPANIES

    @public_event
    async def load(self) -> None:
        """Read the companies of the member that the address names."""
        companies = await self._read_part(companies_led_by) or []
        self.companies = [
            replace(company, our_role=profile.whole_sentences(company.our_role or company.tagline, MOST_OF_ROLE))
            for company in companies
        ]


def companies_led_by(session: Session, slug: str) -> list[LedCompany]:
    """The public companies whose work a member led, in order."""
    return list_naming(session, COMPANIES, MEMBER, MEMBER.slugs_of(session, slug), LedCompany)


def member_companies(slug: str) -> rx.Component:
    """The part of the page of the member with this slug; nothing without companies."""
    is_theirs = MemberCompaniesState.of_slug == slug
    companies = MemberCompaniesState.companies
    return profile.part(
        texts.COMPANIES_TITLE,
        rx.el.ul(rx.foreach(companies, _company), class_name="rows marks"),
        when=is_theirs & profile.has_items(companies),
    )


def _company(company: LedCompany) -> rx.Component:
    mark = profile.mark(company.mark, size=(56, 56), places=(("", "3.5rem"),))
    return profile.row(company.name, company.our_role, routes.company_page(company.slug), mark)
