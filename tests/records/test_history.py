"""Revisions are read, put back, and undone; deleted records are in the trash."""

from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from sqlmodel import Session

from advisory_site.core.errors import Conflict, InvalidInput, NotFound
from advisory_site.core.permissions import Actor
from advisory_site.db.database import now
from advisory_site.records import activity, bulk, history, trash
from advisory_site.records.listing import ListQuery
from advisory_site.records.revisions import TABLE, batch_of, change_context, columns
from advisory_site.records.slug_redirects import columns as former_slugs
from advisory_site.records.undo import undo
from tests.support.record_types import SAMPLES, Sample

KINDS = {one.kind.table_name: one.kind for one in SAMPLES.values()}


def save(session: Session, actor: Actor, sample: Sample, record: int, **texts: Any) -> None:
    form = sample.kind.get_stored(session, actor, record)
    assert form is not None
    inputs = form.inputs()
    sample.kind.update(session, actor, record, sample.kind.draft.read(inputs | texts, inputs), form.version)


def name_of(session: Session, actor: Actor, sample: Sample, record: int) -> str | None:
    form = sample.kind.get_stored(session, actor, record)
    return form.texts["name"] if form else None


def new_batch(session: Session) -> str:
    """Begin a batch, as the next transaction would; returns its id."""
    session.flush()
    session.info.clear()
    return change_context(session).batch


@pytest.fixture
def record(sample: Sample, session: Session, actor: Actor) -> int:
    """A record that was created as Ann, and renamed to Bo."""
    made = sample.kind.create(session, actor, sample.draft(name="Ann"))
    new_batch(session)
    save(session, actor, sample, made, name="Bo")
    return made


@pytest.mark.spec("HIST-2")
def test_revisions_are_listed_newest_first(sample: Sample, session: Session, actor: Actor, record: int) -> None:
    newest, first = history.list_revisions(session, actor, sample.kind, record)
    assert (newest.number, newest.label, newest.by_name, newest.action) == (2, "Bo", "Wei Tan", "saved")
    assert "name" in newest.changed
    assert (first.number, first.label, first.changed) == (1, "Ann", ())
    assert history.get_snapshot(session, actor, sample.kind, record, 1)["name"] == "Ann"


@pytest.mark.spec("HIST-2")
def test_a_revision_that_the_record_does_not_have(sample: Sample, session: Session, actor: Actor, record: int) -> None:
    other = sample.kind.create(session, actor, sample.draft(name="Cy"))
    wrong: list[tuple[int, object]] = [(record, number) for number in (0, 3, -1, "x", None, 2**70)]
    for place, number in [*wrong, (other, 2)]:
        for act in (history.get_snapshot, history.restore_revision):
            with pytest.raises(NotFound):
                act(session, actor, sample.kind, place, number)


@pytest.mark.spec("HIST-3")
def test_the_first_revision_is_restored_by_the_form(
    sample: Sample, session: Session, actor: Actor, record: int
) -> None:
    stored = sample.kind.get_stored(session, actor, record)
    assert stored is not None
    wanted = stored.texts["slug"] if sample.kind.is_edited_by_slug else record
    form, line = history.form_of_revision(session, actor, sample.kind, wanted, 1)
    assert (form.id, form.version, form.texts["name"]) == (record, 2, "Ann")
    assert (line.number, line.by_name) == (1, "Wei Tan")
    assert name_of(session, actor, sample, record) == "Bo"


@pytest.mark.spec("HIST-3")
def test_a_revision_is_restored_at_once_and_that_is_undone(
    sample: Sample, session: Session, actor: Actor, record: int
) -> None:
    new_batch(session)
    history.restore_revision(session, actor, sample.kind, record, 1)
    batch = batch_of(session)
    assert name_of(session, actor, sample, record) == "Ann"
    newest = history.list_revisions(session, actor, sample.kind, record)[0]
    assert (newest.action, newest.restored_from) == ("restored", 1)
    new_batch(session)
    undo(session, actor, KINDS, batch)
    assert name_of(session, actor, sample, record) == "Bo"


@pytest.mark.spec("TRASH-1")
def test_a_deleted_record_is_in_the_trash_and_comes_back_with_its_id_and_slugs(
    sample: Sample, session: Session, actor: Actor, record: int
) -> None:
    before = history.get_snapshot(session, actor, sample.kind, record, 2)
    old_slug = history.get_snapshot(session, actor, sample.kind, record, 1)["slug"]
    sample.kind.delete(session, actor, record)
    [row] = trash.list_trash(session, actor, KINDS, ListQuery()).rows
    assert (row.of_table, row.record_id, row.name, row.by_name) == (sample.kind.table_name, record, "Bo", "Wei Tan")
    assert row.erased_at - row.at == timedelta(days=30)
    assert sample.kind.list_public(session) == []
    restored = trash.restore(session, actor, sample.kind, record)
    assert (restored.slug, restored.former_slug) == (before["slug"], before["slug"])
    assert history.get_snapshot(session, actor, sample.kind, record, 4) == before
    assert sample.kind.resolve_slug(session, old_slug) == before["slug"]
    assert trash.list_trash(session, actor, KINDS, ListQuery()).total == 0
    save(session, actor, sample, record, name="Cy")
    assert [one.number for one in history.list_revisions(session, actor, sample.kind, record)] == [5, 4, 3, 2, 1]
    with pytest.raises(NotFound):
        trash.restore(session, actor, sample.kind, record)


@pytest.mark.spec("TRASH-1")
def test_the_slug_of_a_deleted_record_is_free_and_restoring_takes_the_next(
    sample: Sample, session: Session, actor: Actor, record: int
) -> None:
    slug = history.get_snapshot(session, actor, sample.kind, record, 2)["slug"]
    sample.kind.delete(session, actor, record)
    other = sample.kind.create(
        session,
        actor,
        sample.draft(name="Bo") if "slug" not in sample.kind.fields else sample.draft(name="Bo", slug=slug),
    )
    assert history.get_snapshot(session, actor, sample.kind, other, 1)["slug"] == slug
    restored = trash.restore(session, actor, sample.kind, record)
    assert (restored.slug, restored.former_slug) == (f"{slug}-2", slug)


@pytest.mark.spec("TRASH-1", "HIST-5")
def test_an_erased_record_leaves_nothing(sample: Sample, session: Session, actor: Actor, record: int) -> None:
    with pytest.raises(NotFound):
        trash.erase(session, actor, sample.kind, record)
    sample.kind.delete(session, actor, record)
    assert trash.erase(session, actor, sample.kind, record) == "Bo"
    assert session.execute(sa.select(columns.id)).all() == []
    assert session.execute(sa.select(former_slugs.id)).all() == []
    assert "Bo" not in session.execute(sa.select(activity.columns.subject)).scalars().all()
    with pytest.raises(NotFound):
        trash.restore(session, actor, sample.kind, record)


@pytest.mark.spec("HIST-5")
def test_the_older_versions_of_a_record_are_erased(sample: Sample, session: Session, actor: Actor, record: int) -> None:
    other = sample.kind.create(session, actor, sample.draft(name="Cy"))
    assert history.erase_older(session, actor, sample.kind, record) == 1
    assert [one.number for one in history.list_revisions(session, actor, sample.kind, record)] == [2]
    assert len(history.list_revisions(session, actor, sample.kind, other)) == 1
    with pytest.raises(NotFound):
        history.erase_older(session, actor, sample.kind, 99)


@pytest.mark.spec("TRASH-1")
def test_the_trash_is_emptied_after_thirty_days(sample: Sample, session: Session, actor: Actor, record: int) -> None:
    sample.kind.delete(session, actor, record)
    assert trash.delete_expired(session, now() + timedelta(days=29), 10) == 0
    assert trash.delete_expired(session, now() + timedelta(days=31), 10) == 1
    assert session.execute(sa.select(columns.id)).all() == []


@pytest.mark.spec("LIST-5")
def test_a_batch_is_undone_as_a_whole_and_done_again(sample: Sample, session: Session, actor: Actor) -> None:
    ids = [sample.kind.create(session, actor, sample.draft(name=name)) for name in ("Ann", "Bo", "Cy")]
    deletion = new_batch(session)
    bulk.delete(session, actor, sample.kind, ids)
    new_batch(session)
    undone = undo(session, actor, KINDS, deletion)
    again = batch_of(session)
    assert (undone.count, undone.name) == (3, "Ann")
    assert [name_of(session, actor, sample, one) for one in ids] == ["Ann", "Bo", "Cy"]
    new_batch(session)
    undo(session, actor, KINDS, again)
    assert [name_of(session, actor, sample, one) for one in ids] == [None, None, None]


@pytest.mark.spec("LIST-5")
def test_undoing_twice_or_after_another_change_says_who_changed_it(
    sample: Sample, session: Session, actor: Actor
) -> None:
    ids = [sample.kind.create(session, actor, sample.draft(name=name)) for name in ("Ann", "Bo")]
    hidden = new_batch(session)
    bulk.set_public(session, actor, sample.kind, ids, False)
    new_batch(session)
    save(session, actor, sample, ids[1], name="Dee")
    with pytest.raises(Conflict, match="Wei Tan has changed Dee since then"):
        undo(session, actor, KINDS, hidden)
    assert sample.kind.list_public(session) == []


@pytest.mark.spec("LIST-7")
def test_undoing_what_was_added_deletes_it(sample: Sample, session: Session, actor: Actor) -> None:
    batch = new_batch(session)
    record = sample.kind.create(session, actor, sample.draft(name="Ann"))
    new_batch(session)
    undo(session, actor, KINDS, batch)
    assert name_of(session, actor, sample, record) is None


@pytest.mark.spec("HIST-1")
def test_an_unknown_batch_cannot_be_undone(session: Session, actor: Actor) -> None:
    unknown: list[object] = ["", "x", None, 7, ["a"], "\x00"]
    for batch in unknown:
        with pytest.raises(NotFound):
            undo(session, actor, KINDS, batch)


@pytest.mark.spec("HIST-3")
def test_a_snapshot_that_does_not_fit_is_refused(sample: Sample, session: Session, actor: Actor, record: int) -> None:
    snapshot = history.get_snapshot(session, actor, sample.kind, record, 1)
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
        history.restore_revision(session, actor, sample.kind, record, 1)
    session.expire_all()
    assert name_of(session, actor, sample, record) == "Bo"
    assert len(history.list_revisions(session, actor, sample.kind, record)) == 2


@pytest.mark.spec("HIST-1")
def test_a_snapshot_of_an_older_schema_is_restored(sample: Sample, session: Session, actor: Actor, record: int) -> None:
    snapshot = history.get_snapshot(session, actor, sample.kind, record, 1)
    old = {name: value for name, value in snapshot.items() if name not in ("created_at", "linkedin_url")}
    old |= {"gone": "A column that was dropped"}
    session.execute(sa.update(TABLE).where(columns.number == 1).values(snapshot=old))
    history.restore_revision(session, actor, sample.kind, record, 1)
    assert name_of(session, actor, sample, record) == "Ann"
