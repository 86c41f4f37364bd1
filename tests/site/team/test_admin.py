"""What the dialog of the teams tab has beyond other forms, through the real event processor."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import pytest
import sqlalchemy as sa

from advisory_site.team.admin import MemberDialogState, TeamTabState
from advisory_site.team.models import columns
from sitekit.base.db.database import read_session, transaction
from sitekit.base.permissions import Role
from tests.support import factories
from tests.support.event_client import EventClient, Reply
from tests.support.staff import sign_in

NEW = {"tab": "teams", "edit": "new"}


def members(count: int = 1, **fields: Any) -> list[int]:
    with transaction() as session:
        return [factories.id_of(factories.add_member(session, **fields)) for _ in range(count)]


def slugs() -> list[str]:
    with read_session() as session:
        return list(session.execute(sa.select(columns.slug).order_by(columns.id)).scalars())


def send(tab: EventClient, handler: Callable[..., object], query: dict[str, str], **payload: Any) -> Reply:
    return tab.send(handler, path=f"/admin?{urlencode(query)}", **payload)


@pytest.mark.spec("ATM-3")
def test_a_second_member_of_the_same_name_gets_the_next_slug(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    for _ in range(2):
        send(tab, MemberDialogState.open, NEW)
        send(tab, MemberDialogState.save, NEW, form_data=factories.member_form(name="Mei Lin"))
    assert slugs() == ["mei-lin", "mei-lin-2"]


@pytest.mark.spec("ATM-2")
def test_closing_the_dialog_clears_the_member_from_the_state(tab: EventClient) -> None:
    (member_id,) = members(name="Private Person")
    sign_in(tab, Role.EMPLOYEE)
    opened = send(tab, TeamTabState.load, {"tab": "teams", "edit": str(member_id)})
    assert opened.var("member_dialog_state.form").texts["name"] == "Private Person"
    closed = send(tab, TeamTabState.load, {"tab": "teams"})
    assert closed.var("member_dialog_state.form").texts == {}
    assert closed.var("member_dialog_state.shown") == ""
