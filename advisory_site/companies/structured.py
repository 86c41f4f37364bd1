"""Companies in schema.org's words: the list, and one company's record."""

from .. import routes
from ..content import companies as words
from ..web import structured
from ..web.head import Description, PageText
from .public import CompanyListState, CompanyState


def describe_list(text: PageText) -> Description:
    """The active companies, in the order of the page."""
    companies = text.var(CompanyListState.get_full_name(), "companies") or []
    items = [(company["name"], routes.company_page(company["slug"])) for company in companies]
    return structured.collection(text, words.HERO.eyebrow, items)


def describe_company(text: PageText) -> Description:
    """One company as an organization."""
    company = text.var(CompanyState.get_full_name(), "company") or {}
    thing = {
        "@type": "Organization",
        "name": company.get("name", ""),
        "legalName": company.get("legal_entity_name"),
        "slogan": company.get("tagline"),
        "description": company.get("description"),
        "url": company.get("website_url") or text.url,
        "logo": structured.absolute(text.origin, company.get("logo_url")),
        "email": company.get("email"),
        "telephone": company.get("phone"),
        "foundingDate": structured.year(company.get("founded")),
        "address": company.get("location"),
        "areaServed": company.get("coverage_areas"),
        "knowsAbout": [company.get("industry"), *company.get("services", [])],
        "identifier": structured.registration(company.get("registration_number", "")),
        "founder": [
            {"@type": "Person", "name": founder["name"], "jobTitle": founder["title"]}
            for founder in company.get("founders", [])
            if founder["name"]
        ],
    }
    return structured.profile(text, thing, (words.HERO.eyebrow, routes.COMPANIES))
