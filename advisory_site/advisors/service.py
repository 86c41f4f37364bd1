"""What can be done with advisors, in plain Python on the database."""

from datetime import datetime

import sqlalchemy as sa
from sqlmodel import Session

from ..errors import NotFound
from ..parsing import image_url, may_be_slug, text_list, web_url
from .models import Advisor, columns
from .rules import AdvisorCard, AdvisorPage, experience_of, services_of, stats_of

NOT_FOUND = "Advisor not found"


def list_public(session: Session) -> list[AdvisorCard]:
    """The active advisors by display order, then name."""
    query = sa.select(
        columns.id,
        columns.slug,
        columns.name,
        columns.title,
        columns.bio,
        columns.image_url,
        columns.linkedin_url,
        columns.display_order,
        columns.expertise,
    ).where(columns.is_active)
    # Sorted here, because databases differ in how they compare names.
    rows = sorted(session.execute(query), key=lambda row: (row.display_order, row.name.casefold(), row.id))
    return [
        AdvisorCard(
            slug=row.slug,
            name=row.name,
            title=row.title,
            bio=row.bio,
            image_url=image_url(row.image_url),
            linkedin_url=web_url(row.linkedin_url),
            expertise=text_list(row.expertise),
        )
        for row in rows
    ]


def get_public(session: Session, slug: object) -> AdvisorPage:
    """The profile of one active advisor; `NotFound` for no match, an inactive one, or a hostile slug."""
    if not may_be_slug(slug):
        raise NotFound(NOT_FOUND)
    query = sa.select(Advisor).where(columns.slug == slug, columns.is_active)
    advisor = session.execute(query).scalar_one_or_none()
    if advisor is None:
        raise NotFound(NOT_FOUND)
    return AdvisorPage(
        slug=advisor.slug,
        name=advisor.name,
        title=advisor.title,
        company=advisor.company,
        location=advisor.location,
        tagline=advisor.tagline,
        bio=advisor.bio,
        detailed_bio=advisor.detailed_bio,
        image_url=image_url(advisor.image_url),
        cover_image_url=image_url(advisor.cover_image_url),
        linkedin_url=web_url(advisor.linkedin_url),
        email=advisor.email,
        availability=advisor.availability,
        expertise=text_list(advisor.expertise),
        stats=stats_of(advisor.stats),
        experience=experience_of(advisor.experience),
        services=services_of(advisor.services),
    )


def list_slugs_public(session: Session) -> list[tuple[str, datetime]]:
    """The slug and the time of the last change of every active advisor."""
    query = sa.select(columns.slug, columns.updated_at).where(columns.is_active)
    return [(slug, updated_at) for slug, updated_at in session.execute(query.order_by(columns.slug))]
