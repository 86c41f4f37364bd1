"""Lists, reads, changes, replaces and deletes uploaded pictures, for staff."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import sqlalchemy as sa
from pydantic import BeforeValidator
from sqlmodel import Session

from ..content import messages
from ..core import routes
from ..core.errors import Conflict, InvalidInput, NotFound
from ..core.permissions import Action, Actor, may, require
from ..core.pictures import address_of, file_names, key_of, thumbnail_of
from ..core.text import iso_text, record_id
from ..media.models import Media, columns
from ..observability.audit_log import Act
from ..records import activity, pictures
from ..records.bulk import locked
from ..records.form_fields import Draft, Flag, Line
from ..records.inputs import RecordForm
from ..records.listing import ListOptions, ListQuery, Page, matching, paginate
from ..records.pictures import Description, hold
from ..records.saving import gone, load, refuse_if_newer, write
from . import media_page_texts as words
from .media_usage import Use, count_uses, records_using, used_keys, versions_using
from .record_types import RECORD_TYPES

UNUSED = "unused"
UNDESCRIBED = "undescribed"
MOST_NAMED = 3
MOST_OTHERS = 8

OPTIONS = ListOptions(
    searched=(columns.name, columns.alt, columns.credit),
    sorts={"name": sa.func.lower(columns.name)},
    default=(columns.id.desc(),),
    id=columns.id,
)


@dataclass(frozen=True)
class PictureRow:
    """An uploaded picture as the list shows it; `used` says by how many records."""

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
    address: str = ""
    width: int = 0
    height: int = 0
    pixels: str = ""
    size: str = ""
    added: str = ""
    by: str = ""


@dataclass(frozen=True)
class RecordLink:
    """A record that refers to a picture. `href` leads to its form or its history; empty if the user may not."""

    name: str = ""
    kind: str = ""
    href: str = ""
    is_deleted: bool = False


@dataclass(frozen=True)
class PictureDetails:
    """A picture with its form, the records that use it, and those whose versions show it."""

    view: PictureView
    form: RecordForm
    uses: list[RecordLink]
    older: list[RecordLink]


def _read_percent(value: object) -> int:
    text = str(value).strip()
    if not (text.isascii() and text.isdigit()) or len(text) > 3 or int(text) > 100:
        raise ValueError(messages.FIELD_UNREADABLE)
    return int(text)


Percent = Annotated[int, BeforeValidator(_read_percent)]


class PictureDraft(Draft):
    """The checked values of a picture's form, and the picture's name, which is no description."""

    name: Line = ""
    alt: Line = ""
    is_decorative: Flag = False
    credit: Line = ""
    focal_x: Percent = 50
    focal_y: Percent = 50

    @classmethod
    def _check_values(cls, values: Mapping[str, Any]) -> dict[str, str]:
        if values.get("alt") is None:
            return {}
        problem = Description(values["alt"], values.get("is_decorative", False)).problem(values.get("name", ""))
        return {"alt": problem} if problem else {}


def list_pictures(session: Session, actor: Actor, query: ListQuery) -> Page[PictureRow]:
    """One page of the pictures, newest first unless sorted otherwise. `query.filter` is a filter above."""
    require(actor, Action.MANAGE_MEDIA)
    statement = sa.select(*columns)
    if query.filter == UNUSED:
        statement = statement.where(columns.key.not_in(used_keys()))
    elif query.filter == UNDESCRIBED:
        statement = statement.where(pictures.UNDESCRIBED)
    rows, total, page, pages = paginate(session, statement, query, OPTIONS)
    uses = count_uses(session, [row.key for row in rows])
    return Page(tuple(_row(row, uses.get(row.key, 0)) for row in rows), total, page, pages, query.size)


def get(session: Session, actor: Actor, wanted: object) -> PictureDetails:
    """A picture with what its dialog shows. Raises `NotFound` if there is none."""
    require(actor, Action.MANAGE_MEDIA)
    media = load(session, Media, wanted, words.FETCH_FAILED)
    assert media.id is not None
    by = session.execute(sa.select(activity.name_of(media.created_by))).scalar()
    view = PictureView(
        id=media.id,
        name=media.name,
        address=address_of(media.key, media.width),
        width=media.width,
        height=media.height,
        pixels=words.PIXELS.format(width=media.width, height=media.height),
        size=_size(media.size),
        added=iso_text(media.created_at),
        by=by or "",
    )
    texts = {
        "alt": media.alt,
        "is_decorative": "on" if media.is_decorative else "",
        "credit": media.credit,
        "focal_x": str(media.focal_x),
        "focal_y": str(media.focal_y),
    }
    uses = records_using(session, media.key)
    older = versions_using(session, media.key, uses)
    form = RecordForm(media.id, media.version, texts)
    return PictureDetails(view, form, [_link(actor, one) for one in uses], [_link(actor, one) for one in older])


def save(
    session: Session, actor: Actor, wanted: object, draft: PictureDraft, version: int, overwrite: bool = False
) -> None:
    """Save the details of a picture that was read at this version; equal values are not saved again.

    Raises `SavedSince` if a newer version was saved, unless `overwrite`, and `NotFound` if the picture was deleted.
    """
    require(actor, Action.MANAGE_MEDIA)
    media = load(session, Media, wanted, gone(words.SAVE_FAILED))
    if not overwrite:
        refuse_if_newer(session, media, version)
    pictures.change(session, actor, media, draft.model_dump(exclude={"name"}))


def delete(session: Session, actor: Actor, wanted: object) -> list[str]:
    """Delete a picture; returns the names of its files, to be deleted after the commit.

    Raises `Conflict` that names the records that use it, or whose older or deleted versions show it, and `NotFound` if
    it was deleted already.
    """
    require(actor, Action.MANAGE_MEDIA)
    # Locked before it is looked for: `records.pictures.hold` locks the pictures of a record that is being saved.
    media = session.get(Media, record_id(wanted), populate_existing=True, with_for_update=True)
    if media is None:
        raise NotFound(gone(words.DELETE_FAILED))
    if uses := records_using(session, media.key):
        raise Conflict(words.IN_USE.format(names=_names(uses)))
    if older := versions_using(session, media.key):
        raise Conflict(words.IN_VERSIONS.format(names=_names(older)))
    pictures.note(session, Act.PICTURE_DELETED, actor.user_id, media)
    session.delete(media)
    session.flush()
    return file_names(media.key, media.width)


def replace(session: Session, actor: Actor, wanted: object, other: object) -> int:
    """Give every record that uses a picture another one instead; returns how many records.

    Raises `Forbidden` unless the user may manage all of these records, `NotFound` if a picture was deleted, and
    `InvalidInput` if visitors would see one without a description.
    """
    require(actor, Action.MANAGE_MEDIA)
    old = load(session, Media, wanted, gone(words.REPLACE_FAILED))
    new = load(session, Media, other, gone(words.REPLACE_FAILED))
    if old.id == new.id:
        raise InvalidInput(words.REPLACE_SAME)
    if not hold(session, {new.key}):
        raise NotFound(gone(words.REPLACE_FAILED))
    uses = records_using(session, old.key)
    if not uses:
        raise NotFound(words.REPLACE_NOTHING)
    for kind in (RECORD_TYPES[table] for table in {use.of_table for use in uses}):
        require(actor, kind.action)
    replaced, address = 0, address_of(new.key, new.width)
    for table, kind in RECORD_TYPES.items():
        for record in locked(session, kind, [use.record_id for use in uses if use.of_table == table]):
            fields = [name for name in kind.picture_fields if key_of(getattr(record, name) or "") == old.key]
            values = dict.fromkeys(fields, address)
            kind.refuse_undescribed(session, values, record)
            write(session, record, values, actor)
            replaced += bool(fields)
    session.flush()
    return replaced


def _link(actor: Actor, use: Use) -> RecordLink:
    kind = RECORD_TYPES[use.of_table]
    page = kind.form_page(use.record_id, use.slug) if use.slug else routes.history_page(use.of_table, use.record_id)
    return RecordLink(use.name, kind.title, page if may(actor, kind.action) else "", use.is_deleted)


def _names(uses: Sequence[Use]) -> str:
    names = ", ".join(use.name for use in uses[:MOST_NAMED])
    more = len(uses) - MOST_NAMED
    return words.NAMES_AND_MORE.format(names=names, count=more) if more > 0 else names


def _size(size: int) -> str:
    kilobytes = max(1, round(size / 1000))
    if kilobytes < 1000:
        return words.KILOBYTES.format(size=kilobytes)
    return words.MEGABYTES.format(size=kilobytes / 1000)


def list_others(session: Session, actor: Actor, picture: int, search: str) -> list[PictureRow]:
    """The newest pictures but this one that a search finds, to replace it with one of them."""
    require(actor, Action.MANAGE_MEDIA)
    others = matching(sa.select(*columns).where(columns.id != picture), ListQuery(search=search), OPTIONS)
    rows = session.execute(others.order_by(*OPTIONS.default).limit(MOST_OTHERS)).all()
    return [_row(row, 0) for row in rows]


def _row(row: Any, uses: int) -> PictureRow:
    address = address_of(row.key, row.width)
    return PictureRow(
        id=row.id,
        name=row.name,
        address=address,
        thumbnail=thumbnail_of(address),
        pixels=words.PIXELS.format(width=row.width, height=row.height),
        alt=row.alt,
        is_decorative=row.is_decorative,
        used=used_by(uses),
    )


def used_by(uses: int) -> str:
    """By how many records a picture is used, in words."""
    if uses < 2:
        return words.USED_BY_ONE if uses else words.NOT_USED
    return words.USED_BY.format(count=f"{uses:,}")
