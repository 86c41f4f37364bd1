"""Compares two states of a database's schema: what the program that was made for the first cannot do on the second."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa


@dataclass(frozen=True)
class Table:
    """What a table demands of a program that writes to it."""

    columns: dict[str, dict[str, Any]]
    unique: frozenset[tuple[str, ...]]
    checks: frozenset[str]
    references: frozenset[tuple[str, ...]]  # columns with a foreign key


Schema = dict[str, Table]


def schema_of(engine: sa.Engine) -> Schema:
    """The tables of a database, without Alembic's."""
    inspector = sa.inspect(engine)
    return {name: _table(inspector, name) for name in inspector.get_table_names() if name != "alembic_version"}


def _table(inspector: sa.Inspector, name: str) -> Table:
    unique: list[Sequence[str | None]] = [found["column_names"] for found in inspector.get_unique_constraints(name)]
    unique += [found["column_names"] for found in inspector.get_indexes(name) if found["unique"]]
    return Table(
        columns={column["name"]: dict(column) for column in inspector.get_columns(name)},
        unique=frozenset(tuple(str(column) for column in columns) for columns in unique),
        checks=frozenset(found["sqltext"] for found in inspector.get_check_constraints(name)),
        references=frozenset(tuple(found["constrained_columns"]) for found in inspector.get_foreign_keys(name)),
    )


def contractions(before: Schema, after: Schema) -> Iterator[str]:
    """The changes with which a program for `before` would fail: what it uses is gone, or more is demanded of it."""
    for name, old in before.items():
        new = after.get(name)
        if new is None:
            yield f"{name}: dropped"
            continue
        for column, was in old.columns.items():
            yield from (f"{name}.{column}: {what}" for what in _tightened(was, new.columns.get(column)))
        added = {column: now for column, now in new.columns.items() if column not in old.columns}
        for column, now in added.items():
            if not _may_be_omitted(now):
                yield f"{name}.{column}: new, and neither nullable nor with a default"
        # A program that does not know a column leaves it at its default; only NULL is never equal to another one.
        null = {column for column, now in added.items() if now["nullable"] and now["default"] is None}
        for columns in new.unique - old.unique:
            if not null.intersection(columns):
                yield f"{name}: unique {', '.join(columns)}"
        for columns in new.references - old.references:
            if not null.intersection(columns):
                yield f"{name}: foreign key of {', '.join(columns)}"
        for check in new.checks - old.checks:
            if not any(_allows_more(check, former) for former in old.checks):
                yield f"{name}: check {check}"


def _allows_more(check: str, former: str) -> bool:
    """Whether a check differs from a former one by further values in its list alone."""
    value = re.compile(r"'[^']*'(?:::[a-z ]+)?(?:, )?")
    is_alike = value.sub("", check) == value.sub("", former)
    return is_alike and set(re.findall(r"'([^']*)'", check)) >= set(re.findall(r"'([^']*)'", former))


def _tightened(was: dict[str, Any], now: dict[str, Any] | None) -> Iterator[str]:
    if now is None:
        yield "dropped"
        return
    if str(was["type"]) != str(now["type"]):
        yield f"{was['type']} became {now['type']}"
    if was["nullable"] and not now["nullable"]:
        yield "no longer nullable"
    if _may_be_omitted(was) and not _may_be_omitted(now):
        yield "no longer has a default"


def _may_be_omitted(column: dict[str, Any]) -> bool:
    """Whether a row can be inserted without a value for this column."""
    return bool(column["nullable"]) or column["default"] is not None
