"""The trash through the real event processor: who may, what is listed, restored and deleted permanently."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from advisory_site.companies.admin import CompanyFormState, CompanyTabState
from sitekit.accounts.people.erasing import MOST
from sitekit.admin.trash.page import TrashState
from sitekit.admin.undo_state import UndoState
from sitekit.base import permissions
from sitekit.base.db.database import read_session, transaction
from sitekit.base.mail.models import OutgoingMail
from sitekit.base.permissions import Actor, Role
from sitekit.base.text import MAX_INTEGER
from sitekit.records.revisions import TABLE
from tests.support import factories
from tests.support.event_client import EventClient, Reply
from tests.support.people import age, person
from tests.support.record_types import SAMPLES, Sample
from tests.support.staff import batches, redirects, sign_in, texts

pytestmark = pytest.mark.spec("TRASH-1")

PATH = "/admin/trash"


@pytest.fixture(params=SAMPLES)
def sample(request: pytest.FixtureRequest) -> Sample:
    return SAMPLES[request.param]


def delete(sample: Sample, user: int, *names: str, **fields: Any) -> list[int]:
    """Add records and delete them as this user; returns their ids."""
    with transaction() as session:
        ids = [int(sample.add(session, name=name, **fields).id) for name in names]
    for one in ids:
        with transaction() as session:
            sample.record_type.delete(session, Actor(user, Role.EMPLOYEE), one)
    return ids


def stored(sample: Sample) -> list[str]:
    with read_session() as session:
        return [card.name for card in sample.record_type.list_public(session)]


def listed(reply: Reply) -> list[str]:
    return [row.name for row in reply.var("trash_state.rows")]


def rows(tab: EventClient, address: str = PATH) -> dict[str, Any]:
    """Load the page; returns the rows by name."""
    return {row.name: row for row in tab.send(TrashState.load, path=address).var("trash_state.rows")}


def test_a_row_has_type_name_author_deletion_time_and_expiry(tab: EventClient, sample: Sample) -> None:
    user = sign_in(tab, Role.EMPLOYEE)
    (record,) = delete(sample, user, "Kelp")
    row = rows(tab)["Kelp"]
    assert (row.of_table, row.record_id) == (sample.record_type.table_name, record)
    assert (row.record_type, row.by_name) == (sample.record_type.title, "Ann Lim")
    assert datetime.fromisoformat(row.erased_at) - datetime.fromisoformat(row.at) == timedelta(days=30)


@pytest.mark.parametrize("role", list(Role))
def test_staff_of_every_role_can_restore_with_one_click_and_undo_it(
    tab: EventClient, sample: Sample, role: Role
) -> None:
    delete(sample, sign_in(tab, role), "Kelp")
    reply = tab.send(TrashState.restore, path=PATH, row_id=rows(tab)["Kelp"].id)
    assert (texts(reply), stored(sample), listed(reply)) == (["Kelp restored"], ["Kelp"], [])
    undone = tab.send(UndoState.undo, path=PATH, batch=batches(reply)[0])
    assert (texts(undone)[-1], stored(sample), listed(undone)) == ("Undone: Kelp", [], ["Kelp"])


def test_restoring_a_record_reports_its_new_slug(tab: EventClient) -> None:
    delete(SAMPLES["companies"], sign_in(tab, Role.EMPLOYEE), "Kelp", slug="kelp")
    with transaction() as session:
        factories.add_company(session, name="Kelp Two", slug="kelp")
    reply = tab.send(TrashState.restore, path=PATH, row_id=rows(tab)["Kelp"].id)
    sentence = "Kelp restored. Its address is now /companies/kelp-2, because another company has the old one."
    assert texts(reply) == [sentence]


def test_deleting_for_good_also_deletes_the_history_and_offers_no_undo(tab: EventClient, sample: Sample) -> None:
    delete(sample, sign_in(tab, Role.ADMIN), "Kelp", "Moss")
    reply = tab.send(TrashState.delete, path=PATH, record_id=rows(tab)["Kelp"].id)
    assert (texts(reply), batches(reply), listed(reply)) == (["Deleted permanently"], [], ["Moss"])
    with read_session() as session:
        assert set(session.execute(sa.select(TABLE.c.label)).scalars()) == {"Moss"}


@pytest.mark.spec("ROLE-4", "ACC-1")
@pytest.mark.parametrize("role", [Role.EMPLOYEE, Role.MANAGER])
def test_only_admins_can_delete_for_good(tab: EventClient, role: Role) -> None:
    delete(SAMPLES["companies"], sign_in(tab, role), "Kelp")
    row = rows(tab)["Kelp"].id
    assert texts(tab.send(TrashState.delete, path=PATH, record_id=row)) == ["You may not do this."]
    assert list(rows(tab)) == ["Kelp"]


@pytest.mark.spec("ACC-1")
def test_deleting_for_good_needs_a_recent_reauthentication(tab: EventClient) -> None:
    delete(SAMPLES["companies"], sign_in(tab, Role.ADMIN), "Kelp")
    age(16)
    reply = tab.send(TrashState.delete, path=PATH, record_id=rows(tab)["Kelp"].id)
    assert reply.var("reauthentication_request_state.is_asked") is True
    assert list(rows(tab)) == ["Kelp"]


@pytest.mark.spec("ACC-3")
def test_admins_are_mailed_once_about_more_than_ten_permanent_deletions(tab: EventClient) -> None:
    person("other@northstrait.example", Role.ADMIN)
    delete(SAMPLES["companies"], sign_in(tab, Role.ADMIN), *(f"Kelp {number}" for number in range(MOST + 2)))
    told = []
    for name, row in rows(tab).items():
        tab.send(TrashState.delete, path=PATH, record_id=row.id)
        with read_session() as session:
            told.append((name, session.execute(sa.select(sa.func.count()).select_from(OutgoingMail)).scalar_one()))
    assert [count for _, count in told] == [0] * MOST + [2, 2]


@pytest.mark.parametrize("handler", [TrashState.restore, TrashState.delete])
def test_acting_on_a_row_that_left_the_trash_is_reported(tab: EventClient, handler: Callable[..., object]) -> None:
    delete(SAMPLES["companies"], sign_in(tab, Role.ADMIN), "Kelp")
    row = rows(tab)["Kelp"].id
    argument = "row_id" if handler is TrashState.restore else "record_id"
    tab.send(handler, path=PATH, **{argument: row})
    reply = tab.send(handler, path=PATH, **{argument: row})
    assert texts(reply) == ["It is not in the trash any more: it was restored, or deleted permanently."]


@pytest.mark.parametrize("row", [0, -1, MAX_INTEGER])
def test_only_rows_of_the_page_can_be_restored_or_deleted(tab: EventClient, row: int) -> None:
    (record,) = delete(SAMPLES["companies"], sign_in(tab, Role.ADMIN), "Kelp")
    shown = rows(tab)["Kelp"].id
    for wrong in {row, record} - {shown}:
        for reply in (tab.send(TrashState.restore, row_id=wrong), tab.send(TrashState.delete, record_id=wrong)):
            assert "It is not in the trash any more: it was restored, or deleted permanently." in texts(reply)
    assert list(rows(tab)) == ["Kelp"]


@pytest.mark.parametrize(("handler", "argument"), [(TrashState.restore, "row_id"), (TrashState.delete, "record_id")])
def test_records_the_user_does_not_manage_are_neither_listed_nor_restored(
    tab: EventClient, monkeypatch: pytest.MonkeyPatch, handler: Callable[..., object], argument: str
) -> None:
    user = sign_in(tab, Role.MANAGER)
    for one in SAMPLES.values():
        delete(one, user, f"Kelp {one.record_type.noun}")
    shown = rows(tab)
    assert len(shown) == len(SAMPLES)
    companies = SAMPLES["companies"].record_type
    monkeypatch.setitem(permissions.POLICY, companies.read_action, permissions.ADMINS)
    monkeypatch.setitem(permissions.POLICY, companies.change_action, permissions.ADMINS)
    row = shown["Kelp company"].id
    reply = tab.send(handler, **{argument: row})
    assert texts(reply) == ["You may not do this."]
    assert sorted(listed(reply)) == ["Kelp advisor", "Kelp team member"]
    monkeypatch.undo()
    assert "Kelp company" in rows(tab)


def test_search_filter_sort_and_page_are_read_from_the_address(tab: EventClient) -> None:
    user = sign_in(tab, Role.EMPLOYEE)
    delete(SAMPLES["companies"], user, *(f"Kelp {number:02}" for number in range(26)))
    delete(SAMPLES["team"], user, "Kelp Tan", "Moss Tan")
    assert len(rows(tab, f"{PATH}?search=kelp&page=2")) == 2
    assert list(rows(tab, f"{PATH}?filter=team_members&sort=name")) == ["Kelp Tan", "Moss Tan"]
    assert list(rows(tab, f"{PATH}?sort=name&order=desc"))[:2] == ["Moss Tan", "Kelp Tan"]
    reply = tab.send(TrashState.load, path=f"{PATH}?search=zzz&filter=companies")
    assert reply.var("trash_state.nothing_found") == "Nothing matches “zzz” with the filter Kind."
    reply = tab.send(TrashState.load, path=f"{PATH}?filter=advisors")
    assert reply.var("trash_state.nothing_found") == "Nothing in the trash for this filter."


def test_trash_list_and_form_show_current_data_in_turn(tab: EventClient) -> None:
    delete(SAMPLES["companies"], sign_in(tab, Role.EMPLOYEE), "Kelp", slug="kelp")
    form: dict[str, Any] = {"path": "/admin/companies/kelp/edit", "query": {"slug": "kelp"}}
    tab.send(TrashState.load, path=f"{PATH}?search=zzz")
    assert tab.send(CompanyTabState.load, path="/admin?tab=companies").var("company_tab_state.rows") == []
    assert "/admin?tab=companies" in redirects(tab.send(CompanyFormState.open, **form))
    restored = tab.send(TrashState.restore, path=PATH, row_id=rows(tab)["Kelp"].id)
    assert tab.send(CompanyTabState.load, path="/admin?tab=companies").var("company_tab_state.total") == 1
    assert tab.send(CompanyFormState.open, **form).var("company_form_state.form").texts["name"] == "Kelp"
    # Undone on the form: it is gone there too, and the list and the trash show it.
    left = tab.send(UndoState.undo, batch=batches(restored)[0], **form)
    assert "/admin?tab=companies" in redirects(left)
    assert tab.send(CompanyTabState.load, path="/admin?tab=companies").var("company_tab_state.total") == 0
    state = tab.send(TrashState.load, path=PATH)
    assert listed(state) == ["Kelp"]
    assert tab.vars(TrashState)["is_filtered"] is False
