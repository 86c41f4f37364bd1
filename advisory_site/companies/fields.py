"""The dataclasses of companies: for visitors, for the form, and how old records are read."""

import re
from dataclasses import dataclass
from typing import ClassVar

from pydantic import field_validator

from ..core.text import clean_text, image_url, is_blank, one_line, shown_list, text_of
from ..records.form_fields import (
    CommaList,
    Draft,
    Email,
    HeadCount,
    ImageUrl,
    Line,
    LongLine,
    Row,
    Rows,
    Slug,
    Text,
    WebUrl,
    Year,
)
from .models import ACTIVE, Company

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
class Metric:
    """One key figure: its number and its label; without a number, only text."""

    value: str = ""
    words: str = ""


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
    """A company as its own page shows it; missing values are empty."""

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
    key_metrics: tuple[Metric, ...] = ()
    legal_entity_name: str = ""
    registration_number: str = ""


def logo_of(name: str, logo_url: str) -> str:
    """The company's logo, or a placeholder."""
    return image_url(logo_url) or (TREACLE_TECH_LOGO if name == TREACLE_TECH else PLACEHOLDER_LOGO)


# A number with a currency before it and a unit after it: "S$7.4m", "1,200", "97%", "2.4x", "50+".
_FIGURE = re.compile(r"((?:[A-Z]{1,3})?[$€£¥]?\d[\d.,\u00a0]*(?:%|bn|[kKmMBx×])?\+?)\s+(\S.*)", re.S)


def metric_of(text: str) -> Metric:
    """Split a key figure after its leading number."""
    found = _FIGURE.fullmatch(text.strip())
    return Metric(found[1].rstrip(".,"), found[2]) if found else Metric(words=text.strip())


def founders_of(value: object) -> tuple[Founder, ...]:
    """The founders in a stored value of any version: a list of objects, one object, or plain text (a name)."""
    items = value if isinstance(value, list) else [value]
    founders = (_founder(item) for item in items)
    return tuple(founder for founder in founders if not all(map(is_blank, vars(founder).values())))


def _founder(item: object) -> Founder:
    if not isinstance(item, dict):
        return Founder(name=text_of(item))
    return Founder(text_of(item.get("name")), text_of(item.get("title")), text_of(item.get("bio")))


@dataclass(frozen=True)
class CompanyRow:
    """A company as the back office lists it."""

    id: int = 0
    slug: str = ""
    name: str = ""
    industry: str = ""
    founded: str = ""
    employees: str = ""
    location: str = ""
    founder: str = ""
    status: str = ""
    is_active: bool = False


@dataclass(frozen=True)
class CompanyForm:
    """A company as the form shows it: texts, comma lists as one text, at least one founder.

    Its fields have the same names as those of `CompanyDraft`, and so do the inputs.
    """

    id: int = 0
    version: int = 0
    name: str = ""
    slug: str = ""
    tagline: str = ""
    description: str = ""
    detailed_description: str = ""
    industry: str = ""
    status: str = ACTIVE
    founded: str = ""
    employees: str = ""
    location: str = ""
    website_url: str = ""
    logo_url: str = ""
    email: str = ""
    phone: str = ""
    founders: tuple[Founder, ...] = (Founder(),)
    services: str = ""
    coverage_areas: str = ""
    target_market: str = ""
    key_metrics: str = ""
    legal_entity_name: str = ""
    registration_number: str = ""


class FounderRow(Row):
    """One founder in the form. The name may be long, because older records have all founders in one text."""

    name: LongLine = ""
    title: LongLine = ""
    bio: Text = ""


class CompanyDraft(Draft):
    """The checked values of the company form."""

    required: ClassVar[tuple[str, ...]] = (
        "name",
        "slug",
        "description",
        "industry",
        "founded",
        "employees",
        "location",
    )

    name: Line = ""
    slug: Slug = ""
    tagline: LongLine = ""
    description: Text = ""
    detailed_description: Text = ""
    industry: Line = ""
    status: Line = ACTIVE
    founded: Year = ""
    employees: HeadCount = ""
    location: Line = ""
    website_url: WebUrl = ""
    logo_url: ImageUrl = ""
    email: Email = ""
    phone: Line = ""
    founders: Rows[FounderRow] = ()
    services: CommaList = ()
    coverage_areas: CommaList = ()
    target_market: CommaList = ()
    key_metrics: CommaList = ()
    legal_entity_name: Line = ""
    registration_number: Line = ""

    @field_validator("status")
    @classmethod
    def _active_unless_said(cls, status: str) -> str:
        return status or ACTIVE


def founder_label(value: object) -> str:
    """The founder in the list: the first one, else the raw text or 'N/A'."""
    founders = founders_of(value)
    return (founders[0].name if founders else "") or "N/A"


def form_of(company: Company) -> CompanyForm:
    """The form of a stored company. Line breaks are removed for one-line inputs, because browsers would remove them."""
    assert company.id is not None
    founders = tuple(
        Founder(one_line(founder.name), one_line(founder.title), founder.bio)
        for founder in founders_of(company.founders)
    )
    return CompanyForm(
        id=company.id,
        version=company.version,
        name=one_line(company.name),
        slug=one_line(company.slug),
        tagline=one_line(company.tagline),
        description=clean_text(company.description),
        detailed_description=clean_text(company.detailed_description),
        industry=one_line(company.industry),
        status=one_line(company.status),
        founded=one_line(company.founded),
        employees=one_line(company.employees),
        location=one_line(company.location),
        website_url=one_line(company.website_url),
        logo_url=one_line(company.logo_url),
        email=one_line(company.email),
        phone=one_line(company.phone),
        founders=founders or (Founder(),),
        services=shown_list(company.services),
        coverage_areas=shown_list(company.coverage_areas),
        target_market=shown_list(company.target_market),
        key_metrics=shown_list(company.key_metrics),
        legal_entity_name=one_line(company.legal_entity_name),
        registration_number=one_line(company.registration_number),
    )
