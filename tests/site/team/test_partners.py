"""The row of partners beside the contact form."""

from pathlib import Path
from types import ModuleType

import pytest

from advisory_site.team.partners import PartnersState
from tests.conftest import on_sqlite
from tests.support.database_faults import missing
from tests.support.event_client import EventClient
from tests.support.factories import add_member

pytestmark = on_sqlite  # what differs between databases is proved with the services


def shown(tab: EventClient) -> list[str]:
    return [partner.name for partner in tab.vars(PartnersState)["partners"]]


def test_the_first_three_active_partners_are_shown(tab: EventClient, database: ModuleType) -> None:
    people = (
        ("Ann", "Principal", True),
        ("Ben", "Founder & Managing Partner", True),
        ("Cat", "Partner, Growth", False),
        ("Dan", "partner", True),
        ("Eve", "Director, Partnerships", True),
        ("Fay", "Venture Partner", True),
        ("Gus", "Partner", True),
    )
    with database.transaction() as session:
        for order, (name, designation, is_active) in enumerate(people):
            add_member(session, name=name, designation=designation, is_active=is_active, display_order=order)
    tab.send(PartnersState.load)
    assert shown(tab) == ["Ben", "Dan", "Fay"]


@pytest.mark.spec("DATA-4")
def test_shown_partners_stay_while_the_database_is_unavailable(
    tab: EventClient, database: ModuleType, database_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with database.transaction() as session:
        add_member(session, name="Ann", designation="Partner")
    tab.send(PartnersState.load)
    with missing(database_dir, monkeypatch):
        reply = tab.send(PartnersState.load)
    assert reply.var("partners_state.is_unavailable") is True
    assert shown(tab) == ["Ann"]
