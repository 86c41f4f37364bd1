"""What a card, a page and a row of the list show of a company."""

import re
from dataclasses import dataclass, field

from sitekit.base.phone_numbers import dialable
from sitekit.base.text import after_last_comma, image_url, text_list
from sitekit.base.typography import typeset
from sitekit.records.pictures.addresses import Picture, thumbnail_of
from sitekit.records.selection import computed

from .. import routes
from ..components.mentions import Mention, Partner
from ..content.support import SUPPORT_AREAS
from .models import ACTIVE, Founder, founders_of

TREACLE_TECH = "Treacle Tech"
TREACLE_TECH_LOGO = "/images/treacle-tech.svg"
TREACLE_TECH_MARK = "/images/treacle-tech-mark.svg"

# A number with a currency before it and a unit after it: "S$7.4m", "1,200", "97%", "Up to 2.4x", "50+", "74 MWh".
_FIGURE = re.compile(
    r"((?:[Uu]p to )?(?:[A-Z]{1,3})?[$€£¥]?\d[\d.,\u00a0]*(?:%|bn|[kKmMBx×])?\+?(?: (?:MWh|MW|kg|km|[thm])\b)?)"
    r"\s+(\S.*)",
    re.S,
)


@dataclass(frozen=True)
class Metric:
    """One key figure: its number and its label; without a number, only text."""

    value: str = ""
    words: str = ""


def metric_of(text: str) -> Metric:
    """Split a key figure after its leading number."""
    match = _FIGURE.fullmatch(text.strip())
    return Metric(match[1].rstrip(".,"), match[2]) if match else Metric(words=text.strip())


def metrics_of(value: object) -> tuple[Metric, ...]:
    """The key figures in a stored value."""
    return tuple(map(metric_of, text_list(value)))


def first_figure(value: object) -> Metric:
    """The first key figure with a number, else the first one."""
    metrics = metrics_of(value)
    return next((metric for metric in metrics if metric.value), metrics[0] if metrics else Metric())


def logo_of(name: str, logo_url: str) -> str:
    """The company's logo, or a placeholder."""
    return image_url(logo_url) or (TREACLE_TECH_LOGO if name == TREACLE_TECH else routes.PLACEHOLDER_COMPANY)


def logo_picture(name: str, logo_url: str) -> Picture:
    """The company's logo, or a placeholder, as pages show it."""
    return Picture(logo_of(name, logo_url))


def mark_picture(name: str, logo_url: str, mark_url: str) -> Picture:
    """What stands for the company in a small square: its mark, else its logo, or a placeholder."""
    logo = logo_of(name, logo_url)
    return Picture(image_url(mark_url) or (TREACLE_TECH_MARK if logo == TREACLE_TECH_LOGO else logo))


def mark_thumbnail(name: str, logo_url: str, mark_url: str) -> str:
    """The smallest size of that picture."""
    return thumbnail_of(mark_picture(name, logo_url, mark_url).image_url)


def founder_label(value: object) -> str:
    """The founder in the list: the first one, else the raw text or 'N/A'."""
    founders = founders_of(value)
    return (founders[0].name if founders else "") or "N/A"


def area_url(title: str) -> str:
    """The address of a support area on What We Do; empty for any other text."""
    anchors = (area.anchor for area in SUPPORT_AREAS if area.title == title)
    return next((f"{routes.WHAT_WE_DO}#{anchor}" for anchor in anchors), "")


def unquoted(text: str) -> str:
    """A quotation without quotation marks around it, which the page adds."""
    words = text.strip()
    is_quoted = len(words) > 1 and words[0] in '"“' and words[-1] in '"”'
    return words[1:-1].strip() if is_quoted else words


@dataclass(frozen=True)
class CompanyCard:
    """A company as the public list shows it."""

    slug: str = ""
    name: str = ""
    tagline: str = ""
    industry: str = ""
    country: str = computed(after_last_comma, "location")
    stage: str = ""
    since: str = ""
    our_role: str = ""
    figure: Metric = computed(first_figure, "key_metrics", default=Metric())
    is_featured: bool = False
    exit_note: str = ""
    logo_url: str = computed(logo_of, "name", "logo_url")
    mark: Picture = computed(mark_picture, "name", "logo_url", "mark_url", default=Picture())


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
    stage: str = ""
    exit_note: str = ""
    our_role: str = ""
    support_area: str = ""
    area_url: str = computed(area_url, "support_area")
    since: str = ""
    quote: str = computed(unquoted, "quote")
    quoted_name: str = ""
    quoted_role: str = ""
    website_url: str = ""
    logo_url: str = computed(logo_of, "name", "logo_url")
    logo: Picture = computed(logo_picture, "name", "logo_url", default=Picture())
    email: str = ""
    phone: str = ""
    dialled: str = computed(dialable, "phone")
    founders: tuple[Founder, ...] = ()
    services: tuple[str, ...] = ()
    coverage_areas: tuple[str, ...] = ()
    target_market: tuple[str, ...] = ()
    key_metrics: tuple[Metric, ...] = computed(metrics_of, "key_metrics", default=())
    legal_entity_name: str = ""
    registration_number: str = ""


@dataclass(frozen=True)
class LedCompany:
    """A company as the page of the member who led the work shows it."""

    slug: str = ""
    name: str = ""
    tagline: str = ""
    our_role: str = ""
    mark: Picture = computed(mark_picture, "name", "logo_url", "mark_url", default=Picture())


@dataclass(frozen=True)
class ShownCompany:
    """A company's page with its partner, and the companies before and after it in the list."""

    company: CompanyPage = CompanyPage()
    partner: Partner = field(default=Partner())
    previous: Mention = field(default=Mention())
    following: Mention = field(default=Mention())


@dataclass(frozen=True)
class CompanyRow:
    """A company as the back office lists it."""

    id: int = 0
    slug: str = ""
    name: str = ""
    industry: str = ""
    founded: str = ""
    employees: str = computed(typeset, "employees")
    location: str = ""
    founder: str = computed(founder_label, "founders")
    status: str = ""
    is_active: bool = computed(ACTIVE.__eq__, "status", default=False)
    mark_url: str = computed(mark_thumbnail, "name", "logo_url", "mark_url")
