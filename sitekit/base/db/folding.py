"""The folding of texts in SQL, the same on both databases: to search, sort and compare without case and accents."""

from collections.abc import Mapping, Sequence
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


class _lowered(sa.sql.functions.FunctionElement[str]):  # noqa: N801
    """A column for LIKE, without the case of ASCII."""

    name = "lowered"
    type = sa.Text()
    inherit_cache = True


class _differs(sa.sql.functions.FunctionElement[bool]):  # noqa: N801
    """Whether the fold of any of the columns may be more than its lower case: accents and apostrophes."""

    name = "differs"
    inherit_cache = True  # without a type: of a Boolean SQLAlchemy tells SQLite `= 1`, which evaluates both sides of OR


def contains(columns: Sequence[sa.ColumnElement[Any]], word: str) -> sa.ColumnElement[bool]:
    """Whether any of the columns contains a folded word; LIKE finds most without folding."""
    found = folded(*columns).contains(word, autoescape=True)
    plain = (_lowered(column).contains(word, autoescape=True) for column in columns)
    return sa.or_(*plain, sa.and_(_differs(*columns), found))


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
    # SQLite lower-cases ASCII a hundred times as fast as it calls Python; literals are faster than char().
    text = _joined([compiler.process(clause, **options) for clause in element.clauses], "'\n'")
    return f"CASE WHEN {_differs_on_sqlite(element, compiler, **options)} THEN fold({text}) ELSE lower({text}) END"


@compiles(folded, "postgresql")
def _folded_on_postgresql(element: folded, compiler: sa.sql.compiler.SQLCompiler, **options: Any) -> str:
    # Sorted by the number of each letter, as SQLite does; databases have different collations.
    texts = [
        f'CASE WHEN {_differ(text)} THEN fold({text}) ELSE lower({text} COLLATE "C") END'
        for text in (compiler.process(clause, **options) for clause in element.clauses)
    ]
    return f'({_joined(texts, "chr(10)")}) COLLATE "C"'


@compiles(_lowered, "sqlite")
def _lowered_on_sqlite(element: _lowered, compiler: sa.sql.compiler.SQLCompiler, **options: Any) -> str:
    return compiler.process(element.clauses, **options)  # LIKE ignores the case of ASCII


@compiles(_lowered, "postgresql")
def _lowered_on_postgresql(element: _lowered, compiler: sa.sql.compiler.SQLCompiler, **options: Any) -> str:
    return f'lower({compiler.process(element.clauses, **options)} COLLATE "C")'


@compiles(_differs, "sqlite")
def _differs_on_sqlite(element: Any, compiler: sa.sql.compiler.SQLCompiler, **options: Any) -> str:
    texts = (compiler.process(clause, **options) for clause in element.clauses)
    one = "length({0}) <> length(CAST({0} AS BLOB)) OR {0} LIKE '%''%' OR {0} LIKE '%`%'"
    return f"({' OR '.join(map(one.format, texts))})"


@compiles(_differs, "postgresql")
def _differs_on_postgresql(element: _differs, compiler: sa.sql.compiler.SQLCompiler, **options: Any) -> str:
    return f"({' OR '.join(_differ(compiler.process(clause, **options)) for clause in element.clauses)})"


def _differ(text: str) -> str:
    return f"octet_length({text}) <> char_length({text}) OR strpos({text}, '''') > 0 OR strpos({text}, '`') > 0"


def _joined(texts: list[str], line_break: str) -> str:
    return f" || {line_break} || ".join(f"coalesce({text}, '')" for text in texts) if len(texts) > 1 else texts[0]


def register(connection: Any) -> None:
    """Give a connection of SQLite the function."""
    connection.create_function(
        "fold", 1, lambda text: fold(text) if isinstance(text, str) else text, deterministic=True
    )
