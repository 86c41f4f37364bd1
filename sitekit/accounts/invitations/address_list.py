"""Reads email addresses from a pasted list: one per line, or separated by commas or semicolons, with names or not."""

import re
from dataclasses import dataclass

from pydantic import ValidationError

from ...base.text import is_mailable, is_unspaced
from ..form_data import NamesData, email_of

# A name may contain a comma if it is quoted.
_ENTRY = re.compile(r'(?:"[^"\n]*"|[^,;\n"]|")+')
_BRACKETS = re.compile(r"<([^<>]*)>")
_NAME = re.compile(r"[^\W\d_](?:[^\W\d_]|[ '\N{RIGHT SINGLE QUOTATION MARK}-])*")
_AROUND = ".,;:'\"()[]<>"
_AROUND_NAME = " ,'\"\u2018\u2019\u201c\u201d"
_NO_NAMES = NamesData()


@dataclass(frozen=True)
class InvitedAddress:
    """One entry as typed, and its address and names as they are stored; no address if mail cannot be sent to it."""

    typed: str
    email: str
    names: NamesData = _NO_NAMES


def read_addresses(text: str) -> tuple[InvitedAddress, ...]:
    """The entries of a list in their order; each address once, with a name if one is typed anywhere."""
    entries: dict[str, InvitedAddress] = {}
    surname = ""
    for match in _ENTRY.finditer(text):
        piece = " ".join(match[0].split())
        if surname and (piece.startswith("<") or not _BRACKETS.search(piece)):
            entries.setdefault(surname, InvitedAddress(surname, ""))
            surname = ""
        if _NAME.fullmatch(piece):
            # Mail programs also write "Lim, Ann <ann@example.com>" without quotes.
            surname = piece
            continue
        follows_comma = text[match.start() - 1] == ","
        for entry in _entries(f"{surname}, {piece}" if surname and follows_comma else piece):
            key = entry.email or entry.typed
            if key not in entries or entries[key].names == _NO_NAMES:
                entries[key] = entry
        surname = ""
    if surname:
        entries.setdefault(surname, InvitedAddress(surname, ""))
    return tuple(entries.values())


def _entries(piece: str) -> list[InvitedAddress]:
    """The entries of a piece without separators: the addresses in brackets, or else every word with an @."""
    names, bracketed = _BRACKETS.split(piece)[::2], _BRACKETS.findall(piece)
    if bracketed:
        pairs = zip(names, bracketed, strict=False)
        return [_entry(piece if len(bracketed) == 1 else text, text, name) for name, text in pairs]
    words = [word for word in piece.split() if "@" in word]
    if len(words) > 1:
        return [_entry(word, word) for word in words]
    name = " ".join(word for word in piece.split() if "@" not in word)
    # A line of a spreadsheet has the name of a person; the last piece of a list begins with "and".
    is_name = _NAME.fullmatch(name) and not name[0].islower()
    return [_entry(piece, words[0] if words else piece, name if is_name else "")] if piece else []


def _entry(typed: str, address: str, name: str = "") -> InvitedAddress:
    email = email_of(address.strip().removeprefix("mailto:").strip(_AROUND))
    return InvitedAddress(typed, email, _names(name)) if is_mailable(email) else InvitedAddress(typed, "")


def _names(typed: str) -> NamesData:
    """First and last name; empty if there is none, or it is encoded or breaks the rules of names."""
    name = typed.replace("\\", "").strip(_AROUND_NAME)
    last, comma, first = name.partition(",")
    if not comma:
        # Chinese, Japanese and Korean names begin with the family name, so they stay whole.
        first, _, last = (name, "", "") if name and is_unspaced(name[0]) else name.partition(" ")
    try:
        names = NamesData.model_validate({"first_name": first, "last_name": last})
    except ValidationError:
        return _NO_NAMES
    return _NO_NAMES if "=?" in name else names
