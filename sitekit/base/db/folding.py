"""The folding of texts in SQL, the same on both databases: to search, sort and compare without case and accents."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.compiler import compiles
from sqlmodel import Field

from ..text import fold


class folded(sa.sql.functions.FunctionElement[str]):  # noqa: N801  a function of SQL, as SQLAlchemy names them
    """`base.text.fold` of a column, or of columns joined by line breaks.

    A function of migration 0024 on PostgreSQL, and of this process on SQLite; most texts need none, see `_differs`.
    """

    name = "fold"
    type = sa.Text()
    inherit_cache = True


class _contains(sa.sql.functions.FunctionElement[bool]):  # noqa: N801
    """See `contains`. A single element, as SQLAlchemy walks through a tree of them for each statement."""

    name = "contains"
    inherit_cache = True  # without a type: of a Boolean SQLAlchemy tells SQLite `= 1`, which evaluates both sides of OR


def contains(columns: Sequence[sa.ColumnElement[Any]], words: Sequence[str]) -> sa.ColumnElement[bool]:
    """Whether each of the folded words is in any of the columns; LIKE finds most without folding."""
    patterns = (re.sub("[/%_]", r"/\g<0>", word) for word in words)
    return _contains(sa.tuple_(*columns), sa.tuple_(*(sa.literal(f"%{pattern}%") for pattern in patterns)))


def folded_field(*names: str) -> Any:
    """A column with the fold of others, for long texts; `refolded` writes it again when they are changed.

    It is NULL in rows that an older release has added.
    """

    def value(context: Any) -> str:
        return _fold(names, context.get_current_parameters())

    return Field(default=None, sa_column_kwargs={"default": value, "info": {"folds": names}})


def refolded(table: sa.Table, row: Mapping[str, Any]) -> dict[str, str]:
    """The values of a table's `folded_field`s for a row with these texts."""
    return {column.name: _fold(column.info["folds"], row) for column in table.c if "folds" in column.info}


def _fold(names: Sequence[str], row: Mapping[str, Any]) -> str:
    return fold("\n".join(row.get(name) or "" for name in names))


@compiles(folded, "sqlite")
def _folded_on_sqlite(element: folded, compiler: sa.sql.compiler.SQLCompiler, **options: Any) -> str:
    # SQLite lower-cases ASCII a hundred times as fast as it calls Python.
    text = _joined(_process(element, compiler, options))
    return f"CASE WHEN {_differs_on_sqlite(text)} THEN fold({text}) ELSE lower({text}) END"


@compiles(folded, "postgresql")
def _folded_on_postgresql(element: folded, compiler: sa.sql.compiler.SQLCompiler, **options: Any) -> str:
    # Sorted by the number of each letter, as SQLite does; databases have different collations.
    text = _joined(_process(element, compiler, options))
    return f'(CASE WHEN {_differs(text)} THEN fold({text}) ELSE lower({text} COLLATE "C") END) COLLATE "C"'


@compiles(_contains, "sqlite")
def _contains_on_sqlite(element: _contains, compiler: sa.sql.compiler.SQLCompiler, **options: Any) -> str:
    texts, patterns = (_process(part, compiler, options) for part in element.clauses)
    return _like_or_folded(texts, texts, map(_differs_on_sqlite, texts), patterns)  # LIKE ignores the case of ASCII


@compiles(_contains, "postgresql")
def _contains_on_postgresql(element: _contains, compiler: sa.sql.compiler.SQLCompiler, **options: Any) -> str:
    texts, patterns = (_process(part, compiler, options) for part in element.clauses)
    return _like_or_folded(texts, [f'lower({text} COLLATE "C")' for text in texts], map(_differs, texts), patterns)


def _like_or_folded(texts: list[str], lowered: list[str], differing: Iterable[str], patterns: list[str]) -> str:
    wanted = [f"LIKE {pattern} ESCAPE '/'" for pattern in patterns]
    plain = (f"({' OR '.join(f'{text} {like}' for text in lowered)})" for like in wanted)
    found = (f"fold({_joined(texts)}) {like}" for like in wanted)
    return f"({' AND '.join(plain)} OR ({' OR '.join(differing)}) AND {' AND '.join(found)})"


def _process(element: Any, compiler: sa.sql.compiler.SQLCompiler, options: dict[str, Any]) -> list[str]:
    return [compiler.process(clause, **options) for clause in element.clauses]


def _joined(texts: list[str]) -> str:
    # A literal line break is faster on SQLite than char(10).
    joined = " || '\n' || ".join(f"coalesce({text}, '')" for text in texts)
    return f"({joined})" if len(texts) > 1 else texts[0]


def _differs_on_sqlite(text: str) -> str:
    return f"length({text}) <> length(CAST({text} AS BLOB)) OR {text} LIKE '%''%' OR {text} LIKE '%`%'"


def _differs(text: str) -> str:
    """Whether the fold of a text may be more than its lower case: accents and apostrophes."""
    return f"octet_length({text}) <> char_length({text}) OR strpos({text}, '''') > 0 OR strpos({text}, '`') > 0"


def register(connection: Any) -> None:
    """Give a connection of SQLite the function."""
    connection.create_function(
        "fold", 1, lambda text: fold(text) if isinstance(text, str) else text, deterministic=True
    )
