"""The record type of companies."""

from collections.abc import Collection

import sqlalchemy as sa
from sqlmodel import Session

from ..content import csv_texts
from ..core import routes
from ..core.permissions import Action
from ..core.pictures import picture_at
from ..core.text import slugify_hyphenated
from ..records.csv_export import csv_of
from ..records.listing import ListOptions, last_part
from ..records.people import MEMBER
from ..records.pictures import with_pictures
from ..records.record import Publishing
from ..records.record_type import RecordTexts, RecordType
from ..records.references import find_public
from ..records.selection import Selection
from .fields import CompanyCard, CompanyLink, CompanyPage, CompanyRow, LedCompany, Partner, ShownCompany
from .models import ACTIVE, INACTIVE, Company, columns

COMPANIES = RecordType(
    noun="company",
    table=Company,
    card=CompanyCard,
    profile=CompanyPage,
    row=CompanyRow,
    action=Action.MANAGE_COMPANIES,
    publishing=Publishing("status", public=ACTIVE, hidden=INACTIVE),
    order=("name",),
    options=ListOptions(
        searched=(columns.name, columns.slug, columns.industry, columns.location),
        sorts={
            "name": sa.func.lower(columns.name),
            "industry": sa.func.lower(columns.industry),
            "founded": columns.founded,
            "employees": columns.employees,
            "location": sa.func.lower(columns.location),
            "status": sa.func.lower(columns.status),
            "created": columns.created_at,
        },
        default=(columns.created_at.desc(), columns.id.desc()),
        id=columns.id,
        facets={"industry": columns.industry, "country": last_part(columns.location)},
    ),
    texts=RecordTexts(
        missing="Company Not Found",
        list_failed="Failed to fetch companies",
        fetch_failed="Failed to fetch company data",
        created="Company created successfully",
        create_failed="Failed to create company",
        updated="Company updated successfully",
        update_failed="Failed to update company",
        delete_confirm="Are you sure you want to delete this company?",
        deleted="Company deleted successfully",
        delete_failed="Failed to delete company",
    ),
    slug_for=slugify_hyphenated,
    page=routes.company_page,
    tab="companies",
    edit_page=routes.company_edit_page,
    is_edited_by_slug=True,
)


def list_led_by(session: Session, slugs: Collection[str]) -> list[LedCompany]:
    """The public companies whose work a member led, in order; `slugs` are the one of the member and former ones."""
    led = Selection(Company, LedCompany, COMPANIES.fields)
    return with_pictures(
        session, led.select(session, COMPANIES.is_public & columns.partner.in_(slugs), COMPANIES.order)
    )


_LINKS = Selection(Company, CompanyLink, COMPANIES.fields)


def get_shown(session: Session, slug: str) -> ShownCompany:
    """A public company with what its page shows beside it. Raises `NotFound` or `Moved`, as `get_public` does."""
    company = COMPANIES.get_public(session, slug)
    links = _LINKS.select(session, COMPANIES.is_public, COMPANIES.order)
    place = next((place for place, link in enumerate(links) if link.slug == company.slug), 0)
    # The last company is followed by the first; a company alone has no others, and of two each is shown once.
    previous = links[place - 1] if len(links) > 2 else CompanyLink()
    following = links[(place + 1) % len(links)] if len(links) > 1 else CompanyLink()
    return ShownCompany(company, _partner(session, company.slug), previous, following)


def _partner(session: Session, slug: str) -> Partner:
    """The public member who led the work for a company."""
    named = session.execute(sa.select(columns.partner).where(columns.slug == slug)).scalar_one_or_none()
    found = find_public(session, MEMBER, named or "", "slug", "name", "designation", "image_url")
    if found is None:
        return Partner()
    partner = Partner(found.slug, found.name, found.designation, picture_at(found.image_url))
    return with_pictures(session, [partner])[0]


COMPANIES_CSV = csv_of(COMPANIES, "companies", csv_texts.COMPANIES)
