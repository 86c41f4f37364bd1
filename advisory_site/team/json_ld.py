"""The JSON-LD of the team: the list, and one member."""

from sitekit.server.seo.meta_tags import PageContext, PageMeta

from .. import routes
from ..components import json_ld
from . import texts
from .public import MemberState, TeamState


def list_meta(context: PageContext) -> PageMeta:
    """The list of active members, in the order of the page."""
    members = context.var(TeamState.get_full_name(), "members") or []
    items = [(member["name"], routes.team_profile_page(member["slug"])) for member in members]
    return json_ld.PAGE_GRAPH.collection(context, texts.HERO.eyebrow, items)


def member_meta(context: PageContext) -> PageMeta:
    """One member of the team."""
    member = context.var(MemberState.get_full_name(), "member") or {}
    thing = {
        **json_ld.person(context, member),
        "jobTitle": member.get("designation"),
        "worksFor": {"@id": f"{context.origin}/#organization"},
    }
    return json_ld.PAGE_GRAPH.profile(context, thing, (texts.HERO.eyebrow, routes.TEAM))
