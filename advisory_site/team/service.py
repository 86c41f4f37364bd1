"""The record type of team members."""

from sitekit.base.db.folding import folded
from sitekit.base.text import slugify_hyphenated, usable_slug
from sitekit.records.csv_export import csv_of
from sitekit.records.listing import ListOptions
from sitekit.records.record import PUBLISHING
from sitekit.records.record_type import RecordType, StaffPages

from .. import routes
from ..permissions import SiteAction
from .fields import MemberCard, MemberPage, MemberRow
from .models import TeamMember, columns


def slug_for(name: str) -> str:
    """The slug for a name, not checked for uniqueness."""
    return usable_slug(slugify_hyphenated(name), "member")


MEMBERS = RecordType(
    noun="team member",
    plural="team members",
    table=TeamMember,
    card=MemberCard,
    profile=MemberPage,
    row=MemberRow,
    read_action=SiteAction.READ_TEAM,
    change_action=SiteAction.CHANGE_TEAM,
    publishing=PUBLISHING,
    order=("display_order", "name"),
    options=ListOptions(
        searched=(columns.name, columns.slug, columns.designation, columns.email),
        sorts={
            "name": folded(columns.name),
            "designation": folded(columns.designation),
            "email": folded(columns.email),
            "order": columns.display_order,
            "status": columns.is_active,
        },
        default=(columns.display_order, folded(columns.name)),
        id=columns.id,
    ),
    slug_for=slug_for,
    page=routes.team_profile_page,
    tab="teams",
    staff_pages=StaffPages(routes.member_edit_page, routes.member_edit_page("new"), "/admin/team/import"),
    note="designation",
    own_texts={
        "missing": "Team Member Not Found",
        "fetch_failed": "Failed to fetch team members",
        "create_failed": "Failed to save team member",
        "update_failed": "Failed to save team member",
    },
)

MEMBERS_CSV = csv_of(MEMBERS, "team")
