"""The record type of companies."""

import sqlalchemy as sa

from ..content import messages
from ..core.permissions import Action
from ..core.text import slugify_hyphenated
from ..records.listing import ListOptions, last_part
from ..records.record_type import RecordTexts, RecordType
from .fields import CompanyCard, CompanyPage, CompanyRow
from .models import ACTIVE, Company, columns

COMPANIES = RecordType(
    table=Company,
    card=CompanyCard,
    profile=CompanyPage,
    row=CompanyRow,
    action=Action.MANAGE_COMPANIES,
    is_public=columns.status == ACTIVE,
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
        list_failed=messages.COMPANIES_FETCH_FAILED,
        fetch_failed=messages.COMPANY_FETCH_FAILED,
        created=messages.COMPANY_CREATED,
        create_failed=messages.COMPANY_CREATE_FAILED,
        updated=messages.COMPANY_UPDATED,
        update_failed=messages.COMPANY_UPDATE_FAILED,
        delete_confirm=messages.COMPANY_DELETE_CONFIRM,
        deleted=messages.COMPANY_DELETED,
        delete_failed=messages.COMPANY_DELETE_FAILED,
    ),
    slug_for=slugify_hyphenated,
    is_edited_by_slug=True,
)
