"""How raw text from people becomes values: comma lists, both slug rules, display order, e-mail, URL."""

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

MAX_SLUG_LENGTH = 200
MAX_EMAIL_LENGTH = 254
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_SLUG = re.compile(r"[a-z0-9-]+")
_EMAIL = re.compile(
    r"[^\s@<>\"(),:;\[\]\\]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+", re.I
)


def clean_text(value: object) -> str:
    """A person's text without characters no database or page can hold; anything but text is empty.

    Line breaks and tabs stay, line endings become \\n, lone surrogates and control characters go.
    """
    if not isinstance(value, str):
        return ""
    text = value.replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROL.sub("", text).encode("utf-8", "ignore").decode("utf-8")


def one_line(value: object) -> str:
    """A cleaned text on a single line, without space at its ends."""
    return " ".join(clean_text(value).split())


def comma_list(value: object) -> list[str]:
    """Split on commas, trim, drop empties."""
    return [part for part in (piece.strip() for piece in clean_text(value).split(",")) if part]


def display_order(value: object) -> int:
    """A whole number, 0 if invalid; bounded to what the database's integer holds."""
    try:
        number = int(str(value).strip())
    except ValueError:
        return 0
    return number if abs(number) <= 2_147_483_647 else 0


def member_slug(name: str) -> str:
    """Lowercased; each run of non-alphanumerics is one hyphen; no hyphen at either end."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def advisor_slug(name: str) -> str:
    """Lowercased; whitespace to hyphens; characters outside a-z, 0-9 and hyphen removed."""
    return re.sub(r"[^a-z0-9-]", "", re.sub(r"\s+", "-", name.strip().lower()))


def unused_slug(wanted: str, taken: Iterable[str]) -> str:
    """The wanted slug, or the first of wanted-2, wanted-3, ... that is not taken."""
    used = set(taken)
    if wanted not in used:
        return wanted
    number = 2
    while f"{wanted}-{number}" in used:
        number += 1
    return f"{wanted}-{number}"


def is_slug(value: object) -> bool:
    """Whether a text can be a slug at all: checked before any query, so hostile addresses cost nothing."""
    return isinstance(value, str) and len(value) <= MAX_SLUG_LENGTH and _SLUG.fullmatch(value) is not None


def is_email(value: str) -> bool:
    """One address of the everyday form, without comments, quotes or several recipients."""
    return len(value) <= MAX_EMAIL_LENGTH and len(value.partition("@")[0]) <= 64 and _EMAIL.fullmatch(value) is not None


def is_web_url(value: str) -> bool:
    """An http or https address with a host."""
    if any(c.isspace() for c in value):
        return False
    try:
        parts = urlsplit(value)
        return parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False


def is_image_url(value: str) -> bool:
    """An http or https address, or a path on this site (what the demo data and uploads use)."""
    on_this_site = value.startswith("/") and not value.startswith(("//", "/\\")) and not any(c.isspace() for c in value)
    return on_this_site or is_web_url(value)


def escape_controls(text: str, limit: int = 200) -> str:
    """A text that is safe in one log line: control and direction characters escaped, length bounded."""
    shown = text[:limit] + ("..." if len(text) > limit else "")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in shown)
