"""Records in order: one is placed after another, and the numbers become 1 to n."""

from datetime import timedelta
from types import ModuleType
from typing import Any

import pytest
import sqlalchemy as sa
from sqlmodel import Session

from sitekit.base.db.database import now
from sitekit.base.errors import Conflict, NotFound, SavedSince
from sitekit.base.permissions import Actor
from sitekit.records import drafts, ordering, schedule, trash, undo
from sitekit.records.draft_times import PUBLISH_AT, input_time
from sitekit.records.listing import ListQuery
from sitekit.records.proposals import columns as proposals
from sitekit.records.revisions import batch_of
from tests.support.record_types import SAMPLES, Sample

pytestmark = pytest.mark.spec("LIST-4")


@pytest.fixture(params=["team", "advisors"])
def ordered(request: pytest.FixtureRequest) -> Sample:
    return SAMPLES[request.param]


def numbers(sample: Sample, session: Session, actor: Actor) -> list[tuple[str, int]]:
    rows = sample.record_type.list_admin(session, actor, ListQuery()).rows
    return [(row.name, row.display_order) for row in rows]


@pytest.mark.parametrize(
    ("moved", "is_after", "beside", "names"),
    [
        ("Dee", False, "Ann", "Dee Ann Bo Cy"),
        ("Ann", True, "Dee", "Bo Cy Dee Ann"),
        ("Cy", True, "Ann", "Ann Cy Bo Dee"),
        ("Cy", False, "Bo", "Ann Cy Bo Dee"),
        ("Bo", True, "Bo", "Ann Bo Cy Dee"),
    ],
)
def test_a_record_can_be_moved_beside_another(
    ordered: Sample, session: Session, actor: Actor, moved: str, is_after: bool, beside: str, names: str
) -> None:
    ids = {
        name: ordered.add(session, name=name, display_order=number).id
        for name, number in (("Ann", -3), ("Bo", 0), ("Cy", 0), ("Dee", 70))
    }
    place = ordering.place(session, actor, ordered.record_type, ids[moved], ids[beside], is_after, "gone")
    order = names.split()
    assert numbers(ordered, session, actor) == [(name, number) for number, name in enumerate(order, 1)]
    assert place == order.index(moved) + 1


def test_only_records_whose_position_changes_are_saved(ordered: Sample, session: Session, actor: Actor) -> None:
    records = [ordered.add(session, display_order=number) for number in (1, 2, 3, 4)]
    ordering.place(session, actor, ordered.record_type, records[2].id, records[0].id, True, "gone")
    assert [record.version for record in records] == [1, 2, 2, 1]


def test_a_deleted_record_cannot_be_moved(ordered: Sample, session: Session, actor: Actor) -> None:
    record = ordered.add(session).id
    for moved, beside in ((record + 9, record), (record, record + 9), (record, 0)):
        with pytest.raises(NotFound, match="gone"):
            ordering.place(session, actor, ordered.record_type, moved, beside, True, "gone")


@pytest.mark.spec("ATM-2", "AAD-3")
@pytest.mark.parametrize(("typed", "number"), [("", 8), ("3", 3), ("0", 0), ("first", 0)])
def test_a_new_record_is_placed_last_unless_a_position_is_typed(
    ordered: Sample, session: Session, actor: Actor, typed: str, number: int
) -> None:
    ordered.add(session, display_order=7)
    record = ordered.record_type.create(session, actor, ordered.data(display_order=typed))
    assert session.get_one(ordered.record_type.table, record).display_order == number


@pytest.fixture
def rows(ordered: Sample, session: Session, actor: Actor) -> list[int]:
    return add_rows(ordered, session, actor)


def add_rows(ordered: Sample, session: Session, actor: Actor) -> list[int]:
    """Store Ann, Bo and Cy in this order."""
    return [ordered.record_type.create(session, actor, ordered.data(name=name)) for name in ("Ann", "Bo", "Cy")]


def typed_over(ordered: Sample, session: Session, actor: Actor, record: int, **typed: str) -> dict[str, Any]:
    """What the form of a record sends that was opened now, with some texts changed."""
    form = ordered.record_type.get_stored(session, actor, record)
    assert form
    return {**form.inputs(), "version": str(form.version), **typed}


def save(ordered: Sample, session: Session, actor: Actor, record: int, typed: dict[str, Any]) -> None:
    data = ordered.record_type.data_class.read(typed)
    ordered.record_type.update(session, actor, record, data, int(typed["version"]))


def move_first_to_the_end(ordered: Sample, session: Session, actor: Actor, rows: list[int]) -> None:
    ordering.place(session, actor, ordered.record_type, rows[0], rows[2], True, "gone")


MOVED = [("Bo Lim", 1), ("Cy", 2), ("Ann", 3)]


@pytest.mark.spec("DRAFT-10")
def test_a_scheduled_draft_is_published_although_its_record_was_moved_and_keeps_the_new_place(
    ordered: Sample, session: Session, actor: Actor, rows: list[int]
) -> None:
    at = {PUBLISH_AT: input_time(now() + timedelta(hours=1))}
    typed = typed_over(ordered, session, actor, rows[1], name="Bo Lim", **at)
    draft = drafts.save(session, actor, ordered.record_type, rows[1], typed)
    move_first_to_the_end(ordered, session, actor, rows)
    session.execute(sa.update(proposals.id.table).values(publish_at=now()))
    assert schedule.carry_out(session, actor, ordered.record_type, draft)
    assert numbers(ordered, session, actor) == MOVED


@pytest.mark.spec("DRAFT-4")
def test_a_draft_does_not_change_the_place_that_its_record_was_moved_to(
    ordered: Sample, session: Session, actor: Actor, rows: list[int]
) -> None:
    typed = typed_over(ordered, session, actor, rows[1], name="Bo Lim")
    draft = drafts.save(session, actor, ordered.record_type, rows[1], typed)
    move_first_to_the_end(ordered, session, actor, rows)
    assert [change.name for change in drafts.changes(session, actor, ordered.record_type, draft)] == ["name"]


@pytest.mark.spec("DRAFT-11")
def test_a_scheduled_draft_is_published_after_its_record_was_moved_deleted_and_restored(
    ordered: Sample, session: Session, actor: Actor, rows: list[int]
) -> None:
    at = {PUBLISH_AT: input_time(now() + timedelta(hours=1))}
    typed = typed_over(ordered, session, actor, rows[1], name="Bo Lim", **at)
    draft = drafts.save(session, actor, ordered.record_type, rows[1], typed)
    move_first_to_the_end(ordered, session, actor, rows)
    ordered.record_type.delete(session, actor, rows[1])
    trash.restore(session, actor, ordered.record_type, rows[1])
    session.execute(sa.update(proposals.id.table).values(publish_at=now()))
    assert schedule.carry_out(session, actor, ordered.record_type, draft)
    assert numbers(ordered, session, actor) == MOVED


def test_a_form_that_was_open_while_its_record_was_moved_is_saved_and_leaves_the_place(
    ordered: Sample, session: Session, actor: Actor, rows: list[int]
) -> None:
    typed = typed_over(ordered, session, actor, rows[1], name="Bo Lim")
    move_first_to_the_end(ordered, session, actor, rows)
    save(ordered, session, actor, rows[1], typed)
    assert numbers(ordered, session, actor) == MOVED


def test_a_place_that_was_typed_over_the_former_one_is_saved(
    ordered: Sample, session: Session, actor: Actor, rows: list[int]
) -> None:
    typed = typed_over(ordered, session, actor, rows[1], display_order="9")
    move_first_to_the_end(ordered, session, actor, rows)
    save(ordered, session, actor, rows[1], typed)
    assert numbers(ordered, session, actor) == [("Cy", 2), ("Ann", 3), ("Bo", 9)]


def test_a_form_that_was_open_while_its_record_was_moved_and_saved_is_refused(
    ordered: Sample, session: Session, actor: Actor, rows: list[int]
) -> None:
    typed = typed_over(ordered, session, actor, rows[1], name="Bo Lim")
    move_first_to_the_end(ordered, session, actor, rows)
    save(ordered, session, actor, rows[1], typed_over(ordered, session, actor, rows[1], name="Bo Ng"))
    move_first_to_the_end(ordered, session, actor, rows)
    with pytest.raises(SavedSince):
        save(ordered, session, actor, rows[1], typed)


def undo_batch(database: ModuleType, ordered: Sample, actor: Actor, batch: str) -> None:
    record_types = {ordered.record_type.table_name: ordered.record_type}
    with database.transaction() as session:
        undo.undo(session, actor, record_types, undo.prepare(session, actor, record_types, batch))


@pytest.mark.spec("TRASH-1")
def test_a_change_is_undone_although_rows_were_moved_since_and_the_move_stays(
    ordered: Sample, database: ModuleType, actor: Actor
) -> None:
    with database.transaction() as session:
        rows = add_rows(ordered, session, actor)
    with database.transaction() as session:
        save(ordered, session, actor, rows[1], typed_over(ordered, session, actor, rows[1], name="Bo Ng"))
        renamed = batch_of(session)
    with database.transaction() as session:
        move_first_to_the_end(ordered, session, actor, rows)
        moved = batch_of(session)
    undo_batch(database, ordered, actor, renamed)
    with database.transaction() as session:
        assert numbers(ordered, session, actor) == [("Bo", 1), ("Cy", 2), ("Ann", 3)]
    with pytest.raises(Conflict):
        undo_batch(database, ordered, actor, moved)
