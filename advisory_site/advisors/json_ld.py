"""Advisors in schema.org's words: the list, and one advisor's profile."""

from ..content import advisors as words
from ..core import routes
from ..seo import json_ld
from ..seo.meta_tags import Description, PageText
from .public import AdvisorListState, AdvisorState


def describe_list(text: PageText) -> Description:
    """The active advisors, in the order of the page."""
    advisors = text.var(AdvisorListState.get_full_name(), "advisors") or []
    items = [(advisor["name"], routes.advisor_page(advisor["slug"])) for advisor in advisors]
    return json_ld.collection(text, words.HERO.eyebrow, items)


def describe_advisor(text: PageText) -> Description:
    """One advisor, who works for a company of their own and is on call for the firm."""
    advisor = text.var(AdvisorState.get_full_name(), "advisor") or {}
    thing = {
        **json_ld.person(text, advisor),
        "jobTitle": advisor.get("title"),
        "worksFor": {"@type": "Organization", "name": advisor.get("company")},
        "homeLocation": {"@type": "Place", "name": advisor.get("location")},
        "affiliation": {"@id": f"{text.origin}/#organization"},
    }
    return json_ld.profile(text, thing, (words.HERO.eyebrow, routes.ADVISORS))
