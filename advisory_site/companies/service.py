"""The record type of companies."""

from collections.abc import Collection

import sqlalchemy as sa
from sqlmodel import Session

from sitekit.base.db.folding import folded
from sitekit.base.text import slugify_hyphenated
from sitekit.records.csv_export import csv_of
from sitekit.records.listing import ListOptions, last_part
from sitekit.records.pictures.addresses import answering, picture_at
from sitekit.records.pictures.held import with_pictures
from sitekit.records.record import Publishing
from sitekit.records.record_type import RecordType, pages_in
from sitekit.records.selection import Selection

from .. import routes
from ..components.mentions import Mention, Partner
from ..permissions import SiteAction
from .fields import CompanyCard, CompanyPage, CompanyRow, LedCompany, ShownCompany
from .models import ACTIVE, INACTIVE, MEMBER, Company, columns

COMPANIES = RecordType(
    noun="company",
    plural="companies",
    table=Company,
    card=CompanyCard,
    profile=CompanyPage,
    row=CompanyRow,
    read_action=SiteAction.READ_COMPANIES,
    change_action=SiteAction.CHANGE_COMPANIES,
    publishing=Publishing("status", public=ACTIVE, hidden=INACTIVE),
    order=("name",),
    options=ListOptions(
        searched=(columns.name, columns.slug, columns.industry, columns.location),
        sorts={
            "name": folded(columns.name),
            "industry": folded(columns.industry),
            "founded": columns.founded,
            "employees": columns.employees,
            "location": folded(columns.location),
            "status": folded(columns.status),
            "created": columns.created_at,
        },
        default=(columns.created_at.desc(), columns.id.desc()),
        id=columns.id,
        facets={"industry": columns.industry, "country": last_part(columns.location)},
    ),
    slug_for=slugify_hyphenated,
    page=routes.company_page,
    tab="companies",
    staff_pages=pages_in("/admin/companies"),
    note="industry",
    is_edited_by_slug=True,
    own_texts={"missing": "Company Not Found", "fetch_failed": "Failed to fetch company data"},
)


def list_led_by(session: Session, slugs: Collection[str]) -> list[LedCompany]:
    """The public companies whose work a member led, in order; `slugs` are the one of the member and former ones."""
    led = Selection(Company, LedCompany, COMPANIES.fields)
    return with_pictures(
        session, led.select(session, COMPANIES.is_public & columns.partner.in_(slugs), COMPANIES.order)
    )


_LINKS = Selection(Company, Mention, COMPANIES.fields)


def get_shown(session: Session, slug: str) -> ShownCompany:
    """A public company with what its page shows beside it. Raises `NotFound` or `RecordMoved`, as `get_public` does."""
    company = COMPANIES.get_public(session, slug)
    links = _LINKS.select(session, COMPANIES.is_public, COMPANIES.order)
    index = next((index for index, link in enumerate(links) if link.slug == company.slug), 0)
    # The last company is followed by the first; a company alone has no others, and of two each is shown once.
    previous = links[index - 1] if len(links) > 2 else Mention()
    following = links[(index + 1) % len(links)] if len(links) > 1 else Mention()
    return ShownCompany(company, _partner(session, company.slug), previous, following)


def _partner(session: Session, slug: str) -> Partner:
    """The public member who led the work for a company."""
    named = session.execute(sa.select(columns.partner).where(columns.slug == slug)).scalar_one_or_none()
    row = MEMBER.find_public(session, named or "", "slug", "name", "designation", "image_url", "unanswered")
    if row is None:
        return Partner()
    picture = picture_at(answering(row.image_url, row.unanswered))
    partner = Partner(row.slug, row.name, row.designation, picture)
    return with_pictures(session, [partner])[0]


COMPANIES_CSV = csv_of(COMPANIES, "companies")
