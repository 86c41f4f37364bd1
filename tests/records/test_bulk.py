"""Several records at once: published, hidden or deleted in one transaction, without those that are gone."""

from types import ModuleType

import pytest
from sqlmodel import Session

from advisory_site.core.permissions import Actor
from advisory_site.records import bulk
from advisory_site.records.listing import ListQuery
from tests.support.record_types import Sample

pytestmark = pytest.mark.spec("LIST-5")


def test_records_are_hidden_and_published_at_once(sample: Sample, session: Session, actor: Actor) -> None:
    records = [sample.add(session, name=name) for name in ("Ann", "Bo", "Cy")]
    ids = [record.id for record in records]
    assert bulk.set_public(session, actor, sample.kind, ids[:2], False) == bulk.BulkResult(2)
    assert [card.name for card in sample.kind.list_public(session)] == ["Cy"]
    assert [record.updated_by for record in records] == [actor.user_id, actor.user_id, None]
    bulk.set_public(session, actor, sample.kind, ids, True)
    assert len(sample.kind.list_public(session)) == 3


def test_a_record_that_is_so_already_is_not_saved_again(sample: Sample, session: Session, actor: Actor) -> None:
    record = sample.add(session)
    assert bulk.set_public(session, actor, sample.kind, [record.id], True) == bulk.BulkResult(1)
    assert (record.version, record.updated_by) == (1, None)


def test_the_rest_goes_through_and_the_missing_are_named(sample: Sample, session: Session, actor: Actor) -> None:
    gone, left = (sample.add(session, name=name).id for name in ("Ann", "Bo"))
    sample.kind.delete(session, actor, gone)
    assert bulk.set_public(session, actor, sample.kind, [gone, left], False) == bulk.BulkResult(1, (gone,))
    assert bulk.delete(session, actor, sample.kind, [gone, left]) == bulk.BulkResult(1, (gone,))
    assert sample.kind.list_admin(session, actor, ListQuery()).total == 0


def test_all_of_a_filter_are_more_than_a_page(sample: Sample, session: Session, actor: Actor) -> None:
    for number in range(30):
        sample.add(session, name=f"Kelp {number}", **(sample.hidden if number % 2 else {}))
    sample.add(session, name="Tea")
    query = ListQuery(search="kelp", filter="inactive", page=2)
    ids = bulk.ids_of(session, actor, sample.kind, query)
    assert len(ids) == 15
    bulk.set_public(session, actor, sample.kind, ids, True)
    assert len(sample.kind.list_public(session)) == 31


def test_a_failure_leaves_everything_as_it_was(sample: Sample, database: ModuleType, actor: Actor) -> None:
    with database.transaction() as session:
        ids = [sample.add(session).id for _ in range(3)]
    with pytest.raises(RuntimeError), database.transaction() as session:
        bulk.delete(session, actor, sample.kind, ids)
        raise RuntimeError
    with database.read_session() as session:
        assert len(sample.kind.list_public(session)) == 3
