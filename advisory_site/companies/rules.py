"""The shapes and rules of companies: what visitors see, what staff fill in, how old records read."""

from dataclasses import dataclass

from ..parsing import image_url, text_of

TREACLE_TECH = "Treacle Tech"
TREACLE_TECH_LOGO = "/images/treacle-tech.svg"
PLACEHOLDER_LOGO = "/images/placeholder-company.svg"


@dataclass(frozen=True)
class Founder:
    """One founder of a company."""

    name: str = ""
    title: str = ""
    bio: str = ""


@dataclass(frozen=True)
class CompanyCard:
    """A company as the public list shows it."""

    slug: str = ""
    name: str = ""
    tagline: str = ""
    description: str = ""
    industry: str = ""
    location: str = ""
    founded: str = ""
    employees: str = ""
    logo_url: str = ""


@dataclass(frozen=True)
class CompanyPage:
    """A company as its own page shows it; what has no value is empty."""

    slug: str = ""
    name: str = ""
    tagline: str = ""
    description: str = ""
    detailed_description: str = ""
    industry: str = ""
    founded: str = ""
    employees: str = ""
    location: str = ""
    website_url: str = ""
    logo_url: str = ""
    email: str = ""
    phone: str = ""
    founders: tuple[Founder, ...] = ()
    services: tuple[str, ...] = ()
    coverage_areas: tuple[str, ...] = ()
    target_market: tuple[str, ...] = ()
    key_metrics: tuple[str, ...] = ()
    legal_entity_name: str = ""
    registration_number: str = ""


def logo_of(name: str, logo_url: str) -> str:
    """The logo to show; a company without one gets a fallback."""
    return image_url(logo_url) or (TREACLE_TECH_LOGO if name == TREACLE_TECH else PLACEHOLDER_LOGO)


def founders_of(value: object) -> tuple[Founder, ...]:
    """The founders in a stored value of any age: a list of objects, one object, or plain text (a name)."""
    items = value if isinstance(value, list) else [value]
    founders = (_founder(item) for item in items)
    return tuple(founder for founder in founders if founder != Founder())


def _founder(item: object) -> Founder:
    if not isinstance(item, dict):
        return Founder(name=text_of(item))
    return Founder(text_of(item.get("name")), text_of(item.get("title")), text_of(item.get("bio")))
