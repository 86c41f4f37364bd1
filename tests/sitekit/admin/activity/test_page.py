"""The activity page: who sees which acts, how they are found, and the file."""

import csv
import io
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from sqlmodel import Session

from advisory_site.companies.service import COMPANIES
from advisory_site.enquiries.audit_events import EnquiryAuditEvent
from advisory_site.enquiries.desk import service as desk
from advisory_site.permissions import SiteAction
from sitekit.admin.activity.page import ACTIVITY_CSV, ActivityRow, ActivityState, categories, icons, list_rows, tables
from sitekit.admin.activity.texts import SPANS
from sitekit.base import messages, permissions
from sitekit.base.db.database import now, transaction
from sitekit.base.errors import Forbidden
from sitekit.base.observability.audit_log import AuditEvent
from sitekit.base.permissions import Action, Actor, Role
from sitekit.records import activity_list
from sitekit.records.activity import columns, log
from sitekit.records.listing import ListQuery
from sitekit.ui.icons import STROKES
from tests.conftest import on_each_database
from tests.support import factories
from tests.support.each import check_each
from tests.support.event_client import EventClient
from tests.support.people import person
from tests.support.staff import sign_in, statements, texts

pytestmark = pytest.mark.spec("LOG-1")
TROUBLE = ('=HYPERLINK("https://evil.example")', "<img src=x onerror=alert(1)>", "100% _off_ \\ /", "Zoë 李明")


@pytest.fixture
def session(database: Any) -> Iterator[Session]:
    with transaction() as session:
        yield session


@pytest.fixture
def ann(session: Session) -> Actor:
    return factories.add_actor(session, Role.EMPLOYEE, first_name="Ann", last_name="Lim")


@pytest.fixture
def acts(session: Session, ann: Actor) -> dict[str, list[str]]:
    """What each role may see, newest first, when Ann, an employee, did some of it."""
    other = factories.add_actor(session, Role.ADMIN, first_name="Bo", last_name="Ng").user_id
    company = COMPANIES.create(session, ann, COMPANIES.data_class.read(factories.company_form(name="Kelp")))
    enquiry = factories.add_enquiry(session)
    session.flush()
    desk.set_handled(session, Actor(other, Role.ADMIN), enquiry.id, True)
    log(session, AuditEvent.EXPORTED, "2 companies", by=other, of_table="companies")
    log(session, AuditEvent.EXPORTED, "2 users", by=other, of_table="profiles")
    log(session, AuditEvent.SIGNED_IN, "signed in", by=ann.user_id)
    log(session, AuditEvent.SIGN_IN_FAILED, name="eve@b.example")
    log(session, AuditEvent.MAIL_SENT_AGAIN, "1 messages", by=other)
    assert company
    own = ["Signed in", "Added a record"]
    content = ["Exported records", "Marked an enquiry as handled", "Added a record"]
    everything = ["Sent an email again", "Failed to sign in", "Signed in", "Exported records", *content]
    return {"own": own, "content": content, "own and content": ["Signed in", *content], "all": everything}


def found(session: Session, actor: Actor, **parameters: Any) -> tuple[ActivityRow, ...]:
    return list_rows(session, actor, ListQuery.read(parameters)).rows


def whats(session: Session, actor: Actor, **parameters: Any) -> list[str]:
    return [row.what for row in found(session, actor, **parameters)]


@pytest.mark.spec("ROLE-4")
def test_each_role_sees_only_the_audit_events_it_may_see(
    session: Session, ann: Actor, acts: dict[str, list[str]]
) -> None:
    stranger = factories.add_actor(session).user_id
    assert whats(session, Actor(ann.user_id, Role.EMPLOYEE)) == acts["own"]
    assert whats(session, Actor(ann.user_id, Role.MANAGER)) == acts["own and content"]
    assert whats(session, Actor(stranger, Role.EMPLOYEE)) == []
    assert whats(session, Actor(stranger, Role.MANAGER)) == acts["content"]
    assert whats(session, Actor(stranger, Role.ADMIN)) == acts["all"]


@pytest.mark.spec("ROLE-4")
def test_filters_and_searches_reveal_no_further_audit_events(
    session: Session, ann: Actor, acts: dict[str, list[str]]
) -> None:
    manager = Actor(factories.add_actor(session).user_id, Role.MANAGER)
    assert acts
    for parameters in ({"filter": "sign-ins"}, {"search": "eve"}, {"search": "users"}, {"who": "eve@b.example"}):
        assert whats(session, manager, **parameters) == []
        assert whats(session, Actor(ann.user_id, Role.EMPLOYEE), since="day", **parameters) in ([], ["Signed in"])


@pytest.mark.spec("ROLE-4")
def test_managers_see_only_audit_events_of_tables_they_manage(
    session: Session, acts: dict[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    manager = Actor(factories.add_actor(session).user_id, Role.MANAGER)
    monkeypatch.setitem(permissions.POLICY, SiteAction.READ_COMPANIES, permissions.ADMINS)
    assert acts and whats(session, manager) == ["Marked an enquiry as handled"]


@pytest.mark.spec("ROLE-4")
def test_listing_and_exporting_need_the_permission(
    session: Session, ann: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(permissions.POLICY, Action.VIEW_OWN_ACTIVITY, permissions.ADMINS)
    for call in (
        lambda: list_rows(session, ann, ListQuery()),
        lambda: activity_list.names(session, ann),
        lambda: next(ACTIVITY_CSV.write(session, ann, ListQuery())),
        lambda: ACTIVITY_CSV.count(session, ann, ListQuery()),
    ):
        with pytest.raises(Forbidden):
            call()


def test_audit_events_are_found_by_kind_person_and_words(session: Session, acts: dict[str, list[str]]) -> None:
    def check(case: tuple[dict[str, str], list[str]]) -> None:
        parameters, shown = case
        admin = Actor(factories.add_actor(session).user_id, Role.ADMIN)
        assert acts and whats(session, admin, **parameters) == shown

    cases: list[tuple[dict[str, str], list[str]]] = [
        ({"filter": "records"}, ["Added a record"]),
        ({"filter": "enquiries"}, ["Marked an enquiry as handled"]),
        ({"filter": "files"}, ["Exported records", "Exported records"]),
        ({"filter": "sign-ins"}, ["Failed to sign in", "Signed in"]),
        ({"filter": "operations"}, ["Sent an email again"]),
        ({"filter": "accounts"}, []),
        ({"search": "KELP"}, ["Added a record"]),
        ({"search": "sign ann"}, ["Signed in"]),
        ({"search": "eve@B"}, ["Failed to sign in"]),
        ({"search": "%"}, []),
        ({"who": "Ann Lim"}, ["Signed in", "Added a record"]),
        ({"who": "Ann Lim", "filter": "records", "search": "added"}, ["Added a record"]),
        ({"who": "Ann"}, []),
    ]
    check_each(cases, check)


@pytest.mark.parametrize("parameters", [{"filter": "nonsense"}, {"since": "nonsense"}, {"sort": "nonsense"}])
def test_an_unknown_filter_is_ignored(session: Session, acts: dict[str, list[str]], parameters: dict[str, str]) -> None:
    admin = Actor(factories.add_actor(session).user_id, Role.ADMIN)
    assert whats(session, admin, **parameters) == acts["all"]


def test_time_filters_end_at_their_limit(session: Session, ann: Actor) -> None:
    for days in (40, 20, 3, 0):
        log(session, AuditEvent.EXPORTED, f"{days} days ago", by=ann.user_id)
        newest = sa.select(sa.func.max(columns.id)).scalar_subquery()
        session.execute(sa.update(columns.id.table).where(columns.id == newest).values(at=now() - timedelta(days=days)))
    counts = {since: len(found(session, ann, since=since)) for since in SPANS}
    assert counts == {"": 4, "day": 1, "week": 2, "month": 3}
    assert found(session, ann, sort="when")[0].name == "40 days ago"
    session.execute(sa.update(columns.id.table).values(at=now() - timedelta(days=40)))
    assert found(session, ann, since="day") == ()


def test_pages_are_counted_up_to_a_limit(session: Session, ann: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(62):
        log(session, AuditEvent.EXPORTED, str(number), by=ann.user_id)
    page = list_rows(session, ann, ListQuery(page=99))
    assert (page.page, page.pages, page.total, page.is_more) == (3, 3, 62, False)
    assert [row.name for row in page.rows] == [str(number) for number in range(11, -1, -1)]
    monkeypatch.setattr(activity_list, "MOST_LISTED", 60)
    page = list_rows(session, ann, ListQuery(page=3))
    assert (page.page, page.pages, page.total, page.is_more) == (3, 3, 60, True)
    assert [row.name for row in page.rows] == [str(number) for number in range(11, 1, -1)]
    assert list_rows(session, ann, ListQuery(page=4)).rows == page.rows


def test_an_empty_list_has_one_page(session: Session, ann: Actor) -> None:
    page = list_rows(session, ann, ListQuery(page=7))
    assert (page.rows, page.page, page.pages, page.total, page.first, page.last) == ((), 1, 1, 0, 0, 0)


def test_a_record_links_to_its_form_or_after_deletion_to_its_history(session: Session, ann: Actor) -> None:
    company = factories.add_company(session, name="Kelp", slug="kelp")
    member = factories.add_member(session, name="Mei")
    enquiry = factories.add_enquiry(session)
    session.flush()
    desk.set_handled(session, ann, enquiry.id, True)
    admin = Actor(ann.user_id, Role.ADMIN)
    assert {row.name: (row.record_type, row.href) for row in found(session, admin)} == {
        "Kelp": ("Company", "/admin/companies/kelp/edit"),
        "Mei": ("Team member", f"/admin?tab=teams&edit={member.id}"),
        f"Enquiry {enquiry.id}": ("", f"/admin/enquiries/{enquiry.id}"),
    }
    COMPANIES.delete(session, ann, company.id)
    desk.delete(session, ann, enquiry.id)
    rows = {row.name: row.href for row in found(session, admin)}
    assert (rows["Kelp"], rows[f"Enquiry {enquiry.id}"]) == (f"/admin/history/companies/{company.id}", "")


def test_a_page_takes_the_same_number_of_queries_for_any_number_of_rows(session: Session, ann: Actor) -> None:
    for _ in range(30):
        factories.add_company(session)
    session.flush()
    with statements() as seen:
        assert len(found(session, Actor(ann.user_id, Role.ADMIN))) == 25
    assert len(seen) == 3


def test_no_entry_names_the_visitor_of_a_deleted_enquiry(session: Session, ann: Actor) -> None:
    enquiry = factories.add_enquiry(session, first_name="Priya", email="priya@visitor.example")
    session.flush()
    desk.set_handled(session, ann, enquiry.id, True)
    desk.delete(session, ann, enquiry.id)
    assert "priya" not in str(session.execute(sa.select(*columns)).all()).lower()


@pytest.mark.parametrize("text", TROUBLE)
def test_hostile_names_are_shown_searched_and_exported_as_text(session: Session, ann: Actor, text: str) -> None:
    factories.add_company(session, name=text)
    session.flush()
    admin = Actor(ann.user_id, Role.ADMIN)
    for word in text.split():
        assert [row.name for row in found(session, admin, search=word)] == [text]
    head, line = exported(session, admin)
    assert tuple(head) == ACTIVITY_CSV.head
    assert line[3].lstrip("'") == text and not line[3].startswith("=")


def exported(session: Session, actor: Actor, **parameters: str) -> list[list[str]]:
    pieces = ACTIVITY_CSV.write(session, replace(actor, proved_at=now()), ListQuery.read(parameters))
    return list(csv.reader(io.StringIO(b"".join(pieces).decode("utf-8-sig"))))


@pytest.mark.spec("LIST-6", "ROLE-4")
def test_the_export_has_the_rows_the_role_sees_in_the_list(
    session: Session, ann: Actor, acts: dict[str, list[str]]
) -> None:
    for role, shown in ((Role.EMPLOYEE, "own"), (Role.MANAGER, "own and content"), (Role.ADMIN, "all")):
        actor = Actor(ann.user_id, role, now())
        assert [line[2] for line in exported(session, actor)[1:]] == acts[shown]
        assert ACTIVITY_CSV.count(session, actor, ListQuery()) == (len(acts[shown]), len(acts[shown]))
    assert exported(session, Actor(ann.user_id, Role.ADMIN), filter="operations")[1][1:] == [
        "Bo Ng",
        "Sent an email again",
        "1 messages",
        "",
        "",
        "",
    ]


def test_an_unknown_audit_event_of_a_newer_release_is_listed(session: Session, ann: Actor) -> None:
    log(session, AuditEvent.EXPORTED, by=ann.user_id)
    session.execute(sa.update(columns.id.table).values(act="teleported"))
    assert [row.what for row in found(session, ann)] == ["Something else"]
    assert exported(session, ann)[1][2] == "teleported"


def test_every_audit_event_has_one_category_and_an_icon() -> None:
    listed = [act for category in categories() for act in activity_list.acts_of(category)]
    assert sorted(listed) == sorted([*AuditEvent, *EnquiryAuditEvent])
    assert all(activity_list.acts_of(category) for category in categories() if category)
    assert list(categories().values())[:4] == ["All kinds", "Records", "Enquiries", "Pictures"]
    assert set(SPANS) - {""} == set(activity_list.SPANS)
    assert set(icons().values()) <= set(STROKES)
    assert set(tables()) >= {"companies", "team_members", "advisors", "enquiries"}


@pytest.mark.spec("ROLE-4")
@pytest.mark.parametrize("role", list(Role))
def test_the_page_lists_what_each_role_may_see(tab: EventClient, role: Role) -> None:
    with transaction() as session:
        factories.add_company(session, name="Kelp")
    person("other@northstrait.example")
    sign_in(tab, role)
    reply = tab.send(ActivityState.load, path="/admin/activity")
    rows = reply.var("activity_state.rows")
    assert [row.what for row in rows] == {
        Role.ADMIN: ["Signed in", "Added a record"],
        Role.MANAGER: ["Signed in", "Added a record"],
        Role.EMPLOYEE: ["Signed in"],
    }[role]
    assert reply.var("activity_state.choices") == {"who": [] if role == Role.EMPLOYEE else ["Ann Lim"]}


def test_entries_cannot_be_deleted(tab: EventClient) -> None:
    sign_in(tab, Role.ADMIN)
    assert texts(tab.send(ActivityState.delete, record_id=1)) == [messages.NOT_ALLOWED]
    assert tab.send(ActivityState.load).var("activity_state.total") == 1


@on_each_database
def test_filters_without_a_match_are_named(tab: EventClient) -> None:
    sign_in(tab, Role.ADMIN)
    reply = tab.send(ActivityState.load, path="/admin/activity?who=Nobody&since=week&filter=accounts")
    assert reply.var("activity_state.nothing_found") == "Nothing matches the filters Kind, Person, Time."
