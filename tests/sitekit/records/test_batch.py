"""Records that are written together: as many statements for many as for few, so that other writers wait briefly."""

import functools
from collections.abc import Callable
from typing import Any

import pytest
from sqlmodel import Session

from sitekit.base.db.database import read_session, transaction
from sitekit.base.errors import Conflict, InvalidInput
from sitekit.base.permissions import Actor
from sitekit.records import batch, bulk, undo
from sitekit.records.edits import Edit
from sitekit.records.revisions import batch_of
from tests.support.record_types import SAMPLES, Sample
from tests.support.staff import statements

FEW, MANY = 2, 12
pytestmark = pytest.mark.spec("LIST-5", "LIST-7")


def create(sample: Sample, actor: Actor, count: int) -> list[int]:
    drafts = [sample.data(name=f"Kelp {count} {n}", slug=f"kelp-{count}-{n}") for n in range(count)]
    edits = [sample.record_type.new_edit(draft) for draft in drafts]
    with transaction() as session:
        sample.record_type.apply(session, actor, edits)
    return [edit.record.id for edit in edits]


def change(sample: Sample, actor: Actor, ids: list[int]) -> None:
    with transaction() as session:
        records = batch.read_records(session, actor, sample.record_type, ids)
    edits = [Edit(record, {"name": f"New {record.id}"}) for record in records]
    with transaction() as session:
        sample.record_type.apply(session, actor, edits)


def in_bulk(what: Callable[..., object]) -> Callable[[Sample, Actor, list[int]], str]:
    def act(sample: Sample, actor: Actor, ids: list[int]) -> str:
        with transaction() as session:
            what(session, actor, sample.record_type, ids)
            return batch_of(session)

    return act


hide = in_bulk(functools.partial(bulk.set_public, is_public=False))
delete = in_bulk(bulk.delete)


def undo_of(what: Callable[[Sample, Actor, list[int]], str]) -> Callable[[Sample, Actor, list[int]], None]:
    def act(sample: Sample, actor: Actor, ids: list[int]) -> None:
        done, record_types = what(sample, actor, ids), {sample.record_type.table_name: sample.record_type}
        with read_session() as session:
            prepared = undo.prepare(session, actor, record_types, done)
        with transaction() as session:
            undo.undo(session, actor, record_types, prepared)

    return act


def beside_rows(sample: Sample, seen: list[str]) -> int:
    """The number of statements, without the one that each row needs: it compares the version, or returns the id."""
    table = sample.record_type.table_name
    return len([one for one in seen if not one.startswith((f"UPDATE {table} ", f"INSERT INTO {table} "))])


@pytest.mark.parametrize("act", [change, hide, delete, undo_of(hide), undo_of(delete)])
def test_many_records_take_as_many_statements_as_few(
    sample: Sample, actor: Actor, act: Callable[[Sample, Actor, list[int]], Any]
) -> None:
    counts = []
    for count in (FEW, MANY):
        ids = create(sample, actor, count)
        with statements() as seen:
            act(sample, actor, ids)
        counts.append(beside_rows(sample, seen))
    assert counts[0] == counts[1]


def test_many_new_records_take_as_many_statements_as_few(sample: Sample, actor: Actor) -> None:
    counts = []
    for count in (FEW, MANY):
        with statements() as seen:
            create(sample, actor, count)
        counts.append(beside_rows(sample, seen))
    assert counts[0] == counts[1]


@pytest.mark.spec("ATM-3", "AAD-3")
def test_records_of_the_same_name_get_distinct_slugs_and_positions(session: Session, actor: Actor) -> None:
    sample = SAMPLES["team"]
    sample.add(session, name="Kelp", slug="kelp", display_order=7)
    edits = [sample.record_type.new_edit(sample.data(name="Kelp", display_order="")) for _ in range(2)]
    sample.record_type.apply(session, actor, edits)
    assert [(edit.record.slug, edit.record.display_order) for edit in edits] == [("kelp-2", 8), ("kelp-3", 9)]


@pytest.mark.spec("ACO-8")
def test_a_batch_that_uses_a_typed_slug_twice_is_refused(session: Session, actor: Actor) -> None:
    sample = SAMPLES["companies"]
    edits = [sample.record_type.new_edit(sample.data(slug="moss")) for _ in range(2)]
    with pytest.raises(InvalidInput) as refused:
        sample.record_type.apply(session, actor, edits)
    assert (list(refused.value.fields), refused.value.row) == (["slug"], 1)


def test_a_batch_writes_nothing_if_a_record_was_saved_meanwhile(sample: Sample, actor: Actor) -> None:
    ids = create(sample, actor, FEW)
    with read_session() as session:
        records = batch.read_records(session, actor, sample.record_type, ids)
    change(sample, actor, ids[-1:])
    with pytest.raises(Conflict), transaction() as session:
        sample.record_type.apply(session, actor, [Edit(record, {"name": "Late"}) for record in records])
    with read_session() as session:
        assert "Late" not in [row.name for row in batch.read_records(session, actor, sample.record_type, ids)]
