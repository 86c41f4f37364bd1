"""Snapshots of records: the values of all columns as JSON, and how values of any age are read back."""

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from types import SimpleNamespace
from typing import Any

import sqlalchemy as sa

from ..content import messages
from ..core.errors import InvalidInput
from ..core.text import may_be_slug
from ..db.database import LenientJson, UtcDateTime
from .record import Record

# Columns of the save rather than of the record: a revision has them itself.
_OF_THE_SAVE = ("id", "version", "updated_at", "updated_by")
_MOST = 2**31 - 1


@cache
def kept_columns(table: type[Record]) -> tuple[sa.Column[Any], ...]:
    """The columns of a snapshot."""
    return tuple(column for column in table.__table__.c if column.name not in _OF_THE_SAVE)  # type: ignore[attr-defined]


def snapshot_of(record: Record) -> dict[str, Any]:
    """The values of a record, as JSON."""
    values = ((column.name, getattr(record, column.name)) for column in kept_columns(type(record)))
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in values}


def changed_columns(record: Record) -> list[str]:
    """The columns whose values differ from what was loaded; call it before the session has been flushed, or in it."""
    attributes = sa.inspect(record).attrs
    return [column.name for column in kept_columns(type(record)) if attributes[column.name].history.has_changes()]


def shown(table: type[Record], snapshot: object) -> Any:
    """An object with the columns of a snapshot, to show them, but no id; a value that is missing has its default."""
    blank, stored = table(), _stored(table, snapshot)
    names = (column.name for column in kept_columns(table))
    return SimpleNamespace(id=None, **{name: stored.get(name, getattr(blank, name, None)) for name in names})


def values_of(table: type[Record], snapshot: object) -> dict[str, Any]:
    """The values of a snapshot, to store them; raises `InvalidInput` if one does not fit its column.

    Columns that no longer exist are left out; those that did not exist then get their defaults.
    """
    stored = _stored(table, snapshot)
    is_complete = all(column.name in stored for column in kept_columns(table))
    blank = None if is_complete else table()  # making one takes longer than all the rest
    values = {}
    for column in kept_columns(table):
        if column.name in stored:
            values[column.name] = _value(column, stored[column.name])
        elif (default := getattr(blank, column.name, None)) is not None:
            values[column.name] = default
        elif not column.nullable and column.server_default is None:
            raise InvalidInput(messages.REVISION_UNREADABLE)
    if not may_be_slug(values["slug"]):
        raise InvalidInput(messages.REVISION_UNREADABLE)
    return values


def _stored(table: type[Record], snapshot: object) -> dict[str, Any]:
    """The values of a snapshot by the present names of their columns."""
    if not isinstance(snapshot, Mapping):
        return {}
    return {table.__renamed__.get(name, name): value for name, value in snapshot.items()}


def _value(column: sa.Column[Any], stored: Any) -> Any:
    if isinstance(column.type, LenientJson):
        return stored
    if stored is None and column.nullable:
        return None
    if isinstance(column.type, UtcDateTime):
        return _time(stored)
    if isinstance(column.type, sa.Boolean):
        fits = isinstance(stored, bool)
    elif isinstance(column.type, sa.Integer):
        fits = isinstance(stored, int) and not isinstance(stored, bool) and abs(stored) <= _MOST
    else:
        fits = isinstance(stored, str) and "\x00" not in stored
    if not fits:
        raise InvalidInput(messages.REVISION_UNREADABLE)
    return stored


def _time(stored: Any) -> datetime:
    try:
        time = datetime.fromisoformat(stored)
    except (TypeError, ValueError) as error:
        raise InvalidInput(messages.REVISION_UNREADABLE) from error
    if time.tzinfo is None:
        raise InvalidInput(messages.REVISION_UNREADABLE)
    return time
