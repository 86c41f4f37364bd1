"""Each change of a record writes one revision and one line of activity, in its transaction."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from sqlmodel import Session

from advisory_site.companies.models import Company
from sitekit.base.db.database import now
from sitekit.base.permissions import Actor
from sitekit.records import bulk, revisions, saving
from sitekit.records.activity import columns as activity
from sitekit.records.revisions import PICTURES, change_context, columns
from tests.support.record_types import Sample

pytestmark = pytest.mark.spec("HIST-1")


def written(session: Session, record: int) -> Sequence[Any]:
    session.flush()
    return session.execute(sa.select(*columns).where(columns.record_id == record).order_by(columns.number)).all()


def test_each_change_writes_a_revision_with_author_changes_and_snapshot(
    sample: Sample, session: Session, actor: Actor
) -> None:
    record = sample.record_type.create(session, actor, sample.data(name="Ann Lim"))
    form = sample.record_type.get_stored(session, actor, record)
    assert form is not None
    sample.record_type.update(session, actor, record, sample.data(name="Ann Tan"), form.version)
    sample.record_type.delete(session, actor, record)
    first, second, last = written(session, record)
    assert [one.number for one in (first, second, last)] == [1, 2, 3]
    assert [one.action for one in (first, second, last)] == ["created", "saved", "deleted"]
    assert [one.label for one in (first, second, last)] == ["Ann Lim", "Ann Tan", "Ann Tan"]
    assert "name" in second.changed
    assert "bio" not in second.changed
    assert {one.by for one in (first, second, last)} == {actor.user_id}
    assert {one.via for one in (first, second, last)} == {"back office"}
    assert first.snapshot["name"] == "Ann Lim"
    assert set(first.snapshot) == set(last.snapshot)
    assert first.batch == change_context(session).batch
    acts = session.execute(sa.select(activity.act).where(activity.record_id == record).order_by(activity.id)).scalars()
    assert list(acts) == ["created", "saved", "deleted"]


def test_a_save_without_changes_writes_no_revision(sample: Sample, session: Session, actor: Actor) -> None:
    record = sample.record_type.create(session, actor, sample.data())
    form = sample.record_type.get_stored(session, actor, record)
    assert form is not None
    sample.record_type.update(
        session, actor, record, sample.record_type.data_class.read(form.inputs(), form.inputs()), form.version
    )
    bulk.set_public(session, actor, sample.record_type, [record], True)
    assert len(written(session, record)) == 1


def test_a_change_without_an_author_is_attributed_to_a_command(sample: Sample, session: Session) -> None:
    record = sample.add(session)
    [only] = written(session, record.id)
    assert (only.by, only.by_name, only.via) == (None, "", "command")


def test_bulk_statements_that_bypass_revisions_are_refused(session: Session) -> None:
    table = Company.metadata.tables["companies"]
    for statement in (sa.update(Company).values(name="x"), sa.delete(Company), sa.insert(table).values(name="x")):
        with pytest.raises(RuntimeError, match="has a history"):
            session.execute(statement)


@pytest.mark.spec("HIST-5")
def test_at_most_one_hundred_revisions_are_kept_for_two_years(session: Session, sample: Sample, actor: Actor) -> None:
    record, other = (sample.add(session, name=name) for name in ("Ann", "Bo"))
    for number in range(104):
        saving.write(session, record, {"name": f"Ann {number}"}, actor)
        session.flush()
    assert [revisions.delete_expired(session, now(), 3) for _ in range(3)] == [3, 2, 0]
    assert [one.number for one in written(session, record.id)] == list(range(6, 106))
    later = now() + timedelta(days=731)
    assert revisions.delete_expired(session, later - timedelta(days=2), 1000) == 0
    assert revisions.delete_expired(session, later, 1000) == 99
    assert [one.number for one in written(session, record.id)] == [105]
    assert [one.number for one in written(session, other.id)] == [1]


@pytest.mark.spec("IMG-4")
def test_a_revision_references_its_pictures_until_it_is_deleted(session: Session, sample: Sample, actor: Actor) -> None:
    record, name = sample.add(session), sample.record_type.picture_fields[0]
    for letter in "abca":
        saving.write(session, record, {name: f"/media/{letter * 32}-960.jpg"}, actor)
        session.flush()

    def named() -> list[str]:
        pictures = sa.select(PICTURES.c.key).join(revisions.TABLE, columns.id == PICTURES.c.revision_id)
        return [key[0] for key in session.execute(pictures.order_by(columns.number)).scalars()]

    assert named() == ["a", "b", "c", "a"]
    revisions.delete_expired(session, now() + timedelta(days=731), 1000)
    assert named() == ["a"]
    assert session.execute(sa.select(sa.func.count()).select_from(PICTURES)).scalar_one() == 1
