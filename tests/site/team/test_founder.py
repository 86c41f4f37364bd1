"""The founder beside the letter to advisors."""

from types import ModuleType

import pytest

from advisory_site.content.firm import FIRM
from advisory_site.team.founder import FounderState
from tests.conftest import on_sqlite
from tests.support.event_client import EventClient
from tests.support.factories import add_member

pytestmark = on_sqlite  # what differs between databases is proved with the services


@pytest.mark.spec("AD-1")
@pytest.mark.parametrize("is_active", [True, False])
def test_the_founder_is_the_active_member_with_the_founders_name(
    tab: EventClient, database: ModuleType, is_active: bool
) -> None:
    with database.transaction() as session:
        add_member(session, name="Ann", designation=FIRM.founder_title, slug="ann")
        add_member(session, name=FIRM.founder_name, slug="founder", is_active=is_active)
    tab.send(FounderState.load)
    assert tab.vars(FounderState)["founder"].slug == ("founder" if is_active else "")
