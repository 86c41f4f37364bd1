"""What can be done with team members, in plain Python on the database."""

from datetime import datetime

import sqlalchemy as sa
from sqlmodel import Session

from ..errors import NotFound
from ..parsing import image_url, may_be_slug, text_list, web_url
from .models import TeamMember, columns
from .rules import MemberCard, MemberPage

NOT_FOUND = "Team Member Not Found"


def list_public(session: Session) -> list[MemberCard]:
    """The active members by display order, then name."""
    query = sa.select(
        columns.id,
        columns.slug,
        columns.name,
        columns.designation,
        columns.bio,
        columns.image_url,
        columns.linkedin_url,
        columns.email,
        columns.display_order,
        columns.expertise,
    ).where(columns.is_active)
    # Sorted here, because databases differ in how they compare names.
    rows = sorted(session.execute(query), key=lambda row: (row.display_order, row.name.casefold(), row.id))
    return [
        MemberCard(
            slug=row.slug,
            name=row.name,
            designation=row.designation,
            bio=row.bio,
            image_url=image_url(row.image_url),
            linkedin_url=web_url(row.linkedin_url),
            email=row.email,
            display_order=row.display_order,
            expertise=text_list(row.expertise),
        )
        for row in rows
    ]


def get_public(session: Session, slug: object) -> MemberPage:
    """The page of one active member; `NotFound` for no match, an inactive one, or a hostile slug."""
    if not may_be_slug(slug):
        raise NotFound(NOT_FOUND)
    query = sa.select(TeamMember).where(columns.slug == slug, columns.is_active)
    member = session.execute(query).scalar_one_or_none()
    if member is None:
        raise NotFound(NOT_FOUND)
    return MemberPage(
        slug=member.slug,
        name=member.name,
        designation=member.designation,
        bio=member.bio,
        detailed_bio=member.detailed_bio,
        image_url=image_url(member.image_url),
        linkedin_url=web_url(member.linkedin_url),
        email=member.email,
        achievements=text_list(member.achievements),
        expertise=text_list(member.expertise),
    )


def list_slugs_public(session: Session) -> list[tuple[str, datetime]]:
    """The slug and the time of the last change of every active member."""
    query = sa.select(columns.slug, columns.updated_at).where(columns.is_active)
    return [(slug, updated_at) for slug, updated_at in session.execute(query.order_by(columns.slug))]
