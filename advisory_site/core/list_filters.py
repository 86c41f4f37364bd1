"""Filters of a public list: which records the query of an address selects, and the links to the other choices."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from urllib.parse import parse_qsl, urlencode

from .typography import typeset

MOST_CHARACTERS = 1_000  # of a query

# The values of one record, by the name of the filter.
Values = Mapping[str, Sequence[str]]
# The chosen value of each filter that is used, in the order of the filters.
Choice = Mapping[str, str]


@dataclass(frozen=True)
class Filter:
    """One filter: the name of its query parameter, and its label.

    Its options are the values of the records, the most frequent first, after those in `order`. With `is_closed` they
    are exactly those in `order`, including the ones that no record has.
    """

    name: str
    label: str
    order: tuple[str, ...] = ()
    is_closed: bool = False


@dataclass(frozen=True)
class FilterOption:
    """One value of a filter: how many records it leaves, and the link that chooses or removes it; empty for none."""

    label: str = ""
    count: int = 0
    href: str = ""
    is_chosen: bool = False


@dataclass(frozen=True)
class FilterRow:
    """One filter as the page shows it."""

    label: str = ""
    options: tuple[FilterOption, ...] = ()


class ListFilters:
    """The filters of a list with the values of its public records.

    A query selects records, or it is not one of the list: then the whole list is shown. Values that differ only in
    case or in typographic signs are the same value, spelled as in the first record.
    """

    def __init__(self, filters: Sequence[Filter], records: Sequence[Values]) -> None:
        self._filters = filters
        self._names = [one.name for one in filters]
        self._spellings = {(one.name, _key(value)): value for one in filters for value in one.order}
        self._records = [
            {name: self._spelled(name, record.get(name, ())) for name in self._names} for record in records
        ]
        self._queries = frozenset(
            map(urlencode, {items for record in self._records for items in self._choices(record)})
        )

    def _spelled(self, name: str, values: Sequence[str]) -> frozenset[str]:
        return frozenset(self._spellings.setdefault((name, _key(value)), value) for value in values if value)

    def _choices(self, record: Mapping[str, frozenset[str]]) -> Iterator[tuple[tuple[str, str], ...]]:
        """Every combination of values that selects a record."""
        for combination in product(*([None, *record[name]] for name in self._names)):
            chosen = tuple((name, value) for name, value in zip(self._names, combination, strict=True) if value)
            if chosen:
                yield chosen

    def canonical(self, query: str) -> str:
        """The query as links spell it; empty unless it selects records."""
        return query if query in self._queries else urlencode(self._read(query))

    def choice(self, query: str) -> Choice:
        """The values that a query chooses; none unless it selects records."""
        return dict(parse_qsl(self.canonical(query)))

    def _read(self, query: str) -> Choice:
        try:
            if len(query) > MOST_CHARACTERS:
                return {}
            pairs = parse_qsl(query, True, True, errors="strict", max_num_fields=len(self._names))
        except ValueError:
            return {}
        values = {name: self._spellings.get((name, _key(value)), "") for name, value in pairs}
        chosen = {name: values[name] for name in self._names if values.get(name)}
        is_whole = len(chosen) == len(pairs) and urlencode(chosen) in self._queries
        return chosen if is_whole else {}

    def selected(self, choice: Choice) -> list[int]:
        """The places of the records that have every chosen value."""
        return [
            place
            for place, record in enumerate(self._records)
            if all(value in record[name] for name, value in choice.items())
        ]

    def rows(self, choice: Choice, page: str, anchor: str) -> tuple[FilterRow, ...]:
        """The filters with their options, without those that leave no choice.

        Each option is a link to the filtered list at `anchor`; the link to the whole list leads to the top of the page.

        No link leads to an empty list. The chosen option comes first.
        """
        rows = (FilterRow(one.label, self._options(one, choice, page, anchor)) for one in self._filters)
        return tuple(row for row in rows if len(row.options) > 1 or any(option.is_chosen for option in row.options))

    def _options(self, of: Filter, choice: Choice, page: str, anchor: str) -> tuple[FilterOption, ...]:
        others = {name: value for name, value in choice.items() if name != of.name}
        counts = Counter(value for place in self.selected(others) for value in self._records[place][of.name])
        total = Counter(value for record in self._records for value in record[of.name])
        chosen = choice.get(of.name, "")
        by_number = sorted(total, key=lambda value: (-total[value], value.casefold()))
        offered = dict.fromkeys([chosen, *of.order, *([] if of.is_closed else by_number)])

        def option(value: str) -> FilterOption:
            wanted = others if value == chosen else {**others, of.name: value}
            query = urlencode({name: wanted[name] for name in self._names if name in wanted})
            href = f"{page}?{query}#{anchor}" if query else page
            return FilterOption(value, counts[value], href if counts[value] else "", value == chosen)

        return tuple(option(value) for value in offered if value and (counts[value] or of.is_closed))


@lru_cache(maxsize=1024)
def _key(value: str) -> str:
    """What the spellings of a value have in common; many records have the same few values."""
    return typeset(value).casefold()
