"""The record type of companies."""

import sqlalchemy as sa
from sqlmodel import Session

from sitekit.base.db.folding import folded
from sitekit.base.text import slugify_hyphenated
from sitekit.records.csv_export import csv_of
from sitekit.records.listing import ListOptions, last_part
from sitekit.records.record import Publishing
from sitekit.records.record_type import RecordType, pages_in
from sitekit.records.references import find_named

from .. import routes
from ..components.mentions import Mention, Partner
from ..permissions import SiteAction
from .fields import CompanyCard, CompanyPage, CompanyRow, ShownCompany
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


def get_shown(session: Session, slug: str) -> ShownCompany:
    """A public company with what its page shows beside it. Raises `NotFound` or `RecordMoved`, as `get_public` does."""
    company = COMPANIES.get_public(session, slug)
    named = session.execute(sa.select(columns.partner).where(columns.slug == company.slug)).scalar_one()
    partner = find_named(session, MEMBER, named, Partner) or Partner()
    return ShownCompany(company, partner, *COMPANIES.beside(session, company.slug, Mention))


COMPANIES_CSV = csv_of(COMPANIES, "companies")
