"""Several records at once: published, hidden or deleted in one transaction, without those that are gone."""

from types import ModuleType

import pytest
from sqlmodel import Session

from sitekit.base.permissions import Actor
from sitekit.records import bulk
from sitekit.records.listing import ListQuery
from tests.support.record_types import Sample

pytestmark = pytest.mark.spec("LIST-5")


def test_several_records_are_hidden_and_published_together(sample: Sample, session: Session, actor: Actor) -> None:
    records = [sample.add(session, name=name) for name in ("Ann", "Bo", "Cy")]
    ids = [record.id for record in records]
    assert bulk.set_public(session, actor, sample.record_type, ids[:2], False) == bulk.BulkResult(2)
    assert [card.name for card in sample.record_type.list_public(session)] == ["Cy"]
    assert [record.updated_by for record in records] == [actor.user_id, actor.user_id, None]
    bulk.set_public(session, actor, sample.record_type, ids, True)
    assert len(sample.record_type.list_public(session)) == 3


def test_an_unchanged_record_is_not_saved_again(sample: Sample, session: Session, actor: Actor) -> None:
    record = sample.add(session)
    assert bulk.set_public(session, actor, sample.record_type, [record.id], True) == bulk.BulkResult(1)
    assert (record.version, record.updated_by) == (1, None)


def test_missing_records_are_reported_and_the_rest_are_changed(sample: Sample, session: Session, actor: Actor) -> None:
    gone, left = (sample.add(session, name=name).id for name in ("Ann", "Bo"))
    sample.record_type.delete(session, actor, gone)
    assert bulk.set_public(session, actor, sample.record_type, [gone, left], False) == bulk.BulkResult(1, (gone,))
    assert bulk.delete(session, actor, sample.record_type, [gone, left]) == bulk.BulkResult(1, (gone,))
    assert sample.record_type.list_admin(session, actor, ListQuery()).total == 0


def test_a_filter_selects_records_from_all_pages(sample: Sample, session: Session, actor: Actor) -> None:
    for number in range(30):
        sample.add(session, name=f"Kelp {number}", **(sample.hidden if number % 2 else {}))
    sample.add(session, name="Tea")
    query = ListQuery(search="kelp", filter="inactive", page=2)
    ids = bulk.ids_of(session, actor, sample.record_type, query)
    assert len(ids) == 15
    bulk.set_public(session, actor, sample.record_type, ids, True)
    assert len(sample.record_type.list_public(session)) == 31


def test_a_failure_leaves_everything_as_it_was(sample: Sample, database: ModuleType, actor: Actor) -> None:
    with database.transaction() as session:
        ids = [sample.add(session).id for _ in range(3)]
    with pytest.raises(RuntimeError), database.transaction() as session:
        bulk.delete(session, actor, sample.record_type, ids)
        raise RuntimeError
    with database.read_session() as session:
        assert len(sample.record_type.list_public(session)) == 3
