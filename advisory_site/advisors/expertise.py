"""The twelve fields of expertise, which filter the public list of advisors."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sitekit.base.list_filters import Filter

from . import texts
from .fields import AdvisorCard


@dataclass(frozen=True)
class ExpertiseField:
    """A field, and the beginnings of the words by which an advisor's own tags belong to it."""

    title: str
    terms: tuple[str, ...]

    def has(self, tag: str) -> bool:
        """Whether an advisor with this tag works in the field."""
        return re.search(rf"\b(?:{'|'.join(map(re.escape, self.terms))})", tag, re.IGNORECASE) is not None


FIELDS = (
    ExpertiseField("Market Entry & Partnerships", ("market entry", "partnership", "business development")),
    ExpertiseField("Go-to-Market & Enterprise Sales", ("go-to-market", "sales", "customer success")),
    ExpertiseField("Pricing & Customer Research", ("pricing", "customer research")),
    ExpertiseField("Finance & Fundraising", ("finance", "fundraising", "treasury", "IPO", "audit")),
    ExpertiseField("Mergers & Exits", ("merger", "post-merger", "exit", "valuation")),
    ExpertiseField("Leadership & Governance", ("leadership", "governance", "coaching")),
    ExpertiseField("People & Organisation", ("people", "organisation", "hiring", "compensation")),
    ExpertiseField("Regulation & Licensing", ("regulat", "licensing", "data protection")),
    ExpertiseField("Intellectual Property", ("intellectual property", "freedom to operate", "patent")),
    ExpertiseField("Healthcare & Life Sciences", ("health", "life science", "clinical", "hospital")),
    ExpertiseField("Consumer Goods & Distribution", ("consumer goods", "distribution", "packaging", "trade marketing")),
    ExpertiseField("Climate, Energy & Supply Chain", ("climate", "energy", "supply chain", "infrastructure")),
)


def fields_and_tags(advisor: AdvisorCard) -> Sequence[str]:
    """Those of the twelve fields that an advisor works in, and the advisor's own tags."""
    return [*(field.title for field in FIELDS if any(map(field.has, advisor.expertise))), *advisor.expertise]


FILTER = Filter(
    "field", texts.FILTER_LABEL, fields_and_tags, order=tuple(field.title for field in FIELDS), is_closed=True
)
