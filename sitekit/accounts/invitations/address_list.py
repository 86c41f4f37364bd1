"""Reads email addresses from a pasted list: one per line, or separated by commas or semicolons, with names or not."""

import re
from dataclasses import dataclass

from ...base.text import is_mailable
from ..drafts import email_of

# A name may contain a comma if it is quoted.
_ENTRY = re.compile(r'(?:"[^"\n]*"|[^,;\n"]|")+')
_BRACKETS = re.compile(r"<([^<>]*)>")
_NAME = re.compile(r"[^\W\d_](?:[^\W\d_]|[ '\N{RIGHT SINGLE QUOTATION MARK}-])*")
_AROUND = ".,;:'\"()[]<>"


@dataclass(frozen=True)
class Entry:
    """One entry as typed, and its address as it is stored; empty if mail cannot be sent to it."""

    typed: str
    email: str


def read_addresses(text: str) -> tuple[Entry, ...]:
    """The entries of a list in their order; each address once."""
    entries: dict[str, Entry] = {}
    surname = ""
    for match in _ENTRY.findall(text):
        piece = " ".join(match.split())
        if surname and (piece.startswith("<") or not _BRACKETS.search(piece)):
            entries.setdefault(surname, Entry(surname, ""))
            surname = ""
        if _NAME.fullmatch(piece):
            # Mail programs also write "Lim, Ann <ann@example.com>" without quotes.
            surname = piece
            continue
        for entry in _entries(f"{surname}, {piece}" if surname else piece):
            entries.setdefault(entry.email or entry.typed, entry)
        surname = ""
    if surname:
        entries.setdefault(surname, Entry(surname, ""))
    return tuple(entries.values())


def _entries(piece: str) -> list[Entry]:
    """The entries of a piece without separators: the addresses in brackets, or else every word with an @."""
    bracketed = _BRACKETS.findall(piece)
    if bracketed:
        return [_entry(piece if len(bracketed) == 1 else text, text) for text in bracketed]
    words = [word for word in piece.split() if "@" in word]
    if len(words) > 1:
        return [_entry(word, word) for word in words]
    return [_entry(piece, words[0] if words else piece)] if piece else []


def _entry(typed: str, address: str) -> Entry:
    email = email_of(address.strip().removeprefix("mailto:").strip(_AROUND))
    return Entry(typed, email if is_mailable(email) else "")
