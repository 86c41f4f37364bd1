"""The record type of advisors."""

import sqlalchemy as sa
from sqlmodel import Session

from ..content import csv_texts
from ..core import routes
from ..core.permissions import Action
from ..core.text import slugify_plain, text_list, usable_slug
from ..records.csv_export import csv_of
from ..records.listing import ListOptions
from ..records.people import PUBLISHING
from ..records.record_type import RecordTexts, RecordType
from .fields import AdvisorCard, AdvisorPage, AdvisorRow
from .models import Advisor, columns


def slug_for(name: str) -> str:
    """The slug for a name, not checked for uniqueness."""
    return usable_slug(slugify_plain(name), "advisor")


ADVISORS = RecordType(
    noun="advisor",
    table=Advisor,
    card=AdvisorCard,
    profile=AdvisorPage,
    row=AdvisorRow,
    action=Action.MANAGE_ADVISORS,
    publishing=PUBLISHING,
    order=("display_order", "name"),
    options=ListOptions(
        searched=(columns.name, columns.slug, columns.title, columns.company),
        sorts={
            "name": sa.func.lower(columns.name),
            "title": sa.func.lower(columns.title),
            "company": sa.func.lower(columns.company),
            "order": columns.display_order,
            "status": columns.is_active,
        },
        default=(columns.display_order, sa.func.lower(columns.name)),
        id=columns.id,
    ),
    texts=RecordTexts(
        missing="Advisor not found",
        list_failed="Failed to fetch advisors",
        fetch_failed="Failed to fetch advisor details",
        created="Advisor created successfully",
        create_failed="Failed to create advisor",
        updated="Advisor updated successfully",
        update_failed="Failed to update advisor",
        delete_confirm="Are you sure you want to delete this advisor?",
        deleted="Advisor deleted successfully",
        delete_failed="Failed to delete advisor",
    ),
    slug_for=slug_for,
    page=routes.advisor_page,
    tab="advisors",
    edit_page=routes.advisor_edit_page,
)


def fields_of_others(session: Session, slug: str) -> set[str]:
    """The fields of expertise of all public advisors but the one with this slug."""
    query = sa.select(columns.expertise).where(ADVISORS.is_public, columns.slug != slug)
    return {field for expertise in session.execute(query).scalars() for field in text_list(expertise)}


ADVISORS_CSV = csv_of(ADVISORS, "advisors", csv_texts.ADVISORS)
