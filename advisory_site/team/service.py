"""The record type of team members."""

import sqlalchemy as sa

from ..content import csv_texts
from ..core import routes
from ..core.permissions import Action
from ..core.text import slugify_hyphenated, usable_slug
from ..records.csv_export import csv_of
from ..records.listing import ListOptions
from ..records.people import PUBLISHING
from ..records.record_type import RecordTexts, RecordType
from .fields import MemberCard, MemberPage, MemberRow
from .models import TeamMember, columns


def slug_for(name: str) -> str:
    """The slug for a name, not checked for uniqueness."""
    return usable_slug(slugify_hyphenated(name), "member")


MEMBERS = RecordType(
    noun="team member",
    table=TeamMember,
    card=MemberCard,
    profile=MemberPage,
    row=MemberRow,
    action=Action.MANAGE_TEAM,
    publishing=PUBLISHING,
    order=("display_order", "name"),
    options=ListOptions(
        searched=(columns.name, columns.slug, columns.designation, columns.email),
        sorts={
            "name": sa.func.lower(columns.name),
            "designation": sa.func.lower(columns.designation),
            "email": sa.func.lower(columns.email),
            "order": columns.display_order,
            "status": columns.is_active,
        },
        default=(columns.display_order, sa.func.lower(columns.name)),
        id=columns.id,
    ),
    texts=RecordTexts(
        missing="Team Member Not Found",
        list_failed="Failed to fetch team members",
        fetch_failed="Failed to fetch team members",
        created="Team member created successfully",
        create_failed="Failed to save team member",
        updated="Team member updated successfully",
        update_failed="Failed to save team member",
        delete_confirm="Are you sure you want to delete this team member?",
        deleted="Team member deleted successfully",
        delete_failed="Failed to delete team member",
    ),
    slug_for=slug_for,
    page=routes.team_profile_page,
    tab="teams",
    edit_page=routes.member_edit_page,
)

MEMBERS_CSV = csv_of(MEMBERS, "team", csv_texts.MEMBERS)
