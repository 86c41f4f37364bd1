"""On which public pages each text is that staff can change; `server/ssr/page_texts.py` finds out."""

from collections.abc import Iterable, Mapping

# The labels of its pages by their paths, by the name of the text.
_pages: dict[str, dict[str, str]] = {}


def pages_of(name: str) -> Mapping[str, str]:
    """The labels of the pages that have a text, by their paths; empty until these pages were rendered once."""
    return _pages.get(name, {})


def note_page(path: str, label: str, names: Iterable[str]) -> None:
    """Remember the texts of a page."""
    for name in names:
        _pages.setdefault(name, {})[path] = label
