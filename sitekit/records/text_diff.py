"""The difference between two texts as kept, removed and added parts, by word, or without spaces by character.

Unique words that both texts have are matched first, as in a patience diff, because that is fast and gives a comparison
that reads well; `difflib` matches what remains between them.
"""

import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import groupby
from typing import Any

from ..base.text import is_unspaced

KEPT, REMOVED, ADDED, FOLDED = "kept", "removed", "added", "folded"

# What `difflib` may do for a text: the sum of len(old) * len(new) over the pieces it is given.
_MOST_STEPS = 60_000
_DEEPEST = 8
# Where fewer than one token in `_RARE` is a unique word, runs of tokens are matched, unless there are few tokens.
_RARE, _RUN, _FEW = 40, 8, 200
# Kept parts longer than this are folded, except for their ends.
_LONG, _ENDS = 500, 120


@dataclass(frozen=True)
class Part:
    """A part of a text, or an entry of a list: kept, removed, added, moved, or kept and folded because it is long."""

    text: str = ""
    mark: str = KEPT


def compare_texts(old: str, new: str) -> tuple[Part, ...]:
    """The parts of both texts, in order; without those added it is the old text, without those removed the new one."""
    before, after = tokens(old), tokens(new)
    return _parts(_without_noise(_edits(before, after, [_MOST_STEPS])))


def fold(parts: Sequence[Part]) -> tuple[Part, ...]:
    """The parts, with the middle of every long kept one folded; before the first and after the last change, more."""
    folded: list[Part] = []
    for index, part in enumerate(parts):
        head = _ENDS if index else 0
        tail = _ENDS if index < len(parts) - 1 else 0
        if part.mark != KEPT or len(part.text) <= _LONG:
            folded.append(part)
            continue
        start, end = _word_end(part.text, head), _word_end(part.text, len(part.text) - tail)
        pieces = ((part.text[:start], KEPT), (part.text[start:end], FOLDED), (part.text[end:], KEPT))
        folded += [Part(text, mark) for text, mark in pieces if text]
    return tuple(folded)


def tokens(text: str) -> list[str]:
    """The words of a text, its runs of white space, and its other characters, each with its combining marks.

    Python's `\\w` would split Tamil words at their vowel signs. Scripts without spaces between words, such as Chinese,
    are split into characters.
    """
    runs: list[str] = []
    previous = ""
    for character in text:
        kind = _kind(character)
        if runs and (kind == "mark" or (kind == previous and kind in ("word", "space"))):
            runs[-1] += character
        else:
            runs.append(character)
        previous = kind if kind != "mark" else previous
    return runs


@lru_cache(maxsize=8_192)
def _kind(character: str) -> str:
    category = unicodedata.category(character)
    if category[0] == "M" or character in "\u200c\u200d":
        return "mark"
    if character.isspace():
        return "space"
    if category[0] in "LN":
        return "single" if is_unspaced(character) else "word"
    return "other"


def in_order(numbers: Sequence[int]) -> set[int]:
    """The positions of a longest increasing run in a sequence of different numbers: what has not been moved."""
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for position, number in enumerate(numbers):
        length = bisect_left(ends, number)
        before.append(last[length - 1] if length else -1)
        ends[length : length + 1], last[length : length + 1] = [number], [position]
    unmoved: set[int] = set()
    position = last[-1] if last else -1
    while position >= 0:
        unmoved.add(position)
        position = before[position]
    return unmoved


@dataclass
class _Edit:
    """A run of tokens that both texts have, or what one has in place of the other's."""

    old: list[str]
    new: list[str]
    is_kept: bool = False

    @property
    def size(self) -> int:
        return max(_words(self.old), _words(self.new))


def _words(run: Sequence[str]) -> int:
    return sum(map(_is_word, run))


@lru_cache(maxsize=65_536)
def _is_word(token: str) -> bool:
    return _kind(token[0]) in ("word", "single")


def _edits(old: list[str], new: list[str], steps: list[int], depth: int = 0) -> Iterator[_Edit]:
    """The differences of two lists of tokens; `steps` is the work that `difflib` may still do."""
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    if start:
        yield _Edit(old[:start], new[:start], is_kept=True)
    inner_old, inner_new = old[start : len(old) - end], new[start : len(new) - end]
    if not inner_old or not inner_new or depth == _DEEPEST:
        yield _Edit(inner_old, inner_new)
    elif anchors := _anchors(inner_old, inner_new):
        at_old = at_new = 0
        for place_old, place_new in anchors:
            if place_old < at_old or place_new < at_new:
                continue
            yield from _edits(inner_old[at_old:place_old], inner_new[at_new:place_new], steps, depth + 1)
            at_old, at_new = place_old, place_new
            while at_old < len(inner_old) and at_new < len(inner_new) and inner_old[at_old] == inner_new[at_new]:
                at_old, at_new = at_old + 1, at_new + 1
            yield _Edit(inner_old[place_old:at_old], inner_new[place_new:at_new], is_kept=True)
        yield from _edits(inner_old[at_old:], inner_new[at_new:], steps, depth + 1)
    elif (cost := len(inner_old) * len(inner_new)) <= steps[0]:
        steps[0] -= cost
        for tag, a, b, c, d in SequenceMatcher(None, inner_old, inner_new, autojunk=False).get_opcodes():
            yield _Edit(inner_old[a:b], inner_new[c:d], is_kept=tag == "equal")
    else:
        yield _Edit(inner_old, inner_new)
    if end:
        yield _Edit(old[-end:], new[-end:], is_kept=True)


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    """The number of tokens at the beginning that are the same."""
    length = min(len(old), len(new))
    return next((index for index in range(length) if old[index] != new[index]), length)


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """The indexes of tokens that both texts have once, in the same order; of runs of tokens if few are unique."""
    pairs = _unique(old, new)
    if len(pairs) * _RARE < len(new) and len(new) > _FEW:
        pairs = _unique(_runs(old), _runs(new)) or pairs
    in_both = in_order([index for index, _ in pairs])
    return [pair for position, pair in enumerate(pairs) if position in in_both]


def _unique(old: Sequence[Any], new: Sequence[Any]) -> list[tuple[int, int]]:
    in_old, in_new = Counter(old), Counter(new)
    at = {
        token: index for index, token in enumerate(old) if in_old[token] == 1 and in_new[token] == 1 and _words(token)
    }
    return [(at[token], index) for index, token in enumerate(new) if token in at]


def _runs(text: Sequence[str]) -> list[tuple[str, ...]]:
    return list(zip(*(text[start:] for start in range(_RUN)), strict=False))


def _without_noise(edits: Iterator[_Edit]) -> list[_Edit]:
    """The edits, without kept runs that are shorter than the changes on both sides, which are hard to read."""
    merged = _merged(edits)
    while True:
        noise = {
            index
            for index, edit in enumerate(merged)
            if edit.is_kept
            and 0 < index < len(merged) - 1
            and (not (size := _words(edit.new)) or size < min(merged[index - 1].size, merged[index + 1].size))
        }
        if not noise:
            return merged
        merged = _merged(
            _Edit(edit.old, edit.new, edit.is_kept and index not in noise) for index, edit in enumerate(merged)
        )


def _merged(edits: Iterator[_Edit]) -> list[_Edit]:
    filled = (edit for edit in edits if edit.old or edit.new)
    groups = [(is_kept, list(run)) for is_kept, run in groupby(filled, key=lambda edit: edit.is_kept)]
    return [
        _Edit([token for edit in run for token in edit.old], [token for edit in run for token in edit.new], is_kept)
        for is_kept, run in groups
    ]


def _parts(edits: Sequence[_Edit]) -> tuple[Part, ...]:
    parts: list[Part] = []
    for edit in edits:
        if edit.is_kept:
            parts.append(Part("".join(edit.new)))
            continue
        parts += [Part("".join(run), mark) for run, mark in ((edit.old, REMOVED), (edit.new, ADDED)) if run]
    return tuple(parts)


def _word_end(text: str, near: int) -> int:
    """The nearest place before `near` where a word ends; `near` itself if there is none close by."""
    if near in (0, len(text)):
        return near
    space = text.rfind(" ", near - 30, near)
    return space + 1 if space >= 0 else near
