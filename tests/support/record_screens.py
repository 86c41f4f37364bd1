"""The list and the form of each record type, for tests of what they share."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import sqlalchemy as sa

from advisory_site.advisors.admin import AdvisorFormState, AdvisorTabState
from advisory_site.companies.admin import CompanyFormState, CompanyTabState
from advisory_site.team.admin import MemberDialogState, TeamTabState
from sitekit.base.db.database import read_session, transaction
from tests.support.event_client import EventClient
from tests.support.factories import id_of
from tests.support.record_types import SAMPLES, Sample


@dataclass(frozen=True)
class Screen:
    """A list with its form, the address of a new record, and a repeating group of the form."""

    sample: Sample
    tab: Any
    form: Any
    new: str
    group: str = ""

    def at(self, record: Any = None, **parameters: str) -> dict[str, Any]:
        """Where a browser is while it edits a record, or a new one, as `EventClient.send` takes it."""
        path, record_type = self.new, self.sample.record_type
        if record is not None:
            path = record_type.form_page(record.id, record.slug)
        if parameters:
            path += ("&" if "?" in path else "?") + urlencode(parameters)
        wanted = {"slug" if record_type.is_edited_by_slug else "id": str(self.sample.wanted(record))} if record else {}
        return {"path": path, "query": wanted | parameters}

    def add(self, *names: str, **fields: Any) -> list[int]:
        """Store records with these names; returns their ids."""
        with transaction() as session:
            return [id_of(self.sample.add(session, name=name, **fields)) for name in names]

    def row(self, record: int) -> Any:
        """A stored record."""
        with read_session() as session:
            return session.get_one(self.sample.record_type.table, record)

    def slugs(self) -> list[str]:
        """The slugs of all records, in the order in which they were added."""
        columns = self.sample.record_type.columns
        with read_session() as session:
            return list(session.execute(sa.select(columns.slug).order_by(columns.id)).scalars())

    def public(self) -> list[str]:
        """The names of the public records, in order."""
        with read_session() as session:
            return [card.name for card in self.sample.record_type.list_public(session)]

    def var(self, tab: EventClient, name: str) -> Any:
        """A var of the list."""
        return tab.vars(self.tab)[name]


SCREENS = {
    "companies": Screen(
        SAMPLES["companies"], CompanyTabState, CompanyFormState, "/admin/companies/new", group="founders"
    ),
    "team": Screen(SAMPLES["team"], TeamTabState, MemberDialogState, "/admin?tab=teams&edit=new"),
    "advisors": Screen(
        SAMPLES["advisors"], AdvisorTabState, AdvisorFormState, "/admin/advisors/new", group="experience"
    ),
}
