"""The uploaded pictures of records: what is stored about them, and that they are there."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import fields, replace
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlmodel import Session

from ..core.pictures import Picture, key_of
from ..media.models import columns

Shown = TypeVar("Shown")


def with_pictures(session: Session, shown: Sequence[Shown]) -> list[Shown]:
    """The same cards or pages, with the size, focal point and description of each uploaded picture."""
    keys = {key for one in shown for picture in _pictures(one).values() if (key := key_of(picture.image_url))}
    stored = dict(_stored(session, keys)) if keys else {}
    return [_completed(one, stored) for one in shown] if stored else list(shown)


def hold(session: Session, keys: Collection[str]) -> set[str]:
    """Those of the keys whose picture exists; it cannot be deleted until the transaction ends."""
    if not keys:
        return set()
    query = sa.select(columns.key).where(columns.key.in_(keys)).order_by(columns.key)
    return set(session.execute(query.with_for_update(read=True, key_share=True)).scalars())


def _stored(session: Session, keys: Iterable[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    known = (columns.key, columns.width, columns.height, columns.focal_x, columns.focal_y)
    described = (columns.alt, columns.is_decorative)
    for row in session.execute(sa.select(*known, *described).where(columns.key.in_(keys))):
        yield (
            row.key,
            {
                "width": row.width,
                "height": row.height,
                "position": "" if (row.focal_x, row.focal_y) == (50, 50) else f"{row.focal_x}% {row.focal_y}%",
                "alt": "" if row.is_decorative else row.alt,
                "is_decorative": row.is_decorative,
            },
        )


def _pictures(shown: Any) -> dict[str, Picture]:
    values = ((one.name, getattr(shown, one.name)) for one in fields(shown))
    return {name: value for name, value in values if isinstance(value, Picture)}


def _completed(shown: Any, stored: dict[str, dict[str, Any]]) -> Any:
    pictures = _pictures(shown)
    return replace(
        shown, **{name: replace(one, **stored.get(key_of(one.image_url), {})) for name, one in pictures.items()}
    )
