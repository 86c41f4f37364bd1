"""Reads and changes companies in the database."""

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session

from ..content import messages
from ..core.errors import NotFound
from ..core.permissions import Action, Actor, require
from ..core.text import may_be_slug, record_id, text_list, web_url
from ..records import listing
from ..records.listing import ACTIVE_ONLY, INACTIVE_ONLY, ListOptions, ListQuery, Page, paginate
from ..records.saving import delete as delete_record
from ..records.saving import gone, is_free, load, refuse_if_newer, save, slug_taken, write
from ..records.slug_redirects import not_found_or_moved, present_slug
from .fields import (
    CompanyCard,
    CompanyDraft,
    CompanyForm,
    CompanyPage,
    CompanyRow,
    form_of,
    founder_label,
    founders_of,
    logo_of,
    metric_of,
)
from .models import ACTIVE, Company, columns

NOT_FOUND = "Company Not Found"
IS_PUBLIC = columns.status == ACTIVE
LIST_OPTIONS = ListOptions(
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
)
FILTERS = {ACTIVE_ONLY: IS_PUBLIC, INACTIVE_ONLY: columns.status != ACTIVE}


def list_public(session: Session) -> list[CompanyCard]:
    """The active companies by name, case-insensitive."""
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
    ).where(IS_PUBLIC)
    # Sorted here, because databases have different collations.
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
    """The page of one active company. Raises `NotFound`, or its subclass `Moved` if the slug has changed."""
    query = sa.select(Company).where(columns.slug == slug, IS_PUBLIC)
    company = session.execute(query).scalar_one_or_none() if may_be_slug(slug) else None
    if company is None:
        raise not_found_or_moved(session, columns.slug, IS_PUBLIC, slug, NOT_FOUND)
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
        key_metrics=tuple(map(metric_of, text_list(company.key_metrics))),
        legal_entity_name=company.legal_entity_name,
        registration_number=company.registration_number,
    )


def resolve_slug(session: Session, slug: object) -> str | None:
    """The current slug of the active company that has this slug or had it; None if there is none."""
    return present_slug(session, columns.slug, IS_PUBLIC, slug)


def list_slugs_public(session: Session) -> list[tuple[str, datetime]]:
    """The slug and last change of every active company."""
    query = sa.select(columns.slug, columns.updated_at).where(IS_PUBLIC).order_by(columns.slug)
    return [(slug, updated_at) for slug, updated_at in session.execute(query)]


def list_admin(session: Session, actor: Actor, query: ListQuery) -> Page[CompanyRow]:
    """One page of all companies for staff, newest first unless sorted otherwise."""
    require(actor, Action.MANAGE_COMPANIES)
    rows, total, page, pages = paginate(session, _select_rows(query), query, LIST_OPTIONS)
    shown = tuple(
        CompanyRow(
            id=row.id,
            slug=row.slug,
            name=row.name,
            industry=row.industry,
            founded=row.founded,
            employees=row.employees,
            location=row.location,
            founder=founder_label(row.founders),
            status=row.status,
            is_active=row.status == ACTIVE,
        )
        for row in rows
    )
    return Page(shown, total, page, pages)


def page_of(session: Session, actor: Actor, query: ListQuery, record: int) -> int:
    """The number of the list's page that a record is on; 0 if search or filter exclude it."""
    require(actor, Action.MANAGE_COMPANIES)
    return listing.page_of(session, _select_rows(query), query, LIST_OPTIONS, record)


def _select_rows(query: ListQuery) -> sa.Select[Any]:
    statement = sa.select(
        columns.id,
        columns.slug,
        columns.name,
        columns.industry,
        columns.founded,
        columns.employees,
        columns.location,
        columns.founders,
        columns.status,
    )
    return statement.where(FILTERS[query.filter]) if query.filter in FILTERS else statement


def get_for_edit(session: Session, actor: Actor, slug: object) -> CompanyForm:
    """The form of the company that has this slug or had it, active or not; raises `NotFound` if there is none."""
    require(actor, Action.MANAGE_COMPANIES)
    present = present_slug(session, columns.slug, sa.true(), slug)
    company = session.execute(sa.select(Company).where(columns.slug == present)).scalar_one_or_none()
    if company is None:
        raise NotFound(messages.COMPANY_FETCH_FAILED)
    return form_of(company)


def is_slug_free(session: Session, actor: Actor, slug: str, except_id: object = None) -> bool:
    """Whether no other company has this slug."""
    require(actor, Action.MANAGE_COMPANIES)
    return is_free(session, columns.slug, slug, except_id)


def get_stored(session: Session, actor: Actor, company_id: object) -> CompanyForm | None:
    """The form of a stored company; None if it was deleted."""
    require(actor, Action.MANAGE_COMPANIES)
    company = session.get(Company, record_id(company_id), populate_existing=True)
    return form_of(company) if company else None


def create(session: Session, actor: Actor, draft: CompanyDraft) -> int:
    """Add a company; returns its id. Raises `InvalidInput` for the slug if another company has it."""
    require(actor, Action.MANAGE_COMPANIES)
    if not is_free(session, columns.slug, draft.slug):
        raise slug_taken()
    company = Company(name=draft.name, slug=draft.slug)
    write(company, draft.stored(), actor)
    return save(session, company, slug_is_typed=True)


def update(
    session: Session,
    actor: Actor,
    company_id: object,
    draft: CompanyDraft,
    version: int,
    overwrite: bool = False,
) -> None:
    """Save a company that was read at this version.

    Raises `SavedSince` if a newer version was saved, unless `overwrite`, and `NotFound` if it was deleted.
    """
    require(actor, Action.MANAGE_COMPANIES)
    company = load(session, Company, company_id, gone(messages.COMPANY_UPDATE_FAILED))
    if not overwrite:
        refuse_if_newer(session, company, version)
    if not is_free(session, columns.slug, draft.slug, except_id=company.id):
        raise slug_taken()
    write(company, draft.changes(form_of(company)), actor)
    save(session, company, slug_is_typed=True)


def delete(session: Session, actor: Actor, company_id: object) -> None:
    """Delete a company; raises `NotFound` if it was already deleted."""
    require(actor, Action.MANAGE_COMPANIES)
    delete_record(session, load(session, Company, company_id, gone(messages.COMPANY_DELETE_FAILED)))
