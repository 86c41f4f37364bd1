"""Searches, sorts, filters and pages a back-office list."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Self, TypeVar

import sqlalchemy as sa
from sqlmodel import Session

from ..base.db.folding import contains
from ..base.text import fold, one_line, record_id

PAGE_SIZES = (25, 50, 100)
PAGE_SIZE = PAGE_SIZES[0]
MOST_WORDS = 6
MOST_CHOICES = 100
MOST_IDS = 100  # as many as a page has at most
ACTIVE_ONLY = "active"
INACTIVE_ONLY = "inactive"
WITH_DRAFT = "draft"

# The query parameters of a list. Facets are filters by a value of the table; forms pass them back to any list.
FACETS = ("industry", "country", "who", "since")
PARAMETERS = ("search", "filter", *FACETS, "sort", "order", "size", "page")
# The parameter of an export of some records only: their ids, separated by commas.
IDS = "ids"

Row = TypeVar("Row")


def list_parameters(parameters: Mapping[str, object]) -> dict[str, str]:
    """Select the list's query parameters, to pass them on to a form and back."""
    return {name: text[:200] for name in PARAMETERS if (text := one_line(parameters.get(name)))}


@dataclass(frozen=True)
class ListQuery:
    """Search, sort, page and filters of a list. Each may come from an address, so an invalid one is the default."""

    search: str = ""
    sort: str = ""
    descending: bool = False
    page: int = 1
    filter: str = ""
    size: int = PAGE_SIZE
    facets: Mapping[str, str] = field(default_factory=dict)
    ids: tuple[int, ...] = ()

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
            facets={name: value for name in FACETS if (value := one_line(parameters.get(name))[:200])},
            ids=tuple(filter(None, map(record_id, one_line(parameters.get(IDS)).split(",")[:MOST_IDS]))),
        )


@dataclass(frozen=True)
class ListPage(Generic[Row]):
    """One page of rows, its number, and the totals."""

    rows: tuple[Row, ...] = ()
    total: int = 0
    page: int = 1
    pages: int = 1
    size: int = PAGE_SIZE
    is_more: bool = False  # more match than are counted

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
    """How a table is listed: the columns searched, the sorts by name, the default order, and the facets by name.

    A sort is by one column, or by several: by the next one where those before are equal.
    `is_folded`: the searched columns hold folded text, so that a long table is searched quickly.
    """

    searched: Sequence[sa.ColumnElement[str]]
    sorts: Mapping[str, sa.ColumnElement[Any] | tuple[sa.ColumnElement[Any], ...]]
    default: Sequence[sa.ColumnElement[Any]]
    id: sa.ColumnElement[int]
    facets: Mapping[str, sa.ColumnElement[str]] = field(default_factory=dict)
    is_folded: bool = False


def paginate(
    session: Session, statement: sa.Select[Any], query: ListQuery, options: ListOptions
) -> tuple[Sequence[sa.Row[Any]], int, int, int]:
    """The rows of a page, the number of matching rows, the page's number, and the number of pages.

    Runs two statements, or one if nothing matches. A page past the end is the last one; an unknown sort is the default
    order.
    """
    found, order = matching(statement, query, options), _order(query, options)
    count = found.with_only_columns(sa.func.count(options.id))
    # Sort only the ids: sorting whole rows would read the long texts of every record.
    ids, page = found.with_only_columns(options.id.label("id")).order_by(*order).limit(query.size), 1
    on_page: Any
    if query.page > 1:
        total = session.execute(count).scalar_one()
        page = min(query.page, max(1, -(-total // query.size)))
        on_page = ids.offset((page - 1) * query.size)
    else:
        # What is folded in the search is counted while it is sorted, so that it is folded once.
        is_cheap = options.is_folded or found is statement
        counted = count.scalar_subquery().correlate(None) if is_cheap else sa.func.count().over()
        first = session.execute(ids.add_columns(counted.label("total"))).all()
        total, on_page = first[0].total if first else 0, [row.id for row in first]
    if not total:
        return (), 0, 1, 1
    rows = session.execute(statement.where(options.id.in_(on_page)).order_by(*order)).all()
    return rows, total, page, -(-total // query.size)


def page_of(session: Session, statement: sa.Select[Any], query: ListQuery, options: ListOptions, record: int) -> int:
    """The number of the page that a record is on; 0 if it does not match."""
    ids = list(session.execute(ordered_ids(statement, query, options)).scalars())
    return ids.index(record) // query.size + 1 if record in ids else 0


def ordered_ids(statement: sa.Select[Any], query: ListQuery, options: ListOptions) -> sa.Select[Any]:
    """The query of the ids of all matching rows, in the order of the list."""
    return matching(statement, query, options).with_only_columns(options.id).order_by(*_order(query, options))


def _order(query: ListQuery, options: ListOptions) -> list[sa.ColumnElement[Any]]:
    sort = options.sorts.get(query.sort)
    if sort is None:
        return [*options.default, options.id]
    columns = [*(sort if isinstance(sort, tuple) else (sort,)), options.id]
    return [column.desc() if query.descending else column.asc() for column in columns]


def matching(statement: sa.Select[Any], query: ListQuery, options: ListOptions) -> sa.Select[Any]:
    """Restrict the query to rows of the chosen facets that contain every word of the search in any searched column."""
    for name, column in options.facets.items():
        if name in query.facets:
            statement = statement.where(has_value(column, query.facets[name], options))
    words = words_of(query.search)
    if not words:
        return statement
    if not options.is_folded:
        return statement.where(contains(options.searched, words))
    return statement.where(
        *(sa.or_(*(column.contains(word, autoescape=True) for column in options.searched)) for word in words)
    )


def has_value(column: sa.ColumnElement[str], value: str, options: ListOptions) -> sa.ColumnElement[bool]:
    """Whether the column of a facet has a value, in any spelling unless the table is long."""
    if options.is_folded:
        return column == value
    return sa.or_(column == value, sa.func.fold(column) == fold(value))  # most have it as it was chosen


def words_of(search: str) -> list[str]:
    """The folded words of a search."""
    return fold(one_line(search)[:200]).split()[:MOST_WORDS]


def choices(session: Session, options: ListOptions) -> dict[str, list[str]]:
    """The values of each facet in alphabetical order; of more than `MOST_CHOICES`, the most frequent, as of spellings.

    Runs one statement.
    """
    if not options.facets:
        return {}
    values_by_facet: dict[str, dict[str, str]] = {name: {} for name in options.facets}
    most_frequent = [
        sa.select(sa.literal(name).label("name"), column.label("value"))
        .where(column != "")
        .group_by(column)
        .order_by(sa.func.count().desc(), column)
        .limit(MOST_CHOICES)
        .subquery()
        for name, column in options.facets.items()
    ]
    for name, value in session.execute(sa.union_all(*map(sa.select, most_frequent))):
        values_by_facet[name].setdefault(fold(value), value)
    return {name: sorted(values.values(), key=fold) for name, values in values_by_facet.items()}


def last_part(column: sa.ColumnElement[str]) -> sa.ColumnElement[str]:
    """The text after a column's last comma, or all of it without one: the country of "Turku, Finland"."""
    # Removing every other character from the right leaves the text up to the last comma.
    before = sa.func.rtrim(column, sa.func.replace(column, ",", ""))
    return sa.func.trim(sa.func.substr(column, sa.func.length(before) + 1))
