"""The filters of the public list of companies."""

from collections.abc import Sequence

from sitekit.base.list_filters import Filter, ListFilters

from . import texts
from .fields import CompanyCard
from .models import STAGES

FILTERS = (
    Filter("sector", texts.SECTOR_LABEL, folds_rare=True),
    Filter("country", texts.COUNTRY_LABEL),
    Filter("stage", texts.STAGE_LABEL, order=STAGES),
)


def filters_of(companies: Sequence[CompanyCard]) -> ListFilters:
    """The filters of these companies, in their order."""
    return ListFilters(
        FILTERS,
        [
            {"sector": [company.industry], "country": [company.country], "stage": [company.stage]}
            for company in companies
        ],
    )
