"""Revisions are read, put back, and undone; deleted records are in the trash."""

from datetime import datetime, timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from sqlmodel import Session

from sitekit.base.db.database import now
from sitekit.base.errors import Conflict, InvalidInput, NotFound
from sitekit.base.permissions import Actor
from sitekit.records import activity, bulk, history, trash
from sitekit.records.listing import ListQuery
from sitekit.records.revisions import TABLE, batch_of, change_context, columns
from sitekit.records.slug_redirects import columns as former_slugs
from tests.support.people import as_admin
from tests.support.record_types import SAMPLES, Sample
from tests.support.undoing import undo

RECORD_TYPES = {one.record_type.table_name: one.record_type for one in SAMPLES.values()}


def save(session: Session, actor: Actor, sample: Sample, record: int, **texts: Any) -> None:
    form = sample.record_type.get_stored(session, actor, record)
    assert form is not None
    inputs = form.inputs()
    sample.record_type.update(
        session, actor, record, sample.record_type.data_class.read(inputs | texts, inputs), form.version
    )


def name_of(session: Session, actor: Actor, sample: Sample, record: int) -> str | None:
    form = sample.record_type.get_stored(session, actor, record)
    return form.texts["name"] if form else None


def new_batch(session: Session) -> str:
    """Begin a batch, as the next transaction would; returns its id."""
    session.flush()
    session.info.clear()
    return change_context(session).batch


@pytest.fixture
def record(sample: Sample, session: Session, actor: Actor) -> int:
    """A record that was created as Ann, and renamed to Bo."""
    made = sample.record_type.create(session, actor, sample.data(name="Ann"))
    new_batch(session)
    save(session, actor, sample, made, name="Bo")
    return made


@pytest.mark.spec("HIST-2")
def test_revisions_are_listed_newest_first(sample: Sample, session: Session, actor: Actor, record: int) -> None:
    newest, first = history.list_revisions(session, actor, sample.record_type, record)
    assert (newest.number, newest.label, newest.by_name, newest.action) == (2, "Bo", "Wei Tan", "saved")
    assert "name" in newest.changed
    assert (first.number, first.label, first.changed) == (1, "Ann", ())
    assert history.get_snapshot(session, actor, sample.record_type, record, 1)["name"] == "Ann"


@pytest.mark.spec("HIST-2")
def test_an_unknown_revision_is_not_found(sample: Sample, session: Session, actor: Actor, record: int) -> None:
    other = sample.record_type.create(session, actor, sample.data(name="Cy"))
    wrong: list[tuple[int, object]] = [(record, number) for number in (0, 3, -1, "x", None, 2**70)]
    for place, number in [*wrong, (other, 2)]:
        for act in (history.get_snapshot, history.restore_revision):
            with pytest.raises(NotFound):
                act(session, actor, sample.record_type, place, number)


@pytest.mark.spec("HIST-3")
def test_the_first_revision_can_be_opened_in_the_form(
    sample: Sample, session: Session, actor: Actor, record: int
) -> None:
    stored = sample.record_type.get_stored(session, actor, record)
    assert stored is not None
    wanted = stored.texts["slug"] if sample.record_type.is_edited_by_slug else record
    form, line = history.form_of_revision(session, actor, sample.record_type, wanted, 1)
    assert (form.id, form.version, form.texts["name"]) == (record, 2, "Ann")
    assert (line.number, line.by_name) == (1, "Wei Tan")
    assert name_of(session, actor, sample, record) == "Bo"


@pytest.mark.spec("HIST-3")
def test_a_direct_restore_of_a_revision_can_be_undone(
    sample: Sample, session: Session, actor: Actor, record: int
) -> None:
    new_batch(session)
    history.restore_revision(session, actor, sample.record_type, record, 1)
    batch = batch_of(session)
    assert name_of(session, actor, sample, record) == "Ann"
    newest = history.list_revisions(session, actor, sample.record_type, record)[0]
    assert (newest.action, newest.restored_from) == ("restored", 1)
    new_batch(session)
    undo(session, actor, RECORD_TYPES, batch)
    assert name_of(session, actor, sample, record) == "Bo"


@pytest.mark.spec("TRASH-1")
def test_a_deleted_record_is_restored_from_the_trash_with_its_id_and_slugs(
    sample: Sample, session: Session, actor: Actor, record: int
) -> None:
    before = history.get_snapshot(session, actor, sample.record_type, record, 2)
    old_slug = history.get_snapshot(session, actor, sample.record_type, record, 1)["slug"]
    sample.record_type.delete(session, actor, record)
    [row] = trash.list_trash(session, actor, RECORD_TYPES, ListQuery()).rows
    assert (row.of_table, row.record_id, row.name, row.by_name) == (
        sample.record_type.table_name,
        record,
        "Bo",
        "Wei Tan",
    )
    assert datetime.fromisoformat(row.erased_at) - datetime.fromisoformat(row.at) == timedelta(days=30)
    assert sample.record_type.list_public(session) == []
    restored = trash.restore(session, actor, sample.record_type, record)
    assert (restored.slug, restored.former_slug) == (before["slug"], before["slug"])
    assert history.get_snapshot(session, actor, sample.record_type, record, 4) == before
    assert sample.record_type.resolve_slug(session, old_slug) == before["slug"]
    assert trash.list_trash(session, actor, RECORD_TYPES, ListQuery()).total == 0
    save(session, actor, sample, record, name="Cy")
    assert [one.number for one in history.list_revisions(session, actor, sample.record_type, record)] == [5, 4, 3, 2, 1]
    with pytest.raises(NotFound):
        trash.restore(session, actor, sample.record_type, record)


@pytest.mark.spec("TRASH-1")
def test_a_restored_record_gets_the_next_slug_if_its_own_was_taken(
    sample: Sample, session: Session, actor: Actor, record: int
) -> None:
    slug = history.get_snapshot(session, actor, sample.record_type, record, 2)["slug"]
    sample.record_type.delete(session, actor, record)
    other = sample.record_type.create(
        session,
        actor,
        sample.data(name="Bo") if "slug" not in sample.record_type.fields else sample.data(name="Bo", slug=slug),
    )
    assert history.get_snapshot(session, actor, sample.record_type, other, 1)["slug"] == slug
    restored = trash.restore(session, actor, sample.record_type, record)
    assert (restored.slug, restored.former_slug) == (f"{slug}-2", slug)


@pytest.mark.spec("TRASH-1", "HIST-5")
def test_an_erased_record_leaves_no_trace(sample: Sample, session: Session, actor: Actor, record: int) -> None:
    with pytest.raises(NotFound):
        trash.erase(session, as_admin(actor), sample.record_type, record)
    sample.record_type.delete(session, actor, record)
    assert trash.erase(session, as_admin(actor), sample.record_type, record) == "Bo"
    assert session.execute(sa.select(columns.id)).all() == []
    assert session.execute(sa.select(former_slugs.id)).all() == []
    assert "Bo" not in session.execute(sa.select(activity.columns.subject)).scalars().all()
    with pytest.raises(NotFound):
        trash.restore(session, actor, sample.record_type, record)


@pytest.mark.spec("HIST-5")
def test_older_versions_of_a_record_can_be_erased(sample: Sample, session: Session, actor: Actor, record: int) -> None:
    other = sample.record_type.create(session, actor, sample.data(name="Cy"))
    assert history.erase_older(session, as_admin(actor), sample.record_type, record) == 1
    assert [one.number for one in history.list_revisions(session, actor, sample.record_type, record)] == [2]
    assert len(history.list_revisions(session, actor, sample.record_type, other)) == 1
    with pytest.raises(NotFound):
        history.erase_older(session, as_admin(actor), sample.record_type, 99)


@pytest.mark.spec("TRASH-1")
def test_the_trash_is_emptied_after_thirty_days(sample: Sample, session: Session, actor: Actor, record: int) -> None:
    sample.record_type.delete(session, actor, record)
    assert trash.delete_expired(session, now() + timedelta(days=29), 10) == 0
    assert trash.delete_expired(session, now() + timedelta(days=31), 10) == 1
    assert session.execute(sa.select(columns.id)).all() == []


@pytest.mark.spec("LIST-5")
def test_a_batch_is_undone_and_redone_as_a_whole(sample: Sample, session: Session, actor: Actor) -> None:
    ids = [sample.record_type.create(session, actor, sample.data(name=name)) for name in ("Ann", "Bo", "Cy")]
    deletion = new_batch(session)
    bulk.delete(session, actor, sample.record_type, ids)
    new_batch(session)
    undone = undo(session, actor, RECORD_TYPES, deletion)
    again = batch_of(session)
    assert undone.text == "Undone: Ann, Bo, Cy"
    assert [name_of(session, actor, sample, one) for one in ids] == ["Ann", "Bo", "Cy"]
    new_batch(session)
    undo(session, actor, RECORD_TYPES, again)
    assert [name_of(session, actor, sample, one) for one in ids] == [None, None, None]


@pytest.mark.spec("LIST-5")
def test_undo_after_a_newer_own_change_says_so(sample: Sample, session: Session, actor: Actor) -> None:
    ids = [sample.record_type.create(session, actor, sample.data(name=name)) for name in ("Ann", "Bo")]
    hidden = new_batch(session)
    bulk.set_public(session, actor, sample.record_type, ids, False)
    new_batch(session)
    save(session, actor, sample, ids[1], name="Dee")
    with pytest.raises(Conflict, match="You have changed Dee since then"):
        undo(session, actor, RECORD_TYPES, hidden)
    assert sample.record_type.list_public(session) == []


@pytest.mark.spec("LIST-7")
def test_undoing_a_creation_deletes_the_record(sample: Sample, session: Session, actor: Actor) -> None:
    batch = new_batch(session)
    record = sample.record_type.create(session, actor, sample.data(name="Ann"))
    new_batch(session)
    undo(session, actor, RECORD_TYPES, batch)
    assert name_of(session, actor, sample, record) is None


@pytest.mark.spec("HIST-1")
def test_an_unknown_batch_cannot_be_undone(session: Session, actor: Actor) -> None:
    unknown: list[object] = ["", "x", None, 7, ["a"], "\x00"]
    for batch in unknown:
        with pytest.raises(NotFound):
            undo(session, actor, RECORD_TYPES, batch)


@pytest.mark.spec("HIST-3")
def test_an_invalid_snapshot_is_refused(sample: Sample, session: Session, actor: Actor, record: int) -> None:
    snapshot = history.get_snapshot(session, actor, sample.record_type, record, 1)
    wrong: list[tuple[str, Any]] = [
        ("name", 7),
        ("name", None),
        ("name", "a\x00b"),
        ("slug", "../x"),
        ("slug", ["a"]),
        ("created_at", "yesterday"),
        ("created_at", "2026-01-01T00:00:00"),
    ]
    for broken in [None, "text", [], {}, {"slug": "ann"}, *(snapshot | {name: value} for name, value in wrong)]:
        _refuse(sample, session, actor, record, broken)


def _refuse(sample: Sample, session: Session, actor: Actor, record: int, snapshot: Any) -> None:
    session.execute(sa.update(TABLE).where(columns.number == 1).values(snapshot=snapshot))
    with pytest.raises(InvalidInput):
        history.restore_revision(session, actor, sample.record_type, record, 1)
    session.expire_all()
    assert name_of(session, actor, sample, record) == "Bo"
    assert len(history.list_revisions(session, actor, sample.record_type, record)) == 2


@pytest.mark.spec("HIST-1")
def test_a_snapshot_of_an_older_schema_is_restored(sample: Sample, session: Session, actor: Actor, record: int) -> None:
    snapshot = history.get_snapshot(session, actor, sample.record_type, record, 1)
    old = {name: value for name, value in snapshot.items() if name not in ("created_at", "linkedin_url")}
    old |= {"gone": "A column that was dropped"}
    session.execute(sa.update(TABLE).where(columns.number == 1).values(snapshot=old))
    history.restore_revision(session, actor, sample.record_type, record, 1)
    assert name_of(session, actor, sample, record) == "Ann"
