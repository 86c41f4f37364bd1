"""The dataclasses of the copy of pages and forms, and texts that several pages share."""

from dataclasses import dataclass

SIGN_IN = "Sign in"
SHOW = "Show"
HIDE = "Hide"


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
class GroupText:
    """The heading of a group of fields, and a sentence about it."""

    title: str
    text: str


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
