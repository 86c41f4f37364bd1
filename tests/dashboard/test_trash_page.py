"""The trash through the real event processor: who may, what is listed, restored and deleted for good."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from advisory_site.companies.admin_form import CompanyFormState
from advisory_site.companies.admin_tab import CompanyTabState
from advisory_site.core import permissions
from advisory_site.core.permissions import Actor, Role
from advisory_site.dashboard.record_types import RECORD_TYPES
from advisory_site.dashboard.trash_page import TrashState
from advisory_site.dashboard.undo import UndoState
from advisory_site.db.database import read_session, transaction
from advisory_site.records.revisions import TABLE
from tests.conftest import on_sqlite
from tests.support import factories
from tests.support.event_client import EventClient, Reply
from tests.support.record_types import SAMPLES, Sample
from tests.support.staff import batches, redirects, sign_in, texts

pytestmark = pytest.mark.spec("TRASH-1")

PATH = "/admin/trash"
HANDLERS: list[tuple[Callable[..., object], dict[str, Any], str]] = [
    (TrashState.load, {}, "Failed to fetch the trash"),
    (TrashState.restore, {"row_id": 1}, "Failed to restore it"),
    (TrashState.delete, {"record_id": 1}, "Failed to delete it for good"),
]


@pytest.fixture(params=SAMPLES)
def sample(request: pytest.FixtureRequest) -> Sample:
    return SAMPLES[request.param]


def delete(sample: Sample, user: int, *names: str, **fields: Any) -> list[int]:
    """Add records and delete them as this user; returns their ids."""
    with transaction() as session:
        ids = [int(sample.add(session, name=name, **fields).id) for name in names]
    for one in ids:
        with transaction() as session:
            sample.kind.delete(session, Actor(user, Role.EMPLOYEE), one)
    return ids


def stored(sample: Sample) -> list[str]:
    with read_session() as session:
        return [card.name for card in sample.kind.list_public(session)]


def listed(reply: Reply) -> list[str]:
    return [row.name for row in reply.var("trash_state.rows")]


def rows(tab: EventClient, address: str = PATH) -> dict[str, Any]:
    """Load the page; returns the rows by name."""
    return {row.name: row for row in tab.send(TrashState.load, path=address).var("trash_state.rows")}


def test_a_row_has_kind_name_who_when_and_until_when(tab: EventClient, sample: Sample) -> None:
    user = sign_in(tab, Role.EMPLOYEE)
    (record,) = delete(sample, user, "Kelp")
    row = rows(tab)["Kelp"]
    assert (row.of_table, row.record_id) == (sample.kind.table_name, record)
    assert (row.kind, row.by) == (sample.kind.title, "Ann Lim")
    assert datetime.fromisoformat(row.erased_at) - datetime.fromisoformat(row.at) == timedelta(days=30)


@pytest.mark.parametrize("role", list(Role))
def test_staff_of_every_role_restore_with_one_click_and_undo_it(tab: EventClient, sample: Sample, role: Role) -> None:
    delete(sample, sign_in(tab, role), "Kelp")
    reply = tab.send(TrashState.restore, path=PATH, row_id=rows(tab)["Kelp"].id)
    assert (texts(reply), stored(sample), listed(reply)) == (["Kelp restored"], ["Kelp"], [])
    undone = tab.send(UndoState.undo, path=PATH, batch=batches(reply)[0])
    assert (texts(undone)[-1], stored(sample), listed(undone)) == ("Undone: Kelp", [], ["Kelp"])


def test_the_reply_says_which_address_a_restored_record_has_now(tab: EventClient) -> None:
    delete(SAMPLES["companies"], sign_in(tab, Role.EMPLOYEE), "Kelp", slug="kelp")
    with transaction() as session:
        factories.add_company(session, name="Kelp Two", slug="kelp")
    reply = tab.send(TrashState.restore, path=PATH, row_id=rows(tab)["Kelp"].id)
    sentence = "Kelp restored. Its address is /companies/kelp-2 now: another company has the old one."
    assert texts(reply) == [sentence]


def test_deleting_for_good_takes_the_history_and_cannot_be_undone(tab: EventClient, sample: Sample) -> None:
    delete(sample, sign_in(tab, Role.EMPLOYEE), "Kelp", "Moss")
    reply = tab.send(TrashState.delete, path=PATH, record_id=rows(tab)["Kelp"].id)
    assert (texts(reply), batches(reply), listed(reply)) == (["Deleted for good"], [], ["Moss"])
    with read_session() as session:
        assert set(session.execute(sa.select(TABLE.c.label)).scalars()) == {"Moss"}


@pytest.mark.parametrize("handler", [TrashState.restore, TrashState.delete])
def test_who_comes_second_is_told_and_sees_the_list_as_it_is(tab: EventClient, handler: Callable[..., object]) -> None:
    delete(SAMPLES["companies"], sign_in(tab, Role.EMPLOYEE), "Kelp")
    row = rows(tab)["Kelp"].id
    argument = "row_id" if handler is TrashState.restore else "record_id"
    tab.send(handler, path=PATH, **{argument: row})
    reply = tab.send(handler, path=PATH, **{argument: row})
    assert texts(reply) == ["It is not in the trash any more: it was restored, or deleted for good."]


@pytest.mark.parametrize("row", [0, -1, 10**12])
def test_only_rows_of_the_page_are_restored_or_deleted(tab: EventClient, row: int) -> None:
    (record,) = delete(SAMPLES["companies"], sign_in(tab, Role.EMPLOYEE), "Kelp")
    shown = rows(tab)["Kelp"].id
    for wrong in {row, record} - {shown}:
        for reply in (tab.send(TrashState.restore, row_id=wrong), tab.send(TrashState.delete, record_id=wrong)):
            assert "It is not in the trash any more: it was restored, or deleted for good." in texts(reply)
    assert list(rows(tab)) == ["Kelp"]


@pytest.mark.parametrize(("handler", "argument"), [(TrashState.restore, "row_id"), (TrashState.delete, "record_id")])
def test_a_record_of_a_type_that_the_user_does_not_manage_is_neither_listed_nor_restored(
    tab: EventClient, monkeypatch: pytest.MonkeyPatch, handler: Callable[..., object], argument: str
) -> None:
    user = sign_in(tab, Role.MANAGER)
    for one in SAMPLES.values():
        delete(one, user, f"Kelp {one.kind.noun}")
    shown = rows(tab)
    assert len(shown) == len(RECORD_TYPES)
    monkeypatch.setitem(permissions.POLICY, SAMPLES["companies"].kind.action, permissions.ADMINS)
    row = shown["Kelp company"].id
    reply = tab.send(handler, **{argument: row})
    assert texts(reply) == ["You may not do this."]
    assert sorted(listed(reply)) == ["Kelp advisor", "Kelp team member"]
    monkeypatch.undo()
    assert "Kelp company" in rows(tab)


def test_search_filter_sort_and_page_are_in_the_address(tab: EventClient) -> None:
    user = sign_in(tab, Role.EMPLOYEE)
    delete(SAMPLES["companies"], user, *(f"Kelp {number:02}" for number in range(26)))
    delete(SAMPLES["team"], user, "Kelp Tan", "Moss Tan")
    assert len(rows(tab, f"{PATH}?search=kelp&page=2")) == 2
    assert list(rows(tab, f"{PATH}?filter=team_members&sort=name")) == ["Kelp Tan", "Moss Tan"]
    assert list(rows(tab, f"{PATH}?sort=name&order=desc"))[:2] == ["Moss Tan", "Kelp Tan"]
    reply = tab.send(TrashState.load, path=f"{PATH}?search=zzz&filter=companies")
    assert reply.var("trash_state.nothing_found") == "Nothing matches 'zzz' with the filter Kind."


def test_a_tab_that_goes_from_trash_to_list_to_form_shows_each_as_it_is(tab: EventClient) -> None:
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


@pytest.mark.spec("ROLE-4", "ADM-2")
@pytest.mark.parametrize(("handler", "payload", "_sentence"), HANDLERS)
def test_a_stranger_is_sent_to_sign_in_and_changes_nothing(
    tab: EventClient, handler: Callable[..., object], payload: dict[str, Any], _sentence: str
) -> None:
    delete(SAMPLES["companies"], sign_in(tab, Role.EMPLOYEE), "Kelp")
    rows(tab)
    sign_in(tab, None)
    reply = tab.send(handler, path=PATH, **payload)
    assert redirects(reply)[0].startswith("/auth")
    assert not [name for name in reply.delta if name == "trash_state.rows" and reply.delta[name]]
    assert stored(SAMPLES["companies"]) == []


@on_sqlite
@pytest.mark.parametrize(("handler", "payload", "sentence"), HANDLERS)
def test_without_its_database_each_handler_says_what_it_could_not_do(
    tab: EventClient,
    database_away: AbstractContextManager[None],
    handler: Callable[..., object],
    payload: dict[str, Any],
    sentence: str,
) -> None:
    sign_in(tab, Role.EMPLOYEE)
    with database_away:
        reply = tab.send(handler, path=PATH, **payload)
    assert (texts(reply), reply.errors) == ([sentence], [])
