"""What the dashboard lists: the records saved last, and what needs attention, for each role."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from sqlmodel import SQLModel

from advisory_site.advisors.models import Advisor
from advisory_site.companies.models import Company
from advisory_site.dashboard.checks import CHECKS
from advisory_site.enquiries.models import EnquiryState
from advisory_site.permissions import SiteAction
from advisory_site.team.models import TeamMember
from advisory_site.team.service import MEMBERS
from sitekit.accounts.people import people
from sitekit.accounts.people import service as accounts
from sitekit.admin.worklist import needs_attention, recent_changes
from sitekit.base.db.database import now, read_session, transaction
from sitekit.base.errors import Forbidden
from sitekit.base.mail import outbox, worker
from sitekit.base.mail.transport import Message
from sitekit.base.permissions import POLICY, STAFF, Actor, Role
from sitekit.records import drafts
from sitekit.records.ordering import place
from sitekit.records.pictures.addresses import address_of
from sitekit.records.pictures.models import Media
from sitekit.records.proposals import ProposalState, columns
from sitekit.records.revisions import set_author
from tests.support import factories
from tests.support.people import person

ADMIN, EMPLOYEE = Actor(1, Role.ADMIN), Actor(1, Role.EMPLOYEE)
MANAGED: list[tuple[SiteAction, str]] = [
    (SiteAction.CHANGE_COMPANIES, "Company"),
    (SiteAction.CHANGE_TEAM, "Team member"),
    (SiteAction.CHANGE_ADVISORS, "Advisor"),
]


@pytest.fixture(autouse=True)
def _stored(database: Any) -> None:
    """An empty database."""


def add(make: Callable[..., SQLModel], by: int = 0, **fields: Any) -> int:
    """Store a record, saved by a user or by the site; returns its id."""
    with transaction() as session:
        if by:
            set_author(session, by)
        record = make(session, **fields)
        assert isinstance(record, Company | TeamMember | Advisor)
        return factories.id_of(record)


def changes(actor: Actor = EMPLOYEE) -> list[tuple[str, str, str, str, str]]:
    with read_session() as session:
        return [(one.name, one.record_type, one.what, one.href, one.who) for one in recent_changes(session, actor)]


def matters(actor: Actor = EMPLOYEE) -> list[tuple[int, str, str]]:
    with read_session() as session:
        found = needs_attention(session, actor, CHECKS)
    named = (", ".join(f"{record.name} {record.href}" for record in one.records) + one.more for one in found)
    return [(one.count, one.text, one.href or names) for one, names in zip(found, named, strict=True)]


@pytest.mark.spec("DASH-3", "ROLE-3")
def test_recent_changes_show_type_fields_link_and_person() -> None:
    ann = person()
    add(factories.add_company, by=ann, name="Reef", slug="reef")
    advisor = add(factories.add_advisor, name="Omar")
    with transaction() as session:
        set_author(session, ann)
        saved = session.get_one(Advisor, advisor)
        saved.title, saved.tagline = "Chair", "Builds ports"
    member = add(factories.add_member, name="Mei")
    with transaction() as session:
        session.delete(session.get_one(TeamMember, member))
    assert changes() == [
        ("Mei", "Team member", "deleted, and 1 earlier change", f"/admin/history/team_members/{member}", ""),
        ("Omar", "Advisor", "Title and Tagline, and 1 earlier change", f"/admin/advisors/{advisor}/edit", "Ann Lim"),
        ("Reef", "Company", "added", "/admin/companies/reef/edit", "Ann Lim"),
    ]


@pytest.mark.spec("DASH-3")
def test_records_changed_together_are_one_line() -> None:
    ann = Actor(person(), Role.ADMIN)
    with transaction() as session:
        members = [factories.add_member(session, name=name) for name in ("Mei", "Omar", "Ravi")]
        moved = factories.id_of(members[2]), factories.id_of(members[0])
    with transaction() as session:
        place(session, ann, MEMBERS, *moved, is_after=False, missing="")
    assert changes() == [
        ("Order of the team member list", "Team member", "", "/admin?tab=teams", "Ann Lim"),
        ("Ravi and others", "Team member", "added", "/admin/activity", ""),
    ]


@pytest.mark.spec("DASH-3")
def test_the_five_latest_changes_are_listed() -> None:
    add(factories.add_advisor, name="Long ago")
    for number in range(7):
        add(factories.add_company, name=f"Company {number}")
    assert [name for name, *_ in changes()] == [f"Company {number}" for number in (6, 5, 4, 3, 2)]


@pytest.mark.spec("DASH-3")
def test_a_change_keeps_the_name_of_a_person_whose_account_is_deleted() -> None:
    ann = person()
    add(factories.add_company, by=ann, name="Reef")
    with transaction() as session:
        accounts.delete_account(session, ann)
    assert [(name, who) for name, _, _, _, who in changes()] == [("Reef", "Ann Lim")]


@pytest.mark.spec("ROLE-3")
@pytest.mark.parametrize(("action", "record_type"), MANAGED)
def test_changes_of_records_a_role_may_not_manage_are_not_listed(
    action: SiteAction, record_type: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for make in (factories.add_member, factories.add_advisor):
        add(make, is_active=False)
    add(factories.add_company, status="Draft")

    def take_away(action: SiteAction) -> None:
        for each in (action, SiteAction[action.name.replace("CHANGE", "READ")]):
            monkeypatch.setitem(POLICY, each, STAFF - {Role.EMPLOYEE})

    take_away(action)
    assert {one for _, one, *_ in changes()} == {one for _, one in MANAGED} - {record_type}
    assert len(matters()) == 2
    assert len(matters(Actor(1, Role.MANAGER))) == 3
    for other, _ in MANAGED:
        take_away(other)
    assert (changes(), matters()) == ([], [])


@pytest.mark.spec("IMG-4", "DASH-3")
def test_unused_pictures_are_suggested_after_ninety_days() -> None:
    with transaction() as session:
        for number, days in enumerate((89, 91, 92)):
            made = now() - timedelta(days=days)
            session.add(Media(key=f"{number}" * 32, name="me", width=400, height=500, size=1, created_at=made))
        factories.add_member(session, image_url=address_of("2" * 32, 400), linkedin_url="https://example.com/mei")
    assert matters() == [(1, "older picture is not used", "/admin/media?filter=unused")]


@pytest.mark.spec("ROLE-4")
@pytest.mark.spec("ENQ-3")
def test_enquiries_whose_owner_has_left_are_named() -> None:
    ann = person()
    with transaction() as session:
        left = [
            factories.add_enquiry(session, first_name=name, state=EnquiryState.OPEN, owner_id=ann)
            for name in ("Omar", "Mei")
        ]
        factories.add_enquiry(session, state=EnquiryState.NEW)
        people.deactivate(session, factories.add_actor(session, Role.ADMIN), ann)
        omar, mei = map(factories.id_of, left)
    names = f"Mei Lee /admin/enquiries/{mei}, Omar Lee /admin/enquiries/{omar}"
    assert matters() == [(2, "enquiries whose owners’ accounts were closed", names)]


@pytest.mark.spec("DRAFT-10", "DRAFT-12")
def test_drafts_that_failed_or_lie_untouched_are_listed_and_nothing_deletes_them() -> None:
    old = now() - timedelta(days=183)
    with transaction() as session:
        wei = factories.add_actor(session)
        ages = {"failed": now(), "old": old, "newer": now() - timedelta(days=180)}
        ids = {name: drafts.save(session, wei, MEMBERS, 0, {"name": name}) for name in ages}
        for name, at in ages.items():
            state = ProposalState.BLOCKED if name == "failed" else ProposalState.OPEN
            of_draft = sa.update(columns.id.table).where(columns.id == ids[name])
            problem = "Bio: Please fill in this field." if name == "failed" else ""
            session.execute(of_draft.values(updated_at=at, state=state, problem=problem))
        assert drafts.delete_expired(session, now() + timedelta(days=900), 100) == 0
    href = "/admin?tab=teams&filter=draft"
    assert matters() == [
        (1, "draft could not be published at its time. Bio: Please fill in this field.", href),
        (1, "draft has not been touched for six months", href),
    ]


@pytest.mark.parametrize("listed", [(recent_changes,), (needs_attention, CHECKS)], ids=["changes", "attention"])
def test_a_visitor_is_refused(listed: tuple[Any, ...]) -> None:
    read, *checks = listed
    with read_session() as session, pytest.raises(Forbidden):
        read(session, None, *checks)


@pytest.mark.spec("DASH-3")
def test_each_matter_links_to_exactly_its_records() -> None:
    for number in range(7):
        add(factories.add_company, name=f"No logo {number}", slug=f"no-logo-{number}")
    add(factories.add_company, logo_url="/images/kelp.svg")
    add(factories.add_company, name="Reef", status="Draft", slug="draft")
    mei = add(factories.add_member, name="Mei", linkedin_url=None)
    add(factories.add_member, linkedin_url="https://linkedin.example/mei")
    hidden = add(factories.add_member, name="Omar", is_active=False)
    for _ in range(2):
        add(factories.add_advisor, is_active=False)
    named = ", ".join(f"No logo {number} /admin/companies/no-logo-{number}/edit" for number in range(5))
    assert matters() == [
        (7, "active companies without a logo", f"{named}and 2 more"),
        (1, "active team member without LinkedIn", f"Mei /admin?tab=teams&edit={mei}"),
        (1, "company is not published", "Reef /admin/companies/draft/edit"),
        (1, "team member is not published", f"Omar /admin?tab=teams&edit={hidden}"),
        (2, "advisors are not published", "/admin?tab=advisors&filter=inactive"),
    ]


@pytest.mark.spec("DASH-3")
def test_only_roles_that_can_resend_mail_see_failed_mail() -> None:
    with transaction() as session:
        outbox.enqueue(session, Message("nobody", "Hello", "text", "text"))
    worker.deliver_due()
    assert matters(ADMIN) == [(1, "email has failed", "#operations")]
    assert matters() == []


@pytest.mark.spec("ENQ-5")
def test_enquiries_whose_replies_were_not_sent_are_named() -> None:
    with transaction() as session:
        failed, answered = (factories.add_enquiry(session, state=EnquiryState.OPEN) for _ in range(2))
        for enquiry in (failed, answered):
            factories.add_entry(session, enquiry, failure="refused")
        factories.add_entry(session, answered)
    assert matters() == [(1, "enquiry whose reply was not sent", f"Ann Lee /admin/enquiries/{failed.id}")]


@pytest.mark.spec("DASH-3")
def test_the_worklist_is_empty_if_nothing_needs_attention() -> None:
    add(factories.add_company, logo_url="/images/kelp.svg")
    add(factories.add_member, linkedin_url="https://linkedin.example/mei")
    add(factories.add_advisor)
    assert matters(ADMIN) == []
