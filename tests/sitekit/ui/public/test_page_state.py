"""What the pages of records share, as their states serve it."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from advisory_site import routes
from advisory_site.advisors.public import AdvisorState
from advisory_site.companies.public import CompanyState
from advisory_site.team.public import MemberState
from sitekit.records import slug_redirects
from tests.conftest import on_sqlite
from tests.support.event_client import EventClient
from tests.support.factories import add_advisor, add_company, add_member

pytestmark = on_sqlite


@pytest.mark.parametrize(
    ("state", "name", "page", "add"),
    [
        (CompanyState, "company_state", routes.company_page, add_company),
        (MemberState, "member_state", routes.team_profile_page, add_member),
        (AdvisorState, "advisor_state", routes.advisor_page, add_advisor),
    ],
)
def test_client_navigation_to_an_old_slug_redirects_and_shows_loading(
    tab: EventClient, database: ModuleType, state: Any, name: str, page: Callable[[str], str], add: Callable[..., Any]
) -> None:
    with database.transaction() as session:
        slug_redirects.note(session, (add(session, slug="sea-kelp"), "kelp", "sea-kelp"))
    reply = tab.send(state.load, path=page("kelp"), query={"slug": "kelp"})
    assert ("_redirect", page("sea-kelp"), True) in [
        (event, payload.get("path"), payload.get("replace")) for event, payload in reply.events
    ]
    assert reply.var(f"{name}.is_missing") is False
    assert reply.delta.get(f"{name}.is_loading", True) is True
    reply = tab.send(state.load, path=page("sea-kelp"), query={"slug": "sea-kelp"})
    assert reply.var(f"{name}.is_loading") is False
