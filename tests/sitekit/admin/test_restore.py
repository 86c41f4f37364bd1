"""A version restored through the form of its record: what the form shows, and what saving and discarding do."""

from typing import Any

import pytest
import sqlalchemy as sa

from sitekit.admin.opened_form import ShownRevision
from sitekit.base.db.database import read_session, transaction
from sitekit.base.permissions import Actor, Role
from sitekit.records.revisions import columns as revisions
from tests.support.event_client import EventClient, Reply
from tests.support.factories import add_actor
from tests.support.record_screens import Screen
from tests.support.staff import redirects, sign_in, texts

pytestmark = pytest.mark.spec("HIST-3")


def save(screen: Screen, actor: Actor, record: int, **typed: Any) -> None:
    record_type = screen.sample.record_type
    with transaction() as session:
        shown = record_type.get_stored(session, actor, record)
        assert shown is not None
        inputs = shown.inputs()
        record_type.update(session, actor, record, record_type.data_class.read(inputs | typed, inputs), shown.version)


def two_versions(screen: Screen) -> int:
    """A record whose email was changed once."""
    with transaction() as session:
        actor = add_actor(session, first_name="Wei", last_name="Tan")
        record = screen.sample.record_type.create(session, actor, screen.sample.data(email="old@firm.example"))
    save(screen, actor, record, email="new@firm.example")
    return record


def send(tab: EventClient, screen: Screen, handler: Any, record: int, query: dict[str, str], **payload: Any) -> Reply:
    return tab.send(handler, **screen.at(screen.row(record), **query), **payload)


def revisit(tab: EventClient, screen: Screen, record: int, **query: str) -> Reply:
    return send(tab, screen, screen.form.open, record, query)


def typed(tab: EventClient, screen: Screen) -> dict[str, Any]:
    """What the browser sends if nothing is typed."""
    shown = tab.vars(screen.form)["form"]
    rows = {
        f"{group}.{place}.{name}": text
        for group, entries in shown.rows.items()
        for place, entry in enumerate(entries)
        for name, text in entry.items()
    }
    return {**shown.texts, **rows, "record": str(shown.id), "version": str(shown.version)}


def newest(screen: Screen, record: int) -> Any:
    named = (revisions.of_table == screen.sample.record_type.table_name, revisions.record_id == record)
    with read_session() as session:
        return session.execute(sa.select(*revisions).where(*named).order_by(revisions.number.desc())).first()


def test_the_form_shows_the_old_version_and_changes_nothing_until_saved(tab: EventClient, screen: Screen) -> None:
    record = two_versions(screen)
    sign_in(tab, Role.EMPLOYEE)
    revisit(tab, screen, record, revision="1")
    shown = tab.vars(screen.form)
    assert (shown["form"].texts["email"], shown["form"].id, shown["form"].version) == ("old@firm.example", record, 2)
    assert (shown["restoring"].number, shown["restoring"].name) == (1, "Wei Tan")
    assert shown["restoring"].at.endswith("Z")
    assert shown["unsaved_name"].endswith("?revision=1")
    assert screen.row(record).email == "new@firm.example"
    reply = send(tab, screen, screen.form.save, record, {"revision": "1"}, form_data=typed(tab, screen))
    assert texts(reply) == [screen.sample.record_type.texts.updated]
    assert screen.row(record).email == "old@firm.example"
    last = newest(screen, record)
    assert (last.number, last.action, last.restored_from) == (3, "restored", 1)
    assert tab.vars(screen.form)["restoring"] == ShownRevision()


def test_saving_and_staying_removes_the_version_from_the_address(tab: EventClient, screen: Screen) -> None:
    record = two_versions(screen)
    sign_in(tab, Role.EMPLOYEE)
    revisit(tab, screen, record, revision="1", search="mei")
    send(
        tab,
        screen,
        screen.form.save,
        record,
        {"revision": "1", "search": "mei"},
        form_data=typed(tab, screen) | {"then": "stay"},
    )
    shown = tab.vars(screen.form)
    assert shown["is_staying"]
    assert "search=mei" in shown["destination"]
    assert "revision" not in shown["destination"] + shown["unsaved_name"]


def test_an_ordinary_save_after_viewing_a_version_restores_nothing(tab: EventClient, screen: Screen) -> None:
    record = two_versions(screen)
    sign_in(tab, Role.EMPLOYEE)
    revisit(tab, screen, record, revision="1")
    revisit(tab, screen, record)
    assert tab.vars(screen.form)["form"].texts["email"] == "new@firm.example"
    data = typed(tab, screen) | {"email": "third@firm.example"}
    send(tab, screen, screen.form.save, record, {}, form_data=data)
    last = newest(screen, record)
    assert (last.number, last.action, last.restored_from) == (3, "saved", None)


def test_restoring_a_version_does_not_overwrite_a_newer_save(tab: EventClient, screen: Screen) -> None:
    record = two_versions(screen)
    sign_in(tab, Role.EMPLOYEE)
    revisit(tab, screen, record, revision="1")
    with transaction() as session:
        other = add_actor(session, first_name="Noor", last_name="")
    save(screen, other, record, email="theirs@firm.example")
    send(tab, screen, screen.form.save, record, {"revision": "1"}, form_data=typed(tab, screen))
    assert tab.vars(screen.form)["conflict"].name == "Noor"
    assert screen.row(record).email == "theirs@firm.example"
    data = typed(tab, screen) | {"then": "overwrite"}
    send(tab, screen, screen.form.save, record, {"revision": "1"}, form_data=data)
    assert screen.row(record).email == "old@firm.example"
    assert newest(screen, record).restored_from == 1


def test_a_restored_version_must_satisfy_the_present_rules(tab: EventClient, screen: Screen) -> None:
    record = two_versions(screen)
    with transaction() as session:
        named = (revisions.of_table == screen.sample.record_type.table_name, revisions.number == 1)
        snapshot = session.execute(sa.select(revisions.snapshot).where(*named)).scalar_one()
        snapshot = snapshot | {"email": "no address"}
        session.execute(sa.update(revisions.number.table).where(*named).values(snapshot=snapshot))
    sign_in(tab, Role.EMPLOYEE)
    revisit(tab, screen, record, revision="1")
    send(tab, screen, screen.form.save, record, {"revision": "1"}, form_data=typed(tab, screen))
    assert list(tab.vars(screen.form)["errors"]) == ["email"]
    assert screen.row(record).email == "new@firm.example"


def test_discarding_a_restored_version_shows_the_stored_record(tab: EventClient, screen: Screen) -> None:
    record = two_versions(screen)
    sign_in(tab, Role.EMPLOYEE)
    revisit(tab, screen, record, revision="1", search="mei")
    reply = send(tab, screen, screen.form.discard, record, {"revision": "1", "search": "mei"})
    (path,) = redirects(reply)
    assert "search=mei" in path
    assert "revision" not in path


@pytest.mark.parametrize("wanted", ["9", "-1", "x", "9" * 300, "1;--"])
def test_a_version_that_no_longer_exists_redirects_to_the_list_with_a_reason(
    tab: EventClient, screen: Screen, wanted: str
) -> None:
    record = two_versions(screen)
    sign_in(tab, Role.EMPLOYEE)
    reply = revisit(tab, screen, record, revision=wanted)
    assert texts(reply) == ["This version is no longer kept."]
    assert redirects(reply)[0].startswith("/admin?tab=")
    assert tab.vars(screen.form)["restoring"] == ShownRevision()


@pytest.mark.spec("HIST-4")
def test_every_form_names_the_last_editor_and_links_to_the_history(tab: EventClient, screen: Screen) -> None:
    record = two_versions(screen)
    sign_in(tab, Role.EMPLOYEE)
    revisit(tab, screen, record, search="mei")
    shown = tab.vars(screen.form)
    assert (shown["saved"].name, shown["saved"].is_command) == ("Wei Tan", False)
    assert shown["history_path"] == f"/admin/history/{screen.sample.record_type.table_name}/{record}?search=mei"
    with transaction() as session:
        session.get_one(screen.sample.record_type.table, record).email = "by@command.example"
    revisit(tab, screen, record)
    shown = tab.vars(screen.form)
    assert (shown["saved"].name, shown["saved"].is_command) == ("", True)
    tab.send(screen.form.open, path="/admin/companies/new")
    assert tab.vars(screen.form)["history_path"] == ""
