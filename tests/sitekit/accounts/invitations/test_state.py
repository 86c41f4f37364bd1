"""The page of invitations and its dialog, through the real event processor."""

from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa

from sitekit.accounts.invitations.state import InvitationListState, InviteState
from sitekit.accounts.models import Invitation
from sitekit.base import settings
from sitekit.base.db.database import read_session
from sitekit.base.permissions import Role
from tests.support.event_client import EventClient, Reply
from tests.support.people import person
from tests.support.staff import sign_in, texts

pytestmark = pytest.mark.spec("INV-1")
PATH = "/admin/invitations"
MEI = "mei@northstrait.example"
FORM = {"addresses": MEI, "role": "manager"}
HANDLERS: list[tuple[Callable[..., object], dict[str, Any]]] = [
    (InvitationListState.load, {}),
    (InvitationListState.refresh, {}),
    (InvitationListState.send_again, {"invitation": 1}),
    (InvitationListState.delete, {"record_id": 1}),
    (InviteState.open, {}),
    (InviteState.save, {"form_data": FORM | {"addresses": "bo@northstrait.example"}}),
    (InviteState.check, {"name": "addresses", "edit": 1, "typed": FORM}),
    (InviteState.restore, {"typed": FORM}),
]


def invite(tab: EventClient, **changes: str) -> Reply:
    return tab.send(InviteState.save, path=f"{PATH}?invite=new", form_data=FORM | changes)


def stored() -> list[tuple[str, str, bool]]:
    query = sa.select(Invitation).order_by(sa.text("id"))
    with read_session() as session:
        return [(row.email, row.role, row.revoked_at is None) for row in session.execute(query).scalars()]


def rows(tab: EventClient, query: str = "") -> list[tuple[str, str]]:
    reply = tab.send(InvitationListState.load, path=f"{PATH}{query}")
    return [(row.email, row.status) for row in reply.var("invitation_list_state.rows")]


def outcomes(reply: Reply) -> list[tuple[str, str]]:
    return [(row.entry, row.text) for row in reply.var("invite_state.outcomes")]


@pytest.mark.spec("ROLE-4", "ADM-2")
@pytest.mark.parametrize("role", [Role.MANAGER, Role.EMPLOYEE])
def test_only_admins_read_or_change_invitations(tab: EventClient, role: Role) -> None:
    sign_in(tab, Role.ADMIN)
    invite(tab)
    before = stored()
    assert before == [(MEI, "manager", True)]
    stranger = EventClient(tab.app)
    sign_in(stranger, role)
    refusals = ("Only admins can invite people", "You may not do this.", "Your role does not allow this")
    wrong = []
    for handler, payload in HANDLERS:
        reply = stranger.send(handler, path=PATH, **payload)
        is_refused = "typed" in payload or (texts(reply)[-1:] and texts(reply)[-1] in refusals)
        told = (reply.delta.get("invitation_list_state.rows"), reply.events)
        if not is_refused or MEI in repr(told) or stored() != before:
            wrong.append(f"{handler}: {texts(reply)}, {told}, {stored()}")
    assert not wrong, "\n".join(wrong)


def test_the_dialog_shows_each_outcome_and_keeps_what_was_refused(tab: EventClient) -> None:
    sign_in(tab, Role.ADMIN)
    person("has@northstrait.example")
    assert rows(tab, "?invite=new") == []
    typed = f"Mei Tan <{MEI}>, Bo Tan, <has@northstrait.example>, tan@"
    reply = invite(tab, addresses=typed)
    refused = "Please enter a full email address, such as name@company.com."
    assert outcomes(reply) == [
        (MEI, "Invited"),
        ("Bo Tan", refused),
        ("has@northstrait.example", "Already has an account, and gets an email that says so."),
        ("tan@", refused),
    ]
    assert reply.var("invite_state.counted") == "1 of 4 invited"
    assert reply.var("invite_state.form").texts == {"addresses": "Bo Tan\ntan@", "role": "manager"}
    assert [row.email for row in reply.var("invitation_list_state.rows")] == [MEI]
    again = invite(tab, role="employee")
    assert outcomes(again) == [(MEI, "Invited again. The earlier link does not work any more.")]
    assert again.var("invite_state.form").texts == {"addresses": "", "role": "employee"}


@pytest.mark.parametrize(
    ("changes", "errors"),
    [
        ({"addresses": ""}, {"addresses": "Please fill in this field."}),
        ({"role": "owner"}, {"role": "Please choose one of the roles in the list."}),
        (
            {"addresses": ",".join(f"p{number}@x.com" for number in range(200))},
            {"addresses": "Please invite 50 people or fewer at a time."},
        ),
    ],
)
def test_a_refused_form_sends_nothing_and_stays(tab: EventClient, changes: dict[str, str], errors: Any) -> None:
    sign_in(tab, Role.ADMIN)
    reply = invite(tab, **changes)
    assert reply.var("invite_state.errors") == errors
    assert "invite_state.form" not in reply.delta
    assert stored() == []
    checked = tab.send(InviteState.check, name="addresses", edit=1, typed=FORM | changes)
    assert checked.var("invite_state.checks")["addresses"].error == errors.get("addresses", "")


def test_an_invitation_is_sent_again_and_revoked(tab: EventClient) -> None:
    sign_in(tab, Role.ADMIN)
    invite(tab)
    reply = tab.send(InvitationListState.send_again, path=PATH, invitation=1)
    assert texts(reply) == ["Invitation sent again. The earlier link does not work any more."]
    reply = tab.send(InvitationListState.delete, path=PATH, record_id=1)
    assert texts(reply)[-1] == "Invitation revoked. Its link does not work any more."
    assert (rows(tab), rows(tab, "?filter=ended")) == ([], [(MEI, "revoked")])
    for late in (
        tab.send(InvitationListState.send_again, path=PATH, invitation=1),
        tab.send(InvitationListState.delete, path=PATH, record_id=1),
    ):
        assert "This invitation is no longer open: it was accepted or revoked" in texts(late)


def test_the_dialog_says_where_mail_goes_without_a_mail_server(
    tab: EventClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_in(tab, Role.ADMIN)
    for url, has_mail in (("", False), ("smtp://127.0.0.1:9", True)):
        monkeypatch.setenv("ADVISORY_SMTP_URL", url)
        settings.get_settings.cache_clear()
        tab.send(InviteState.open, path=f"{PATH}?invite=new")
        assert tab.vars(InviteState)["has_mail"] is has_mail
