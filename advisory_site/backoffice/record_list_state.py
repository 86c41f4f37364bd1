"""The base state of a list of records of a type."""

from typing import Any, ClassVar

import reflex as rx
from sqlmodel import Session

from ..core.permissions import Actor
from ..records.listing import ListQuery, Page
from ..records.record_type import RecordType
from .list_state import ListState


class RecordListState(ListState, rx.State, mixin=True):
    """Mix in before `rx.State`, declare `rows` with the row's dataclass, and set `kind`, its `texts`, and `tab`."""

    kind: ClassVar[RecordType[Any, Any, Any, Any]]

    def _find(self, session: Session, actor: Actor, query: ListQuery) -> Page[Any]:
        return self.kind.list_admin(session, actor, query)

    def _choices(self, session: Session, actor: Actor) -> dict[str, list[str]]:
        return self.kind.list_choices(session, actor)

    def _delete(self, session: Session, actor: Actor, record_id: int) -> None:
        self.kind.delete(session, actor, record_id)
