"""The dataclasses of the copy of pages and forms, the mark of what staff can change, and texts that pages share."""

from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeVar

T = TypeVar("T")

SIGN_IN = "Sign in"
SHOW = "Show"
HIDE = "Hide"
NEW_TAB_NOTE = "opens in a new tab"

# Filters of lists.
SHOW_ALL = "Show all"
REMOVE_FILTER = "(remove this filter)"
MORE_OPTIONS = "more"  # after their number
NEWER = "Newer"
OLDER = "Older"
PAGES = "Pages of the list"


@dataclass(frozen=True, slots=True)
class SeoText:
    """The title and description of a page for search results and the browser tab."""

    title: str
    description: str


@dataclass(frozen=True, slots=True)
class Link:
    """A link; an external one opens a new tab.

    `context` completes a short label for screen readers, which list links without the text around them.
    """

    label: str
    href: str
    external: bool = False
    context: str = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """The heading of a section or page: a small line above, the title, and one or two sentences below."""

    title: str
    text: str = ""
    eyebrow: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """One of several points; `icon` is a key of `ui/icons.py`."""

    title: str
    text: str
    icon: str


@dataclass(frozen=True, slots=True)
class Stat:
    """A number set large; the note says what is counted."""

    value: str
    label: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a sequence; numbered by its position in the tuple."""

    title: str
    text: str
    details: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CallToAction:
    """The end of a page: a question, its answer, and links."""

    title: str
    text: str
    primary: Link
    secondary: Link | None = None


@dataclass(frozen=True, slots=True)
class Passage:
    """A subheading with its text."""

    title: str
    paragraphs: tuple[str, ...]
    bullets: tuple[str, ...] = ()
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a form: its name in the posted data, its label, and its help."""

    name: str
    label: str
    help: str = ""
    placeholder: str = ""
    autocomplete: str = ""
    required: bool = False


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a select: the stored value and its label."""

    value: str
    label: str


class ChangeableText(str):
    """A text of a public page that staff can change in the back office; `public/words.py` shows it."""

    __slots__ = ()


# A text of so few words is a label: it would have the same original as a label elsewhere, and both would change.
MOST_WORDS_OF_LABEL = 2
# Every changeable text.
ORIGINALS: set[str] = set()
# Fields that are no texts.
_NO_TEXTS = ("href", "icon", "anchor")


def changeable(value: T, *, fixed: tuple[str, ...] = ()) -> T:
    """The same text, tuple or dataclass, in which staff can change every text but labels and the `fixed` fields."""
    return _marked(value, {*_NO_TEXTS, *fixed})  # type: ignore[no-any-return]


def _marked(value: Any, fixed: set[str]) -> Any:
    if isinstance(value, str) and _count_words(value) > MOST_WORDS_OF_LABEL:
        ORIGINALS.add(value)
        return ChangeableText(value)
    if isinstance(value, tuple):
        return tuple(_marked(item, fixed) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in fields(value) if field.name not in fixed]
        return replace(value, **{name: _marked(getattr(value, name), fixed) for name in names})
    return value


def _count_words(text: str) -> int:
    return sum(any(map(str.isalnum, word)) for word in text.split())
