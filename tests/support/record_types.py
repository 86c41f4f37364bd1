"""The record types of the site, for tests of what they share."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from advisory_site.advisors.service import ADVISORS
from advisory_site.articles.service import ARTICLES
from advisory_site.companies.service import COMPANIES
from advisory_site.team.service import MEMBERS
from sitekit.records.inputs import RecordData
from sitekit.records.record_type import AnyRecordType
from tests.support import factories


@dataclass(frozen=True)
class Sample:
    """A record type, with a factory for stored records and one for the values of a complete form."""

    record_type: AnyRecordType
    add: Callable[..., Any]
    filled: Callable[..., dict[str, Any]]

    @property
    def hidden(self) -> dict[str, Any]:
        """The value that hides a record."""
        return {self.record_type.publishing.column: self.record_type.publishing.hidden}

    def data(self, **fields: Any) -> RecordData:
        """A draft of a complete form."""
        return self.record_type.data_class.read(self.filled(**fields))

    def wanted(self, record: Any) -> object:
        """What an address says of a record."""
        return record.slug if self.record_type.is_edited_by_slug else record.id


SAMPLES = {
    "companies": Sample(COMPANIES, factories.add_company, factories.company_form),
    "team": Sample(MEMBERS, factories.add_member, factories.member_form),
    "advisors": Sample(ADVISORS, factories.add_advisor, factories.advisor_form),
}
# Articles too, which have no address and whose picture is a cover.
ALL = SAMPLES | {"articles": Sample(ARTICLES, factories.add_article, factories.article_form)}
