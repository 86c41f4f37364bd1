"""The list of deleted records: search, filter, sort, pages, and who sees what."""

from collections.abc import Mapping
from datetime import timedelta

import pytest
import sqlalchemy as sa
from sqlmodel import Session

from sitekit.base import permissions
from sitekit.base.db.database import now
from sitekit.base.errors import Forbidden
from sitekit.base.permissions import Actor, Role
from sitekit.records import trash
from sitekit.records.listing import ListPage, ListQuery
from sitekit.records.revisions import TABLE, columns
from sitekit.records.trash import TrashRow
from tests.support.each import check_each
from tests.support.factories import add_actor
from tests.support.record_types import SAMPLES

pytestmark = pytest.mark.spec("TRASH-1")

RECORD_TYPES = {one.record_type.table_name: one.record_type for one in SAMPLES.values()}


@pytest.fixture(autouse=True)
def deleted(session: Session, actor: Actor) -> None:
    """A record of each type, deleted by Wei Tan, and a company deleted by Mei Lim."""
    mei = add_actor(session, first_name="Mei", last_name="Lim", email="mei@firm.example")
    for hour, (user, sample, name) in enumerate(
        (
            (actor, SAMPLES["companies"], "Kelp"),
            (actor, SAMPLES["team"], "ann Ho"),
            (actor, SAMPLES["advisors"], "Bo 100%"),
            (mei, SAMPLES["companies"], "Zinc"),
        )
    ):
        sample.record_type.delete(session, user, sample.record_type.create(session, user, sample.data(name=name)))
        at = now() - timedelta(hours=9 - hour)
        session.execute(sa.update(TABLE).where(columns.label == name).values(at=at))


def listed(session: Session, actor: Actor, **parameters: str) -> ListPage[TrashRow]:
    return trash.list_trash(session, actor, RECORD_TYPES, ListQuery.read(parameters))


def names(session: Session, actor: Actor, **parameters: str) -> list[str]:
    return [row.name for row in listed(session, actor, **parameters).rows]


def test_the_newest_deletion_is_listed_first(session: Session, actor: Actor) -> None:
    assert names(session, actor) == ["Zinc", "Bo 100%", "ann Ho", "Kelp"]


def test_the_trash_is_searched_by_name_and_by_who_deleted(session: Session, actor: Actor) -> None:
    def check(case: tuple[str, list[str]]) -> None:
        search, found = case
        assert names(session, actor, search=search) == found

    cases: list[tuple[str, list[str]]] = [
        ("kelp", ["Kelp"]),
        ("ANN", ["ann Ho"]),
        ("mei", ["Zinc"]),
        ("zinc lim", ["Zinc"]),
        ("zinc tan", []),
        ("100%", ["Bo 100%"]),
        ("%", ["Bo 100%"]),
        ("_", []),
    ]
    check_each(cases, check)


def test_the_trash_is_filtered_by_record_type(session: Session, actor: Actor) -> None:
    def check(case: tuple[str, set[str]]) -> None:
        wanted, found = case
        assert set(names(session, actor, filter=wanted)) == found

    cases: list[tuple[str, set[str]]] = [
        ("companies", {"Kelp", "Zinc"}),
        ("team_members", {"ann Ho"}),
        ("advisors", {"Bo 100%"}),
        # What is no type with a trash leaves nothing out.
        ("profiles", {"Kelp", "ann Ho", "Bo 100%", "Zinc"}),
    ]
    check_each(cases, check)


def test_the_trash_is_sorted(session: Session, actor: Actor) -> None:
    def check(case: tuple[Mapping[str, str], list[str]]) -> None:
        parameters, found = case
        assert names(session, actor, **parameters) == found

    cases: list[tuple[Mapping[str, str], list[str]]] = [
        ({"sort": "name"}, ["ann Ho", "Bo 100%", "Kelp", "Zinc"]),
        ({"sort": "name", "order": "desc"}, ["Zinc", "Kelp", "Bo 100%", "ann Ho"]),
        ({"sort": "kind"}, ["Bo 100%", "Kelp", "Zinc", "ann Ho"]),
        ({"sort": "deleted"}, ["Kelp", "ann Ho", "Bo 100%", "Zinc"]),
    ]
    check_each(cases, check)


def test_the_trash_is_paged(session: Session, actor: Actor) -> None:
    kelp = SAMPLES["companies"]
    for number in range(25):
        record = kelp.record_type.create(session, actor, kelp.data(name=f"Moss {number:02}"))
        kelp.record_type.delete(session, actor, record)
    page = listed(session, actor, sort="name", page="2")
    assert (page.total, page.page, page.pages, [row.name for row in page.rows]) == (
        29,
        2,
        2,
        ["Moss 22", "Moss 23", "Moss 24", "Zinc"],
    )
    assert listed(session, actor, page="9").page == 2


def test_a_restored_record_is_not_listed_and_a_redeleted_one_is_listed_once(session: Session, actor: Actor) -> None:
    [row] = listed(session, actor, search="kelp").rows
    record_type = SAMPLES["companies"].record_type
    trash.restore(session, actor, record_type, row.record_id)
    assert names(session, actor, search="kelp") == []
    record_type.delete(session, actor, row.record_id)
    [again] = listed(session, actor, search="kelp").rows
    assert again.record_id == row.record_id and again.id > row.id


def test_a_deletion_by_a_command_names_nobody(session: Session, actor: Actor) -> None:
    session.execute(sa.update(TABLE).where(columns.label == "Kelp").values(by=None, by_name=""))
    assert [row.by_name for row in listed(session, actor, search="kelp").rows] == [""]


@pytest.mark.spec("ROLE-3", "ROLE-4")
def test_only_record_types_managed_by_the_role_are_listed_restored_or_erased(
    session: Session, actor: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    record_type = SAMPLES["companies"].record_type
    record = listed(session, actor, search="kelp").rows[0].record_id
    monkeypatch.setitem(permissions.POLICY, record_type.read_action, frozenset({Role.ADMIN}))
    monkeypatch.setitem(permissions.POLICY, record_type.change_action, frozenset({Role.ADMIN}))
    assert set(names(session, actor)) == {"ann Ho", "Bo 100%"}
    assert names(session, actor, filter="companies") == names(session, actor)
    for act in (trash.restore, trash.erase):
        with pytest.raises(Forbidden):
            act(session, actor, record_type, record)
    assert set(names(session, Actor(actor.user_id, Role.ADMIN), filter="companies")) == {"Kelp", "Zinc"}
