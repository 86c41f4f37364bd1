"""The team in schema.org's words: the list, and one member's profile."""

from ..content import team as words
from ..core import routes
from ..seo import json_ld
from ..seo.meta_tags import Description, PageText
from .public import MemberState, TeamState


def describe_list(text: PageText) -> Description:
    """The active members, in the order of the page."""
    members = text.var(TeamState.get_full_name(), "members") or []
    items = [(member["name"], routes.team_profile_page(member["slug"])) for member in members]
    return json_ld.collection(text, words.HERO.eyebrow, items)


def describe_member(text: PageText) -> Description:
    """One member of the team."""
    member = text.var(MemberState.get_full_name(), "member") or {}
    thing = {
        **json_ld.person(text, member),
        "jobTitle": member.get("designation"),
        "worksFor": {"@id": f"{text.origin}/#organization"},
    }
    return json_ld.profile(text, thing, (words.HERO.eyebrow, routes.TEAM))
