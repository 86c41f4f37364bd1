"""Keeps the rules of the stylesheet that a page can use; the scripts bring the whole sheet when they start."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

# Blocks of rules; any other at-rule (a font, an animation) is kept whole.
_GROUPS = ("@media", "@supports", "@layer", "@container")
_CLASS = re.compile(r"\.(-?[A-Za-z_][\w-]*)")


class UnevenStyles(Exception):
    """A stylesheet whose blocks do not end where they should."""


@dataclass(frozen=True)
class _Block:
    """A rule, a group of them, or a statement; `needs` holds the classes of each of its selectors."""

    text: str
    head: str = ""
    needs: tuple[frozenset[str], ...] = ()
    inner: list["_Block"] = field(default_factory=list)

    def used(self, known: frozenset[str]) -> str:
        if self.inner:
            kept = "".join(block.used(known) for block in self.inner)
            return f"{self.head}{{{kept}}}" if kept else ""
        return self.text if not self.needs or any(needed <= known for needed in self.needs) else ""


class Stylesheet:
    """A stylesheet without comments, as the build makes it, read once."""

    def __init__(self, text: str) -> None:
        self._blocks = list(_blocks(text.strip()))

    def used(self, classes: frozenset[str]) -> str:
        """What of it can apply to a page whose elements have these classes."""
        return "".join(block.used(classes) for block in self._blocks)


def _blocks(text: str) -> Iterator[_Block]:
    at = 0
    while at < len(text):
        head_end = next((i for i, depth in _walk(text, at) if depth == 0 and text[i] in "{;"), None)
        if head_end is None:
            raise UnevenStyles(text[at : at + 80])
        if text[head_end] == ";":
            yield _Block(text[at : head_end + 1])
            at = head_end + 1
            continue
        end = next((i for i, depth in _walk(text, head_end + 1) if depth < 0), None)
        if end is None:
            raise UnevenStyles(text[at : at + 80])
        head, whole = text[at:head_end], text[at : end + 1]
        if head.startswith(_GROUPS):
            yield _Block(whole, head, inner=list(_blocks(text[head_end + 1 : end])))
        else:
            yield _Block(whole, head, () if head.startswith("@") else _needs(head))
        at = end + 1


def _walk(text: str, at: int) -> Iterator[tuple[int, int]]:
    """Every place outside of quotes, with how deep in brackets it is, seen from where the walk began."""
    depth, quote = 0, ""
    for i in range(at, len(text)):
        char = text[i]
        if quote:
            quote = "" if char == quote and text[i - 1] != "\\" else quote
            continue
        if char in "\"'":
            quote = char
        elif char in ")]}":
            depth -= 1
        yield i, depth
        if char in "([{":
            depth += 1


def _needs(head: str) -> tuple[frozenset[str], ...]:
    """The classes that a selector requires; those in brackets may be a choice or a negation."""
    if "\\" in head:
        return ()
    outside = "".join(head[i] for i, depth in _walk(head, 0) if depth == 0 and head[i] not in "([{)]}")
    return tuple(frozenset(_CLASS.findall(selector)) for selector in outside.split(","))
