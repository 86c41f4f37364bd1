"""Parses typed text into values and formats values: lists, slugs, order, email, URL, times."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import datetime
from hashlib import sha256
from urllib.parse import urlsplit

from .site import get_site

MAX_SLUG_LENGTH = 200
MAX_EMAIL_LENGTH = 254
MAX_INTEGER = 2_147_483_647  # of an integer column
# Letters that Unicode does not decompose into a base letter and an accent.
_NO_ACCENT_TO_LOSE = str.maketrans(
    {"ø": "o", "đ": "d", "ð": "d", "ß": "ss", "æ": "ae", "œ": "oe", "ł": "l", "þ": "th", "ı": "i"}
)
_YEAR = re.compile(r"[12][0-9]{3}")
_HEADS = r"[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,9}"
_HEAD_COUNT = re.compile(rf"(?:{_HEADS})(?: ?(?:-|–|to) ?(?:{_HEADS})|\+)?")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_WHOLE_NUMBER = re.compile(r"[+-]?[0-9]{1,10}")
_SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?")
_OLD_SLUG = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._~-]*")
_DOMAIN = r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+"
_EMAIL_PART = r"[^\s@.<>\"(),:;\[\]\\]+"
_EMAIL = re.compile(rf"{_EMAIL_PART}(?:\.{_EMAIL_PART})*@{_DOMAIN}", re.I)


def clean_text(value: object) -> str:
    """Remove characters that no database or page can hold; anything but a string becomes empty.

    Line breaks and tabs stay, line endings become \\n, lone surrogates and control characters are removed.
    """
    if not isinstance(value, str):
        return ""
    text = value.replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROL.sub("", text).encode("utf-8", "ignore").decode("utf-8")


def one_line(value: object) -> str:
    """A cleaned text on a single line, without space at its ends."""
    return " ".join(clean_text(value).split())


def is_blank(text: str) -> bool:
    """Whether a text is empty or holds only space and non-printing characters."""
    return not any(c.isprintable() and not c.isspace() for c in text)


def comma_list(value: object) -> list[str]:
    """Split a list that is typed as one text; entries are trimmed, empty ones dropped.

    A text with a line break has one entry per line, so that an entry may hold commas; any other is split at commas.
    """
    text = clean_text(value)
    pieces = text.split("\n" if "\n" in text else ",")
    return [entry for entry in map(str.strip, pieces) if entry]


def text_of(value: object) -> str:
    """A stored value of any type as text: strings cleaned, numbers formatted, anything else empty."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    return clean_text(value)


def text_list(value: object) -> tuple[str, ...]:
    """A stored list of texts. Items that are no text are left out; a plain text is read as a comma list."""
    if isinstance(value, list):
        return tuple(text for text in map(text_of, value) if text.strip())
    return tuple(comma_list(value))


def shown_list(value: object) -> str:
    """A stored list of texts as a form shows it, for `comma_list` to read: separated by commas, or by line breaks
    where an entry holds a comma. One entry alone then keeps its line break, or it would be split."""
    entries = [one_line(text) for text in text_list(value)]
    if not any("," in entry for entry in entries):
        return ", ".join(entries)
    return "\n".join(entries) + ("\n" if len(entries) == 1 else "")


def after_last_comma(text: str) -> str:
    """The text after its last comma, or all of it without one: the country of "Turku, Finland"."""
    return one_line(text.rpartition(",")[2])


def record_list(value: object, main_key: str) -> tuple[dict[str, object], ...]:
    """A stored list of records. An item that is a plain text counts as a record with only its main field;
    other items are left out, and what is not a list is empty."""
    if not isinstance(value, list):
        return ()
    items: list[dict[str, object]] = [item if isinstance(item, dict) else {main_key: text_of(item)} for item in value]
    return tuple(item for item in items if any(item.values()))


def display_order(value: object) -> int:
    """A whole number, 0 if invalid; bounded by the range of an integer column."""
    number = int(text) if _WHOLE_NUMBER.fullmatch(text := str(value).strip()) else 0
    return number if abs(number) <= MAX_INTEGER else 0


def record_id(value: object) -> int:
    """The id in an address or a form; 0, which no record has, if it is not valid."""
    number = display_order(value)
    return number if number > 0 else 0


def plain_letters(text: str) -> str:
    """Lower-case a text and remove the accents of its letters; letters of other scripts stay."""
    letters = unicodedata.normalize("NFKD", text.lower().translate(_NO_ACCENT_TO_LOSE))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def slugify_hyphenated(name: str) -> str:
    """A slug in plain letters; each run of non-alphanumerics becomes one hyphen; no hyphen at either end."""
    return re.sub(r"[^a-z0-9]+", "-", plain_letters(name)).strip("-")


def slugify_plain(name: str) -> str:
    """A slug in plain letters; whitespace becomes hyphens; characters outside a-z, 0-9 and hyphen are removed."""
    return re.sub(r"[^a-z0-9-]", "", re.sub(r"\s+", "-", plain_letters(name).strip()))


def usable_slug(preferred: str, fallback: str) -> str:
    """A slug made from a name, short enough for a number behind it; the fallback if nothing usable is left."""
    return preferred[: MAX_SLUG_LENGTH - 10].strip("-") or fallback


def unused_slug(preferred: str, taken: Iterable[str]) -> str:
    """The wanted slug, or the first of wanted-2, wanted-3, ... that is not taken."""
    used = set(taken)
    if preferred not in used:
        return preferred
    number = 2
    while f"{preferred}-{number}" in used:
        number += 1
    return f"{preferred}-{number}"


def text_name(text: str) -> str:
    """A name for a text of any length, such as one of a page that staff can change."""
    return sha256(text.encode()).hexdigest()[:16]


def iso_text(at: datetime | None) -> str:
    """A time in UTC as ISO text, "2026-11-21T19:26:00Z"; empty for None."""
    return f"{at:%Y-%m-%dT%H:%M:%SZ}" if at else ""


def is_slug(value: object) -> bool:
    """Whether a text is a valid new slug: a-z, 0-9 and hyphens, with no hyphen at either end."""
    return isinstance(value, str) and len(value) <= MAX_SLUG_LENGTH and _SLUG.fullmatch(value) is not None


def may_be_slug(value: object) -> bool:
    """Whether any stored record can have this slug, including records of older versions.

    Checked before any query, so that random addresses cause none.
    """
    return isinstance(value, str) and len(value) <= MAX_SLUG_LENGTH and _OLD_SLUG.fullmatch(value) is not None


def is_year(value: str) -> bool:
    """Whether a text is a year of four digits."""
    return _YEAR.fullmatch(value) is not None


def is_head_count(value: str) -> bool:
    """Whether a text is a head count: a number such as 40 or 1,200, or a range such as 11-50 or 10,000+."""
    return _HEAD_COUNT.fullmatch(value) is not None


def is_domain(value: str) -> bool:
    """A domain of an email address, in lower case."""
    return re.fullmatch(_DOMAIN, value) is not None


def is_email(value: str) -> bool:
    """Whether a text is one plain email address, without comments, quotes or several recipients."""
    return len(value) <= MAX_EMAIL_LENGTH and len(value.partition("@")[0]) <= 64 and _EMAIL.fullmatch(value) is not None


def is_mailable(value: str) -> bool:
    """An email address in ASCII alone, in which nothing looks encoded: mail programs do not agree on others."""
    return is_email(value) and value.isascii() and "=?" not in value


def is_web_url(value: str) -> bool:
    """Whether a text is an http or https URL with a host."""
    if any(c.isspace() for c in value):
        return False
    try:
        parts = urlsplit(value)
        return parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False


def web_url(value: str | None) -> str:
    """The URL if it may be used in a link, else empty; this keeps out `javascript:`."""
    return value if value and is_web_url(value) else ""


def date_text(at: datetime) -> str:
    """The date of a moment in the site's time zone: `2026-11-22`."""
    return f"{at.astimezone(get_site().zone):%Y-%m-%d}"


def time_text(at: datetime) -> str:
    """A moment in the site's time zone: `24 Nov 2026, 18:32 (UTC+08)`."""
    local = at.astimezone(get_site().zone)
    return f"{local.day} {local:%b %Y, %H:%M} (UTC{(local.tzname() or '').removeprefix('UTC')})"


def image_url(value: str | None) -> str:
    """The URL if a page may show it as an image, else empty."""
    return value if value and is_image_url(value) else ""


def is_image_url(value: str) -> bool:
    """Whether a text is an http or https URL, or a path on this site (as in the demo data)."""
    on_this_site = value.startswith("/") and not value.startswith(("//", "/\\")) and not any(c.isspace() for c in value)
    return on_this_site or is_web_url(value)


def capitalised(text: str) -> str:
    """A text with a capital letter first; the others stay."""
    return text[:1].upper() + text[1:]


def in_capitals(text: str) -> str:
    """A text with a capital letter at the begin of each word."""
    return " ".join(map(capitalised, text.split()))


def listed(names: Sequence[str], last: str = "and") -> str:
    """Names in words: "articles, books and pictures"."""
    *others, end = names
    return f"{', '.join(others)} {last} {end}" if others else end


def with_article(noun: str) -> str:
    """A noun with its article, which follows the spelling: "an article", "a book"."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def in_brief(text: str, limit: int = 155) -> str:
    """The start of a text as long as a search result shows, cut between words."""
    if len(text) <= limit:
        return text
    return text[: limit - 1].rsplit(" ", 1)[0].rstrip(",;:.") + "…"


def escape_controls(text: str, limit: int = 200) -> str:
    """Make a text safe for one log line: control and direction characters are escaped, its length is limited."""
    shortened = text[:limit] + ("..." if len(text) > limit else "")
    if shortened.isprintable():
        return shortened
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in shortened)
