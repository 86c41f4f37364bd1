"""The lists of records through the real event processor: tick, publish, hide, delete, copy and order."""

from typing import Any

import pytest

from advisory_site.companies.admin import CompanyTabState
from sitekit.admin.undo_state import UndoState
from sitekit.base.db.database import transaction
from sitekit.base.permissions import Role
from sitekit.records.record_type import RecordType
from tests.conftest import on_sqlite
from tests.support.event_client import EventClient
from tests.support.record_screens import SCREENS, Screen
from tests.support.staff import batches, kept_texts, redirects, sign_in, texts

pytestmark = on_sqlite


@pytest.mark.spec("LIST-5")
def test_ticked_rows_are_hidden_published_and_deleted_together(tab: EventClient, screen: Screen) -> None:
    ids = screen.add("Ann", "Bo", "Cy")
    sign_in(tab, Role.EMPLOYEE)
    tab.send(screen.tab.load, path="/admin?sort=name", query={"sort": "name"})
    for record in ids[:2]:
        tab.send(screen.tab.tick, record_id=record, is_ticked=True)
    hidden = tab.send(screen.tab.set_ticked_public, is_public=False)
    assert texts(hidden) == ["Unpublished: Ann, Bo."]
    assert (screen.var(tab, "ticked"), screen.public()) == ([], ["Cy"])
    tab.send(screen.tab.tick_page, is_ticked=True)
    assert texts(tab.send(screen.tab.set_ticked_public, is_public=True))[0].startswith("Published: ")
    assert screen.public() == ["Ann", "Bo", "Cy"]
    tab.send(screen.tab.tick_page, is_ticked=True)
    tab.send(screen.tab.tick, record_id=ids[0], is_ticked=False)
    assert texts(tab.send(screen.tab.delete_ticked))[0].startswith("Moved to the trash: ")
    assert screen.public() == ["Ann"]


@pytest.mark.spec("LIST-5", "TRASH-1")
@pytest.mark.parametrize(("handler", "payload"), [("set_ticked_public", {"is_public": False}), ("delete_ticked", {})])
def test_a_change_of_ticked_rows_can_be_undone(
    tab: EventClient, screen: Screen, handler: str, payload: dict[str, Any]
) -> None:
    screen.add("Ann", "Bo", "Cy")
    sign_in(tab, Role.EMPLOYEE)
    before = screen.public()
    tab.send(screen.tab.load)
    tab.send(screen.tab.tick_page, is_ticked=True)
    reply = tab.send(getattr(screen.tab, handler), **payload)
    assert screen.public() == []
    (batch,) = batches(reply)
    assert texts(tab.send(UndoState.undo, batch=batch))[-1].startswith("Undone: Ann, Bo, Cy")
    assert screen.public() == before


@pytest.mark.spec("TRASH-1")
def test_a_deletion_of_a_row_can_be_undone(tab: EventClient, screen: Screen) -> None:
    (ann,) = screen.add("Ann")
    sign_in(tab, Role.EMPLOYEE)
    tab.send(screen.tab.load)
    deleted = tab.send(screen.tab.delete, record_id=ann)
    assert (texts(deleted), screen.public()) == ([screen.sample.record_type.texts.deleted], [])
    assert [notice["mention"] for notice in deleted.delta["notice_state.notices"]] == ["Ann"]
    assert texts(tab.send(UndoState.undo, batch=batches(deleted)[0]))[-1] == "Undone: Ann"
    assert screen.public() == ["Ann"]


@pytest.mark.spec("ACO-3", "ATM-4", "AAD-5")
def test_deleting_a_row_that_is_already_deleted_is_reported_and_reloads(tab: EventClient, screen: Screen) -> None:
    (ann,) = screen.add("Ann")
    sign_in(tab, Role.EMPLOYEE)
    tab.send(screen.tab.load)
    with transaction() as session:
        session.delete(session.get_one(screen.sample.record_type.table, ann))
    reply = tab.send(screen.tab.delete, record_id=ann)
    assert texts(reply) == [f"{screen.sample.record_type.texts.delete_failed}: it has already been deleted"]
    assert screen.var(tab, "rows") == []


@pytest.mark.spec("SAY-2", "ACO-3", "ATM-4", "AAD-5")
def test_an_unreadable_list_is_shown_after_a_retry_and_its_error_goes(
    tab: EventClient, screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("away")

    screen.add("Ann")
    sign_in(tab, Role.EMPLOYEE)
    with monkeypatch.context() as away:
        away.setattr(RecordType, "list_admin", fail)
        tab.send(screen.tab.load)
    assert (screen.var(tab, "has_failed"), kept_texts(tab)) == (True, [screen.sample.record_type.texts.list_failed])
    tab.send(screen.tab.load)
    assert (screen.var(tab, "has_failed"), [row.name for row in screen.var(tab, "rows")]) == (False, ["Ann"])
    assert [text for text in kept_texts(tab) if text] == []


@pytest.mark.spec("LIST-5")
def test_an_action_that_changed_nothing_offers_no_undo(tab: EventClient, screen: Screen) -> None:
    (ann,) = screen.add("Ann")
    sign_in(tab, Role.EMPLOYEE)
    assert batches(tab.send(screen.tab.set_public, record_id=ann, is_public=True)) == []
    assert batches(tab.send(screen.tab.set_public, record_id=ann + 9, is_public=True)) == []
    if screen.sample.record_type.is_ordered:
        tab.send(screen.tab.place_beside, record_id=ann, beside=ann, is_after=True)
        assert batches(tab.send(screen.tab.place_beside, record_id=ann, beside=ann, is_after=True)) == []
    assert len(batches(tab.send(screen.tab.set_public, record_id=ann, is_public=False))) == 1


@pytest.mark.spec("LIST-5")
def test_rows_deleted_meanwhile_are_reported_and_the_rest_are_changed(tab: EventClient, screen: Screen) -> None:
    ann, _ = screen.add("Ann", "Bo")
    sign_in(tab, Role.EMPLOYEE)
    tab.send(screen.tab.load)
    tab.send(screen.tab.tick_page, is_ticked=True)
    with transaction() as session:
        session.delete(session.get_one(screen.sample.record_type.table, ann))
    reply = tab.send(screen.tab.set_ticked_public, is_public=False)
    assert texts(reply) == ["Unpublished: Bo. Already deleted by someone else: Ann."]
    assert screen.public() == []


@pytest.mark.spec("LIST-5")
def test_all_search_results_can_be_ticked_after_the_page(tab: EventClient, screen: Screen) -> None:
    screen.add(*(f"Kelp {number}" for number in range(30)))
    screen.add("Tea")
    sign_in(tab, Role.EMPLOYEE)
    at: dict[str, Any] = {"path": "/admin?search=kelp", "query": {"search": "kelp"}}
    tab.send(screen.tab.load, **at)
    tab.send(screen.tab.tick_page, is_ticked=True, **at)
    assert screen.var(tab, "ticked_count") == 25
    tab.send(screen.tab.tick_all, **at)
    assert screen.var(tab, "ticked_count") == 30
    assert texts(tab.send(screen.tab.set_ticked_public, is_public=False, **at)) == ["Unpublished: 30 records."]
    assert screen.public() == ["Tea"]


@pytest.mark.spec("LIST-5", "LIST-6")
def test_ticked_rows_or_all_search_results_are_exported(tab: EventClient, screen: Screen) -> None:
    ids = screen.add(*(f"Kelp {number}" for number in range(30)))
    screen.add("Tea")
    sign_in(tab, Role.EMPLOYEE)
    at: dict[str, Any] = {"path": "/admin?search=kelp&sort=name", "query": {"search": "kelp", "sort": "name"}}
    tab.send(screen.tab.load, **at)
    tab.send(screen.tab.tick, record_id=ids[0], is_ticked=True, **at)
    tab.send(screen.tab.tick, record_id=ids[1], is_ticked=True, **at)
    assert "exported: 2" in texts(tab.send(screen.tab.export_ticked, **at))[0]
    tab.send(screen.tab.tick_all, **at)
    assert "exported: 30" in texts(tab.send(screen.tab.export_ticked, **at))[0]


@pytest.mark.spec("LIST-5")
def test_reloading_the_list_clears_the_ticks(tab: EventClient, screen: Screen) -> None:
    screen.add("Ann")
    sign_in(tab, Role.EMPLOYEE)
    tab.send(screen.tab.load)
    tab.send(screen.tab.tick_all)
    tab.send(screen.tab.load)
    assert screen.var(tab, "ticked") == []
    assert texts(tab.send(screen.tab.delete_ticked)) == ["Moved to the trash: 0 records."]
    assert screen.public() == ["Ann"]


def test_only_rows_of_the_page_can_be_ticked(tab: EventClient, screen: Screen) -> None:
    (ann,) = screen.add("Ann")
    sign_in(tab, Role.EMPLOYEE)
    tab.send(screen.tab.load)
    for record in (ann + 1, 0, -1, 10**12):
        tab.send(screen.tab.tick, record_id=record, is_ticked=True)
    tab.send(screen.tab.tick, record_id=ann, is_ticked=True)
    assert screen.var(tab, "ticked") == [ann]


@pytest.mark.spec("LIST-1")
def test_one_row_can_be_published_and_hidden(tab: EventClient, screen: Screen) -> None:
    (ann,) = screen.add("Ann")
    sign_in(tab, Role.EMPLOYEE)
    tab.send(screen.tab.load)
    assert texts(tab.send(screen.tab.set_public, record_id=ann, is_public=False)) == ["Unpublished: Ann."]
    assert screen.public() == []
    assert texts(tab.send(screen.tab.set_public, record_id=ann, is_public=True)) == ["Published: Ann."]
    assert texts(tab.send(screen.tab.set_public, record_id=ann + 9, is_public=True)) == [
        "Already deleted by someone else: 1 record."
    ]


@pytest.mark.spec("LIST-4")
@pytest.mark.parametrize("name", ["team", "advisors"])
def test_a_row_can_be_moved_beside_another(tab: EventClient, name: str) -> None:
    screen = SCREENS[name]
    ann, bo, cy = screen.add("Ann", "Bo", "Cy")
    sign_in(tab, Role.EMPLOYEE)
    tab.send(screen.tab.load, path="/admin?sort=name", query={"sort": "name"})
    assert screen.var(tab, "can_order") is False
    tab.send(screen.tab.load)
    assert screen.var(tab, "can_order") is True
    first = tab.send(screen.tab.place_beside, record_id=cy, beside=ann, is_after=False)
    last = tab.send(screen.tab.place_beside, record_id=ann, beside=bo, is_after=True)
    assert texts(first) + texts(last) == ["Cy moved to position 1", "Ann moved to position 3"]
    assert screen.public() == ["Cy", "Bo", "Ann"]
    gone = tab.send(screen.tab.place_beside, record_id=ann, beside=bo + 9, is_after=True)
    assert (texts(gone), batches(gone)) == (["Failed to move the record: it has already been deleted"], [])
    moved = tab.send(screen.tab.place_beside, record_id=cy, beside=ann, is_after=True)
    tab.send(UndoState.undo, batch=batches(moved)[0])
    assert screen.public() == ["Cy", "Bo", "Ann"]


@pytest.mark.spec("LIST-4")
def test_companies_have_no_manual_order(tab: EventClient) -> None:
    ann, bo = SCREENS["companies"].add("Ann", "Bo")
    sign_in(tab, Role.EMPLOYEE)
    assert texts(tab.send(CompanyTabState.place_beside, record_id=bo, beside=ann, is_after=False)) == []


@pytest.mark.spec("LIST-1")
def test_a_copy_opens_as_a_new_record_and_leaves_its_original(tab: EventClient, screen: Screen) -> None:
    (ann,) = screen.add("Ann", email="ann@firm.example")
    wanted = str(screen.sample.wanted(screen.row(ann)))
    sign_in(tab, Role.EMPLOYEE)
    tab.send(screen.form.open, **screen.at(copy=wanted))
    form = tab.vars(screen.form)["form"]
    assert (form.id, form.texts["name"], form.texts["email"]) == (0, "Ann (copy)", "ann@firm.example")
    unknown = tab.send(screen.form.open, **screen.at(copy="unknown"))
    assert redirects(unknown) and texts(unknown) == [screen.sample.record_type.texts.fetch_failed]
