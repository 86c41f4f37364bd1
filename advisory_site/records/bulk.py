"""Changes several records in one transaction."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session

from ..core.permissions import Actor, require
from . import saving
from .listing import ListQuery
from .pictures import undescribed
from .record_type import AnyRecordType


@dataclass(frozen=True)
class BulkResult:
    """The number of changed records, the ids of deleted ones, and of those whose picture has no description."""

    changed: int = 0
    missing: tuple[int, ...] = ()
    undescribed: tuple[int, ...] = ()


def ids_of(session: Session, actor: Actor, kind: AnyRecordType, query: ListQuery) -> list[int]:
    """The ids of all records that a search and filter find, on all pages."""
    require(actor, kind.action)
    return list(session.execute(kind.select_ids(query)).scalars())


def set_public(
    session: Session, actor: Actor, kind: AnyRecordType, ids: Collection[int], is_public: bool
) -> BulkResult:
    """Publish the records, or hide them; one that is so already is not saved again.

    One with a picture that has no description is not published.
    """
    require(actor, kind.action)
    found, publishing = locked(session, kind, ids), kind.publishing
    change = {publishing.column: publishing.public if is_public else publishing.hidden}
    due = [one for one in found if (getattr(one, publishing.column) == publishing.public) != is_public]
    shown = {one.id: {*kind.shown_pictures(one, **change).values()} for one in due}
    missing = undescribed(session, {key for keys in shown.values() for key in keys})
    refused = {one for one, keys in shown.items() if keys & missing}
    for record in due:
        if record.id not in refused:
            saving.write(session, record, change, actor)
    session.flush()
    return _result([one for one in found if one.id not in refused], ids, refused)


def delete(session: Session, actor: Actor, kind: AnyRecordType, ids: Collection[int]) -> BulkResult:
    """Delete the records."""
    require(actor, kind.action)
    found = locked(session, kind, ids)
    for record in found:
        saving.delete(session, record, actor)
    return _result(found, ids)


def locked(session: Session, kind: AnyRecordType, ids: Collection[int]) -> list[Any]:
    """The records that still exist, locked until the transaction ends, so that no other user can save them."""
    query = sa.select(kind.table).where(kind.columns.id.in_(set(ids))).order_by(kind.columns.id).with_for_update()
    return list(session.execute(query.execution_options(populate_existing=True)).scalars())


def _result(changed: list[Any], ids: Collection[int], undescribed: Collection[int] = ()) -> BulkResult:
    present = {record.id for record in changed} | set(undescribed)
    return BulkResult(
        len(changed),
        tuple(wanted for wanted in ids if wanted not in present),
        tuple(wanted for wanted in ids if wanted in undescribed),
    )
