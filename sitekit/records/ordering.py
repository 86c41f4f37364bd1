"""Puts records in order: the numbers of all become 1 to n."""

import sqlalchemy as sa
from sqlmodel import Session

from ..base.errors import NotFound
from ..base.permissions import Actor, require
from . import saving
from .record import ORDER
from .record_type import AnyRecordType


def place(
    session: Session,
    actor: Actor,
    record_type: AnyRecordType,
    moved: int,
    beside: int,
    is_after: bool,
    missing: str,
) -> int:
    """Place a record after another one, or before it; returns its number.

    Only records whose number changes are saved. Raises `NotFound` with the message `missing` if one of them is gone.
    """
    require(actor, record_type.change_action)
    query = (
        sa.select(record_type.table).order_by(*record_type.options.default, record_type.columns.id).with_for_update()
    )
    records = list(session.execute(query.execution_options(populate_existing=True)).scalars())
    by_id = {record.id: record for record in records}
    if moved not in by_id or beside not in by_id:
        raise NotFound(missing)
    if moved != beside:
        records.remove(by_id[moved])
        records.insert(records.index(by_id[beside]) + is_after, by_id[moved])
    for number, record in enumerate(records, 1):
        saving.write(session, record, {ORDER: number}, actor)
    session.flush()
    return records.index(by_id[moved]) + 1
