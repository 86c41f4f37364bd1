"""Searches, sorts, filters and pages a back-office list."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Self, TypeVar

import sqlalchemy as sa
from sqlmodel import Session

from ..core.text import one_line, record_id

PAGE_SIZES = (25, 50, 100)
PAGE_SIZE = PAGE_SIZES[0]
MOST_WORDS = 6
ACTIVE_ONLY = "active"
INACTIVE_ONLY = "inactive"

# The query parameters of a list.
PARAMETERS = ("search", "filter", "sort", "order", "size", "page")

Row = TypeVar("Row")


def list_parameters(parameters: Mapping[str, object]) -> dict[str, str]:
    """Select the list's query parameters, to pass them on to a form and back."""
    return {name: text[:200] for name in PARAMETERS if (text := one_line(parameters.get(name)))}


@dataclass(frozen=True)
class ListQuery:
    """Search, sort, page and filter of a list. Each may come from an address, so an invalid one becomes the default."""

    search: str = ""
    sort: str = ""
    descending: bool = False
    page: int = 1
    filter: str = ""
    size: int = PAGE_SIZE

    @classmethod
    def read(cls, parameters: Mapping[str, object]) -> Self:
        """Read the query from an address's parameters: search, sort, order ('desc'), page, size, and the filters."""
        size = record_id(parameters.get("size"))
        return cls(
            search=one_line(parameters.get("search"))[:200],
            sort=one_line(parameters.get("sort"))[:50],
            descending=parameters.get("order") == "desc",
            page=record_id(parameters.get("page")) or 1,
            filter=one_line(parameters.get("filter"))[:50],
            size=size if size in PAGE_SIZES else PAGE_SIZE,
        )


@dataclass(frozen=True)
class Page(Generic[Row]):
    """One page of rows, its number, and the totals."""

    rows: tuple[Row, ...] = ()
    total: int = 0
    page: int = 1
    pages: int = 1
    size: int = PAGE_SIZE

    @property
    def first(self) -> int:
        """The number of the first row shown, counted from 1; 0 if there is none."""
        return (self.page - 1) * self.size + 1 if self.rows else 0

    @property
    def last(self) -> int:
        """The number of the last row shown."""
        return self.first + len(self.rows) - 1 if self.rows else 0


@dataclass(frozen=True)
class ListOptions:
    """How a table is listed: the columns searched, the sorts by name, the default order."""

    searched: Sequence[sa.ColumnElement[str]]
    sorts: Mapping[str, sa.ColumnElement[Any]]
    default: Sequence[sa.ColumnElement[Any]]
    id: sa.ColumnElement[int]


def paginate(
    session: Session, statement: sa.Select[Any], query: ListQuery, options: ListOptions
) -> tuple[Sequence[sa.Row[Any]], int, int, int]:
    """The rows of a page, the number of matching rows, the page's number, and the number of pages.

    Runs two statements. A page past the end is the last one; an unknown sort is the default order.
    """
    statement = matching(statement, query, options)
    total = session.execute(statement.with_only_columns(sa.func.count(options.id))).scalar_one()
    pages = max(1, -(-total // query.size))
    page = min(max(1, query.page), pages)
    order = _order(query, options)
    # Sort only the ids: sorting whole rows would read the long texts of every record.
    ids = statement.with_only_columns(options.id).order_by(*order).limit(query.size).offset((page - 1) * query.size)
    rows = session.execute(statement.where(options.id.in_(ids)).order_by(*order)).all()
    return rows, total, page, pages


def page_of(session: Session, statement: sa.Select[Any], query: ListQuery, options: ListOptions, record: int) -> int:
    """The number of the page that a record is on; 0 if it does not match."""
    ids = matching(statement, query, options).with_only_columns(options.id).order_by(*_order(query, options))
    found = list(session.execute(ids).scalars())
    return found.index(record) // query.size + 1 if record in found else 0


def _order(query: ListQuery, options: ListOptions) -> list[sa.ColumnElement[Any]]:
    column = options.sorts.get(query.sort)
    if column is None:
        return [*options.default, options.id]
    return [column.desc(), options.id.desc()] if query.descending else [column.asc(), options.id.asc()]


def matching(statement: sa.Select[Any], query: ListQuery, options: ListOptions) -> sa.Select[Any]:
    """Restrict the query to rows that contain every word of the search, each in any of the searched columns."""
    # `icontains` has the database lower-case both sides, because databases differ in how they do it.
    for word in one_line(query.search)[:200].split()[:MOST_WORDS]:
        statement = statement.where(sa.or_(*(column.icontains(word, autoescape=True) for column in options.searched)))
    return statement
