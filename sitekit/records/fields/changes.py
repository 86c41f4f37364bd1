"""What the history shows of a field that changed, and how entries and rows are matched after moves."""

from collections import Counter, defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...base.text import is_blank
from ..text_diff import Part, compare_texts, fold, in_order, tokens

CHANGED, MOVED = "changed", "moved"
# Kinds of changes: how a screen draws them.
WORDS, VALUE, LIST, ROWS, PICTURE = "words", "value", "list", "rows", "picture"

# The beginning of a text by which rows and lines are matched.
MATCHED_BY = 2_000
# A row or a line counts as changed, not as replaced, if this share of it is the same.
ALIKE = 0.4


@dataclass(frozen=True)
class Cell:
    """The change of one field, or of one field of a row: `parts` for `WORDS`, else `old` and `new`."""

    name: str = ""
    label: str = ""
    category: str = VALUE
    old: str = ""
    new: str = ""
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True)
class RowChange:
    """A row of a repeating group that was removed, added, changed or moved; `former` is its place before, if moved.

    `label` is what a row is called with its place ("Author 2"), `title` the text of its first field that has one.
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

    listed: tuple[Part, ...] = ()
    rows: tuple[RowChange, ...] = ()
    old_picture: str = ""
    new_picture: str = ""
    shape: str = ""


def by_word(name: str, label: str, old: str, new: str) -> Cell:
    """The change of a text, word by word."""
    return Cell(name, label, WORDS, parts=fold(compare_texts(old, new)))


def words_of(text: str) -> Counter[str]:
    """The words of a text."""
    return Counter(token for token in tokens(text[:MATCHED_BY]) if not is_blank(token))


def likeness(first: Counter[str], other: Counter[str]) -> float:
    """The share of words that two texts have in common: 1 for the same text, 0 for none."""
    return 2 * (first & other).total() / ((first.total() + other.total()) or 1)


def matched_exactly(old: Sequence[Any], new: Sequence[Any]) -> dict[int, int]:
    """The indexes of the old by those of the new, for equal values."""
    waiting: defaultdict[Any, deque[int]] = defaultdict(deque)
    for index, value in enumerate(old):
        waiting[value].append(index)
    return {index: waiting[value].popleft() for index, value in enumerate(new) if waiting[value]}


def unmoved_of(matched: Mapping[int, int]) -> set[int]:
    """The indexes of the new whose values have not been moved."""
    indexes = sorted(matched)
    unmoved = in_order([matched[index] for index in indexes])
    return {index for position, index in enumerate(indexes) if position in unmoved}


def removed_after(old: Sequence[Any], matched: Mapping[int, int], unmoved: set[int]) -> dict[int, list[Any]]:
    """The removed values, by the position of the kept value before them; -1 for none."""
    now_at = {before: index for index, before in matched.items()}
    removed: defaultdict[int, list[Any]] = defaultdict(list)
    last = -1
    for before, value in enumerate(old):
        if before not in now_at:
            removed[last].append(value)
        elif now_at[before] in unmoved:
            last = now_at[before]
    return removed
