"""The record type of companies."""

from collections.abc import Collection

import sqlalchemy as sa
from sqlmodel import Session

from ..content import csv_texts
from ..core import routes
from ..core.permissions import Action
from ..core.text import slugify_hyphenated
from ..records.csv_export import csv_of
from ..records.listing import ListOptions, last_part
from ..records.pictures import with_pictures
from ..records.record import Publishing
from ..records.record_type import RecordTexts, RecordType
from ..records.selection import Selection
from .fields import CompanyCard, CompanyPage, CompanyRow, LedCompany
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
    edit_page=routes.company_edit_page,
    is_edited_by_slug=True,
)


def list_led_by(session: Session, slugs: Collection[str]) -> list[LedCompany]:
    """The public companies whose work a member led, in order; `slugs` are the one of the member and former ones."""
    led = Selection(Company, LedCompany, COMPANIES.fields)
    return with_pictures(
        session, led.select(session, COMPANIES.is_public & columns.partner.in_(slugs), COMPANIES.order)
    )


COMPANIES_CSV = csv_of(COMPANIES, "companies", csv_texts.COMPANIES)
