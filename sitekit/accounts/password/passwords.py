"""Hashes, compares and checks passwords. Hashing and comparing are slow on purpose (part of a second)."""

import string
import unicodedata
from collections.abc import Sequence
from functools import cache

import bcrypt
from zxcvbn import zxcvbn

from ...base import messages
from ...base.errors import InvalidInput
from ...base.permissions import Role
from ...base.site import get_site
from ..account_errors import WeakPassword

MIN_CHARACTERS = 6
MAX_BYTES = 72  # the limit of bcrypt
FEW_GUESSES = 100_000  # refuses the 30,000 commonest passwords with the usual changes, and keyboard walks
FEW_WORD_GUESSES = 10_000  # of a word to which only a year, digits or marks are added
MOST_ADDED = 6  # digits and marks around a word: a year and two marks
NAME_PART = 3
# Words that an attacker tries first for any account; a site adds those of its trade.
EVERYDAY = (*Role, "owner", "staff", "team", "company", "office")
# zxcvbn tries every combination of the letters that each of "4@8({[<36&1!|7+0$5%" may stand for. A password of 64
# such characters would take seconds; 20 take no longer than the hash.
JUDGED_AT_ONCE = 20
DIGITS_AND_MARKS = string.digits + string.punctuation + " "


def _bytes(password: str) -> bytes:
    # Keyboards produce accented letters composed or decomposed; NFC makes the password the same on all of them.
    return unicodedata.normalize("NFC", password).encode("utf-8", "replace")


def hash_password(password: str, cost: int) -> str:
    """The bcrypt hash of a password of at most 72 bytes."""
    return bcrypt.hashpw(_bytes(password), bcrypt.gensalt(cost)).decode()


def is_password(password: str, hashed: str) -> bool:
    """Whether the hash is of this password."""
    given = _bytes(password)
    # Always compare, so that a password that is too long takes as long as any other.
    matches = bcrypt.checkpw(given[:MAX_BYTES].replace(b"\0", b"?"), hashed.encode())
    return matches and len(given) <= MAX_BYTES and b"\0" not in given


@cache
def dummy_hash(cost: int) -> str:
    """A hash to compare with if the account is unknown, so that the response takes as long as for a known one."""
    return hash_password("nobody has this password", cost)


def needs_rehash(hashed: str, cost: int) -> bool:
    """Whether a hash was made with a lower cost."""
    return int(hashed.split("$")[2]) < cost


def check_new_password(password: str, personal: Sequence[str]) -> None:
    """Raise `InvalidInput` or `WeakPassword` unless a user with these names may have this password."""
    if len(password) < MIN_CHARACTERS:
        raise InvalidInput(messages.PASSWORD_TOO_SHORT, {"password": messages.PASSWORD_TOO_SHORT})
    if len(_bytes(password)) > MAX_BYTES or "\0" in password:
        raise InvalidInput(messages.PASSWORD_TOO_LONG, {"password": messages.PASSWORD_TOO_LONG})
    reasons = weaknesses(password, personal)
    if reasons:
        raise WeakPassword(reasons)


def weaknesses(password: str, personal: Sequence[str]) -> list[str]:
    """Why a password is too easy to guess; empty if it is not."""
    folded = password.casefold()
    own = _parts(*personal)
    site = get_site()
    brand = site.brand
    firm = _parts(brand.name, brand.legal_name, brand.email.partition("@")[2], *EVERYDAY, *site.trade)
    for parts, reason in (
        (own, messages.PASSWORD_REASON_PERSONAL),
        (own | firm, messages.PASSWORD_REASON_FIRM),
    ):
        if _is_made_of(folded, parts):
            return [reason]
    if len(set(folded)) <= 2:
        return [messages.PASSWORD_REASON_REPEATED]
    word = folded.strip(DIGITS_AND_MARKS)
    if len(folded) - len(word) <= MOST_ADDED and _guesses(word) < FEW_WORD_GUESSES:
        return [messages.PASSWORD_REASON_COMMON]
    results = [
        zxcvbn(password[start : start + JUDGED_AT_ONCE], user_inputs=sorted(own | firm))
        for start in range(0, len(password), JUDGED_AT_ONCE)
    ]
    if any(result["guesses"] >= FEW_GUESSES for result in results):
        return []
    pattern = results[0]["sequence"][0]
    if pattern.get("dictionary_name") == "user_inputs":
        return [messages.PASSWORD_REASON_PERSONAL]
    if pattern["pattern"] == "repeat":
        return [messages.PASSWORD_REASON_REPEATED]
    return [messages.PASSWORD_REASON_COMMON]


def _is_made_of(folded: str, parts: set[str]) -> bool:
    """Whether a password without these parts is too short."""
    rest = folded
    for part in sorted(parts, key=len, reverse=True):
        rest = rest.replace(part, "")
    return rest != folded and len(rest) < MIN_CHARACTERS


def _guesses(word: str) -> int:
    return int(zxcvbn(word[:JUDGED_AT_ONCE])["guesses"]) if word else 0


def _parts(*texts: str) -> set[str]:
    """Names and email addresses in lower case, whole and split into the words that passwords are made of."""
    parts: set[str] = set()
    for folded in (text.casefold().strip() for text in texts):
        words = "".join(letter if letter.isalnum() else " " for letter in folded).split()
        parts |= {folded, folded.partition("@")[0], *words}
    return {part for part in parts if len(part) >= NAME_PART}
