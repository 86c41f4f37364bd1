"""What the description of a record says of its form: the parts, and labels that several fields have."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Section:
    """A part of a form: its heading, and a text below it."""

    title: str
    text: str = ""


ON_THE_SITE = "On the site"
CHOICE_NONE = "None"
LIST_HINT = "One per line, or separated by commas."
# Beside the name or slug of a record that another one names.
HIDDEN = "hidden from visitors"
DELETED = "deleted"
