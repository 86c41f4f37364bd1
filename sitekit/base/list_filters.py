"""Filters of a public list: which records the query of an address selects, and the links to the other choices."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any
from urllib.parse import parse_qsl, urlencode

from .queries import MOST_CHARACTERS, without_campaign
from .text import fold, one_line
from .typography import typeset

LEAST_FOLDED = 3  # options; fewer stay among the others
PAGE = "page"  # the parameter of all pages of a list but the first

# The chosen value of each filter that is used, in the order of the filters.
Choice = Mapping[str, str]


@dataclass(frozen=True)
class Filter:
    """One filter: the name of its query parameter, its label, and the values of a record.

    Its options are the values of the records, the most frequent first, after those in `order`. With `is_closed` they
    are exactly those in `order`, including the ones that no record has. With `folds_rare` the values that a single
    record has are folded.
    """

    name: str
    label: str
    values: Callable[[Any], Sequence[str]]
    order: tuple[str, ...] = ()
    is_closed: bool = False
    folds_rare: bool = False


@dataclass(frozen=True)
class FilterOption:
    """One value of a filter: how many records it leaves, and the link that chooses or removes it; empty for none."""

    label: str = ""
    count: int = 0
    href: str = ""
    is_chosen: bool = False


@dataclass(frozen=True)
class FilterRow:
    """One filter as the page shows it; the folded options come after the others."""

    label: str = ""
    options: tuple[FilterOption, ...] = ()
    folded: tuple[FilterOption, ...] = ()


class ListFilters:
    """The filters of a list with the values of its public records, in the order of these.

    A query selects records, or it is not one of the list: then the whole list is shown. What campaigns add to it is
    ignored. Values that differ only in case, accents, spaces or typographic signs are the same value, spelled as in
    the first record. With a `page_size` the list has pages of so many records.
    """

    def __init__(self, filters: Sequence[Filter], records: Sequence[Any], page_size: int = 0) -> None:
        self._filters, self._page_size = filters, page_size
        self._names = [list_filter.name for list_filter in filters]
        self._spellings = {
            (list_filter.name, _key(value)): value for list_filter in filters for value in list_filter.order
        }
        self._records = [
            {each.name: self._spelled(each.name, each.values(record)) for each in filters} for record in records
        ]
        self._queries = {urlencode(items) for record in self._records for items in self._choices(record)}
        self._accepted = [*self._names, PAGE]
        self._add_pages()

    def _add_pages(self) -> None:
        """Add the queries of all pages but the first ones."""
        for choice in [{}, *map(dict, map(parse_qsl, self._queries))] if self._page_size else []:
            for number in range(2, -(-len(self.selected(choice)) // self._page_size) + 1):
                self._spellings[PAGE, str(number)] = str(number)
                self._queries.add(urlencode({**choice, PAGE: number}))

    def _spelled(self, name: str, values: Sequence[str]) -> frozenset[str]:
        lines = filter(None, map(one_line, values))
        return frozenset(self._spellings.setdefault((name, _key(value)), value) for value in lines)

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
        return {name: value for name, value in parse_qsl(self.canonical(query)) if name != PAGE}

    def page(self, query: str) -> int:
        """The number of the page that a query chooses."""
        return int(dict(parse_qsl(self.canonical(query))).get(PAGE, 1))

    def on_page(self, choice: Choice, page: int) -> list[int]:
        """The indexes of the records on one page of those that have every chosen value."""
        selected, size = self.selected(choice), self._page_size or len(self._records)
        return selected[(page - 1) * size : page * size]

    def page_link(self, choice: Choice, page: int, path: str) -> str:
        """The link to another page; empty if there is none."""
        if page < 1 or not self.on_page(choice, page):
            return ""
        query = urlencode({**choice, PAGE: page} if page > 1 else choice)
        return f"{path}?{query}" if query else path

    def _read(self, query: str) -> Choice:
        try:
            if len(query) > MOST_CHARACTERS:
                return {}
            pairs = parse_qsl(without_campaign(query), True, True, errors="strict", max_num_fields=len(self._accepted))
        except ValueError:
            return {}
        values = {name: self._spellings.get((name, _key(value)), "") for name, value in pairs}
        chosen = {name: values[name] for name in self._accepted if values.get(name)}
        is_complete = len(chosen) == len(pairs) and urlencode(chosen) in self._queries
        return chosen if is_complete else {}

    def selected(self, choice: Choice) -> list[int]:
        """The indexes of the records that have every chosen value."""
        return [
            index
            for index, record in enumerate(self._records)
            if all(value in record[name] for name, value in choice.items())
        ]

    def rows(self, choice: Choice, page: str, anchor: str) -> tuple[FilterRow, ...]:
        """The filters with their options, without those that leave no choice.

        Each option is a link to the filtered list at `anchor`; the link to the whole list leads to the top of the page.

        No link leads to an empty list. The chosen option comes first.
        """
        rows = (
            self._row(list_filter, self._options(list_filter, choice, page, anchor)) for list_filter in self._filters
        )
        return tuple(
            row for row in rows if len(row.options + row.folded) > 1 or any(option.is_chosen for option in row.options)
        )

    def _row(self, of: Filter, options: tuple[FilterOption, ...]) -> FilterRow:
        total = self._count(of)
        rare = tuple(
            option for option in options if of.folds_rare and not option.is_chosen and total[option.label] == 1
        )
        if len(rare) < LEAST_FOLDED or len(rare) == len(options):
            return FilterRow(of.label, options)
        return FilterRow(of.label, tuple(option for option in options if option not in rare), rare)

    def _count(self, of: Filter) -> Counter[str]:
        """How many records have each value."""
        return Counter(value for record in self._records for value in record[of.name])

    def _options(self, of: Filter, choice: Choice, page: str, anchor: str) -> tuple[FilterOption, ...]:
        others = {name: value for name, value in choice.items() if name != of.name}
        counts = Counter(value for index in self.selected(others) for value in self._records[index][of.name])
        total = self._count(of)
        chosen = choice.get(of.name, "")
        by_number = sorted(total, key=lambda value: (-total[value], fold(value)))
        offered = dict.fromkeys([chosen, *of.order, *([] if of.is_closed else by_number)])

        def option(value: str) -> FilterOption:
            choices = others if value == chosen else {**others, of.name: value}
            query = urlencode({name: choices[name] for name in self._names if name in choices})
            href = f"{page}?{query}#{anchor}" if query else page
            return FilterOption(value, counts[value], href if counts[value] else "", value == chosen)

        return tuple(option(value) for value in offered if value and (counts[value] or of.is_closed))


@lru_cache(maxsize=1024)
def _key(value: str) -> str:
    """What the spellings of a value have in common; many records have the same few values."""
    return fold(typeset(value))
