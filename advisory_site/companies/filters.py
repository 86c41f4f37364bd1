"""The filters of the public list of companies."""

from collections.abc import Sequence

from ..core.list_filters import Filter, ListFilters
from . import texts as words
from .fields import CompanyCard
from .models import STAGES

FILTERS = (
    Filter("sector", words.SECTOR_LABEL),
    Filter("country", words.COUNTRY_LABEL),
    Filter("stage", words.STAGE_LABEL, order=STAGES),
)


def filters_of(companies: Sequence[CompanyCard]) -> ListFilters:
    """The filters of these companies, in their order."""
    return ListFilters(
        FILTERS,
        [{"sector": [one.industry], "country": [one.country], "stage": [one.stage]} for one in companies],
    )
