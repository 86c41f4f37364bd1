"""Sets typographic apostrophes, quotation marks and dashes when a text is shown.

Records keep what was typed. Prescribed texts are not passed through here.
"""

import re
import unicodedata
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from .text import is_unspaced

T = TypeVar("T")

# Fields that are copied, dialled or looked up stay as they were typed.
_VERBATIM = ("slug", "email", "phone", "registration_number", "html")

_ELISION = re.compile(r"(?<!\w)'(?=\d0s\b|(?:n|em|tis|twas|til)\b)", re.IGNORECASE)
_QUOTE = re.compile("[\"']")
_RANGE = re.compile(r"(?<![\w+.,)#-])(?<!\d )(\d{1,4})-(\d{1,4})(?![\w-]| \d)")
_RULES = (
    (re.compile(r" -{1,2} "), " – "),
    (re.compile(r"\.\.\."), "…"),
    (re.compile(r"\bCO2\b"), "CO₂"),
)


def typeset(text: str) -> str:
    """The text with typographic signs; idempotent."""
    if "'" in text or '"' in text:
        text = _with_quotes(_ELISION.sub("’", text))
    text = _RANGE.sub(_dash, text)
    for pattern, sign in _RULES:
        text = pattern.sub(sign, text)
    return text


def _with_quotes(text: str) -> str:
    """Replace straight apostrophes and quotation marks.

    Without spaces between words, as in Chinese, a mark opens if none of its kind is open.
    """
    parts: list[str] = []
    start, is_open = 0, {"'": False, '"': False}
    for match in _QUOTE.finditer(text):
        parts.append(text[start : match.start()])
        sign, start = match[0], match.end()
        before = next((part for part in reversed(parts) if part), " ")[-1]
        after = text[start : start + 1] or " "
        if any(map(_is_unspaced, (before, after))) and not before.isspace():
            opens = not is_open[sign]
        else:
            opens = (
                not (unicodedata.category(before)[0] in "LMN" or before in "_.,;:!?)]}…%’”»") and not after.isspace()
            )
        is_open[sign] = opens
        parts.append({"'": "’‘", '"': "”“"}[sign][opens])
    return "".join(parts) + text[start:]


def _is_unspaced(character: str) -> bool:
    return is_unspaced(character) or "\u3001" <= character <= "\u301b" or "\uff01" <= character <= "\uff5e"


def _dash(match: re.Match[str]) -> str:
    """A dash between two numbers of a kind, but not within a telephone number, a date, a norm or a model."""
    first, last = match[1], match[2]
    word = match.string[max(0, match.start() - 40) : match.start()].rpartition(" ")[0].rpartition(" ")[2]
    is_named = match.string[: match.start()].endswith(" ") and word[:1].isupper() and word[-1:].isalnum()
    is_short_year = _is_year(first) and len(last) == 2 and int(first[2:]) < int(last)
    is_round = last.endswith("00")
    is_of_a_kind = is_round or (_is_year(first) == _is_year(last) and (len(last) < 4 or _is_year(last)))
    is_range = is_of_a_kind and int(first) < int(last) and not last.startswith("0")
    return f"{first}–{last}" if not is_named and (is_short_year or is_range) else match[0]


def _is_year(number: str) -> bool:
    return len(number) == 4 and "1500" <= number < "2100"


def typeset_record(record: T) -> T:
    """The same record with every text in it typeset, except for the fields in `_VERBATIM` and URLs."""
    return _typeset_value(record)  # type: ignore[no-any-return]


def _typeset_value(value: Any) -> Any:
    if isinstance(value, str):
        return typeset(value)
    if isinstance(value, (list, tuple, set)):
        return type(value)(map(_typeset_value, value))
    if is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in fields(value)]
        typeset_names = (name for name in names if name not in _VERBATIM and not name.endswith("_url"))
        return replace(value, **{name: _typeset_value(getattr(value, name)) for name in typeset_names})
    return value
