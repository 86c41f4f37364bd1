"""Records in order: one is placed after another, and the numbers become 1 to n."""

import pytest
from sqlmodel import Session

from sitekit.base.errors import NotFound
from sitekit.base.permissions import Actor
from sitekit.records import ordering
from sitekit.records.listing import ListQuery
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
    record = ordered.record_type.create(session, actor, ordered.draft(display_order=typed))
    assert session.get_one(ordered.record_type.table, record).display_order == number
