"""Lists uploaded pictures, for staff."""

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session

from ..core.permissions import Action, Actor, require
from ..core.pictures import address_of, thumbnail_of
from ..media.models import columns
from ..records.listing import ListOptions, ListQuery, Page, paginate
from . import media_page_texts as words
from .media_usage import count_uses, used_keys

UNUSED = "unused"
UNDESCRIBED = "undescribed"

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


def list_pictures(session: Session, actor: Actor, query: ListQuery) -> Page[PictureRow]:
    """One page of the pictures, newest first unless sorted otherwise. `query.filter` is a filter above."""
    require(actor, Action.MANAGE_MEDIA)
    statement = sa.select(*columns)
    if query.filter == UNUSED:
        statement = statement.where(columns.key.not_in(used_keys()))
    elif query.filter == UNDESCRIBED:
        statement = statement.where(columns.alt == "", sa.not_(columns.is_decorative))
    rows, total, page, pages = paginate(session, statement, query, OPTIONS)
    uses = count_uses(session, [row.key for row in rows])
    return Page(tuple(_row(row, uses.get(row.key, 0)) for row in rows), total, page, pages, query.size)


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
