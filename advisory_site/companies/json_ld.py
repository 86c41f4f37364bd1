"""The JSON-LD of companies: the list, and one company."""

from collections.abc import Mapping
from typing import Any

from sitekit.server.seo.meta_tags import JsonLd, PageContext, PageMeta
from sitekit.server.seo.page_graph import absolute

from .. import routes
from ..components import json_ld
from . import texts
from .public import CompanyListState, CompanyState


def list_meta(context: PageContext) -> PageMeta:
    """The list of active companies, in the order of the page."""
    parts = [context.var(CompanyListState.get_full_name(), part) for part in ("featured", "companies", "exited")]
    items = [(company["name"], routes.company_page(company["slug"])) for part in parts for company in part or []]
    return json_ld.PAGE_GRAPH.collection(context, texts.NAME, items)


def company_meta(context: PageContext) -> PageMeta:
    """One company as an organization."""
    company = context.var(CompanyState.get_full_name(), "company") or {}
    thing = {
        "@type": "Organization",
        "name": company.get("name", ""),
        "legalName": company.get("legal_entity_name"),
        "slogan": company.get("tagline"),
        "description": company.get("description"),
        "url": company.get("website_url") or context.url,
        "logo": absolute(context.origin, company.get("logo_url")),
        "email": company.get("email"),
        "telephone": company.get("dialled"),
        "foundingDate": json_ld.year(company.get("founded")),
        "address": company.get("location"),
        "areaServed": company.get("coverage_areas"),
        "knowsAbout": [company.get("industry"), *company.get("services", [])],
        "identifier": json_ld.registration(company.get("registration_number", "")),
        "founder": [
            {"@type": "Person", "name": founder["name"], "jobTitle": founder["title"]}
            for founder in company.get("founders", [])
            if founder["name"]
        ],
        "subjectOf": _quotation(company),
    }
    return json_ld.PAGE_GRAPH.profile(context, thing, (texts.NAME, routes.COMPANIES))


def _quotation(company: Mapping[str, Any]) -> JsonLd:
    """What a founder says about the work; nothing without the name of the person who says it."""
    if not (company.get("quote") and company.get("quoted_name")):
        return {}
    speaker = {"@type": "Person", "name": company["quoted_name"], "jobTitle": company.get("quoted_role")}
    return {"@type": "Quotation", "text": company["quote"], "creator": speaker}
