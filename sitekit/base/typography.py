"""Sets typographic apostrophes, quotation marks and dashes when a text is shown.

Records keep what was typed. Prescribed texts are not passed through here.
"""

import re
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

T = TypeVar("T")

# Fields that are copied, dialled or looked up stay as they were typed.
_VERBATIM = ("slug", "email", "phone", "registration_number", "html")

_RULES = (
    # Apostrophe: between letters, after a plural's s, and before shortened years.
    (re.compile(r"(?<=\w)'"), "’"),
    (re.compile(r"'(?=\d0s\b)"), "’"),
    # Any other single quote before a letter is an opening one.
    (re.compile(r"'(?=\w)"), "‘"),
    (re.compile(r'(?<![\w.,;:!?)…])"(?=\S)'), "“"),
    (re.compile(r'"'), "”"),
    # Dash between two numbers, but not within a telephone number or a date.
    (re.compile(r"(?<![\w+.,)-])(?<!\d )(\d{1,4})-(\d{1,4})(?![\w-]| \d)"), r"\1–\2"),
    (re.compile(r" -{1,2} "), " – "),
    (re.compile(r"\.\.\."), "…"),
    (re.compile(r"\bCO2\b"), "CO₂"),
)


def typeset(text: str) -> str:
    """The text with typographic signs; idempotent."""
    for pattern, sign in _RULES:
        text = pattern.sub(sign, text)
    return text


def typeset_record(record: T) -> T:
    """The same record with every text in it typeset, except for the fields in `_VERBATIM` and URLs."""
    return _typeset_value(record)  # type: ignore[no-any-return]


def _typeset_value(value: Any) -> Any:
    if isinstance(value, str):
        return typeset(value)
    if isinstance(value, (list, tuple)):
        return type(value)(map(_typeset_value, value))
    if is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in fields(value)]
        typeset_names = (name for name in names if name not in _VERBATIM and not name.endswith("_url"))
        return replace(value, **{name: _typeset_value(getattr(value, name)) for name in typeset_names})
    return value
