"""The JSON-LD of the team: the list, and one member."""

from ..core import routes
from ..seo import json_ld
from ..seo.meta_tags import PageContext, PageMeta
from . import texts as words
from .public import MemberState, TeamState


def list_meta(context: PageContext) -> PageMeta:
    """The list of active members, in the order of the page."""
    members = context.var(TeamState.get_full_name(), "members") or []
    items = [(member["name"], routes.team_profile_page(member["slug"])) for member in members]
    return json_ld.collection(context, words.HERO.eyebrow, items)


def member_meta(context: PageContext) -> PageMeta:
    """One member of the team."""
    member = context.var(MemberState.get_full_name(), "member") or {}
    thing = {
        **json_ld.person(context, member),
        "jobTitle": member.get("designation"),
        "worksFor": {"@id": f"{context.origin}/#organization"},
    }
    return json_ld.profile(context, thing, (words.HERO.eyebrow, routes.TEAM))
