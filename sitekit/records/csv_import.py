"""Imports records from a CSV file: reads what its plan needs, and carries the plan out.

Nothing is written before `carry_out`. Only the values come from the plan: the permission, the rules of the form and the
versions of the records are checked again. What takes long is done in `prepare`, because on SQLite nobody else can write
while `carry_out` does.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session

from ..base.errors import Conflict, InvalidInput
from ..base.observability.audit_log import AuditEvent
from ..base.permissions import Actor, require
from ..base.text import one_line, record_id
from ..base.threads import Breaks
from . import activity, csv_texts
from .csv_file import Sheet
from .csv_plan import ID, SLUG, PlannedRow, RowCategory, Stored
from .edits import Edit
from .inputs import form_of
from .pictures.addresses import key_of
from .pictures.held import undescribed
from .record_type import AnyRecordType
from .revisions import RevisionSource, set_author

# Ids or slugs in one query.
CHUNK = 200
MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class Imported:
    """How many records an import has added and changed."""

    new: int
    changed: int


def keys_of(record_type: AnyRecordType, sheet: Sheet, columns: Sequence[str]) -> tuple[list[int], list[str]]:
    """The ids and slugs that a sheet names, with those that its new rows may get from their names."""
    ids, slugs = set[int](), set[str]()
    for row in sheet.rows:
        cells = dict(zip(columns, row.cells, strict=False))
        ids.add(record_id(cells.get(ID)))
        slugs |= {one_line(cells.get(SLUG)), record_type.slug_for(one_line(cells.get("name")))}
    return sorted(ids - {0}), sorted(slugs - {""})


def chunks(keys: Sequence[Any]) -> Iterable[Sequence[Any]]:
    """The keys in portions for one query each."""
    return (keys[start : start + CHUNK] for start in range(0, len(keys), CHUNK))


def read_stored(
    session: Session, actor: Actor, record_type: AnyRecordType, column: str, keys: Sequence[Any]
) -> list[Stored]:
    """The records whose id or slug is among a portion of keys."""
    require(actor, record_type.change_action)
    query = sa.select(*record_type.columns).where(record_type.columns[column].in_(keys))
    return [
        Stored(row.id, row.slug, row.name, form_of(row, record_type.fields), record_type.pictures_to_describe(row))
        for row in session.execute(query)
    ]


def pictures_of(
    record_type: AnyRecordType, sheet: Sheet, columns: Sequence[str], records: Iterable[Stored]
) -> list[str]:
    """The keys of the uploaded pictures to describe in a sheet and in the stored records."""
    indexes = [index for index, name in enumerate(columns) if name in record_type.described_fields]
    cells = {one_line(row.cells[index]) for row in sheet.rows for index in indexes if index < len(row.cells)}
    texts = {record.form.texts[name] for record in records for name in record_type.described_fields}
    return sorted({key_of(address) for address in cells | texts} - {""})


def read_undescribed(session: Session, actor: Actor, record_type: AnyRecordType, keys: Sequence[str]) -> set[str]:
    """Those of a portion of keys whose picture has no description."""
    require(actor, record_type.change_action)
    return undescribed(session, keys)


def references_of(record_type: AnyRecordType, sheet: Sheet, columns: Sequence[str]) -> dict[str, list[str]]:
    """The slugs of records of other types in a sheet, by field."""
    indexes = {name: index for index, name in enumerate(columns) if name in record_type.references}
    return {
        name: sorted({one_line(row.cells[index]) for row in sheet.rows if index < len(row.cells)} - {""})
        for name, index in indexes.items()
    }


def read_existing_slugs(
    session: Session, actor: Actor, record_type: AnyRecordType, name: str, slugs: Sequence[str]
) -> set[str]:
    """Those of a portion of slugs that a field may name."""
    require(actor, record_type.change_action)
    return record_type.references[name].existing_slugs(session, slugs)


@dataclass(frozen=True, slots=True)
class PreparedImport:
    """The rows of a plan that change something, and what each of them changes."""

    rows: list[PlannedRow]
    edits: list[Edit]


def prepare(record_type: AnyRecordType, plan: Iterable[PlannedRow], records: Iterable[Any]) -> PreparedImport:
    """What the new and changed rows of a plan change. It takes long, and needs no database.

    `records` are those that the plan names. Raises `Conflict` that names the records that were saved or deleted since
    the plan, and `InvalidInput` that names the first row that the form would refuse now.
    """
    by_id = {record.id: record for record in records}
    rows = [row for row in plan if row.category in (RowCategory.NEW, RowCategory.CHANGED)]
    _refuse_late(rows, {record.id: record.version for record in by_id.values()})
    breaks, blank, edits = Breaks(), record_type.blank_form().inputs(), []
    for row in rows:
        try:
            edits.append(_edit(record_type, row, by_id.get(row.record), blank))
        except InvalidInput as refused:
            raise _row_refused(row, refused) from refused
        breaks.take()
    return PreparedImport(rows, edits)


def _edit(record_type: AnyRecordType, row: PlannedRow, record: Any, blank: dict[str, Any]) -> Edit:
    if record is None:
        return record_type.new_edit(record_type.data_class.read(blank | row.inputs))
    form = form_of(record, record_type.fields)
    inputs = form.inputs()
    return record_type.edit(record, form, record_type.data_class.read(inputs | row.inputs, inputs))


def carry_out(session: Session, actor: Actor, record_type: AnyRecordType, prepared: PreparedImport) -> Imported:
    """Import prepared rows, all or none. Raises the same errors as `prepare`."""
    require(actor, record_type.change_action)
    rows = prepared.rows
    present = sa.select(record_type.columns.id, record_type.columns.version)
    versions = present.where(record_type.columns.id.in_([row.record for row in rows if row.record]))
    _refuse_late(rows, {row.id: row.version for row in session.execute(versions)})
    set_author(session, actor.user_id, RevisionSource.IMPORT)
    try:
        record_type.apply(session, actor, prepared.edits)
    except InvalidInput as refused:
        raise _row_refused(rows[refused.row], refused) from refused
    new = sum(row.category == RowCategory.NEW for row in rows)
    imported = Imported(new, len(rows) - new)
    subject = f"{record_type.table_name}: {imported.new} new, {imported.changed} changed"
    activity.log(session, AuditEvent.IMPORTED, subject, by=actor.user_id, of_table=record_type.table_name)
    return imported


def _refuse_late(rows: Iterable[PlannedRow], versions: Mapping[int, int]) -> None:
    late = [row.name for row in rows if row.record and versions.get(row.record) != row.version]
    if late:
        names = late[:MOST_NAMED] + ["..."] * (len(late) > MOST_NAMED)
        raise Conflict(csv_texts.SAVED_SINCE.format(names=", ".join(names)))


def _row_refused(row: PlannedRow, refused: InvalidInput) -> InvalidInput:
    sentence = next(iter(refused.fields.values()), refused.message)
    return InvalidInput(csv_texts.ROW_REFUSED.format(number=row.number, name=row.name, sentence=sentence))
