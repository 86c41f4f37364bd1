"""Finds rows of several tables at once: first by their names, then by what their lists search."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session

from ..base.db.folding import folded
from ..base.permissions import Actor, AnyAction, may
from ..base.text import fold, record_id
from .listing import ListOptions, ListQuery, matching, words_of

MOST = 8  # of each table
MOST_TEXTS, TEXTS_FROM = 3, 4  # texts of pages, which are found from so many letters on
STARTS, STARTS_WORD, IN_NAME, ELSEWHERE, IN_TEXT = range(5)


@dataclass(frozen=True)
class Findable:
    """A table whose rows are found: what one is called, who may open it, how it is searched and shown, and its address.

    `note` is shown beside the name, `href` makes the address from a row with `id` and the further `columns`, and
    `is_listed` tells which rows there are, if not all. With `shown_on` they are texts of pages, which come last: it
    has the labels of a text's pages by its slug.
    """

    table: str
    title: str
    action: AnyAction
    name: sa.ColumnElement[str]
    note: sa.ColumnElement[str]
    options: ListOptions
    href: Callable[[Any], str]
    columns: tuple[sa.ColumnElement[Any], ...] = ()
    is_listed: sa.ColumnElement[bool] | None = None
    shown_on: Callable[[str], Mapping[str, str]] | None = None


@dataclass(frozen=True)
class Hit:
    """Something that was found: its name, a note, what it is called, and its address."""

    name: str = ""
    note: str = ""
    title: str = ""
    href: str = ""


def find(session: Session, actor: Actor, findables: Iterable[Findable], text: str) -> list[tuple[int, Hit]]:
    """At most `MOST` rows of each table that the user may open, each with its rank: the lower, the better."""
    return [hit for findable in findables if may(actor, findable.action) for hit in _find(session, findable, text)]


def rank(name: str, text: str) -> int | None:
    """The rank of a name that is in no table; None unless its words begin with those of the text."""
    name, text = f" {fold(name)}", " ".join(fold(text).split())
    if name.startswith(f" {text}"):
        return STARTS
    return STARTS_WORD if all(f" {word}" in name for word in text.split()) else None


def read_some(session: Session, findable: Findable, rows: sa.ColumnElement[bool], most: int) -> list[Hit]:
    """The first of the rows that meet a condition, by name."""
    query = _select(findable).where(rows).order_by(folded(findable.name), findable.options.id)
    return [_hit(findable, row) for row in session.execute(query.limit(most))]


def read_named(session: Session, actor: Actor, findables: Sequence[Findable], keys: Iterable[str]) -> list[Hit]:
    """The rows with these keys, such as "articles.3", in this order. Leaves out what is gone or not allowed."""
    ids: dict[str, list[int]] = {}
    for key in keys:
        table, _, number = key.partition(".")
        ids.setdefault(table, []).append(record_id(number))
    hits: dict[str, Hit] = {}
    for findable in findables:
        if findable.table in ids and may(actor, findable.action):
            rows = session.execute(_select(findable).where(findable.options.id.in_(ids[findable.table]))).all()
            hits |= {f"{findable.table}.{row.id}": _hit(findable, row) for row in rows}
    return [hits[key] for key in dict.fromkeys(keys) if key in hits]


def _find(session: Session, findable: Findable, text: str) -> list[tuple[int, Hit]]:
    query = ListQuery.read({"search": text})
    if not (words := words_of(query.search)):
        return []
    if findable.shown_on and len("".join(words)) < TEXTS_FROM:
        return []
    typed = " ".join(words)
    # Materialised, so that a name is folded once and not for each rank.
    matches = matching(_select(findable, folded(findable.name).label("folded")), query, findable.options)
    found = matches.cte("found").prefix_with("MATERIALIZED")
    name = found.c.folded
    worth = sa.case(
        (name.startswith(typed, autoescape=True), STARTS),
        (name.contains(f" {typed}", autoescape=True), STARTS_WORD),
        (sa.and_(*(name.contains(word, autoescape=True) for word in words)), IN_NAME),
        else_=ELSEWHERE,
    ).label("worth")
    rows = sa.select(found, worth).order_by(worth, name, found.c.id)
    hits = session.execute(rows.limit(MOST_TEXTS if findable.shown_on else MOST))
    return [(IN_TEXT if findable.shown_on else row.worth, _hit(findable, row)) for row in hits]


def _select(findable: Findable, *more: sa.ColumnElement[Any]) -> sa.Select[Any]:
    columns = (findable.options.id, findable.name.label("name"), findable.note.label("note"), *findable.columns, *more)
    return sa.select(*columns).where(sa.true() if findable.is_listed is None else findable.is_listed)


def _hit(findable: Findable, row: sa.Row[Any]) -> Hit:
    note = ", ".join(findable.shown_on(row.slug).values()) if findable.shown_on else row.note or ""
    return Hit(row.name, note, findable.title, findable.href(row))
