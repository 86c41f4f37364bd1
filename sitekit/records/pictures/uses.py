"""Which records use uploaded pictures, and which older or deleted versions of records refer to them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session

from ...base.db.folding import folded
from .. import revisions
from ..draft_texts import NAMED_DRAFT
from ..drafts import name_of
from ..fields.field_type import fields_of
from ..fields.markdown import MarkdownField
from ..fields.picture import PictureField
from ..proposals import Proposal
from ..proposals import columns as proposals
from ..record_type import AnyRecordType
from .addresses import KEY_LENGTH, PREFIX
from .models import columns as media
from .texts import CAPTION, LEGENDS

RecordTypes = Mapping[str, AnyRecordType]  # by the names of their tables


@dataclass(frozen=True)
class Use:
    """A record that uses a picture, or whose older versions refer to it. `is_deleted`: it is in the trash."""

    of_table: str
    record_id: int
    name: str
    slug: str = ""
    is_deleted: bool = False


def used_keys(record_types: RecordTypes) -> sa.Select[Any]:
    """The query of the keys of all pictures that a record or a draft uses."""
    in_drafts = sa.select(media.key).where(_is_in_draft(media.key))
    return sa.select(sa.union(sa.select(_uses(record_types).c.key), in_drafts).subquery().c.key)


def count_uses(session: Session, record_types: RecordTypes, keys: Collection[str]) -> dict[str, int]:
    """By how many records each of these pictures is used; those that none uses are left out."""
    if not keys:
        return {}
    uses = _uses(record_types)
    query = sa.select(uses.c.key, sa.func.count().label("uses")).where(uses.c.key.in_(keys)).group_by(uses.c.key)
    return {row.key: row.uses for row in session.execute(query)}


def records_using(session: Session, record_types: RecordTypes, key: str) -> list[Use]:
    """The records that use a picture, by record type and name."""
    uses = _uses(record_types)
    query = sa.select(uses).where(uses.c.key == key).order_by(uses.c.of_table, folded(uses.c.name))
    return [Use(row.of_table, row.record_id, row.name, row.slug) for row in session.execute(query)]


def captions(session: Session, record_types: RecordTypes, keys: Collection[str]) -> dict[str, str]:
    """What pictures show that their records describe, such as "Portrait of Ann Lim", by key."""
    selects = [
        sa.select(sa.literal(LEGENDS[field.shape]).label("legend"), each.columns.name, _key_in(each.columns[name]))
        for each in record_types.values()
        for name, field in fields_of(each.fields, PictureField).items()
        if not field.is_described
    ]
    if not (keys and selects):
        return {}
    uses = sa.union(*selects).subquery()
    query = sa.select(uses).where(uses.c.key.in_(keys)).order_by(uses.c.legend, uses.c.name)
    return {row.key: CAPTION.format(legend=row.legend, name=row.name) for row in session.execute(query)}


def versions_using(session: Session, key: str, present: Collection[Use] = ()) -> list[Use]:
    """The records whose drafts or older versions refer to a picture, or that are in the trash; none that use it now."""
    columns, pictures, newest = revisions.columns, revisions.PICTURES, revisions.TABLE.alias("newest")
    of_picture = sa.select(columns.of_table, columns.record_id).join(pictures, pictures.c.revision_id == columns.id)
    users = of_picture.where(pictures.c.key == key).distinct().subquery()
    same = newest.c.of_table == users.c.of_table, newest.c.record_id == users.c.record_id
    newer = revisions.TABLE.alias("newer")
    is_newer = newer.c.of_table == newest.c.of_table, newer.c.record_id == newest.c.record_id
    is_last = ~sa.exists().where(*is_newer, newer.c.number > newest.c.number)
    query = (
        sa.select(newest.c.of_table, newest.c.record_id, newest.c.label, newest.c.action)
        .join(users, sa.and_(*same))
        .where(is_last)
        .order_by(newest.c.of_table, folded(newest.c.label))
    )
    using_it = {(use.of_table, use.record_id) for use in present}
    deleted = revisions.RevisionAction.DELETED.value
    drafts = session.execute(sa.select(Proposal).where(_is_in_draft(sa.literal(key)))).scalars()
    in_drafts = [Use(each.of_table, each.record_id or 0, NAMED_DRAFT.format(name=name_of(each))) for each in drafts]
    return in_drafts + [
        Use(row.of_table, row.record_id, row.label, is_deleted=row.action == deleted)
        for row in session.execute(query)
        if (row.of_table, row.record_id) not in using_it
    ]


def _key_in(address: Any) -> sa.Label[str]:
    """The key of the uploaded picture with an address."""
    return sa.func.substr(address, len(PREFIX) + 1, KEY_LENGTH).label("key")


def _is_in_draft(key: sa.ColumnElement[str]) -> sa.ColumnElement[bool]:
    """Whether a draft, discarded or not, has the address of the picture with this key in it."""
    return sa.cast(proposals.inputs, sa.Text).contains(sa.literal(PREFIX) + key)


def _uses(record_types: RecordTypes) -> sa.Subquery:
    """Each record with an uploaded picture and that picture's key; one that has it in two places is there once."""
    selects = [
        sa.select(
            sa.literal(name).label("of_table"),
            record_type.columns.id.label("record_id"),
            record_type.columns.name,
            record_type.columns.slug,
            _key_in(column),
        ).where(column.startswith(PREFIX))
        for name, record_type in record_types.items()
        for column in map(record_type.columns.get, record_type.picture_fields)
    ]
    mentions = [
        sa.select(
            sa.literal(name).label("of_table"),
            record_type.columns.id.label("record_id"),
            record_type.columns.name,
            record_type.columns.slug,
            media.key,
        ).where(column.contains(sa.literal(PREFIX) + media.key))
        for name, record_type in record_types.items()
        for column in map(record_type.columns.get, fields_of(record_type.fields, MarkdownField))
    ]
    return sa.union(*selects, *mentions).subquery("uses")
