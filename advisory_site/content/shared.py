"""The dataclasses that texts of pages and forms are written in, and words that several pages share."""

from dataclasses import dataclass

SIGN_IN = "Sign in"
SHOW = "Show"
HIDE = "Hide"


@dataclass(frozen=True, slots=True)
class SeoText:
    """What a search result and a browser tab say of a page."""

    title: str
    description: str


@dataclass(frozen=True, slots=True)
class Link:
    """Words that lead somewhere; an external link opens a new tab.

    The context completes a label that says too little by itself, for those who hear the links without the page.
    """

    label: str
    href: str
    external: bool = False
    context: str = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """How a section, or a page, begins: a small line above, the title, and a sentence or two below."""

    title: str
    text: str = ""
    eyebrow: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """One point of several; `icon` is a key that the drawing module knows."""

    title: str
    text: str
    icon: str


@dataclass(frozen=True, slots=True)
class Stat:
    """A number set large. The note says what is counted, so that no two numbers seem to disagree."""

    value: str
    label: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a sequence; the order of the tuple numbers it."""

    title: str
    text: str
    details: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CallToAction:
    """How a page ends: a question answered and where to go next."""

    title: str
    text: str
    primary: Link
    secondary: Link | None = None


@dataclass(frozen=True, slots=True)
class Passage:
    """A subheading with its prose, for the pages that are read from top to bottom."""

    title: str
    paragraphs: tuple[str, ...]
    bullets: tuple[str, ...] = ()
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class FieldText:
    """The texts of a form field: its label and a hint."""

    label: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class GroupText:
    """The heading of a group of fields, and a sentence about it."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a form: its name in the post, its label, and the words that help to fill it."""

    name: str
    label: str
    help: str = ""
    placeholder: str = ""
    autocomplete: str = ""
    required: bool = False


@dataclass(frozen=True, slots=True)
class Option:
    """One choice of a select: the stored value and the words beside it."""

    value: str
    label: str
