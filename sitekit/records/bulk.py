"""Changes several records in one transaction."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session

from ..base.permissions import Actor, require
from . import saving
from .listing import ListQuery
from .pictures.held import undescribed
from .record_type import AnyRecordType


@dataclass(frozen=True)
class BulkResult:
    """The number of changed records, the ids of deleted ones, and of those whose picture has no description."""

    changed: int = 0
    missing: tuple[int, ...] = ()
    undescribed: tuple[int, ...] = ()


def ids_of(session: Session, actor: Actor, record_type: AnyRecordType, query: ListQuery) -> list[int]:
    """The ids of all records that a search and filter find, on all pages."""
    require(actor, record_type.read_action)
    return list(session.execute(record_type.select_ids(query)).scalars())


def set_public(
    session: Session, actor: Actor, record_type: AnyRecordType, ids: Collection[int], is_public: bool
) -> BulkResult:
    """Publish the records, or hide them; one that is so already is not saved again.

    One with a picture that has no description is not published.
    """
    require(actor, record_type.change_action)
    records, publishing = locked(session, record_type, ids), record_type.publishing
    change = {publishing.column: publishing.public if is_public else publishing.hidden}
    due = [record for record in records if (getattr(record, publishing.column) == publishing.public) != is_public]
    pictures = {record.id: {*record_type.pictures_to_describe(record, **change).values()} for record in due}
    missing = undescribed(session, {key for keys in pictures.values() for key in keys})
    refused = {record_id for record_id, keys in pictures.items() if keys & missing}
    for record in due:
        if record.id not in refused:
            saving.write(session, record, change, actor)
    session.flush()
    return _result([record for record in records if record.id not in refused], ids, refused)


def delete(session: Session, actor: Actor, record_type: AnyRecordType, ids: Collection[int]) -> BulkResult:
    """Delete the records."""
    require(actor, record_type.change_action)
    records = locked(session, record_type, ids)
    saving.delete(session, actor, *records)
    return _result(records, ids)


def locked(session: Session, record_type: AnyRecordType, ids: Collection[int]) -> list[Any]:
    """The records that still exist, locked until the transaction ends, so that no other user can save them."""
    query = (
        sa.select(record_type.table)
        .where(record_type.columns.id.in_(set(ids)))
        .order_by(record_type.columns.id)
        .with_for_update()
    )
    return list(session.execute(query.execution_options(populate_existing=True)).scalars())


def _result(changed: list[Any], ids: Collection[int], undescribed: Collection[int] = ()) -> BulkResult:
    present = {record.id for record in changed} | set(undescribed)
    return BulkResult(
        len(changed),
        tuple(record_id for record_id in ids if record_id not in present),
        tuple(record_id for record_id in ids if record_id in undescribed),
    )
