"""The texts of the finder, and of the list of keys."""

from types import MappingProxyType

PAGE = "Page"
ACT = "Action"
ADD = "Add {noun}"

# By the names that finder.jsx uses.
FINDER = MappingProxyType(
    {
        "field": "Find anything",
        "hint": "Find a record, page or action",
        "leave": "Close",
        "results": "Results",
        "one": "1 result",
        "several": "{count} results",
        "none": "Nothing matches \u201c{text}\u201d.",
        "failed": "The search is not available at the moment.",
        "move": "to move",
        "open": "to open",
        "close": "to close",
    }
)

KEYS = "Keys that work here"
# The keys, what they do, and a selector of what a page must have for it.
KEY_LIST = (
    ("Ctrl K", "Find anything", ".finder-button"),
    ("/", "Search this list", ".search-box"),
    ("Enter \u2193", "Go from the search to the first row", ".search-box"),
    ("Alt \u2191 \u2193", "Move the row whose handle is selected", ".row-handle"),
    ("Ctrl S", "Save and continue", "[data-then=stay]"),
    ("Ctrl Z", "Undo what the notice says", ".notice-undo"),
    ("?", "Show these keys", "body"),
)
