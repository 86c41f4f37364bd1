"""The history page through the real event processor: what it lists and compares, who may, and what restores."""

from contextlib import AbstractContextManager
from typing import Any

import pytest
import sqlalchemy as sa

from sitekit.admin.history.state import HistoryState, Version, chosen, fields_in_words
from sitekit.admin.undo_state import UndoState
from sitekit.base import paths, permissions
from sitekit.base.db.database import read_session, transaction
from sitekit.base.permissions import Actor, Role
from sitekit.records.features import record_types
from sitekit.records.revisions import columns as revisions
from sitekit.records.text_diff import ADDED, REMOVED
from tests.conftest import on_each_database, on_sqlite
from tests.support.event_client import EventClient, Reply
from tests.support.factories import add_actor
from tests.support.record_types import SAMPLES, Sample
from tests.support.staff import batches, redirects, sign_in, statements, texts

pytestmark = pytest.mark.spec("HIST-2")

MISSING = "There is no record here. It may have been deleted permanently."
NOT_KEPT = "This version is no longer kept."


@pytest.fixture(params=SAMPLES)
def sample(request: pytest.FixtureRequest) -> Sample:
    """One record type after the other."""
    return SAMPLES[request.param]


def save(sample: Sample, actor: Actor, record: int, **typed: Any) -> None:
    with transaction() as session:
        form = sample.record_type.get_stored(session, actor, record)
        assert form is not None
        inputs = form.inputs()
        sample.record_type.update(
            session, actor, record, sample.record_type.data_class.read(inputs | typed, inputs), form.version
        )


def three_versions(sample: Sample) -> int:
    """A record that a command added as Ann, and Wei renamed and gave another email."""
    with transaction() as session:
        record: int = sample.add(session, **sample.filled(name="Ann", email="ann@firm.example") | {"slug": "ann"}).id
        wei = add_actor(session, first_name="Wei", last_name="Tan")
    save(sample, wei, record, name="Ann Tan")
    save(sample, wei, record, email="tan@firm.example")
    return record


def see(tab: EventClient, sample: Sample, record: object, handler: Any = HistoryState.open, **query: Any) -> Reply:
    table = sample.record_type.table_name
    payload = query.pop("payload", {})
    search = "&".join(f"{name}={value}" for name, value in query.items())
    path = paths.history_page(table, str(record)) + (f"?{search}" if search else "")
    return tab.send(handler, path=path, query={"table": table, "record": str(record), **query}, **payload)


def held(tab: EventClient) -> dict[str, Any]:
    return tab.vars(HistoryState)


def compared(tab: EventClient) -> tuple[int, int, list[str]]:
    seen = held(tab)
    return seen["older"].number, seen["newer"].number, [change.name for change in seen["changes"]]


def stored(sample: Sample, record: int) -> tuple[str, str, int]:
    with read_session() as session:
        row = session.get_one(sample.record_type.table, record)
        return row.name, row.email, row.version


@pytest.mark.spec("ROLE-4")
def test_a_role_that_may_not_manage_the_records_can_see_and_restore_nothing(
    tab: EventClient, sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = three_versions(sample)
    sign_in(tab, Role.EMPLOYEE)
    see(tab, sample, record)
    monkeypatch.setitem(permissions.POLICY, sample.record_type.read_action, permissions.ADMINS)
    monkeypatch.setitem(permissions.POLICY, sample.record_type.change_action, permissions.ADMINS)
    see(tab, sample, record)
    assert (held(tab)["versions"], held(tab)["changes"], held(tab)["name"]) == ([], [], "")
    assert held(tab)["problem"] == "You may not do this."
    reply = see(tab, sample, record, HistoryState.restore_now, payload={"number": 1})
    assert texts(reply) == ["You may not do this."]
    assert stored(sample, record) == ("Ann Tan", "tan@firm.example", 3)


@pytest.mark.parametrize("role", list(Role))
def test_versions_are_listed_newest_first_with_time_author_and_changes(
    tab: EventClient, sample: Sample, role: Role
) -> None:
    record = three_versions(sample)
    sign_in(tab, role)
    see(tab, sample, record)
    versions: list[Version] = held(tab)["versions"]
    assert [one.title for one in versions] == ["Version 3 (now)", "Version 2", "Version 1"]
    assert [one.who for one in versions] == ["Wei Tan", "Wei Tan", "System"]
    assert [one.through for one in versions] == ["Back office", "Back office", ""]
    assert [one.action for one in versions] == ["Saved", "Saved", "Created"]
    renamed = "Name and Page address" if "slug" not in sample.record_type.fields else "Name"
    assert [one.fields for one in versions] == ["Email", renamed, ""]
    assert all(one.at.endswith("Z") for one in versions)
    assert held(tab)["name"] == "Ann Tan"


def test_the_newest_two_versions_or_those_in_the_address_are_compared(tab: EventClient, sample: Sample) -> None:
    record = three_versions(sample)
    sign_in(tab, Role.EMPLOYEE)
    see(tab, sample, record)
    assert compared(tab) == (2, 3, ["email"])
    see(tab, sample, record, to="2")
    assert compared(tab)[:2] == (1, 2)
    (name, *_) = held(tab)["changes"]
    assert [(part.text, part.mark) for part in name.parts] == [("Ann", "kept"), (" Tan", ADDED)]
    see(tab, sample, record, **{"from": "1"})
    assert {"name", "email"} <= set(compared(tab)[2])
    assert compared(tab)[:2] == (1, 3)
    see(tab, sample, record, **{"from": "3", "to": "1"})
    assert compared(tab)[:2] == (1, 3)
    assert "Email" not in held(tab)["unchanged"]
    see(tab, sample, record, **{"from": "2", "to": "2"})
    assert compared(tab)[2] == []
    assert held(tab)["note"].startswith("Both are the same version.")


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ({}, {"from": "2", "to": "3"}),
        ({"to": "2"}, {"from": "1", "to": "2"}),
        ({"to": "1"}, {"from": "1", "to": "1"}),
        ({"from": "1", "to": ""}, {"from": "1", "to": "3"}),
    ],
)
def test_missing_version_numbers_get_default_values(
    tab: EventClient, sample: Sample, query: dict[str, str], numbers: dict[str, str]
) -> None:
    record = three_versions(sample)
    sign_in(tab, Role.EMPLOYEE)
    assert redirects(see(tab, sample, record, search="ann", **query)) == []
    assert held(tab)["defaults"] == numbers
    see(tab, sample, record, search="ann", **numbers)
    assert held(tab)["defaults"] == {}


@pytest.mark.parametrize("query", [{"from": "1", "to": "2"}, {"from": "3", "to": "1"}, {"from": "9"}])
def test_complete_or_invalid_version_numbers_get_no_default_values(
    tab: EventClient, sample: Sample, query: dict[str, str]
) -> None:
    record = three_versions(sample)
    sign_in(tab, Role.EMPLOYEE)
    assert redirects(see(tab, sample, record, **query)) == []
    assert held(tab)["defaults"] == {}


def test_the_page_says_if_a_record_has_only_one_version(tab: EventClient, sample: Sample) -> None:
    with transaction() as session:
        record = sample.add(session).id
    sign_in(tab, Role.EMPLOYEE)
    see(tab, sample, record)
    assert held(tab)["note"] == "This is the first version. There is nothing older to compare it with."
    assert held(tab)["changes"] == []


@pytest.mark.parametrize("wanted", ["9", "0", "-1", "x", "1;--", "99999999999999999999", "1" * 5000, "٣", "2.0"])
def test_a_version_that_no_longer_exists_is_reported(tab: EventClient, wanted: str) -> None:
    sample = SAMPLES["team"]
    record = three_versions(sample)
    sign_in(tab, Role.EMPLOYEE)
    for name in ("from", "to"):
        reply = see(tab, sample, record, **{name: wanted})
        assert reply.errors == []
        assert (held(tab)["note"], held(tab)["changes"], len(held(tab)["versions"])) == (NOT_KEPT, [], 3)
    reply = see(tab, sample, record, HistoryState.restore_now, payload={"number": 9})
    assert texts(reply) == [NOT_KEPT]
    assert stored(sample, record)[2] == 3


@pytest.mark.parametrize(
    ("table", "record"),
    [
        ("companies", "999"),
        ("companies", "x"),
        ("companies", "-1"),
        ("companies", "1" * 400),
        ("profiles", "1"),
        ("revisions", "1"),
        ("__class__", "1"),
        ("", ""),
    ],
)
def test_an_unknown_record_is_reported_without_an_error(tab: EventClient, table: str, record: str) -> None:
    three_versions(SAMPLES["companies"])
    sign_in(tab, Role.ADMIN)
    known: dict[str, Any] = {"path": paths.history_page(table, record), "query": {"table": table, "record": record}}
    reply = tab.send(HistoryState.open, **known)
    assert reply.errors == []
    assert (held(tab)["problem"], held(tab)["versions"]) == (MISSING, [])
    assert texts(tab.send(HistoryState.restore_now, number=1, **known))[0] in (MISSING, NOT_KEPT)


def test_opening_another_record_clears_the_previous_one(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    records = {name: three_versions(sample) for name, sample in SAMPLES.items()}
    with transaction() as session:
        young = SAMPLES["team"].add(session, name="Young").id
    for name, sample in SAMPLES.items():
        see(tab, sample, records[name], **{"from": "1"})
        assert held(tab)["name"] == "Ann Tan"
        assert len(held(tab)["versions"]) == 3
        see(tab, SAMPLES["team"], young)
        seen = held(tab)
        assert (seen["name"], seen["changes"], seen["older"], seen["unchanged"]) == ("Young", [], Version(), [])
        assert seen["shown"] == f"/admin/history/team_members/{young}"
        see(tab, sample, 999)
        seen = held(tab)
        assert (seen["problem"], seen["name"], seen["form"]) == (MISSING, "", "")
        assert seen["versions"] == seen["options"] == seen["changes"] == []


@pytest.mark.spec("HIST-2", "TRASH-1")
def test_a_deleted_record_keeps_its_history_and_links_to_the_trash(tab: EventClient, sample: Sample) -> None:
    record = three_versions(sample)
    with transaction() as session:
        sample.record_type.delete(session, add_actor(session), record)
    sign_in(tab, Role.EMPLOYEE)
    see(tab, sample, record)
    newest = held(tab)["versions"][0]
    assert (newest.title, newest.action, held(tab)["form"], held(tab)["name"]) == (
        "Version 4",
        "Deleted",
        "",
        "Ann Tan",
    )
    assert {one.restore for one in held(tab)["versions"]} == {""}
    assert held(tab)["note"].startswith("Nothing that can be edited differs")
    see(tab, sample, record, **{"from": "1", "to": "3"})
    assert "email" in compared(tab)[2]
    reply = see(tab, sample, record, HistoryState.restore_now, payload={"number": 1})
    assert texts(reply) == [f"{sample.record_type.texts.update_failed}: it has already been deleted"]


@pytest.mark.spec("HIST-3")
def test_a_restore_offers_undo_only_if_it_changed_something(tab: EventClient, sample: Sample) -> None:
    record = three_versions(sample)
    sign_in(tab, Role.EMPLOYEE)
    (batch,) = batches(see(tab, sample, record, HistoryState.restore_now, payload={"number": 1}))
    reply = see(tab, sample, record, UndoState.undo, payload={"batch": batch})
    assert texts(reply)[-1].startswith("Undone: ")
    assert stored(sample, record) == ("Ann Tan", "tan@firm.example", 5)
    assert [one.number for one in held(tab)["versions"]] == [5, 4, 3, 2, 1]
    again = see(tab, sample, record, HistoryState.restore_now, payload={"number": 3})
    assert texts(again)[-1] == "The record is already as it was in version 3."
    assert batches(again) == []
    assert stored(sample, record)[2] == 5


@pytest.mark.spec("HIST-5")
def test_older_versions_can_be_erased_for_good(tab: EventClient, sample: Sample) -> None:
    record = three_versions(sample)
    sign_in(tab, Role.EMPLOYEE)
    assert texts(see(tab, sample, record, HistoryState.erase_older))[0] == "You may not do this."
    sign_in(tab, Role.ADMIN)
    see(tab, sample, record)
    reply = see(tab, sample, record, HistoryState.erase_older)
    assert texts(reply) == ["2 older versions deleted"]
    assert [one.number for one in held(tab)["versions"]] == [3]
    assert held(tab)["changes"] == []
    assert stored(sample, record) == ("Ann Tan", "tan@firm.example", 3)


@pytest.mark.spec("HIST-3")
@on_each_database
def test_a_version_is_restored_at_once(tab: EventClient, sample: Sample) -> None:
    record = three_versions(sample)
    sign_in(tab, Role.EMPLOYEE)
    see(tab, sample, record)
    reply = see(tab, sample, record, HistoryState.restore_now, payload={"number": 1})
    assert texts(reply) == ["Version 1 restored"]
    assert stored(sample, record) == ("Ann", "ann@firm.example", 4)
    newest = held(tab)["versions"][0]
    assert (newest.number, newest.action) == (4, "Restored from version 1")
    assert compared(tab)[:2] == (3, 4)
    query = {"from": "1", "to": "3", "search": "ann"}
    reply = see(tab, sample, record, HistoryState.restore_now, payload={"number": 3}, **query)
    assert redirects(reply) == [f"/admin/history/{sample.record_type.table_name}/{record}?search=ann"]
    assert stored(sample, record) == ("Ann Tan", "tan@firm.example", 5)


def test_links_lead_to_the_form_and_back_to_the_list_with_its_parameters(tab: EventClient, sample: Sample) -> None:
    record = three_versions(sample)
    sign_in(tab, Role.EMPLOYEE)
    see(tab, sample, record, search="ann", page="2")
    with read_session() as session:
        slug = session.get_one(sample.record_type.table, record).slug
    form = sample.record_type.form_page(record, slug)
    sign = "&" if "?" in form else "?"
    assert held(tab)["form"] == f"{form}{sign}search=ann&page=2"
    newest, second, _ = held(tab)["versions"]
    assert newest.restore == ""
    assert second.restore == f"{form}{sign}search=ann&page=2&revision=2"


def test_only_the_two_compared_snapshots_are_loaded(tab: EventClient) -> None:
    sample = SAMPLES["companies"]
    record = three_versions(sample)
    sign_in(tab, Role.EMPLOYEE)
    with statements() as sent:
        see(tab, sample, record)
    assert len([statement for statement in sent if "revisions.snapshot" in statement]) == 2


def test_hostile_revisions_are_listed_and_compared_without_an_error(tab: EventClient, sample: Sample) -> None:
    record = three_versions(sample)
    with transaction() as session:
        hostile = {"changed": {"a": [1]}, "snapshot": [[["x"]]], "action": "<b>", "via": "", "label": "\u202e"}
        session.execute(sa.update(revisions.number.table).where(revisions.number == 2).values(**hostile))
        values: dict[str, Any] = {name: {"name": [None, {}]} for name in sample.record_type.fields} | {"slug": 7}
        session.execute(sa.update(revisions.number.table).where(revisions.number == 3).values(snapshot=values))
    sign_in(tab, Role.EMPLOYEE)
    for query in ({}, {"to": "2"}, {"from": "1"}):
        assert see(tab, sample, record, **query).errors == []
        assert len(held(tab)["versions"]) == 3
    reply = see(tab, sample, record, HistoryState.restore_now, payload={"number": 2})
    assert texts(reply) == ["This version cannot be restored: it does not fit what is stored today."]


@on_sqlite
def test_the_page_reports_an_unavailable_database(
    tab: EventClient, database_away: AbstractContextManager[None]
) -> None:
    sample = SAMPLES["team"]
    record = three_versions(sample)
    sign_in(tab, Role.EMPLOYEE)
    see(tab, sample, record)
    with database_away:
        assert texts(see(tab, sample, record)) == ["Failed to load the history"]
        assert (held(tab)["problem"], held(tab)["versions"]) == ("Failed to load the history", [])
        reply = see(tab, sample, record, HistoryState.restore_now, payload={"number": 1})
        assert texts(reply)[-1] == "Failed to restore this version"


def test_the_compared_versions_are_chosen_from_the_existing_ones() -> None:
    assert chosen([7, 5, 4], {}) == (5, 7)
    assert chosen([7, 5, 4], {"to": "5"}) == (4, 5)
    assert chosen([7, 5, 4], {"to": "4"}) == (4, 4)
    assert chosen([7, 5, 4], {"from": "4", "to": "5"}) == (4, 5)


def test_changed_fields_are_named_by_label_or_counted_if_many() -> None:
    companies, members = record_types()["companies"], record_types()["team_members"]
    assert fields_in_words(companies, ["tagline"]) == "Tagline"
    assert fields_in_words(companies, ["tagline", "name", "slug"]) == "Name, Tagline and Page address"
    assert fields_in_words(companies, ["email", "tagline", "name", "slug"]) == "Name, Tagline and 2 more"
    assert fields_in_words(members, ["slug", "created_at", "gone"]) == "Page address"
    assert fields_in_words(members, []) == ""


@on_each_database
def test_removed_text_is_marked_as_removed(tab: EventClient) -> None:
    sample = SAMPLES["advisors"]
    record = three_versions(sample)
    with transaction() as session:
        actor = add_actor(session)
    save(sample, actor, record, bio="She led two banks in Jakarta.")
    save(sample, actor, record, bio="She led banks in Jakarta.")
    sign_in(tab, Role.EMPLOYEE)
    see(tab, sample, record)
    (bio,) = held(tab)["changes"]
    assert [part.text for part in bio.parts if part.mark == REMOVED] == ["two "]
