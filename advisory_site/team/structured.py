"""The team in schema.org's words: the list, and one member's profile."""

from .. import routes
from ..content import team as words
from ..web import structured
from ..web.head import Description, PageText
from .public import MemberState, TeamState


def describe_list(text: PageText) -> Description:
    """The active members, in the order of the page."""
    members = text.var(TeamState.get_full_name(), "members") or []
    items = [(member["name"], routes.team_profile_page(member["slug"])) for member in members]
    return structured.collection(text, words.HERO.eyebrow, items)


def describe_member(text: PageText) -> Description:
    """One member of the team."""
    member = text.var(MemberState.get_full_name(), "member") or {}
    thing = {
        **structured.person(text, member),
        "jobTitle": member.get("designation"),
        "worksFor": {"@id": f"{text.origin}/#organization"},
    }
    return structured.profile(text, thing, (words.HERO.eyebrow, routes.TEAM))
