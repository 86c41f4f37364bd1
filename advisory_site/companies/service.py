"""What can be done with companies, in plain Python on the database."""

from datetime import datetime

import sqlalchemy as sa
from sqlmodel import Session

from ..errors import NotFound
from ..parsing import may_be_slug, text_list, web_url
from .models import ACTIVE, Company, columns
from .rules import CompanyCard, CompanyPage, founders_of, logo_of

NOT_FOUND = "Company Not Found"


def list_public(session: Session) -> list[CompanyCard]:
    """The active companies by name, whatever its case."""
    query = sa.select(
        columns.id,
        columns.slug,
        columns.name,
        columns.tagline,
        columns.description,
        columns.industry,
        columns.location,
        columns.founded,
        columns.employees,
        columns.logo_url,
    ).where(columns.status == ACTIVE)
    # Sorted here, because databases differ in what they think comes first.
    rows = sorted(session.execute(query), key=lambda row: (row.name.casefold(), row.id))
    return [
        CompanyCard(
            slug=row.slug,
            name=row.name,
            tagline=row.tagline,
            description=row.description,
            industry=row.industry,
            location=row.location,
            founded=row.founded,
            employees=row.employees,
            logo_url=logo_of(row.name, row.logo_url),
        )
        for row in rows
    ]


def get_public(session: Session, slug: object) -> CompanyPage:
    """The page of one active company; `NotFound` for no match, an inactive one, or a hostile slug."""
    if not may_be_slug(slug):
        raise NotFound(NOT_FOUND)
    query = sa.select(Company).where(columns.slug == slug, columns.status == ACTIVE)
    company = session.execute(query).scalar_one_or_none()
    if company is None:
        raise NotFound(NOT_FOUND)
    return CompanyPage(
        slug=company.slug,
        name=company.name,
        tagline=company.tagline,
        description=company.description,
        detailed_description=company.detailed_description,
        industry=company.industry,
        founded=company.founded,
        employees=company.employees,
        location=company.location,
        website_url=web_url(company.website_url),
        logo_url=logo_of(company.name, company.logo_url),
        email=company.email,
        phone=company.phone,
        founders=founders_of(company.founders),
        services=text_list(company.services),
        coverage_areas=text_list(company.coverage_areas),
        target_market=text_list(company.target_market),
        key_metrics=text_list(company.key_metrics),
        legal_entity_name=company.legal_entity_name,
        registration_number=company.registration_number,
    )


def list_slugs_public(session: Session) -> list[tuple[str, datetime]]:
    """The slug and the time of the last change of every active company."""
    query = sa.select(columns.slug, columns.updated_at).where(columns.status == ACTIVE).order_by(columns.slug)
    return [(slug, updated_at) for slug, updated_at in session.execute(query)]
