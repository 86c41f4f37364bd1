"""Imports records from a CSV file: reads what its plan needs, and carries the plan out.

Nothing is written before `carry_out`. It only takes the values from the plan: the permission, the rules of the form and
the versions of the records are checked again.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session

from ..content import csv_texts as words
from ..core.errors import Conflict, InvalidInput
from ..core.permissions import Actor, require
from ..core.pictures import key_of
from ..core.text import one_line, record_id
from ..observability.audit_log import Act
from . import activity, references
from .csv_file import Sheet
from .csv_plan import ID, SLUG, PlannedRow, RowKind, Stored
from .inputs import form_of
from .pictures import undescribed
from .record_type import AnyRecordType
from .revisions import Via, attribute

# Ids or slugs in one query.
CHUNK = 200
MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class Imported:
    """How many records an import has added and changed."""

    new: int
    changed: int


def keys_of(sheet: Sheet, columns: Sequence[str]) -> tuple[list[int], list[str]]:
    """The ids and slugs that a sheet names."""
    ids, slugs = set[int](), set[str]()
    for row in sheet.rows:
        cells = dict(zip(columns, row.cells, strict=False))
        ids.add(record_id(cells.get(ID)))
        slugs.add(one_line(cells.get(SLUG)))
    return sorted(ids - {0}), sorted(slugs - {""})


def chunks(keys: Sequence[Any]) -> Iterable[Sequence[Any]]:
    """The keys in portions for one query each."""
    return (keys[start : start + CHUNK] for start in range(0, len(keys), CHUNK))


def read_stored(session: Session, actor: Actor, kind: AnyRecordType, column: str, keys: Sequence[Any]) -> list[Stored]:
    """The records whose id or slug is among a portion of keys."""
    require(actor, kind.action)
    query = sa.select(*kind.columns).where(kind.columns[column].in_(keys))
    return [
        Stored(row.id, row.slug, row.name, form_of(row, kind.fields), kind.shown_pictures(row))
        for row in session.execute(query)
    ]


def pictures_of(kind: AnyRecordType, sheet: Sheet, columns: Sequence[str], stored: Iterable[Stored]) -> list[str]:
    """The keys of the uploaded pictures in a sheet and in the stored records."""
    places = [place for place, name in enumerate(columns) if name in kind.picture_fields]
    cells = {one_line(row.cells[place]) for row in sheet.rows for place in places if place < len(row.cells)}
    texts = {one.form.texts[name] for one in stored for name in kind.picture_fields}
    return sorted({key_of(address) for address in cells | texts} - {""})


def read_undescribed(session: Session, actor: Actor, kind: AnyRecordType, keys: Sequence[str]) -> set[str]:
    """Those of a portion of keys whose picture has no description."""
    require(actor, kind.action)
    return undescribed(session, keys)


def references_of(kind: AnyRecordType, sheet: Sheet, columns: Sequence[str]) -> dict[str, list[str]]:
    """The slugs of records of other types in a sheet, by field."""
    places = {name: place for place, name in enumerate(columns) if name in kind.references}
    return {
        name: sorted({one_line(row.cells[place]) for row in sheet.rows if place < len(row.cells)} - {""})
        for name, place in places.items()
    }


def read_known(session: Session, actor: Actor, kind: AnyRecordType, name: str, slugs: Sequence[str]) -> set[str]:
    """Those of a portion of slugs that a field may name."""
    require(actor, kind.action)
    return references.known(session, kind.references[name], slugs)


def carry_out(session: Session, actor: Actor, kind: AnyRecordType, plan: Iterable[PlannedRow]) -> Imported:
    """Import the new and changed rows of a plan, all or none.

    Raises `Conflict` that names the records that were saved or deleted since the plan, and `InvalidInput` that names
    the first row that the form would refuse now.
    """
    require(actor, kind.action)
    rows = [row for row in plan if row.kind in (RowKind.NEW, RowKind.CHANGED)]
    records = _load(session, kind, [row.record for row in rows if row.record])
    late = [row for row in rows if row.record and _is_late(row, records.get(row.record))]
    if late:
        names = [row.name for row in late[:MOST_NAMED]] + ["..."] * (len(late) > MOST_NAMED)
        raise Conflict(words.SAVED_SINCE.format(names=", ".join(names)))
    attribute(session, actor.user_id, Via.IMPORT)
    for row in rows:
        _import(session, actor, kind, row, records.get(row.record))
    new = sum(row.kind == RowKind.NEW for row in rows)
    imported = Imported(new, len(rows) - new)
    subject = f"{kind.table_name}: {imported.new} new, {imported.changed} changed"
    activity.note(session, Act.IMPORTED, subject, by=actor.user_id, of_table=kind.table_name)
    return imported


def _load(session: Session, kind: AnyRecordType, ids: Sequence[int]) -> dict[int, Any]:
    records: dict[int, Any] = {}
    for some in chunks(ids):
        found = session.execute(sa.select(kind.table).where(kind.columns.id.in_(some)))
        records |= {record.id: record for record in found.scalars()}
    return records


def _is_late(row: PlannedRow, record: Any) -> bool:
    return record is None or record.version != row.version


def _import(session: Session, actor: Actor, kind: AnyRecordType, row: PlannedRow, record: Any) -> None:
    try:
        if record is None:
            draft = kind.draft.read(kind.blank_form().inputs() | row.inputs)
            kind.create(session, actor, draft)
            return
        shown = form_of(record, kind.fields).inputs()
        draft = kind.draft.read(shown | row.inputs, shown)
        kind.change(session, actor, record, draft)
    except InvalidInput as refused:
        sentence = next(iter(refused.fields.values()), refused.message)
        raise InvalidInput(words.ROW_REFUSED.format(number=row.number, name=row.name, sentence=sentence)) from refused
