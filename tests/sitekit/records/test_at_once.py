"""Two people restore, undo or delete the same record at once: one wins, the other is told, nothing is half done."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

import pytest
import sqlalchemy as sa
from sqlmodel import Session

from sitekit.base.db.database import now, read_session, transaction
from sitekit.base.errors import ServiceError
from sitekit.base.permissions import Actor
from sitekit.records import trash
from sitekit.records.record_form import RecordForm
from sitekit.records.revisions import TABLE, RevisionAction, batch_of, columns
from tests.support.at_once import told_second
from tests.support.people import as_admin
from tests.support.record_types import SAMPLES, Sample
from tests.support.undoing import undo

RECORD_TYPES = {one.record_type.table_name: one.record_type for one in SAMPLES.values()}


@dataclass(frozen=True)
class Place:
    """The record as a form shows it, who acts on it, and the batch of what was done to it last."""

    sample: Sample
    record: int
    actor: Actor
    form: RecordForm
    batch: str


AuditEvent = Callable[[Session, Place], object]


def _restore(session: Session, at: Place) -> object:
    return trash.restore(session, at.actor, at.sample.record_type, at.record)


def _erase(session: Session, at: Place) -> object:
    return trash.erase(session, as_admin(at.actor), at.sample.record_type, at.record)


def _undo(session: Session, at: Place) -> object:
    return undo(session, at.actor, RECORD_TYPES, at.batch)


def _delete(session: Session, at: Place) -> object:
    at.sample.record_type.delete(session, at.actor, at.record)
    return None


def _save(session: Session, at: Place) -> object:
    data = at.sample.record_type.data_class.read(at.form.inputs() | {"name": "Cy"}, at.form.inputs())
    at.sample.record_type.update(session, at.actor, at.record, data, at.form.version)
    return None


def both(first: AuditEvent, second: AuditEvent, at: Place) -> list[ServiceError]:
    """Do the second while the first is not committed yet; returns what the second was told."""
    return told_second(lambda session: first(session, at), lambda session: second(session, at))


def numbers(at: Place) -> tuple[int | None, list[tuple[int, str]]]:
    """The version of the stored record, and its revisions."""
    of_record = columns.of_table == at.sample.record_type.table_name, columns.record_id == at.record
    with read_session() as session:
        stored = session.get(at.sample.record_type.table, at.record)
        query = sa.select(columns.number, columns.action).where(*of_record).order_by(columns.number)
        return stored.version if stored else None, [(one.number, one.action) for one in session.execute(query)]


def is_whole(version: int | None, revisions: list[tuple[int, str]]) -> bool:
    """Whether a record and its revisions agree: all are there, or none is left of an erased one."""
    if not revisions:
        return version is None
    newest, action = revisions[-1]
    is_complete = [number for number, _ in revisions] == list(range(1, newest + 1))
    return is_complete and version == (None if action == RevisionAction.DELETED else newest)


def place(sample: Sample, actor: Actor, *, is_deleted: bool) -> Place:
    with transaction() as session:
        record = sample.record_type.create(session, actor, sample.data(name="Ann"))
        form = sample.record_type.get_stored(session, actor, record)
        batch = batch_of(session)
    assert form is not None
    if is_deleted:
        with transaction() as session:
            sample.record_type.delete(session, actor, record)
            batch = batch_of(session)
    return Place(sample, record, actor, form, batch)


@pytest.mark.spec("TRASH-1", "DATA-3")
@pytest.mark.parametrize("second", [_restore, _undo, _erase])
@pytest.mark.parametrize("first", [_restore, _undo, _erase])
def test_concurrent_changes_of_a_deleted_record_have_one_winner(
    actor: Actor, first: AuditEvent, second: AuditEvent
) -> None:
    at = place(SAMPLES["companies"], actor, is_deleted=True)
    told = both(first, second, at)
    assert len(told) == 1 and told[0].message
    version, revisions = numbers(at)
    assert is_whole(version, revisions)
    assert (version is None) == (first is _erase)


@pytest.mark.spec("LIST-5", "DATA-3")
@pytest.mark.parametrize(
    ("first", "second"),
    [
        (_undo, _undo),
        (_undo, _delete),
        (_undo, _save),
        (_delete, _undo),
        (_delete, _delete),
        (_delete, _save),
        (_save, _undo),
    ],
)
def test_concurrent_changes_of_a_stored_record_have_one_winner(
    actor: Actor, first: AuditEvent, second: AuditEvent
) -> None:
    at = place(SAMPLES["companies"], actor, is_deleted=False)
    told = both(first, second, at)
    assert len(told) == 1 and told[0].message
    version, revisions = numbers(at)
    assert is_whole(version, revisions)
    assert (version is None) == (first is not _save)


@pytest.mark.spec("TRASH-1", "DATA-3")
def test_emptying_the_trash_spares_a_record_being_restored(actor: Actor) -> None:
    at = place(SAMPLES["companies"], actor, is_deleted=True)
    with transaction() as session:
        session.execute(sa.update(TABLE).values(at=now() - timedelta(days=31)))

    def empty(session: Session, _at: Place) -> object:
        return trash.delete_expired(session, now(), 10)

    assert both(_restore, empty, at) == []
    version, revisions = numbers(at)
    assert is_whole(version, revisions) and version is not None
