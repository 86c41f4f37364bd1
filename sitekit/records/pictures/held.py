"""The uploaded pictures of records: their stored details, their existence and their descriptions."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlmodel import Session

from ...base.errors import InvalidInput
from ...base.observability.audit_log import AuditEvent
from ...base.permissions import Action, Actor, require
from .. import activity
from ..record import Publishing
from ..saving import flush
from . import texts
from .addresses import Picture, is_file_name, key_of
from .models import Media, columns

Shown = TypeVar("Shown")

# The inputs of the description of a picture: the name of the picture's field with one of these endings.
ALT, DECORATIVE, VERSION = "_alt", "_is_decorative", "_stamp"
# What the browser that saves has found at the address, sent with the same beginning: one of `FINDINGS`.
FINDING = "_finding"
FINDINGS = PICTURE, NO_PICTURE = "picture", "none"
MOST_UNANSWERED = 10  # of a record; those of former values are of use to Undo

# No record with such a picture becomes public.
UNDESCRIBED = sa.and_(columns.alt == "", sa.not_(columns.is_decorative))


@dataclass(frozen=True)
class Description:
    """What a picture shows, for those who cannot see it; a decorative one needs no text."""

    alt: str = ""
    is_decorative: bool = False

    @property
    def is_missing(self) -> bool:
        """Whether there is neither a text nor the tick."""
        return not (self.alt or self.is_decorative)

    @property
    def version(self) -> str:
        """The whole description in one text. A form sends back the one that it was filled with."""
        return f"{'decorative' if self.is_decorative else ''}:{self.alt}"

    def problem(self, file_name: str = "") -> str:
        """Why this is no description of the picture with this file name; empty if it is one."""
        if self.alt and is_file_name(self.alt, file_name):
            return texts.NOT_A_FILE_NAME
        return texts.DESCRIBE if self.is_missing else ""


def with_pictures(session: Session, items: Sequence[Shown]) -> list[Shown]:
    """The same cards or pages, with the size and description of each uploaded picture."""
    keys = {key for item in items for picture in _pictures(item).values() if (key := key_of(picture.image_url))}
    details = dict(_stored(session, keys)) if keys else {}
    return [_completed(item, details) for item in items] if details else list(items)


def pictures_with(session: Session, keys: Collection[str]) -> dict[str, Picture]:
    """The pictures with these keys, with their sizes and descriptions."""
    return {key: Picture(**details) for key, details in _stored(session, keys)} if keys else {}


def hold(session: Session, keys: Collection[str]) -> set[str]:
    """Those of the keys whose picture exists; it cannot be deleted until the transaction ends."""
    if not keys:
        return set()
    query = sa.select(columns.key).where(columns.key.in_(keys)).order_by(columns.key)
    return set(session.execute(query.with_for_update(read=True, key_share=True)).scalars())


def shown_keys(publishing: Publishing, pictures: Iterable[str], values: Mapping[str, Any]) -> dict[str, str]:
    """The keys of the uploaded pictures that a record with these values shows to visitors, by field."""
    if values.get(publishing.column) != publishing.public:
        return {}
    return {name: key for name in pictures if (key := key_of(values.get(name) or ""))}


def undescribed(session: Session, keys: Collection[str]) -> set[str]:
    """Those of the keys whose picture has neither a description nor the tick that it is decorative."""
    if not keys:
        return set()
    return set(session.execute(sa.select(columns.key).where(columns.key.in_(keys), UNDESCRIBED)).scalars())


def descriptions(session: Session, keys: Collection[str]) -> dict[str, Description]:
    """The stored descriptions of pictures, by key."""
    if not keys:
        return {}
    query = sa.select(columns.key, columns.alt, columns.is_decorative).where(columns.key.in_(keys))
    return {row.key: Description(row.alt, row.is_decorative) for row in session.execute(query)}


def find_description(session: Session, actor: Actor, address: str) -> Description:
    """The stored description of the picture with this address; empty if there is none."""
    require(actor, Action.READ_MEDIA)
    key = key_of(address)
    return descriptions(session, {key} - {""}).get(key, Description())


def describe(session: Session, actor: Actor, key: str, description: Description, field: str) -> None:
    """Save the description of a picture; raises `InvalidInput` about the `field` if it is the name of its file."""
    require(actor, Action.CHANGE_MEDIA)
    media = session.execute(sa.select(Media).where(columns.key == key)).scalar_one_or_none()
    if media is None:
        return
    if problem := description.problem(media.name):
        raise InvalidInput(problem, {field: problem})
    change(session, actor, media, {"alt": description.alt, "is_decorative": description.is_decorative})


def change(session: Session, actor: Actor, media: Media, values: Mapping[str, Any]) -> None:
    """Save details of a picture; equal values are not saved again. Raises `Conflict`, as `flush` does."""
    require(actor, Action.CHANGE_MEDIA)
    new = {name: value for name, value in values.items() if getattr(media, name) != value}
    for name, value in new.items():
        setattr(media, name, value)
    if new:
        media.updated_by = actor.user_id
        log(session, AuditEvent.PICTURE_CHANGED, actor.user_id, media)
        flush(session)


def log(session: Session, audit_event: AuditEvent, by: int, media: Media) -> None:
    """Log what a user did with a picture."""
    activity.log(session, audit_event, media.name, by=by, of_table=columns.id.table.name, record_id=media.id)


def _stored(session: Session, keys: Iterable[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    details = (columns.key, columns.width, columns.height, columns.alt, columns.is_decorative)
    for row in session.execute(sa.select(*details).where(columns.key.in_(keys))):
        yield row.key, {"width": row.width, "height": row.height, "alt": "" if row.is_decorative else row.alt}


def _pictures(item: Any) -> dict[str, Picture]:
    values = ((field.name, getattr(item, field.name)) for field in fields(item))
    return {name: value for name, value in values if isinstance(value, Picture)}


def _completed(item: Any, details: dict[str, dict[str, Any]]) -> Any:
    pictures = _pictures(item)
    return replace(
        item,
        **{name: replace(picture, **details.get(key_of(picture.image_url), {})) for name, picture in pictures.items()},
    )
