"""What the dashboard lists: the records saved last, and what needs attention, for each role."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from sqlmodel import SQLModel

from advisory_site.accounts import service as accounts
from advisory_site.accounts.models import Profile
from advisory_site.advisors.models import Advisor
from advisory_site.companies.models import Company
from advisory_site.core.errors import Forbidden
from advisory_site.core.permissions import POLICY, STAFF, Action, Actor, Role
from advisory_site.core.pictures import address_of
from advisory_site.dashboard.worklist import needs_attention, recent_changes
from advisory_site.db.database import now, read_session, transaction
from advisory_site.mail import outbox, worker
from advisory_site.mail.transport import Message
from advisory_site.media.models import Media
from advisory_site.team.models import TeamMember
from tests.support import factories
from tests.support.people import person

ADMIN, EMPLOYEE = Actor(1, Role.ADMIN), Actor(1, Role.EMPLOYEE)
MANAGED: list[tuple[Action, str]] = [
    (Action.MANAGE_COMPANIES, "Company"),
    (Action.MANAGE_TEAM, "Team member"),
    (Action.MANAGE_ADVISORS, "Advisor"),
]


@pytest.fixture(autouse=True)
def _stored(database: Any) -> None:
    """An empty database."""


def add(make: Callable[..., SQLModel], minutes: int = 0, **fields: Any) -> int:
    """Store a record that was saved so many minutes ago; returns its id."""
    with transaction() as session:
        record = make(session, updated_at=now() - timedelta(minutes=minutes), **fields)
        assert isinstance(record, Company | TeamMember | Advisor)
        return factories.id_of(record)


def changes(actor: Actor = EMPLOYEE) -> list[tuple[str, str, str, str]]:
    with read_session() as session:
        return [(one.name, one.kind, one.href, one.who) for one in recent_changes(session, actor)]


def matters(actor: Actor = EMPLOYEE) -> list[tuple[int, str, str]]:
    with read_session() as session:
        return [(one.count, one.text, one.href) for one in needs_attention(session, actor)]


@pytest.mark.spec("DASH-3", "ROLE-3")
def test_the_records_saved_last_are_named_with_kind_form_and_person() -> None:
    ann = person()
    nameless = person("bob@northstrait.example")
    with transaction() as session:
        session.execute(
            sa.update(Profile)
            .where(Profile.metadata.tables["profiles"].c.id == nameless)
            .values(first_name="", last_name="")
        )
    add(factories.add_company, 3, name="Reef", slug="reef", updated_by=ann)
    member = add(factories.add_member, 1, name="Mei", updated_by=nameless)
    advisor = add(factories.add_advisor, 2, name="Omar")
    assert changes() == [
        ("Mei", "Team member", f"/admin?tab=teams&edit={member}", "bob@northstrait.example"),
        ("Omar", "Advisor", f"/admin/advisors/{advisor}/edit", ""),
        ("Reef", "Company", "/admin/companies/reef/edit", "Ann Lim"),
    ]


@pytest.mark.spec("DASH-3")
def test_five_changes_are_listed_however_they_are_divided() -> None:
    for minutes in range(7):
        add(factories.add_company, minutes, name=f"Company {minutes}")
    add(factories.add_advisor, 90, name="Long ago")
    assert [name for name, *_ in changes()] == [f"Company {minutes}" for minutes in range(5)]


@pytest.mark.spec("DASH-3")
def test_a_change_outlives_the_account_of_the_person_who_made_it() -> None:
    ann = person()
    add(factories.add_company, name="Reef", updated_by=ann)
    with transaction() as session:
        accounts.delete_account(session, ann)
    assert [(name, who) for name, _, _, who in changes()] == [("Reef", "")]


@pytest.mark.spec("ROLE-3")
@pytest.mark.parametrize(("action", "kind"), MANAGED)
def test_nobody_reads_of_records_that_their_role_may_not_manage(
    action: Action, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for make in (factories.add_member, factories.add_advisor):
        add(make, is_active=False)
    add(factories.add_company, status="Draft")
    monkeypatch.setitem(POLICY, action, STAFF - {Role.EMPLOYEE})
    assert {one for _, one, _, _ in changes()} == {one for _, one in MANAGED} - {kind}
    assert len(matters()) == 2
    assert len(matters(Actor(1, Role.MANAGER))) == 3
    for other, _ in MANAGED:
        monkeypatch.setitem(POLICY, other, STAFF - {Role.EMPLOYEE})
    assert (changes(), matters()) == ([], [])


@pytest.mark.spec("IMG-4", "DASH-3")
def test_pictures_that_nothing_uses_are_suggested_after_ninety_days() -> None:
    with transaction() as session:
        for number, days in enumerate((89, 91, 92)):
            made = now() - timedelta(days=days)
            session.add(Media(key=f"{number}" * 32, name="me", width=400, height=500, size=1, created_at=made))
        factories.add_member(session, image_url=address_of("2" * 32, 400), linkedin_url="https://example.com/mei")
    assert matters() == [(1, "older picture is not used", "/admin/media?filter=unused")]


@pytest.mark.spec("ROLE-4")
@pytest.mark.parametrize("listed", [recent_changes, needs_attention])
def test_a_stranger_is_refused(listed: Callable[..., object]) -> None:
    with read_session() as session, pytest.raises(Forbidden):
        listed(session, None)


@pytest.mark.spec("DASH-3")
def test_what_needs_attention_is_counted_and_leads_to_its_list() -> None:
    for _ in range(2):
        add(factories.add_company)
    add(factories.add_company, logo_url="/images/kelp.svg")
    add(factories.add_company, status="Draft")
    add(factories.add_member, linkedin_url=None)
    add(factories.add_member, linkedin_url="https://linkedin.example/mei")
    add(factories.add_member, is_active=False)
    for _ in range(2):
        add(factories.add_advisor, is_active=False)
    assert matters() == [
        (2, "active companies without a logo", "/admin?tab=companies&filter=active"),
        (1, "active team member without LinkedIn", "/admin?tab=teams&filter=active"),
        (1, "company is not published", "/admin?tab=companies&filter=inactive"),
        (1, "team member is not published", "/admin?tab=teams&filter=inactive"),
        (2, "advisors are not published", "/admin?tab=advisors&filter=inactive"),
    ]


@pytest.mark.spec("DASH-3")
def test_only_who_may_send_mail_again_is_told_that_it_failed() -> None:
    with transaction() as session:
        outbox.enqueue(session, Message("nobody", "Hello", "text", "text"))
    worker.deliver_due()
    assert matters(ADMIN) == [(1, "mail has failed", "#operations")]
    assert matters() == []


@pytest.mark.spec("DASH-3")
def test_nothing_is_said_when_everything_is_in_order() -> None:
    add(factories.add_company, logo_url="/images/kelp.svg")
    add(factories.add_member, linkedin_url="https://linkedin.example/mei")
    add(factories.add_advisor)
    assert matters(ADMIN) == []
