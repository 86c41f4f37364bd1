"""Stores pictures that were encoded, and finds them."""

from collections.abc import Iterable

import sqlalchemy as sa
from sqlmodel import Session

from ...base.permissions import Action, Actor, require
from ...base.text import one_line
from .addresses import file_name, file_names
from .encoding import Encoded
from .models import Media, columns
from .storage import store

MAX_NAME = 200
UNNAMED = "Picture"


def find(session: Session, actor: Actor, key: str) -> Media | None:
    """The picture with this key, if it was uploaded before."""
    require(actor, Action.READ_MEDIA)
    return session.execute(sa.select(Media).where(columns.key == key)).scalar_one_or_none()


def store_files(key: str, encoded: Encoded) -> int:
    """Store the files of a picture; their size together, in bytes. Raises `StoreUnavailable`.

    Files are named after the content, so that storing them twice changes nothing. Without a row they are not shown.
    """
    size = 0
    for (width, form), path in encoded.files.items():
        data = path.read_bytes()
        store().put(file_name(key, width, form), data)
        size += len(data)
    return size


def delete_files(names: Iterable[str]) -> None:
    """Delete the files of a picture whose row is deleted. Raises `StoreUnavailable`."""
    store().delete(names)


def incomplete(session: Session) -> list[str]:
    """The names of the pictures that lack a file in the store. Raises `StoreUnavailable`."""
    rows = session.execute(sa.select(columns.name, columns.key, columns.width).order_by(columns.id)).all()
    names = set(store().names())
    return [row.name for row in rows if not names.issuperset(file_names(row.key, row.width))]


def add(session: Session, actor: Actor, key: str, name: str, encoded: Encoded, size: int) -> Media:
    """Add a picture whose files are stored. Raises `IntegrityError` if another upload has added it meanwhile."""
    require(actor, Action.CHANGE_MEDIA)
    media = Media(
        key=key,
        name=one_line(name)[:MAX_NAME] or UNNAMED,
        width=encoded.width,
        height=encoded.height,
        size=size,
        created_by=actor.user_id,
    )
    session.add(media)
    session.flush()
    return media
