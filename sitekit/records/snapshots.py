"""Snapshots of records: the values of all columns as JSON, and how values of any age are read back."""

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from types import SimpleNamespace
from typing import Any

import sqlalchemy as sa

from ..base import messages
from ..base.db.database import LenientJson, UtcDateTime
from ..base.errors import InvalidInput
from ..base.text import may_be_slug, text_list
from .record import Record

UNANSWERED = "unanswered"
# Columns of the save rather than of the record: a revision has them itself, or they are not true for ever.
_OF_THE_SAVE = ("id", "version", "updated_at", "updated_by", UNANSWERED)
_MOST = 2**31 - 1


@cache
def kept_columns(table: type[Record]) -> tuple[sa.Column[Any], ...]:
    """The columns whose values make a version of a record."""
    return tuple(column for column in table.__table__.c if column.name not in _OF_THE_SAVE)  # type: ignore[attr-defined]


def snapshot_of(record: Record) -> dict[str, Any]:
    """The values of a record, as JSON; with its addresses that did not answer, for when it is deleted and restored."""
    names = [column.name for column in kept_columns(type(record))]
    values = ((name, getattr(record, name)) for name in (names if not record.unanswered else [*names, UNANSWERED]))
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in values}


def unanswered_in(snapshot: object) -> list[str]:
    """The addresses of pictures that did not answer when the record of a snapshot was saved last."""
    return list(text_list(snapshot.get(UNANSWERED))) if isinstance(snapshot, Mapping) else []


def changed_columns(record: Record) -> list[str]:
    """The columns whose values differ from what was loaded; call it before the session has been flushed, or in it."""
    state = sa.inspect(record)
    untouched = state.unmodified  # asked first, because the history of an attribute takes longer
    touched = (column.name for column in kept_columns(type(record)) if column.name not in untouched)
    return [name for name in touched if state.attrs[name].history.has_changes()]


def object_of(table: type[Record], snapshot: object) -> Any:
    """An object with the columns of a snapshot, to show them, but no id; a value that is missing has its default."""
    blank, snapshot_values = table(), stored_values(table, snapshot)
    names = (column.name for column in kept_columns(table))
    values = {name: snapshot_values.get(name, getattr(blank, name, None)) for name in names}
    return SimpleNamespace(id=None, unanswered=[], **values)


def values_of(table: type[Record], snapshot: object) -> dict[str, Any]:
    """The values of a snapshot, to store them; raises `InvalidInput` if one does not fit its column.

    Columns that no longer exist are left out; those that did not exist then get their defaults.
    """
    snapshot_values = stored_values(table, snapshot)
    is_complete = all(column.name in snapshot_values for column in kept_columns(table))
    blank = None if is_complete else table()  # making one takes longer than all the rest
    values = {}
    for column in kept_columns(table):
        if column.name in snapshot_values:
            values[column.name] = _value(column, snapshot_values[column.name])
        elif (default := getattr(blank, column.name, None)) is not None:
            values[column.name] = default
        elif not column.nullable and column.server_default is None:
            raise InvalidInput(messages.REVISION_UNREADABLE)
    if not may_be_slug(values["slug"]):
        raise InvalidInput(messages.REVISION_UNREADABLE)
    return values


def stored_values(table: type[Record], snapshot: object) -> dict[str, Any]:
    """The values of a snapshot by the present names of their columns."""
    if not isinstance(snapshot, Mapping):
        return {}
    return {table.__renamed__.get(name, name): value for name, value in snapshot.items()}


def _value(column: sa.Column[Any], value: Any) -> Any:
    if isinstance(column.type, LenientJson):
        return value
    if value is None and column.nullable:
        return None
    if isinstance(column.type, UtcDateTime):
        return _time(value)
    if isinstance(column.type, sa.Boolean):
        fits = isinstance(value, bool)
    elif isinstance(column.type, sa.Integer):
        fits = isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _MOST
    else:
        fits = isinstance(value, str) and "\x00" not in value
    if not fits:
        raise InvalidInput(messages.REVISION_UNREADABLE)
    return value


def _time(value: Any) -> datetime:
    try:
        time = datetime.fromisoformat(value)
    except (TypeError, ValueError) as error:
        raise InvalidInput(messages.REVISION_UNREADABLE) from error
    if time.tzinfo is None:
        raise InvalidInput(messages.REVISION_UNREADABLE)
    return time
