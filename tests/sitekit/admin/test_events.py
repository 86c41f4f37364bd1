"""The back office's handlers, through the real event processor: who may, what is refused, how much is asked."""

from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa

from advisory_site.companies.admin import CompanyFormState, CompanyTabState
from advisory_site.companies.models import Company, columns
from advisory_site.dashboard.overview import DashboardState, bars
from advisory_site.dashboard.tabs import TabState, tab_named
from advisory_site.enquiries.desk.summary import Week
from sitekit.accounts.models import UserRole
from sitekit.accounts.people.tab import UserTabState
from sitekit.base import messages
from sitekit.base.db.database import read_session, transaction
from sitekit.base.permissions import Role
from sitekit.records.record_type import RecordType
from sitekit.ui.marks import FieldCheck
from tests.conftest import on_each_database
from tests.support import factories
from tests.support.event_client import EventClient, Reply
from tests.support.people import person
from tests.support.staff import sign_in, statements, texts

NEW = "/admin/companies/new"


def companies(count: int = 1, **fields: Any) -> list[int]:
    with transaction() as session:
        return [factories.id_of(factories.add_company(session, **fields)) for _ in range(count)]


def slugs() -> list[str]:
    with read_session() as session:
        return list(session.execute(sa.select(columns.slug).order_by(columns.id)).scalars())


def role_of(user_id: int) -> str:
    with read_session() as session:
        return session.get_one(UserRole, user_id).role


@pytest.mark.spec("ROLE-1", "USR-3")
@pytest.mark.parametrize("role", [Role.MANAGER, Role.EMPLOYEE])
def test_only_admins_change_roles(tab: EventClient, role: Role) -> None:
    other = person("other@northstrait.example", Role.EMPLOYEE)
    sign_in(tab, role)
    assert texts(tab.send(UserTabState.change_role, user_id=other, role="admin")) == [
        "Only admins can change user roles"
    ]
    assert role_of(other) == Role.EMPLOYEE


@pytest.mark.spec("ROLE-1", "USR-3")
@pytest.mark.parametrize("wanted", list(Role))
def test_an_admin_can_give_any_of_the_three_roles(tab: EventClient, wanted: Role) -> None:
    other = person("other@northstrait.example", Role.MANAGER)
    sign_in(tab, Role.ADMIN)
    reply = tab.send(UserTabState.change_role, user_id=other, role=wanted.value)
    assert "User role updated successfully" in texts(reply)
    assert {row["email"]: row["role"] for row in rows(reply)}["other@northstrait.example"] == wanted
    assert role_of(other) == wanted


def rows(reply: Reply) -> list[dict[str, Any]]:
    return [vars(row) if not isinstance(row, dict) else row for row in reply.var("user_tab_state.rows")]


@pytest.mark.spec("USR-4")
def test_the_last_admin_cannot_be_demoted(tab: EventClient) -> None:
    admin = sign_in(tab, Role.ADMIN)
    reply = tab.send(UserTabState.change_role, user_id=admin, role="employee")
    assert texts(reply) == ["The last admin cannot be given another role. Make someone else an admin first."]
    assert role_of(admin) == Role.ADMIN


@pytest.mark.spec("USR-3")
def test_a_failed_role_change_is_reported_and_reloads_the_list(tab: EventClient) -> None:
    other = person("other@northstrait.example", Role.EMPLOYEE)
    sign_in(tab, Role.ADMIN)
    tab.send(UserTabState.load)
    with transaction() as session:
        session.execute(sa.text("DELETE FROM profiles WHERE id = :id"), {"id": other})
    reply = tab.send(UserTabState.change_role, user_id=other, role="admin")
    assert texts(reply)[0].startswith("Failed to update user role")
    assert "other@northstrait.example" not in [row["email"] for row in rows(reply)]


@pytest.mark.spec("USR-1")
def test_people_without_a_role_are_not_listed(tab: EventClient) -> None:
    person("roleless@northstrait.example", None)
    sign_in(tab, Role.EMPLOYEE)
    reply = tab.send(UserTabState.load)
    assert "roleless@northstrait.example" not in [row["email"] for row in rows(reply)]


@pytest.mark.spec("ACO-4", "ACO-3")
def test_a_record_that_cannot_be_read_is_reported_once(tab: EventClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("away")

    monkeypatch.setattr(RecordType, "get_for_edit", fail)
    monkeypatch.setattr(RecordType, "list_admin", fail)
    sign_in(tab, Role.EMPLOYEE)
    opened = tab.send(CompanyFormState.open, path="/admin/companies/kelp/edit", query={"slug": "kelp"})
    assert texts(opened) == ["Failed to fetch company data"]
    behind, tried_again = tab.send(CompanyTabState.load), tab.send(CompanyTabState.load)
    assert texts(behind) == []
    assert behind.var("company_tab_state.has_failed") is True
    assert texts(tried_again)[-1] == "Failed to fetch companies"


@pytest.mark.spec("LIST-3")
@on_each_database
def test_a_saved_company_is_highlighted_once_in_its_list(tab: EventClient) -> None:
    (company,) = companies()
    sign_in(tab, Role.EMPLOYEE)
    form = factories.company_form(slug="kelp-one", record=str(company), version="1")
    tab.send(CompanyFormState.save, path="/admin/companies/kelp/edit", query={"page": "9"}, form_data=form)
    shown = tab.send(CompanyTabState.load)
    assert shown.var("company_tab_state.marked").id == company
    assert tab.vars(CompanyTabState)["is_marked_hidden"] is False
    assert tab.send(CompanyTabState.load).var("company_tab_state.marked").id == 0


@pytest.mark.spec("LIST-3")
def test_saving_leads_to_the_list_as_it_was_and_says_if_the_company_is_not_in_it(tab: EventClient) -> None:
    (company,) = companies()
    sign_in(tab, Role.EMPLOYEE)
    form = factories.company_form(slug="kelp-one", industry="Tea", record=str(company), version="1")
    query = "search=kelp&industry=Rice&sort=name&size=100"
    tab.send(CompanyFormState.save, path=f"/admin/companies/kelp/edit?{query}&other=1", form_data=form)
    destination = f"/admin?tab=companies&{query}"
    assert tab.vars(CompanyFormState)["destination"] == destination
    tab.send(CompanyTabState.load, path=destination)
    assert tab.vars(CompanyTabState)["is_marked_hidden"] is True


@pytest.mark.spec("ACO-6")
def test_the_last_founder_cannot_be_removed(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    tab.send(CompanyFormState.open, path=NEW)
    tab.send(CompanyFormState.add_entry, path=NEW, group="founders")
    reply = tab.send(CompanyFormState.remove_entry, path=NEW, group="founders", key=0)
    assert [row.key for row in reply.var("company_form_state.entries")["founders"]] == [1]
    reply = tab.send(CompanyFormState.remove_entry, path=NEW, group="founders", key=1)
    assert "company_form_state.entries" not in reply.delta


def test_an_unknown_group_is_not_added_to_the_form(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    tab.send(CompanyFormState.open, path=NEW)
    reply = tab.send(CompanyFormState.add_entry, path=NEW, group="testimonials")
    assert "company_form_state.entries" not in reply.delta


@pytest.mark.parametrize("rows_stored", [3, 60])
@pytest.mark.parametrize(("handler", "asked"), [(UserTabState.load, 2), (DashboardState.load, 9)])
def test_each_tab_takes_the_same_number_of_queries_for_any_number_of_rows(
    tab: EventClient, rows_stored: int, handler: Callable[..., object], asked: int
) -> None:
    companies(rows_stored)
    for number in range(rows_stored):
        person(f"someone{number}@northstrait.example", Role.EMPLOYEE)
    sign_in(tab, Role.ADMIN)
    with statements() as seen:
        tab.send(handler)
    # One more is the guard's, which reads session, person and role at once.
    assert len([one for one in seen if one.lstrip().upper().startswith("SELECT")]) == asked + 1


@pytest.mark.parametrize(
    ("handler", "state"), [(CompanyTabState.load, "company_tab_state"), (UserTabState.load, "user_tab_state")]
)
def test_a_page_past_the_end_shows_the_last_one(tab: EventClient, handler: Callable[..., object], state: str) -> None:
    companies(27)
    for number in range(26):
        person(f"someone{number}@northstrait.example", Role.EMPLOYEE)
    sign_in(tab, Role.ADMIN)
    reply = tab.send(handler, path="/admin?page=99")
    assert (reply.var(f"{state}.page"), reply.var(f"{state}.first"), reply.var(f"{state}.last")) == (2, 26, 27)


@on_each_database
def test_search_and_sort_order_are_read_from_the_address(tab: EventClient) -> None:
    for name in ("Amber Kelp", "Zinc Kelp", "Moss"):
        companies(name=name)
    sign_in(tab, Role.EMPLOYEE)
    reply = tab.send(CompanyTabState.load, path="/admin?tab=companies&search=kelp&sort=name&order=desc")
    assert [row.name for row in reply.var("company_tab_state.rows")] == ["Zinc Kelp", "Amber Kelp"]
    assert reply.var("company_tab_state.is_filtered") is True


@pytest.mark.spec("LIST-2")
def test_filter_choices_are_queried_again_only_after_a_change(tab: EventClient) -> None:
    companies(industry="Tea", location="Tuas, Singapore")
    sign_in(tab, Role.EMPLOYEE)
    reply = tab.send(CompanyTabState.load)
    assert reply.var("company_tab_state.choices") == {"industry": ["Tea"], "country": ["Singapore"]}
    with statements() as seen:
        tab.send(CompanyTabState.load)
    assert not [one for one in seen if "UNION ALL" in one]
    companies(industry="Rice", location="Laos")
    reply = tab.send(CompanyTabState.load)
    assert reply.var("company_tab_state.choices") == {"industry": ["Rice", "Tea"], "country": ["Laos", "Singapore"]}


@pytest.mark.spec("LIST-2")
@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("search=zzzz", "Nothing matches “zzzz”."),
        ("filter=inactive", "Nothing matches the filter Status."),
        ("industry=Tea&country=Laos", "Nothing matches the filters Industry, Country."),
        ("search=a+b&country=Laos", "Nothing matches “a b” with the filter Country."),
    ],
)
@on_each_database
def test_an_empty_result_names_the_search_and_filters(tab: EventClient, query: str, message: str) -> None:
    companies()
    sign_in(tab, Role.EMPLOYEE)
    reply = tab.send(CompanyTabState.load, path=f"/admin?tab=companies&{query}")
    assert (reply.var("company_tab_state.total"), reply.var("company_tab_state.is_filtered")) == (0, True)
    assert reply.var("company_tab_state.nothing_found") == message


@pytest.mark.spec("LIST-2")
@pytest.mark.parametrize(
    ("handler", "state"), [(CompanyTabState.load, "company_tab_state"), (UserTabState.load, "user_tab_state")]
)
def test_the_page_size_is_read_from_the_address(tab: EventClient, handler: Callable[..., object], state: str) -> None:
    companies(60)
    for number in range(59):
        person(f"someone{number}@northstrait.example", Role.EMPLOYEE)
    sign_in(tab, Role.ADMIN)
    reply = tab.send(handler, path="/admin?size=50&page=2")
    assert (reply.var(f"{state}.pages"), reply.var(f"{state}.first"), reply.var(f"{state}.last")) == (2, 51, 60)


@pytest.mark.spec("ADM-1")
@pytest.mark.parametrize("name", ["", "nonsense", None, {"a": 1}, "dashboard"])
def test_an_unknown_tab_loads_the_dashboard(name: object) -> None:
    assert tab_named(name).name == "dashboard"


def test_chart_bars_scale_to_the_highest_week_and_empty_weeks_have_none() -> None:
    assert [bar.height for bar in bars((Week("2 Mar", 0), Week("9 Mar", 4), Week("16 Mar", 2)))] == [0, 120, 60]
    assert bars((Week("2 Mar", 0), Week("9 Mar", 0))) == []


def test_a_restored_draft_keeps_its_version_and_cannot_change_its_record(tab: EventClient) -> None:
    mine, other = companies(2)
    slug = slugs()[0]
    path = f"/admin/companies/{slug}/edit"
    sign_in(tab, Role.EMPLOYEE)
    tab.send(CompanyFormState.open, path=path, query={"slug": slug})
    typed = {"name": "Typed before", "version": "0", "record": str(mine), "id": str(other), "founders.3.name": "Mei"}
    reply = tab.send(CompanyFormState.restore, path=path, query={"slug": slug}, typed=typed)
    form = reply.var("company_form_state.form")
    assert (form.id, form.version, form.texts["name"]) == (mine, 0, "Typed before")
    assert [row.key for row in reply.var("company_form_state.entries")["founders"]] == [3]


def test_a_draft_of_another_record_is_not_restored(tab: EventClient) -> None:
    _, other = companies(2)
    slug = slugs()[0]
    path = f"/admin/companies/{slug}/edit"
    sign_in(tab, Role.EMPLOYEE)
    tab.send(CompanyFormState.open, path=path, query={"slug": slug})
    typed = {"name": "Typed into another", "record": str(other)}
    reply = tab.send(CompanyFormState.restore, path=path, query={"slug": slug}, typed=typed)
    assert not [name for name in reply.delta if name.startswith("company_form_state")]


@pytest.mark.spec("SAY-4")
def test_a_stored_invalid_value_may_stay_but_not_be_typed_anew(tab: EventClient) -> None:
    (company_id,) = companies(founded="c. 1990", employees="a handful", description="d", industry="i", location="l")
    slug = slugs()[0]
    path = f"/admin/companies/{slug}/edit"
    sign_in(tab, Role.EMPLOYEE)
    form = tab.send(CompanyFormState.open, path=path, query={"slug": slug}).var("company_form_state.form")
    sent = form.texts | {"record": str(company_id), "version": str(form.version)}
    for text, error in (("c. 1990", ""), ("c. 1991", messages.YEAR_INVALID), ("1991", "")):
        typed = {"record": str(company_id), "founded": text}
        reply = tab.send(CompanyFormState.check, path=path, name="founded", edit=1, typed=typed)
        assert reply.delta.get("company_form_state.checks", {"founded": FieldCheck(1)})["founded"].error == error
    refused = tab.send(CompanyFormState.save, path=path, form_data=sent | {"founded": "c. 1991"})
    assert refused.var("company_form_state.errors") == {"founded": messages.YEAR_INVALID}
    saved = tab.send(CompanyFormState.save, path=path, form_data=sent | {"phone": "+65 6123 4567"})
    assert texts(saved) == ["Company updated successfully"]
    with read_session() as session:
        company = session.get_one(Company, company_id)
        assert (company.founded, company.employees, company.phone) == ("c. 1990", "a handful", "+65 6123 4567")


@pytest.mark.spec("PUB-1")
def test_a_form_offers_the_team_members_and_refuses_other_values(tab: EventClient) -> None:
    (company_id,) = companies(
        partner="gone", founded="2019", employees="9", description="d", industry="i", location="l"
    )
    with transaction() as session:
        factories.add_member(session, slug="mei", name="Mei")
    slug = slugs()[0]
    path = f"/admin/companies/{slug}/edit"
    sign_in(tab, Role.EMPLOYEE)
    opened = tab.send(CompanyFormState.open, path=path, query={"slug": slug})
    offered = [["", "None"], ["mei", "Mei"], ["gone", "gone (deleted)"]]
    assert opened.var("company_form_state.options")["partner"] == offered
    form = opened.var("company_form_state.form")
    sent = form.texts | {"record": str(company_id), "version": str(form.version)}
    refused = tab.send(CompanyFormState.save, path=path, form_data=sent | {"partner": "nobody"})
    assert refused.var("company_form_state.errors") == {"partner": messages.REFERENCE_UNKNOWN}
    assert texts(tab.send(CompanyFormState.save, path=path, form_data=sent)) == ["Company updated successfully"]


@pytest.mark.spec("SAY-1")
def test_the_document_title_names_the_tab(tab: EventClient) -> None:
    for name, label in (("companies", "Companies"), ("advisors", "Advisors"), ("no such tab", "Dashboard")):
        reply = tab.send(TabState.open, path=f"/admin?tab={name}")
        assert reply.var("tab_state.title") == f"{label} | Admin Dashboard"


@pytest.mark.spec("ACO-6")
def test_a_restored_draft_keeps_the_order_of_its_rows(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    tab.send(CompanyFormState.open, path=NEW)
    typed = {"founders.4.name": "Mei", "founders.4.bio": "", "founders.0.name": "Omar", "founders.12.name": "Ana"}
    reply = tab.send(CompanyFormState.restore, path=NEW, typed=typed)
    rows = reply.var("company_form_state.entries")["founders"]
    assert [(row.key, row.texts["name"]) for row in rows] == [(4, "Mei"), (0, "Omar"), (12, "Ana")]
