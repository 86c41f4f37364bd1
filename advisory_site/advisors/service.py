"""The record type of advisors."""

import sqlalchemy as sa
from sqlmodel import Session

from sitekit.base.db.folding import folded
from sitekit.base.text import slugify_plain, text_list, usable_slug
from sitekit.records.csv_export import csv_of
from sitekit.records.listing import ListOptions
from sitekit.records.record import PUBLISHING
from sitekit.records.record_type import RecordType, pages_in

from .. import routes
from ..permissions import SiteAction
from .fields import AdvisorCard, AdvisorPage, AdvisorRow
from .models import Advisor, columns


def slug_for(name: str) -> str:
    """The slug for a name, not checked for uniqueness."""
    return usable_slug(slugify_plain(name), "advisor")


ADVISORS = RecordType(
    noun="advisor",
    plural="advisors",
    table=Advisor,
    card=AdvisorCard,
    profile=AdvisorPage,
    row=AdvisorRow,
    read_action=SiteAction.READ_ADVISORS,
    change_action=SiteAction.CHANGE_ADVISORS,
    publishing=PUBLISHING,
    order=("display_order", "name"),
    options=ListOptions(
        searched=(columns.name, columns.slug, columns.title, columns.company),
        sorts={
            "name": folded(columns.name),
            "title": folded(columns.title),
            "company": folded(columns.company),
            "order": columns.display_order,
            "status": columns.is_active,
        },
        default=(columns.display_order, folded(columns.name)),
        id=columns.id,
    ),
    slug_for=slug_for,
    page=routes.advisor_page,
    tab="advisors",
    staff_pages=pages_in("/admin/advisors"),
    note="title",
    own_texts={"fetch_failed": "Failed to fetch advisor details"},
)


def fields_of_others(session: Session, slug: str) -> set[str]:
    """The fields of expertise of all public advisors but the one with this slug."""
    query = sa.select(columns.expertise).where(ADVISORS.is_public, columns.slug != slug)
    return {field for expertise in session.execute(query).scalars() for field in text_list(expertise)}


ADVISORS_CSV = csv_of(ADVISORS, "advisors")
