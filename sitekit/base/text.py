"""Parses typed text into values and formats values: lists, slugs, order, email, URL."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from hashlib import sha256
from itertools import chain
from urllib.parse import urlsplit

from anyascii import anyascii

MAX_SLUG_LENGTH = 200
MAX_EMAIL_LENGTH = 254
MAX_INTEGER = 2_147_483_647  # of an integer column
# What has no other plain form in Unicode, by its plain form: letters that do not decompose into a base letter and an
# accent, the sigma at a word's end, quotation marks and dashes. Apostrophes are those of all keyboards.
PLAIN = {
    **{"o": "ø", "d": "đð", "l": "ł", "i": "ı", "σ": "ς", "ss": "ß", "ae": "æ", "oe": "œ", "th": "þ"},
    **{"-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212", '"': "\u201c\u201d\u201e\u201f\u2033"},
    **{"'": "`\xb4\u02b9\u02bb\u02bc\u02bd\u02be\u02bf\u2018\u2019\u201a\u201b\u2032"},
}
_PLAIN = {sign: plain for plain, signs in PLAIN.items() for sign in signs}
# Marks without which a word is still the same: accents, and the points of Hebrew and Arabic.
ACCENTS = (
    r"\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
)
_CHANGES = r"(?:[\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]|[\U000e0020-\U000e007f]+)"  # a variant or tags
# What Unicode calls default ignorable, and marks of annotations. Cf has signs that are seen, too, such as Arabic ones.
INVISIBLE = (
    r"\u00ad\u034f\u061c\u115f\u1160\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
    r"\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
# What a joiner, a variant or a tag changes: letters from Arabic to Mongolian, symbols, ideographs and emoji.
_SHAPED = (
    r"\xa9\xae\u0620-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u180a\u1810-\u18af\u2030-\u205e\u2100-\u3163\u3165-\ud7ff"
    r"\uf900-\ufdff\ufe70-\ufefe\U00010a00-\U00011fff\U0001e900-\U0001faff\U00020000-\U0003ffff"
)
_SHAPES = rf"(?:[{_SHAPED}]{_CHANGES}?(?:[\u200c\u200d](?=[{_SHAPED}]))?)+|[0-9#*]\ufe0f(?=\u20e3)"
_SHAPES_OR_INVISIBLE = re.compile(rf"({_SHAPES})|[{INVISIBLE}]")
# What goes on with the character before it: anything after a joiner or some vowels of Thai and Lao; joiners, other
# vowels, jamo, tones of skin, tags; the second letter of a flag.
_FLAG = "[\U0001f1e6-\U0001f1ff]"
_JOINED = re.compile(
    r"[\u200d\u0e40-\u0e44\u0ec0-\u0ec4].$"
    r"|[\u200c\u200d\u0e33\u0eb3\u1160-\u11ff\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]$"
    rf"|(?<!{_FLAG})(?:{_FLAG}{_FLAG})+$"
)
_LATIN = re.compile(r"[\u0100-\u02af\u1d00-\u1eff\u2c60-\u2c7f\ua720-\ua7ff\uab30-\uab6f]")
_NOT_PLAIN = re.compile(f"[{ACCENTS}{INVISIBLE}{''.join(_PLAIN)}]")
_YEAR = re.compile(r"[12][0-9]{3}")
_HEADS = r"[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,9}"
_HEAD_COUNT = re.compile(rf"(?:{_HEADS})(?: ?(?:-|–|to) ?(?:{_HEADS})|\+)?")
_BREAK = re.compile("\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
# What Unicode keeps for no text, and XML forbids in part.
_NONCHARACTERS = r"\ufdd0-\ufdef" + "".join(
    f"{chr(plane + 0xFFFE)}-{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000)
)
_CONTROL = re.compile(rf"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f{_NONCHARACTERS}]")
_WHOLE_NUMBER = re.compile(r"[+-]?[0-9]{1,10}")
_SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?")
_OLD_SLUG = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._~-]*")
_DOMAIN = r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+"
_EMAIL_PART = r"[^\s@.<>\"(),:;\[\]\\]+"
_EMAIL = re.compile(rf"{_EMAIL_PART}(?:\.{_EMAIL_PART})*@{_DOMAIN}", re.I)


def clean_text(value: object) -> str:
    """A text composed (NFC) and without what is not seen; anything but a string becomes empty.

    Tabs stay, and every separator of lines, pages and records becomes \\n. Control characters, noncharacters, lone
    surrogates and invisible characters are removed. A joiner, a variant or a tag stays where it changes a letter or
    an emoji.
    """
    if not isinstance(value, str):
        return ""
    if value.isascii() and value.isprintable():
        return str(value)
    text = _CONTROL.sub("", _BREAK.sub("\n", value).replace("\x1f", " "))
    if text.isascii():
        return text
    text = text.replace("\u2800", " ").encode("utf-8", "ignore").decode("utf-8")
    return unicodedata.normalize("NFC", _SHAPES_OR_INVISIBLE.sub(lambda part: part[1] or "", text))


def one_line(value: object) -> str:
    """A cleaned text on a single line, without space at its ends."""
    return " ".join(clean_text(value).split())


def is_blank(text: str) -> bool:
    """Whether a text is empty or holds only space and non-printing characters."""
    return not any(c.isprintable() and not c.isspace() for c in clean_text(text))


def fold(text: str) -> str:
    """What the spellings of a text have in common, to search, sort and compare it: plain letters, no apostrophes.

    `base.db.folding` has the same for SQL.
    """
    return plain_letters(text).replace("'", "")


def comma_list(value: object) -> list[str]:
    """Split a list that is typed as one text; each entry is one line, and those that fold alike count once.

    A text with a line break has one entry per line, so that an entry may hold commas; any other is split at commas.
    """
    text = clean_text(value)
    pieces = text.split("\n" if "\n" in text else ",")
    entries: dict[str, str] = {}
    for entry in filter(None, map(one_line, pieces)):
        entries.setdefault(fold(entry), entry)
    return list(entries.values())


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


def whole_number(value: object) -> int | None:
    """A whole number within the range of an integer column; None if it is invalid."""
    number = int(text) if _WHOLE_NUMBER.fullmatch(text := str(value).strip()) else None
    return None if number is None or abs(number) > MAX_INTEGER else number


def display_order(value: object) -> int:
    """A whole number, 0 if invalid."""
    return whole_number(one_line(str(value))) or 0


def record_id(value: object) -> int:
    """The id in an address or a form; 0, which no record has, if it is not valid."""
    number = whole_number(value) or 0
    return number if number > 0 else 0


def plain_letters(text: str) -> str:
    """Lower-case a text, without accents and invisible characters, with plain quotation marks and dashes.

    Letters of other scripts stay.
    """
    if text.isascii():
        return text.lower().replace("`", "'")
    letters = unicodedata.normalize("NFKD", text.replace("\xb4", "'")).lower()
    return unicodedata.normalize("NFC", _NOT_PLAIN.sub(lambda sign: _PLAIN.get(sign[0], ""), letters))


def _ascii_letters(name: str) -> str:
    """A name in plain letters, with ASCII for all of the Latin script; names in other scripts have no one spelling."""
    return _LATIN.sub(lambda letter: anyascii(letter[0]).lower(), plain_letters(name))


def slugify_hyphenated(name: str) -> str:
    """A slug in plain letters; each run of non-alphanumerics becomes one hyphen; no hyphen at either end."""
    return re.sub(r"[^a-z0-9]+", "-", _ascii_letters(name)).strip("-")


def slugify_plain(name: str) -> str:
    """A slug in plain letters; whitespace becomes hyphens; characters outside a-z, 0-9 and hyphen are removed."""
    return re.sub(r"[^a-z0-9-]", "", re.sub(r"\s+", "-", _ascii_letters(name).strip()))


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


def is_unspaced(character: str) -> bool:
    """Whether a letter belongs to a script without spaces between words: East Asian, Thai, Lao, Burmese, Khmer."""
    number = ord(character)
    is_southeast_asian = 0x0E00 <= number < 0x0F00 or 0x1000 <= number < 0x10A0 or 0x1780 <= number < 0x1800
    return is_southeast_asian or (character.isalpha() and unicodedata.east_asian_width(character) == "W")


def name_list(names: Sequence[str], most: int = 3) -> str:
    """The first names, and how many more there are: "Ann, Bo, Cy and 4 more"."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more:,} more" if more > 0 else "")


def in_brief(text: str, limit: int = 155) -> str:
    """The start of a text as long as a search result shows, cut between words, or within one that is very long."""
    if len(text) <= limit:
        return text
    ends = range(limit - 1, limit // 2 - 1, -1)
    words = (end for end in ends if text[end].isspace() or any(map(is_unspaced, text[end - 1 : end + 1])))
    end = next((end for end in chain(words, ends) if not _is_joined(text, end)), max(0, limit - 1))
    return text[:end].rstrip(" \n,;:.、，；：。「『（《“‘([") + "…"


def _is_joined(text: str, at: int) -> bool:
    """Whether what people see as one character goes on at this index, or a Thai vowel stands before its consonant."""
    is_virama = unicodedata.combining(text[at - 1]) == 9  # which joins two consonants
    return is_virama or unicodedata.category(text[at])[0] == "M" or _JOINED.search(text, 0, at + 1) is not None


def escape_controls(text: str, limit: int = 200) -> str:
    """Make a text safe for one log line: control and direction characters are escaped, its length is limited."""
    shortened = text[:limit] + ("..." if len(text) > limit else "")
    if shortened.isprintable():
        return shortened
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in shortened)
