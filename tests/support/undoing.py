"""Undo in one session, as its handler does it in two."""

from collections.abc import Mapping

from sqlmodel import Session

from sitekit.base.permissions import Actor
from sitekit.records import undo as service
from sitekit.records.record_type import AnyRecordType
from sitekit.records.undo import Undone


def undo(session: Session, actor: Actor, record_types: Mapping[str, AnyRecordType], batch: object) -> Undone:
    """Undo a batch of this user."""
    return service.undo(session, actor, record_types, service.prepare(session, actor, record_types, batch))
