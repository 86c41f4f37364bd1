"""Lists, reads, changes, replaces and deletes uploaded pictures, for staff."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session

from ...base import paths
from ...base.db.folding import folded
from ...base.errors import Conflict, InvalidInput, NotFound
from ...base.observability.audit_log import AuditEvent
from ...base.permissions import Action, Actor, may, require
from ...base.text import name_list, record_id
from ...base.times import iso_text
from ...records import activity, batch
from ...records.bulk import locked
from ...records.edits import Edit
from ...records.features import record_types
from ...records.fields.field_type import fields_of
from ...records.fields.flag import Flag
from ...records.fields.line import Line
from ...records.fields.markdown import MarkdownField, keys_in, with_picture
from ...records.finding import Findable
from ...records.form_fields import FormData
from ...records.listing import ListOptions, ListPage, ListQuery, matching, paginate
from ...records.pictures import held as pictures
from ...records.pictures.addresses import address_of, file_names, is_file_name, key_of, thumbnail_of
from ...records.pictures.held import hold
from ...records.pictures.models import Media, columns
from ...records.pictures.texts import NOT_A_FILE_NAME
from ...records.pictures.uses import Use, captions, count_uses, records_using, used_keys, versions_using
from ...records.record_form import RecordForm
from ...records.saving import gone, load, refuse_if_newer
from . import texts as picture_texts

UNUSED = "unused"
MOST_OTHERS = 8

OPTIONS = ListOptions(
    searched=(columns.name, columns.alt, columns.credit),
    sorts={"name": folded(columns.name)},
    default=(columns.id.desc(),),
    id=columns.id,
)


FINDABLE = Findable(
    columns.id.table.name,
    picture_texts.ONE,
    Action.READ_MEDIA,
    columns.name,
    columns.alt,
    OPTIONS,
    lambda row: paths.picture_page(row.id),
)


@dataclass(frozen=True)
class PictureRow:
    """An uploaded picture as the list shows it; `used` says by how many records.

    `alt` is its description, or what it is of its record.
    """

    id: int = 0
    name: str = ""
    address: str = ""
    thumbnail: str = ""
    pixels: str = ""
    alt: str = ""
    is_decorative: bool = False
    used: str = ""


@dataclass(frozen=True)
class PictureView:
    """One picture as its dialog shows it; the time is an ISO text in UTC. `by` is empty if the account is deleted."""

    id: int = 0
    name: str = ""
    alt: str = ""
    address: str = ""
    pixels: str = ""
    size: str = ""
    added: str = ""
    by: str = ""


@dataclass(frozen=True)
class UsingRecord:
    """A record that refers to a picture. `href` leads to its form or its history; empty if the user may not."""

    name: str = ""
    record_type: str = ""
    href: str = ""
    is_deleted: bool = False


@dataclass(frozen=True)
class PictureDetails:
    """A picture with its form, the records that use it, and those whose versions show it."""

    view: PictureView
    form: RecordForm
    uses: list[UsingRecord]
    older: list[UsingRecord]


class PictureData(FormData):
    """The checked values of a picture's form, and the picture's name, which is no description."""

    name: Line = ""
    alt: Line = ""
    is_decorative: Flag = False
    credit: Line = ""

    @classmethod
    def _check_values(cls, values: Mapping[str, Any]) -> dict[str, str]:
        alt = values.get("alt")
        return {"alt": NOT_A_FILE_NAME} if alt and is_file_name(alt, values.get("name", "")) else {}


def list_pictures(session: Session, actor: Actor, query: ListQuery) -> ListPage[PictureRow]:
    """One page of the pictures, newest first unless sorted otherwise. `query.filter` is a filter above."""
    require(actor, Action.READ_MEDIA)
    statement = sa.select(*columns)
    if query.filter == UNUSED:
        statement = statement.where(columns.key.not_in(used_keys(record_types())))
    rows, total, page, pages = paginate(session, statement, query, OPTIONS)
    uses = count_uses(session, record_types(), [row.key for row in rows])
    alts = _alts(session, rows)
    return ListPage(tuple(_row(row, alts, uses.get(row.key, 0)) for row in rows), total, page, pages, query.size)


def get(session: Session, actor: Actor, typed_id: object) -> PictureDetails:
    """A picture with what its dialog shows. Raises `NotFound` if there is none."""
    require(actor, Action.READ_MEDIA)
    media = load(session, Media, typed_id, picture_texts.FETCH_FAILED)
    assert media.id is not None
    by = session.execute(sa.select(activity.name_of(media.created_by))).scalar()
    view = PictureView(
        id=media.id,
        name=media.name,
        alt=_alts(session, [media])[media.key],
        address=address_of(media.key, media.width),
        pixels=picture_texts.PIXELS.format(width=media.width, height=media.height),
        size=_size(media.size),
        added=iso_text(media.created_at),
        by=by or "",
    )
    texts = {
        "alt": media.alt,
        "is_decorative": "on" if media.is_decorative else "",
        "credit": media.credit,
    }
    uses = records_using(session, record_types(), media.key)
    older = versions_using(session, media.key, uses)
    form = RecordForm(media.id, media.version, texts)
    return PictureDetails(view, form, [_link(actor, use) for use in uses], [_link(actor, use) for use in older])


def save(
    session: Session, actor: Actor, typed_id: object, data: PictureData, version: int, overwrite: bool = False
) -> None:
    """Save the details of a picture that was read at this version; equal values are not saved again.

    Raises `SavedSince` if a newer version was saved, unless `overwrite`, and `NotFound` if the picture was deleted.
    """
    require(actor, Action.CHANGE_MEDIA)
    media = load(session, Media, typed_id, gone(picture_texts.SAVE_FAILED))
    if not overwrite:
        refuse_if_newer(session, actor, media, version)
    pictures.change(session, actor, media, data.model_dump(exclude={"name"}))


def delete(session: Session, actor: Actor, typed_id: object) -> list[str]:
    """Delete a picture; returns the names of its files, to be deleted after the commit.

    Raises `Conflict` that names the records that use it, or whose older or deleted versions show it, and `NotFound` if
    it was deleted already.
    """
    require(actor, Action.CHANGE_MEDIA)
    # Locked before it is looked for: `records.pictures.hold` locks the pictures of a record that is being saved.
    media = session.get(Media, record_id(typed_id), populate_existing=True, with_for_update=True)
    if media is None:
        raise NotFound(gone(picture_texts.DELETE_FAILED))
    if uses := records_using(session, record_types(), media.key):
        raise Conflict(picture_texts.IN_USE.format(names=name_list([use.name for use in uses])))
    if older := versions_using(session, media.key):
        raise Conflict(picture_texts.IN_VERSIONS.format(names=name_list([use.name for use in older])))
    pictures.log(session, AuditEvent.PICTURE_DELETED, actor.user_id, media)
    session.delete(media)
    session.flush()
    return file_names(media.key, media.width)


def replace(session: Session, actor: Actor, typed_id: object, other: object) -> int:
    """Give every record that uses a picture another one instead; returns how many records.

    Raises `Forbidden` unless the user may manage all of these records, `NotFound` if a picture was deleted, and
    `InvalidInput` if visitors would see one without a description.
    """
    require(actor, Action.CHANGE_MEDIA)
    old = load(session, Media, typed_id, gone(picture_texts.REPLACE_FAILED))
    new = load(session, Media, other, gone(picture_texts.REPLACE_FAILED))
    if old.id == new.id:
        raise InvalidInput(picture_texts.REPLACE_SAME)
    if not hold(session, {new.key}):
        raise NotFound(gone(picture_texts.REPLACE_FAILED))
    uses = records_using(session, record_types(), old.key)
    if not uses:
        raise NotFound(picture_texts.REPLACE_NOTHING)
    for record_type in (record_types()[table] for table in {use.of_table for use in uses}):
        require(actor, record_type.change_action)
    replaced, address = 0, address_of(new.key, new.width)
    for table, record_type in record_types().items():
        edits = []
        for record in locked(session, record_type, [use.record_id for use in uses if use.of_table == table]):
            fields = [name for name in record_type.picture_fields if key_of(getattr(record, name) or "") == old.key]
            texts = {name: getattr(record, name) for name in fields_of(record_type.fields, MarkdownField)}
            changed = {
                name: with_picture(text, old.key, address) for name, text in texts.items() if old.key in keys_in(text)
            }
            edits.append(Edit(record, dict.fromkeys(fields, address) | changed))
            replaced += bool(edits[-1].values)
        if edits:
            batch.write(session, actor, record_type, edits)
    return replaced


def _link(actor: Actor, use: Use) -> UsingRecord:
    record_type = record_types()[use.of_table]
    page = (
        record_type.form_page(use.record_id, use.slug) if use.slug else paths.history_page(use.of_table, use.record_id)
    )
    return UsingRecord(use.name, record_type.title, page if may(actor, record_type.read_action) else "", use.is_deleted)


def _size(size: int) -> str:
    kilobytes = max(1, round(size / 1000))
    if kilobytes < 1000:
        return picture_texts.KILOBYTES.format(size=kilobytes)
    return picture_texts.MEGABYTES.format(size=kilobytes / 1000)


def list_others(session: Session, actor: Actor, picture: int, search: str) -> list[PictureRow]:
    """The newest pictures but this one that a search finds, to replace it with one of them."""
    require(actor, Action.CHANGE_MEDIA)
    others = matching(sa.select(*columns).where(columns.id != picture), ListQuery(search=search), OPTIONS)
    rows = session.execute(others.order_by(*OPTIONS.default).limit(MOST_OTHERS)).all()
    alts = _alts(session, rows)
    return [_row(row, alts, 0) for row in rows]


def _alts(session: Session, rows: Sequence[Any]) -> dict[str, str]:
    """What pictures show, by key: their descriptions, or what they are of their records."""
    found = captions(session, record_types(), [row.key for row in rows if not row.alt])
    return {row.key: row.alt or found.get(row.key, "") for row in rows}


def _row(row: Any, alts: Mapping[str, str], uses: int) -> PictureRow:
    address = address_of(row.key, row.width)
    return PictureRow(
        id=row.id,
        name=row.name,
        address=address,
        thumbnail=thumbnail_of(address),
        pixels=picture_texts.PIXELS.format(width=row.width, height=row.height),
        alt=alts[row.key],
        is_decorative=row.is_decorative,
        used=used_by(uses),
    )


def used_by(uses: int) -> str:
    """By how many records a picture is used, in words."""
    if uses < 2:
        return picture_texts.USED_BY_ONE if uses else picture_texts.NOT_USED
    return picture_texts.USED_BY.format(count=f"{uses:,}")
