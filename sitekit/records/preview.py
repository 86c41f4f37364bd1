"""Tries out a draft: writes it into its record in a transaction that is rolled back."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session

from ..base.db.database import copy_table, laid_over, now
from ..base.errors import NotFound
from . import slug_redirects
from .batch import last_place, slugs_of
from .draft_texts import UNTITLED
from .edits import IfTaken
from .fields.field_type import fields_of
from .fields.picture import PictureField
from .pictures import models as media
from .pictures.addresses import key_of
from .record import ORDER
from .record_type import AnyRecordType
from .saving import free_slug

# The pages that a preview shows.
RECORD, LIST, HOME = "record", "list", "home"
# The largest id there can be, so that no sequence counts up and a new record is the newest.
NEW_ID = 2**31 - 1


def try_out(session: Session, record_type: AnyRecordType, record_id: int | None, inputs: object) -> str:
    """Write what is valid in a draft into its record, or into a new one, and make it public; returns its slug.

    Nothing that follows a save is done: no revision, no activity, no new content version. Call it in a transaction that
    is rolled back. Raises `NotFound` if the record was deleted.
    """
    typed = inputs if isinstance(inputs, Mapping) else {}
    record = session.get(record_type.table, record_id) if record_id else None
    if record_id and record is None:
        raise NotFound(record_type.texts.missing)
    form = record_type.described_form(session, record) if record else record_type.blank_form()
    data = record_type.data_class.read_valid(typed, form)
    shown = {record_type.publishing.column: record_type.publishing.public, "name": data.name or UNTITLED}
    data = data.model_copy(update=shown)
    edit = record_type.edit(record, form, data) if record else record_type.new_edit(data)
    [new_slug] = slugs_of(session, record_type, [replace(edit, if_taken=IfTaken.NUMBER)])
    # A name without letters makes no slug.
    untitled = record_type.slug_for(UNTITLED)
    slug: str = new_slug or edit.record.slug or free_slug(session, record_type.columns.slug, untitled)
    values = edit.values | {"slug": slug}
    if ORDER in values and values[ORDER] is None:
        values[ORDER] = last_place(session, record_type) + 1
    # The statements go past the session, whose listeners write what follows a save.
    session.expunge_all()
    connection, table = session.connection(), record_type.columns.id.table
    with laid_over(session, table, record_id or NEW_ID):
        if record is None:
            row = {column.name: getattr(edit.record, column.name) for column in table.columns}
            at = dict.fromkeys(("created_at", "updated_at"), now())
            connection.execute(sa.insert(table).values(row | values | at | {"id": NEW_ID}))
        else:
            connection.execute(sa.update(table).where(table.c.id == record_id).values(values))
    if record and slug != record.slug:
        copy_table(session, slug_redirects.columns.id.table)
        slug_redirects.note(session, (record, record.slug, slug))
    _describe_pictures(session, record_type, dict(data))
    return slug


def _describe_pictures(session: Session, record_type: AnyRecordType, typed: Mapping[str, Any]) -> None:
    described: dict[str, dict[str, Any]] = {}
    for name, field in fields_of(record_type.fields, PictureField).items():
        key, given = key_of(typed[name]), field.typed_description(name, typed)
        if key and given and not given.is_missing:
            described[key] = {"alt": given.alt, "is_decorative": given.is_decorative}
    if described:
        copy_table(session, media.columns.id.table)
    for key, values in described.items():
        session.connection().execute(sa.update(media.columns.id.table).where(media.columns.key == key).values(values))
