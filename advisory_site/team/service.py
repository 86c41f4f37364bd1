"""The record type of team members."""

import sqlalchemy as sa

from ..content import messages
from ..core.permissions import Action
from ..core.text import slugify_hyphenated, usable_slug
from ..records.listing import ListOptions
from ..records.record_type import RecordTexts, RecordType
from .fields import MemberCard, MemberPage, MemberRow
from .models import TeamMember, columns


def slug_for(name: str) -> str:
    """The slug for a name, not checked for uniqueness."""
    return usable_slug(slugify_hyphenated(name), "member")


MEMBERS = RecordType(
    table=TeamMember,
    card=MemberCard,
    profile=MemberPage,
    row=MemberRow,
    action=Action.MANAGE_TEAM,
    is_public=columns.is_active,
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
        list_failed=messages.MEMBERS_FETCH_FAILED,
        fetch_failed=messages.MEMBERS_FETCH_FAILED,
        created=messages.MEMBER_CREATED,
        create_failed=messages.MEMBER_SAVE_FAILED,
        updated=messages.MEMBER_UPDATED,
        update_failed=messages.MEMBER_SAVE_FAILED,
        delete_confirm=messages.MEMBER_DELETE_CONFIRM,
        deleted=messages.MEMBER_DELETED,
        delete_failed=messages.MEMBER_DELETE_FAILED,
    ),
    slug_for=slug_for,
)
