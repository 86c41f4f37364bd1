"""The comparison of two snapshots of a record: what changed in each field, in the terms of its form."""

from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..content import history_texts as words
from ..core.text import image_url, is_blank, one_line, text_list, text_of
from .inputs import FormField, Group
from .text_diff import ADDED, KEPT, REMOVED, Part, compare_texts, fold, in_order, tokens

CHANGED, MOVED = "changed", "moved"
# Kinds of changes: how a screen draws them.
WORDS, VALUE, LIST, ROWS, PICTURE = "words", "value", "list", "rows", "picture"

# More characters, entries and rows, which no form stores, are left out.
_MOST_CHARACTERS, _MOST_ENTRIES, _MOST_ROWS = 50_000, 2_000, 200
# The beginning of a text by which rows and lines are matched.
_MATCHED_BY = 2_000
# A row or a line counts as changed, not as replaced, if this share of it is the same.
_ALIKE = 0.4


@dataclass(frozen=True)
class Cell:
    """The change of one field, or of one field of a row: `parts` for `WORDS`, else `old` and `new`."""

    name: str = ""
    label: str = ""
    kind: str = VALUE
    old: str = ""
    new: str = ""
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True)
class Entry:
    """An entry of a list, and whether it was kept, removed, added or moved."""

    text: str = ""
    mark: str = KEPT


@dataclass(frozen=True)
class RowChange:
    """A row of a repeating group that was removed, added, changed or moved; `former` is its place before, if moved.

    `label` is what a row is called with its place ("Founder 2"), `title` the text of its first field that has one.
    """

    label: str = ""
    title: str = ""
    mark: str = CHANGED
    former: int = 0
    cells: tuple[Cell, ...] = ()


@dataclass(frozen=True)
class Change(Cell):
    """The change of one field of a record: `listed` for `LIST`, `rows` for `ROWS`.

    Of `PICTURE`, `old_picture` and `new_picture` are the addresses that may be shown, `shape` the picture's shape.
    """

    listed: tuple[Entry, ...] = ()
    rows: tuple[RowChange, ...] = ()
    old_picture: str = ""
    new_picture: str = ""
    shape: str = ""


def compare(fields: Mapping[str, FormField], old: object, new: object) -> tuple[Change, ...]:
    """The fields that differ between two snapshots (mappings, or objects with the columns), in the form's order.

    The slug counts, also where it is no input; other columns without an input do not. Snapshots may hold anything:
    what cannot be shown is empty.
    """
    found = [_change(one, _stored(old, name), _stored(new, name)) for name, one in fields.items()]
    if "slug" not in fields:
        found.append(_value("slug", words.PAGE_ADDRESS, text_of(_stored(old, "slug")), text_of(_stored(new, "slug"))))
    return tuple(change for change in found if change)


def _stored(snapshot: object, name: str) -> object:
    return snapshot.get(name) if isinstance(snapshot, Mapping) else getattr(snapshot, name, None)


def _change(field: FormField, old: object, new: object) -> Change | None:
    about = field.input
    if isinstance(about, Group):
        rows = _row_changes(about, _rows(about, old), _rows(about, new))
        return Change(field.name, about.label, ROWS, rows=rows) if rows else None
    if field.kind.control == "list":
        entries = _entries(_texts(old), _texts(new))
        is_changed = any(entry.mark != KEPT for entry in entries)
        return Change(field.name, about.label, LIST, listed=entries) if is_changed else None
    before, after = _text(field, old), _text(field, new)
    if before == after:
        return None
    if about.picture:
        return Change(
            field.name,
            about.label,
            PICTURE,
            before,
            after,
            old_picture=_picture(before),
            new_picture=_picture(after),
            shape=about.picture.shape,
        )
    cell = _cell(field, before, after)
    return Change(**vars(cell))


def _picture(address: str) -> str:
    """The address of a picture if the back office may load it: over https, or from this site."""
    return "" if address.startswith("http:") else image_url(address)


def _value(name: str, label: str, old: str, new: str) -> Change | None:
    return Change(name, label, VALUE, old, new) if old != new else None


def _text(field: FormField, stored: object) -> str:
    """The text of a stored value that is not a list."""
    if field.kind.control == "check":
        return (words.YES if stored else words.NO) if isinstance(stored, bool) else ""
    text = text_of(stored[:_MOST_CHARACTERS] if isinstance(stored, str) else stored)
    return text if field.kind.control == "text" else one_line(text)


def _texts(stored: object) -> list[str]:
    """The entries of a stored list."""
    return [one_line(text) for text in text_list(stored[:_MOST_ENTRIES] if isinstance(stored, list) else stored)]


def _rows(group: Group, stored: object) -> list[dict[str, str]]:
    """The rows of a group's stored value, as texts by field."""
    rows = group.read(stored[:_MOST_ROWS] if isinstance(stored, list) else stored)
    return [{name: _text(one, getattr(row, name)) for name, one in group.fields.items()} for row in rows]


def _cell(field: FormField, old: str, new: str) -> Cell:
    """The change of a text: a long one, or a line that has several words, by word; any other as a whole."""
    about = field.input
    is_plain = field.kind.control == "line" and (
        about.choices or about.refers_to or field.kind.attributes or not _has_much_in_common(old, new)
    )
    if field.kind.control == "check" or is_plain:
        return Cell(field.name, about.label, VALUE, old, new)
    return Cell(field.name, about.label, WORDS, parts=fold(compare_texts(old, new)))


def _has_much_in_common(old: str, new: str) -> bool:
    return _likeness(_words(old), _words(new)) >= _ALIKE


def _words(text: str) -> Counter[str]:
    return Counter(token for token in tokens(text[:_MATCHED_BY]) if not is_blank(token))


def _likeness(one: Counter[str], other: Counter[str]) -> float:
    """The share of words that two texts have in common: 1 for the same text, 0 for none."""
    return 2 * (one & other).total() / ((one.total() + other.total()) or 1)


def _entries(old: Sequence[str], new: Sequence[str]) -> tuple[Entry, ...]:
    """The entries of both lists: in the order of the new one, those removed where they were in the old one."""
    matched = _matched_exactly(old, new)
    kept = _kept(matched)
    removed = _removed_after(old, matched, kept)
    found = [Entry(text, REMOVED) for text in removed[-1]]
    for place, text in enumerate(new):
        mark = KEPT if place in kept else MOVED if place in matched else ADDED
        found.append(Entry(text, mark))
        found += [Entry(gone, REMOVED) for gone in removed[place]]
    return tuple(found)


def _matched_exactly(old: Sequence[Any], new: Sequence[Any]) -> dict[int, int]:
    """The places of the old by those of the new, for equal values."""
    waiting: defaultdict[Any, deque[int]] = defaultdict(deque)
    for place, value in enumerate(old):
        waiting[value].append(place)
    return {place: waiting[value].popleft() for place, value in enumerate(new) if waiting[value]}


def _kept(matched: Mapping[int, int]) -> set[int]:
    """The places of the new whose values have not been moved."""
    places = sorted(matched)
    kept = in_order([matched[place] for place in places])
    return {place for position, place in enumerate(places) if position in kept}


def _removed_after(old: Sequence[Any], matched: Mapping[int, int], kept: set[int]) -> dict[int, list[Any]]:
    """The removed values, by the position of the kept value before them; -1 for none."""
    now_at = {before: place for place, before in matched.items()}
    removed: defaultdict[int, list[Any]] = defaultdict(list)
    last = -1
    for before, value in enumerate(old):
        if before not in now_at:
            removed[last].append(value)
        elif now_at[before] in kept:
            last = now_at[before]
    return removed


def _row_changes(group: Group, old: list[dict[str, str]], new: list[dict[str, str]]) -> tuple[RowChange, ...]:
    matched = _matched_rows(old, new)
    kept = _kept(matched)
    removed = _removed_after(list(enumerate(old)), matched, kept)

    def gone(place: int) -> Iterator[RowChange]:
        return (_whole_row(group, row, before, REMOVED) for before, row in removed.get(place, []))

    found = list(gone(-1))
    for place, row in enumerate(new):
        if place not in matched:
            found.append(_whole_row(group, row, place, ADDED))
        else:
            before = matched[place]
            cells = _cells(group, old[before], row)
            former = before + 1 if place not in kept else 0
            if cells or former:
                mark = CHANGED if cells else MOVED
                found.append(RowChange(_row_label(group, place), _title(row), mark, former, cells))
        found += gone(place)
    return tuple(found)


def _matched_rows(old: list[dict[str, str]], new: list[dict[str, str]]) -> dict[int, int]:
    """The places of the old rows by those of the new: equal rows, else of the same name, else the most similar."""
    matched = _matched_exactly([tuple(row.values()) for row in old], [tuple(row.values()) for row in new])

    def match(name_old: list[Any], name_new: list[Any]) -> None:
        free_new = [place for place in range(len(new)) if place not in matched and name_new[place]]
        free_old = [place for place in range(len(old)) if place not in matched.values() and name_old[place]]
        named = _matched_exactly([name_old[place] for place in free_old], [name_new[place] for place in free_new])
        matched.update({free_new[place]: free_old[before] for place, before in named.items()})

    match([_title(row) for row in old], [_title(row) for row in new])
    words_old = {place: _row_words(row) for place, row in enumerate(old) if place not in matched.values()}
    words_new = {place: _row_words(row) for place, row in enumerate(new) if place not in matched}
    pairs = (
        (_likeness(one, other), -abs(place - before), place, before)
        for place, other in words_new.items()
        for before, one in words_old.items()
    )
    for likeness, _, place, before in sorted(pairs, reverse=True):
        if likeness >= _ALIKE and place not in matched and before not in matched.values():
            matched[place] = before
    return matched


def _row_words(row: Mapping[str, str]) -> Counter[str]:
    return _words(" ".join(text[:_MATCHED_BY] for text in row.values()))


def _cells(group: Group, old: Mapping[str, str], new: Mapping[str, str]) -> tuple[Cell, ...]:
    changed = (one for name, one in group.fields.items() if old[name] != new[name])
    return tuple(_cell(one, old[one.name], new[one.name]) for one in changed)


def _whole_row(group: Group, row: Mapping[str, str], place: int, mark: str) -> RowChange:
    """A row that was added or removed, with its texts."""
    filled = (one for name, one in group.fields.items() if not is_blank(row[name]))
    cells = tuple(Cell(one.name, one.input.label, WORDS, parts=fold((Part(row[one.name], mark),))) for one in filled)
    return RowChange(_row_label(group, place), _title(row), mark, cells=cells)


def _row_label(group: Group, place: int) -> str:
    return f"{group.one} {place + 1}"


def _title(row: Mapping[str, str]) -> str:
    return next((one_line(text)[:100] for text in row.values() if not is_blank(text)), "")
