"""The JSON-LD of advisors: the list, and one advisor."""

from sitekit.server.seo.meta_tags import PageContext, PageMeta

from .. import routes
from ..components import json_ld
from . import texts
from .public import AdvisorListState, AdvisorState


def list_meta(context: PageContext) -> PageMeta:
    """The list of active advisors, in the order of the page."""
    advisors = context.var(AdvisorListState.get_full_name(), "advisors") or []
    items = [(advisor["name"], routes.advisor_page(advisor["slug"])) for advisor in advisors]
    return json_ld.PAGE_GRAPH.collection(context, texts.HERO.eyebrow, items)


def advisor_meta(context: PageContext) -> PageMeta:
    """One advisor, who works for another company and is affiliated with the firm."""
    advisor = context.var(AdvisorState.get_full_name(), "advisor") or {}
    thing = {
        **json_ld.person(context, advisor),
        "jobTitle": advisor.get("title"),
        "worksFor": {"@type": "Organization", "name": advisor.get("company")},
        "homeLocation": {"@type": "Place", "name": advisor.get("location")},
        "affiliation": {"@id": f"{context.origin}/#organization"},
    }
    return json_ld.PAGE_GRAPH.profile(context, thing, (texts.HERO.eyebrow, routes.ADVISORS))
