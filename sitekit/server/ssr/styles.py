"""Keeps the rules of the stylesheet that a page can use; the scripts bring the whole sheet when they start."""

import re
from functools import lru_cache
from itertools import accumulate

_QUOTED = r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'"""
_SELECTORS = rf"""(?:[^{{}};"']|{_QUOTED})*"""
_DECLARATIONS = rf"""(?:[^{{}}"']|{_QUOTED})*"""
# A rule; a statement, or the beginning of a group of rules; the end of a group.
_PART = re.compile(rf"(?P<selectors>{_SELECTORS})\{{{_DECLARATIONS}\}}|{_SELECTORS}[;{{]|\s*\}}")
_NO_CLASSES = re.compile(rf"{_QUOTED}|\[[^][]*\]")
_BRACKETS = re.compile(r"(?P<name>:[\w-]+)?\((?P<inside>[^()]*)\)")
# A choice, once its brackets are braces: one of its selectors is needed.
_CHOICE = re.compile(r"\{(?P<choice>[^{}]*)\}")
_CLASS = re.compile(r"\.(-?[A-Za-z_][\w-]*)")

PAGES_REMEMBERED = 64


class UnevenStyles(Exception):
    """A stylesheet whose blocks do not end where they should."""


class Stylesheet:
    """A stylesheet without comments, as the build makes it, read once."""

    def __init__(self, text: str) -> None:
        matches = list(_PART.finditer(text.strip()))
        steps = (part[0].endswith("{") - (part[0].lstrip() == "}") for part in matches)
        depths = list(accumulate(steps, initial=0))
        if "".join(part[0] for part in matches) != text.strip() or min(depths) < 0 or depths[-1] > 0:
            raise UnevenStyles(text[:80])
        self._parts = [(part[0], _needs(part["selectors"] or "")) for part in matches]
        # A page that is rendered again after an edit has, as a rule, the classes that it had.
        self.used = lru_cache(PAGES_REMEMBERED)(self._used)

    def _used(self, classes: frozenset[str]) -> str:
        """What of it can apply to a page whose elements have these classes."""
        parts: list[str] = []
        for text, needs in self._parts:
            if text.lstrip() == "}" and parts[-1].endswith("{"):
                parts.pop()  # of this group nothing applies
            elif any(needed <= classes for needed in needs):
                parts.append(text)
        return "".join(parts)


def _needs(selectors: str) -> list[frozenset[str]]:
    """The classes that each selector requires, also in the choices of `:is()`, `:where()` and `:has()`."""
    if "\\" in selectors:
        return [frozenset()]
    selectors = _NO_CLASSES.sub("", selectors)
    count = 1
    while count:
        selectors, count = _BRACKETS.subn(_braces, selectors)
    needs, waiting = [], selectors.split(",")
    for selector in waiting:
        if choice := _CHOICE.search(selector):
            before, after = selector[: choice.start()], selector[choice.end() :]
            waiting += [f"{before}{chosen}{after}" for chosen in choice["choice"].split("|")]
        else:
            needs.append(frozenset(_CLASS.findall(selector)))
    return needs


def _braces(brackets: re.Match[str]) -> str:
    """A choice in braces, with bars for commas; nothing for a negation and other brackets, which require no class."""
    is_choice = brackets["name"] in (":is", ":where", ":has")
    return "{" + brackets["inside"].replace(",", "|") + "}" if is_choice else ""
