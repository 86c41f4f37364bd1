"""The folding of texts in SQL, the same on both databases: to search, sort and compare without case and accents."""

from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.compiler import compiles

from ..text import fold


class folded(sa.sql.functions.FunctionElement[str]):  # noqa: N801  a function of SQL, as SQLAlchemy names them
    """`base.text.fold` of a column, or of columns joined by line breaks.

    A function of migration 0024 on PostgreSQL, and of this process on SQLite.
    """

    name = "fold"
    type = sa.Text()
    inherit_cache = True


@compiles(folded, "sqlite")
def _on_sqlite(element: folded, compiler: sa.sql.compiler.SQLCompiler, **options: Any) -> str:
    # SQLite folds ASCII a hundred times as fast as it calls Python; literals are faster than char().
    clauses = [compiler.process(clause, **options) for clause in element.clauses]
    text = _joined(clauses, "'\n'")
    characters, octets = (" + ".join(map(form.format, clauses)) for form in ("length({})", "length(CAST({} AS BLOB))"))
    plain = f"replace(replace(lower({text}), '''', ''), '`', '')"
    return f"CASE WHEN {characters} = {octets} THEN {plain} ELSE fold({text}) END"


@compiles(folded, "postgresql")
def _on_postgresql(element: folded, compiler: sa.sql.compiler.SQLCompiler, **options: Any) -> str:
    # Sorted by the number of each letter, as SQLite does; databases have different collations.
    texts = [f"fold({compiler.process(clause, **options)})" for clause in element.clauses]
    return f'({_joined(texts, "chr(10)")}) COLLATE "C"'


def _joined(texts: list[str], line_break: str) -> str:
    return f" || {line_break} || ".join(f"coalesce({text}, '')" for text in texts) if len(texts) > 1 else texts[0]


def register(connection: Any) -> None:
    """Give a connection of SQLite the function."""
    connection.create_function(
        "fold", 1, lambda text: fold(text) if isinstance(text, str) else text, deterministic=True
    )
